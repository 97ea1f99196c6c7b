import CircuitModel
import ExamStore
import GRDB
import Glibc
import Journal
import SeededNumbers
import StoreSync
import Sync
import Synchronization

/// A store as the client sees it, whose process can end before and after each thing that is kept.
final class FaultyStore: SyncStore {
  enum End: CaseIterable { case before, after }

  private struct State {
    var end: End?
    var meanwhile: (@Sendable () -> Void)?
    var isDead = false
    var took = 0
  }

  private let real: EnrolledStore
  private let store: ExamStore
  /// Whether it is the first terminal's, which alone makes some mistakes.
  private let isFirst: Bool
  private let sabotage: Sabotage?
  private let state = Mutex(State())

  init(_ store: ExamStore, isFirst: Bool, _ sabotage: Sabotage?) {
    (real, self.store, self.isFirst, self.sabotage) = (EnrolledStore(store), store, isFirst, sabotage)
  }

  var isDead: Bool { state.withLock { $0.isDead } }
  func kill() { state.withLock { $0.isDead = true } }
  func plan(_ end: End) { state.withLock { $0.end = end } }
  /// Something that another process does before the client reads what it sends.
  func plan(meanwhile: @escaping @Sendable () -> Void) { state.withLock { $0.meanwhile = meanwhile } }
  /// How often something was taken in.
  var took: Int { state.withLock { $0.took } }

  private func live<T>(_ body: () throws -> T) throws -> T {
    if isDead { throw Crash() }
    return try body()
  }

  private func kept(_ body: () async throws -> Void) async throws {
    if isDead { throw Crash() }
    let end = state.withLock { state in
      defer { state.end = nil }
      return state.end
    }
    if end == .before {
      kill()
      throw Crash()
    }
    try await body()
    state.withLock { $0.took += 1 }
    if end == .after {
      kill()
      throw Crash()
    }
  }

  func standing() throws -> SyncStanding? {
    try live {
      var standing = try real.standing()
      if sabotage == .countNulls {
        standing?.waiting = Int64(
          try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM operation WHERE hubSeq IS NULL") ?? 0 })
      }
      return standing
    }
  }

  func owed(after last: ChainTip, operations: Int, damaged: Set<OperationID>) throws -> [WireOperation]? {
    try live {
      let meanwhile = state.withLock { state in
        defer { state.meanwhile = nil }
        return state.meanwhile
      }
      meanwhile?()
      return try real.owed(after: last, operations: operations, damaged: damaged)
    }
  }

  func unnumbered() throws -> Int { try live { sabotage == .noRelay ? 0 : try real.unnumbered() } }

  func unnumbered(after place: ChainTip?, operations: Int) throws -> [WireOperation] {
    try live { sabotage == .noRelay ? [] : try real.unnumbered(after: place, operations: operations) }
  }

  func take(_ page: SyncAnswer) async throws {
    var answer = page
    if sabotage == .keepBodies, isFirst { answer.entries.removeAll { $0.isErasure } }
    if sabotage == .skipGained { answer.entries.removeAll { $0.isBack && $0.isWhole } }
    if sabotage == .keepLost { answer.entries.removeAll { $0.isBack && !$0.isWhole } }
    if sabotage == .throwOutOfPage, answer.entries.contains(where: \.isRefused) { throw StoreError("a bad entry") }
    if sabotage == .cursorBeforePage, !answer.entries.isEmpty {
      var alone = answer
      (alone.entries, alone.results) = ([], [])
      try live { try real.take(alone) }
    }
    try await kept {
      try real.take(answer)
      try mistake(answer.entries)
    }
  }

  func take(_ page: SnapshotPage) async throws {
    if sabotage == .throwOutOfPage, page.entries.contains(where: \.isRefused) { throw StoreError("a bad entry") }
    try await kept { try real.take(page) }
  }

  func rewind(to mark: LogMark, epoch: UUIDBytes) async throws {
    try await kept { try real.rewind(to: mark, epoch: epoch) }
  }

  func continueAsNewDevice(asking transport: any Transport) async throws {
    try await kept { try await real.continueAsNewDevice(asking: transport) }
  }

  func note(_ report: SyncReport) throws { try live { try real.note(report) } }

  /// What a mistaken store does with what it has taken in.
  private func mistake(_ entries: [LogEntry]) throws {
    guard sabotage == .orderByArrival || sabotage == .membersAsTheyCome else { return }
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: store.location.path, configuration: configuration)
    defer { try? queue.close() }
    try queue.write { db in
      for entry in entries {
        guard case .operation(let wire, _, let part) = entry.content,
          wire.operation.row.entity == History.entity, let body = try? wire.operation.body(),
          case .text(let text)? = body.fields["text"]
        else { continue }
        if sabotage == .orderByArrival {
          try db.execute(
            sql: "UPDATE commentMetaStation SET text = ? WHERE uuid = ?", arguments: [text, wire.operation.row.id])
        } else if part.count > 1 {
          try db.execute(
            sql: "INSERT OR IGNORE INTO commentMetaStation (uuid, text, stationID) VALUES (?, ?, 0)",
            arguments: [wire.operation.row.id, text])
        }
      }
    }
  }
}

extension LogEntry {
  fileprivate var isErasure: Bool { if case .erase = content { true } else { false } }

  /// Whether it brings the content of an operation.
  fileprivate var isWhole: Bool {
    if case .operation(let wire, _, _) = content { wire.operation.sealedBody != nil } else { false }
  }

  fileprivate var isRefused: Bool {
    switch content {
    case .unreadable: true
    case .operation(_, let result, _): result.refusal != nil
    default: false
    }
  }
}

/// A terminal of the simulation: a store and its uploader, as one process.
final class SimulatedTerminal {
  let index: Int
  let path: String
  let role: DeviceRole
  private(set) var number = 0
  private(set) var store: ExamStore
  private(set) var faulty: FaultyStore
  private(set) var client: SyncClient
  private var task: Task<Void, Never>?
  var lastAttempt: Int64
  /// When the hub last told this process the time.
  var toldTime: Int64?
  var tookBefore = 0
  /// How many changes waited when that was counted last.
  var waiting = 0
  private var written: [UInt8]?
  private let stage: Stage
  private let sabotage: Sabotage?

  /// Begins with what lies at the path.
  init(
    _ index: Int, at path: String, as role: DeviceRole, clock: SystemClock, number: Int, seed: UInt64, stage: Stage,
    _ sabotage: Sabotage?
  ) throws {
    (self.index, self.path, self.role, self.stage, self.sabotage) = (index, path, role, stage, sabotage)
    store = try ExamStore(StoreLocation(path: path), .existing, system: clock)
    faulty = FaultyStore(store, isFirst: index == 0, sabotage)
    lastAttempt = stage.time
    client = Self.client(faulty, stage, number, seed)
    self.number = number
  }

  private static func client(_ store: FaultyStore, _ stage: Stage, _ number: Int, _ seed: UInt64) -> SyncClient {
    SyncClient(
      store: store, transport: StageRoad(stage: stage, client: number), clock: StageClock(stage: stage, client: number),
      random: Seeded(seed: seed))
  }

  /// Starts the uploader, and waits until it waits.
  func begin() async {
    let (client, stage, number) = (client, stage, number)
    task = Task {
      await client.run()
      stage.end(number)
    }
    await stage.settle(number)
  }

  /// Ends the process without a word.
  /// - Returns: what the disk holds.
  func end() async -> StoreImage {
    let image = StoreImage(of: path, besides: [".hub"])
    faulty.kill()
    task?.cancel()
    stage.end(number)
    await task?.value
    store.close()
    return image
  }

  func count(_ sql: String) throws -> Int { try store.read { try Int.fetchOne($0, sql: sql) ?? 0 } }

  /// Whether anything was written to the store since this was asked last, as the index of its log tells: that counts
  /// every transaction.
  func wasWritten() -> Bool {
    let now = Self.index(of: path)
    defer { written = now }
    return now == nil || now != written
  }

  private static func index(of path: String) -> [UInt8]? {
    let descriptor = open(path + "-shm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var head = [UInt8](repeating: 0, count: 48)
    return read(descriptor, &head, head.count) == head.count ? head : nil
  }
}
