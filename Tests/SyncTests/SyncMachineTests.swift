import Journal
import SeededNumbers
import Testing

@testable import Sync

@Suite("The client's machine") struct SyncMachineTests {
  private static let device = UUIDBytes(high: 1, low: 1)
  private static let hash = [UInt8](repeating: 3, count: 32)
  private static func tip(_ number: Int64) -> ChainTip { ChainTip(device: device, deviceSeq: number, hash: hash) }
  private static let mark = LogMark(seq: 7, hash: hash)
  private static let operation = UUIDBytes(high: 5, low: 5)

  /// A machine that has exchanged everything.
  private func settled(_ random: inout Seeded) -> SyncMachine {
    var machine = SyncMachine()
    machine.enrol(isNew: false)
    machine.note(.exchanged(last: Self.tip(3), more: false, owes: false), at: 0, isRunOpen: false, using: &random)
    return machine
  }

  private func note(
    _ outcome: SyncMachine.Outcome, _ machine: inout SyncMachine, at now: Int64 = 0, _ random: inout Seeded
  ) {
    machine.note(outcome, at: now, isRunOpen: false, using: &random)
  }

  @Test("pulls before it pushes after an enrolment, by a snapshot first, and then waits to be rung") func first() {
    var random = Seeded(seed: 1)
    var machine = SyncMachine()
    #expect(machine.step(at: 0) == .idle)
    machine.enrol(isNew: true)
    #expect(machine.step(at: 0) == .snapshot(page: nil))
    note(.snapshot(next: "5.3"), &machine, &random)
    #expect(machine.step(at: 0) == .snapshot(page: "5.3"))
    note(.snapshot(next: nil), &machine, &random)
    guard case .exchange(let pull) = machine.step(at: 0) else { return #expect(Bool(false)) }
    #expect(pull.from == nil && pull.pulls)
    note(.exchanged(last: Self.tip(3), more: false, owes: true), &machine, &random)
    guard case .exchange(let push) = machine.step(at: 0) else { return #expect(Bool(false)) }
    #expect(push.from == Self.tip(3) && push.relays)
    note(.exchanged(last: Self.tip(9), more: false, owes: false), &machine, &random)
    #expect(machine.phase == .wait && machine.step(at: 0) == .listen(seconds: 50))
    machine.noteCommit()
    #expect(machine.phase == .sync)
  }

  @Test("begins a snapshot again whose pages are of a log that the hub has no more") func otherLog() {
    let refusals: [HubError] = [
      .cursor(epoch: Self.device, common: Self.mark, last: 0, lastHash: Self.hash), .malformed(pointer: "/page"),
    ]
    for refusal in refusals {
      var random = Seeded(seed: 1)
      var machine = SyncMachine()
      machine.enrol(isNew: true)
      note(.snapshot(next: "5.3"), &machine, &random)
      note(.refused(refusal, sent: []), &machine, &random)
      switch machine.step(at: 100_000) {
      case .rewind: note(.done, &machine, &random)
      case .hello: note(.greeted, &machine, &random)
      case let step: #expect(Bool(false), "\(step)")
      }
      #expect(machine.step(at: 100_000) == .snapshot(page: nil), "\(refusal)")
    }
  }

  @Test("goes where the protocol says for every answer") func table() {
    let cases: [(SyncMachine.Outcome, SyncMachine.Phase)] = [
      (.exchanged(last: Self.tip(4), more: true, owes: false), .sync),
      (.exchanged(last: Self.tip(4), more: false, owes: true), .sync),
      (.exchanged(last: Self.tip(4), more: false, owes: false), .wait), (.rang, .sync),
      (.refused(.fork(deviceSeq: 1, hash: Self.hash, last: 2), sent: []), .fork),
      (.refused(.cursor(epoch: Self.device, common: Self.mark, last: 1, lastHash: Self.hash), sent: []), .recover),
      (.refused(.gap(expected: 2, hash: Self.hash), sent: []), .sync), (.refused(.filling, sent: []), .sync),
      (.refused(.token, sent: []), .blocked), (.refused(.revoked, sent: []), .blocked),
      (.refused(.version(2...2), sent: []), .blocked), (.refused(.schema(3...3), sent: []), .blocked),
      (.refused(.session, sent: []), .sync), (.refused(.busy(after: 3), sent: []), .backoff),
      (.refused(.readOnly(after: 3), sent: []), .backoff), (.refused(.standby(after: 3), sent: []), .backoff),
      (.refused(.notReady(after: 3), sent: []), .backoff), (.refused(.unavailable, sent: []), .backoff),
      (.refused(.notFound, sent: []), .backoff),
      (.refused(.method, sent: []), .backoff), (.refused(.encoding, sent: []), .backoff),
      (.refused(.slow, sent: []), .backoff),
      (.refused(.damaged(Self.operation, why: .bodyHash), sent: [Self.operation]), .sync),
      (.refused(.damaged(Self.operation, why: .hash), sent: [Self.operation]), .blocked),
      (.refused(.malformed(pointer: ""), sent: [Self.operation]), .blocked),
      (.refused(.tooLarge(limit: 1), sent: [Self.operation, Self.device]), .sync),
      (.refused(.tooLarge(limit: SyncLimits.head), sent: [Self.operation]), .blocked),
      (.lost(.timeout), .backoff), (.lost(.unreachable("")), .backoff), (.lost(.broken("")), .backoff),
      (.lost(.tooLarge), .backoff), (.lost(.otherKey), .blocked), (.lost(.cancelled), .sync), (.storeFailed, .backoff),
    ]
    for (outcome, phase) in cases {
      var random = Seeded(seed: 1)
      var machine = settled(&random)
      machine.noteCommit()
      note(outcome, &machine, &random)
      #expect(machine.phase == phase, "\(outcome)")
    }
  }

  @Test("what is saved here ends a wait, and never a pause") func commits() {
    var random = Seeded(seed: 1)
    var machine = settled(&random)
    machine.noteCommit()
    note(.lost(.timeout), &machine, at: 1000, &random)
    machine.noteCommit()
    guard case .pause(let milliseconds) = machine.step(at: 1000) else { return #expect(Bool(false)) }
    #expect(SyncMachine.floor...500 ~= milliseconds)
    machine.retry()
    guard case .exchange = machine.step(at: 1000) else { return #expect(Bool(false)) }
  }

  @Test("what the hub answers to somebody else ends a pause, but not one that the hub itself named") func answers() {
    var random = Seeded(seed: 1)
    for (outcome, ends): (SyncMachine.Outcome, Bool) in [
      (.lost(.timeout), true), (.lost(.broken("")), true), (.refused(.unavailable, sent: []), true),
      (.refused(.busy(after: 2), sent: []), false), (.refused(.readOnly(after: 2), sent: []), false),
      (.storeFailed, false),
    ] {
      var machine = SyncMachine()
      machine.enrol(isNew: false)
      let early = machine.noteAnswer()
      #expect(!early, "an exchange is out")
      machine.note(outcome, at: 0, isRunOpen: false, using: &random)
      #expect(machine.phase == .backoff)
      let isEnded = machine.noteAnswer()
      #expect(isEnded == ends && machine.phase == (ends ? .sync : .backoff))
    }
  }

  @Test("pauses grow to their cap, which is short while a clock runs, and come back from there") func pauses() {
    var random = Seeded(seed: 4)
    var machine = settled(&random)
    machine.noteCommit()
    var (now, longest): (Int64, Int64) = (0, 0)
    for isRunOpen in [false, true] {
      longest = 0
      for _ in 0..<200 {
        machine.note(.lost(.timeout), at: now, isRunOpen: isRunOpen, using: &random)
        if case .pause(let milliseconds) = machine.step(at: now) {
          longest = max(longest, milliseconds)
          now += milliseconds
        }
        _ = machine.step(at: now)
      }
      #expect(longest <= (isRunOpen ? SyncMachine.capInRun : SyncMachine.cap))
      #expect(longest > (isRunOpen ? 1_600 : 40_000))
    }
  }

  @Test("the first attempt of a process is put off, and less while a clock runs") func start() {
    var random = Seeded(seed: 5)
    for (isRunOpen, latest) in [(false, SyncMachine.latestStart), (true, SyncMachine.latestStartInRun)] {
      let delays = (0..<200).map { _ in
        var machine = SyncMachine()
        machine.enrol(isNew: false)
        machine.delayStart(at: 0, isRunOpen: isRunOpen, using: &random)
        if case .pause(let milliseconds) = machine.step(at: 0) { return milliseconds } else { return 0 }
      }
      #expect(delays.max()! <= latest && delays.max()! > latest * 8 / 10 && delays.min()! < latest / 5)
    }
  }

  @Test("a device is never made, and nothing rewound, twice without a pause; and a fork is not left by a failure")
  func circles() {
    for error in [
      HubError.fork(deviceSeq: 1, hash: Self.hash, last: 2),
      .cursor(epoch: Self.device, common: Self.mark, last: 1, lastHash: Self.hash),
    ] {
      var random = Seeded(seed: 1)
      var machine = settled(&random)
      machine.noteCommit()
      var (now, recoveries): (Int64, Int64) = (0, 0)
      for _ in 0..<2000 {
        switch machine.step(at: now) {
        case .pause(let milliseconds): now += milliseconds
        case .newDevice, .rewind:
          recoveries += 1
          note(.done, &machine, at: now, &random)
        default: note(.refused(error, sent: []), &machine, at: now, &random)
        }
      }
      #expect(recoveries > 3 && recoveries <= now / SyncMachine.floor + 2, "\(recoveries) in \(now) ms")
      #expect(recoveries < 700)
    }
    var random = Seeded(seed: 1)
    var machine = settled(&random)
    machine.noteCommit()
    note(.refused(.fork(deviceSeq: 1, hash: Self.hash, last: 2), sent: []), &machine, &random)
    #expect(machine.step(at: 0) == .newDevice)
    note(.lost(.timeout), &machine, &random)
    guard case .pause(let milliseconds) = machine.step(at: 0) else { return #expect(Bool(false)) }
    #expect(machine.step(at: milliseconds) == .newDevice, "the old device is never used again")
  }

  @Test("a hub that does not answer in time is sent half as much, and more again once it does") func slowHub() {
    var random = Seeded(seed: 1)
    var machine = settled(&random)
    machine.noteCommit()
    guard case .exchange(let first) = machine.step(at: 0) else { return #expect(Bool(false)) }
    note(.lost(.timeout), &machine, &random)
    guard case .pause(let milliseconds) = machine.step(at: 0) else { return #expect(Bool(false)) }
    guard case .exchange(let second) = machine.step(at: milliseconds) else { return #expect(Bool(false)) }
    #expect(second.operations == first.operations / 2)
    note(.exchanged(last: Self.tip(5), more: false, owes: false), &machine, at: milliseconds, &random)
    machine.noteCommit()
    guard case .exchange(let third) = machine.step(at: milliseconds) else { return #expect(Bool(false)) }
    #expect(third.operations == first.operations)
  }

  @Test("a hub that is being filled is pushed to, asked again now and then, and pulled from once it gives")
  func filling() {
    var random = Seeded(seed: 1)
    var machine = settled(&random)
    machine.noteCommit()
    note(.refused(.filling, sent: []), &machine, &random)
    guard case .exchange(let push) = machine.step(at: 0) else { return #expect(Bool(false)) }
    #expect(!push.pulls)
    note(.exchanged(last: Self.tip(5), more: false, owes: false), &machine, &random)
    guard case .exchange(let asked) = machine.step(at: 0) else { return #expect(Bool(false)) }
    #expect(asked.pulls)
    note(.refused(.filling, sent: []), &machine, &random)
    guard case .pause = machine.step(at: 0) else { return #expect(Bool(false), "\(machine)") }
    _ = machine.step(at: 60_000)
    note(
      .refused(.cursor(epoch: Self.device, common: Self.mark, last: 1, lastHash: Self.hash), sent: []), &machine,
      at: 60_000, &random)
    #expect(machine.step(at: 60_000) == .rewind(Self.mark, epoch: Self.device))
    note(.done, &machine, at: 60_000, &random)
    guard case .exchange(let pull) = machine.step(at: 60_000) else { return #expect(Bool(false)) }
    #expect(pull.pulls && pull.receipts)
  }

  @Test("one damaged operation is found by halving, and goes without its content") func halving() {
    var random = Seeded(seed: 1)
    var machine = settled(&random)
    machine.noteCommit()
    let ids = (0..<500).map { UUIDBytes(high: 9, low: UInt64($0)) }
    var requests = 0
    while requests < 30 {
      guard case .exchange(let plan) = machine.step(at: 0) else { return #expect(Bool(false)) }
      if plan.damaged.contains(ids[0]) { break }
      requests += 1
      note(.refused(.damaged(ids[0], why: .bodyHash), sent: Array(ids.prefix(plan.operations))), &machine, &random)
    }
    #expect(requests == 9 + 0 || requests == 10, "\(requests)")
  }

  @Test("whatever comes, an attempt is made within a hundred seconds while the hub may answer") func alive() {
    let seed = Seeded.seed
    var random = Seeded(seed: seed)
    let outcomes: [SyncMachine.Outcome] = [
      .exchanged(last: Self.tip(1), more: false, owes: false), .exchanged(last: Self.tip(1), more: true, owes: true),
      .rang,
      .refused(.fork(deviceSeq: 1, hash: Self.hash, last: 2), sent: []), .refused(.filling, sent: []),
      .refused(.cursor(epoch: Self.device, common: Self.mark, last: 1, lastHash: Self.hash), sent: []),
      .refused(.gap(expected: 2, hash: Self.hash), sent: []), .refused(.token, sent: []), .refused(.revoked, sent: []),
      .refused(.busy(after: 1000), sent: []), .refused(.unavailable, sent: []), .lost(.timeout), .lost(.otherKey),
      .refused(.damaged(nil, why: .hash), sent: [Self.operation]), .storeFailed, .greeted, .done,
    ]
    for round in 0..<50 {
      var machine = SyncMachine()
      machine.enrol(isNew: round % 2 == 0)
      var (now, last): (Int64, Int64) = (0, 0)
      for _ in 0..<400 {
        switch machine.step(at: now) {
        case .idle: Issue.record("OSCE_SEED=\(seed): it does nothing")
        case .pause(let milliseconds):
          #expect(milliseconds > 0)
          now += milliseconds
          continue
        case .rewind: note(.done, &machine, at: now, &random)
        case .listen(let seconds):
          // The request itself is an attempt, as long as it is out.
          now += seconds * 1000
          last = now
          note(outcomes.randomElement(using: &random) ?? .rang, &machine, at: now, &random)
        default:
          if now - last > SyncMachine.watchdog {
            Issue.record("OSCE_SEED=\(seed): \(now - last) ms in \(machine.phase)")
          }
          last = now
          now += Int64.random(in: 0...30_000, using: &random)
          note(outcomes.randomElement(using: &random) ?? .rang, &machine, at: now, &random)
        }
      }
    }
  }
}
