import Journal
import Synchronization
import SystemTesting
import Testing

@testable import Sync

@Suite("A client of a hub") struct SyncClientTests {
  private static let device = UUIDBytes(high: 1, low: 2)
  private static let hash = [UInt8](repeating: 0xAB, count: 32)

  private static func other(_ device: UInt64) -> [WireOperation] {
    SampleChain.operations(1, device: UUIDBytes(high: device, low: 9)).map { WireOperation($0) }
  }

  /// A store that holds operations of other devices without a number, and cannot learn one.
  private final class Store: SyncStore {
    let cursor = Mutex(LogCursor(epoch: UUIDBytes(high: 3, low: 4), seq: 5))
    private let held: Mutex<[WireOperation]>
    /// What comes with the next answer.
    let coming = Mutex<[WireOperation]>([])
    private var others: [WireOperation] { held.withLock { $0 } }

    init(isAlone: Bool = false) { held = Mutex(isAlone ? [] : other(9)) }

    func standing() -> SyncStanding? {
      SyncStanding(
        device: device, token: "t", cursor: cursor.withLock { $0 }, hash: hash, marks: [LogMark(seq: 5, hash: hash)],
        tip: ChainTip(device: device, deviceSeq: 0, hash: hash), waiting: 0, isRunOpen: false)
    }

    /// What was saved after the standing was read.
    let saved = Mutex<[WireOperation]>([])

    func owed(after last: ChainTip, operations: Int, damaged: Set<OperationID>) -> [WireOperation]? {
      saved.withLock { $0.filter { $0.operation.deviceSeq > last.deviceSeq } }
    }
    func unnumbered() -> Int { others.count }
    func unnumbered(after place: ChainTip?, operations: Int) -> [WireOperation] {
      others.filter { other in place.map { $0.device < other.operation.device } ?? true }
    }
    func take(_ answer: SyncAnswer) {
      let new = coming.withLock { coming in
        defer { coming = [] }
        return coming
      }
      held.withLock { $0 += new }
    }
    func take(_ page: SnapshotPage) {}
    func rewind(to mark: LogMark, epoch: UUIDBytes) {
      cursor.withLock { $0 = LogCursor(epoch: epoch, seq: mark.seq) }
    }
    func continueAsNewDevice(asking transport: any Transport) async throws {
      _ = try await transport.send(WireRequest(.post, "/v1/device"), wait: 0)
    }
    let reports = Mutex<[SyncReport]>([])
    func note(_ report: SyncReport) { reports.withLock { $0.append(report) } }
  }

  /// A hub that tells nothing of what is passed on, and can be restored.
  private final class Hub: Transport {
    private let state = Mutex((epoch: UUIDBytes(high: 3, low: 4), devices: [UUIDBytes](), tips: [ChainTip]()))
    /// The ends of the chain that the requests named which brought something.
    var tips: [ChainTip] { state.withLock { $0.tips } }
    var relayed: Int { devices.count }
    /// The devices of what was passed on.
    var devices: [UUIDBytes] { state.withLock { $0.devices } }
    func restore() { state.withLock { $0.epoch = UUIDBytes(high: 3, low: 5) } }

    func send(_ request: WireRequest, wait: Int64) async throws(TransportFailure) -> WireResponse {
      guard request.path == "/v1/sync", let read = try? SyncRequest.decode(request.body) else { throw .unreachable("") }
      return state.withLock { state in
        if read.cursor.epoch != state.epoch {
          return HubError.cursor(
            epoch: state.epoch, common: LogMark(seq: 2, hash: hash), last: 0, lastHash: hash
          ).response
        }
        state.devices += read.operations.map(\.operation.device)
        if !read.operations.isEmpty { state.tips.append(read.tip) }
        let own = read.operations.last?.operation.tip
        let end = own?.device == device ? own : nil
        let answer = SyncAnswer(
          results: read.operations.map {
            .init(
              id: $0.operation.id, deviceSeq: $0.operation.deviceSeq, hubSeq: 7, outcome: .stored(.rejected(.role)))
          },
          entries: [], cursor: read.cursor, hash: hash, more: false, scope: SyncScope(version: 1, atoms: ["all"]),
          last: end?.deviceSeq ?? 0, lastHash: end?.hash ?? hash, time: 0)
        return WireResponse(status: 200, content: .json, body: answer.encoded)
      }
    }
  }

  /// A clock that is an hour later each time it is asked, so that nothing waits.
  private final class Clock: SteadyClock {
    private let time = Mutex<Int64>(0)
    func now() -> Int64 {
      time.withLock {
        $0 += 3_600_000
        return $0
      }
    }
    func sleep(milliseconds: Int64) async { await Task.yield() }
  }

  /// A hub that another copy of the store has written to, and that at first answers nothing to who asks for a new device.
  private final class SilentHub: Transport {
    private let count = Mutex(0)
    /// How often it was asked for one.
    var asked: Int { count.withLock { $0 } }

    func send(_ request: WireRequest, wait: Int64) async throws(TransportFailure) -> WireResponse {
      if request.path != "/v1/device" { return HubError.fork(deviceSeq: 1, hash: hash, last: 2).response }
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      while isFirst, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(2)) }
      throw isFirst ? .cancelled : .unreachable("")
    }
  }

  /// A clock that stands still, with pauses that only somebody else ends.
  private final class StandingClock: SteadyClock {
    private let count = Mutex(0)
    /// How many pauses have begun.
    var pauses: Int { count.withLock { $0 } }
    func now() -> Int64 { 0 }
    func sleep(milliseconds: Int64) async {
      count.withLock { $0 += 1 }
      try? await Task.sleep(for: .seconds(3600))
    }
  }

  /// A way on which everything is lost.
  private final class LostWay: Transport {
    private let count = Mutex(0)
    var asked: Int { count.withLock { $0 } }
    func send(_ request: WireRequest, wait: Int64) async throws(TransportFailure) -> WireResponse {
      count.withLock { $0 += 1 }
      throw .unreachable("")
    }
  }

  @Test("tries at once what failed where a person asks for it, and where the hub answers somebody else")
  func endedPause() async {
    let (way, clock) = (LostWay(), StandingClock())
    let client = SyncClient(store: Store(), transport: way, clock: clock, random: SystemRandomNumberGenerator())
    let running = Task { await client.run(delaysStart: false) }
    await eventually { clock.pauses == 1 }
    await client.retry()
    await eventually { clock.pauses == 2 }
    #expect(way.asked == 2)
    await client.noteAnswer()
    await eventually { clock.pauses == 3 }
    #expect(way.asked == 3)
    running.cancel()
    await running.value
  }

  @Test("gives up to be made a new device where nobody answers, and asks again", .timeLimit(.minutes(15)))
  func silentFork() async {
    let hub = SilentHub()
    let client = SyncClient(store: Store(), transport: hub, clock: Clock(), random: SystemRandomNumberGenerator())
    let running = Task { await client.run(delaysStart: false) }
    await eventually { hub.asked == 1 }
    await client.watch()
    await eventually { hub.asked > 1 }
    running.cancel()
    await running.value
  }

  @Test("names the end of what it sends, also where something was saved since it looked")
  func namesItsEnd() async throws {
    let (store, hub) = (Store(isAlone: true), Hub())
    let chain = SampleChain.operations(3, device: Self.device)
    store.saved.withLock { $0 = chain.map { WireOperation($0) } }
    let client = SyncClient(store: store, transport: hub, clock: Clock(), random: SystemRandomNumberGenerator())
    await client.retry()
    _ = await client.runOnce()
    let last = try #require(chain.last)
    #expect(hub.tips.first == last.tip)
  }

  @Test("says last what it does from then on, and no more where it only exchanged in between")
  func reportedState() async {
    let (store, hub) = (Store(isAlone: true), Hub())
    store.saved.withLock { $0 = SampleChain.operations(3, device: Self.device).map { WireOperation($0) } }
    let client = SyncClient(store: store, transport: hub, clock: StandingClock(), random: SystemRandomNumberGenerator())
    _ = await client.runOnce()
    let phases = store.reports.withLock { $0.map(\.phase) }
    #expect(phases == [.sync, .wait])
    await client.noteCommit()
    _ = await client.runOnce()
    #expect(store.reports.withLock { $0.map(\.phase) } == phases)
  }

  @Test("passes on once what others made, and again when the hub's log has gone back")
  func relaysAgain() async {
    let (store, hub) = (Store(), Hub())
    let client = SyncClient(store: store, transport: hub, clock: Clock(), random: SystemRandomNumberGenerator())
    func exchange() async {
      for _ in 0..<4 {
        await client.retry()
        _ = await client.runOnce()
      }
    }
    await exchange()
    #expect(hub.relayed == 1)
    await exchange()
    #expect(hub.relayed == 1)
    hub.restore()
    await exchange()
    #expect(hub.relayed == 2)
  }

  @Test("passes on what comes while it passes others on, wherever its device stands among them")
  func relaysWhatComesMeanwhile() async {
    let (store, hub) = (Store(), Hub())
    store.coming.withLock { $0 = Self.other(5) }
    let client = SyncClient(store: store, transport: hub, clock: Clock(), random: SystemRandomNumberGenerator())
    for _ in 0..<4 {
      await client.retry()
      _ = await client.runOnce()
    }
    #expect(Set(hub.devices) == [UUIDBytes(high: 5, low: 9), UUIDBytes(high: 9, low: 9)])
  }
}
