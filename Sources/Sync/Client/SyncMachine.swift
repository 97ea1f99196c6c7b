import Journal

/// What a client of a hub does next, as a pure machine: it does nothing itself, and reads neither clock nor chance.
///
/// The driver asks for a step, takes it, and says what came of it. One request is out at a time. No state is left
/// only because something is written here: a queue that stops is found by the machine itself, or by the watchdog.
public struct SyncMachine: Sendable {
  /// The states of the protocol.
  public enum Phase: String, CaseIterable, Sendable {
    /// The store has no place at a hub.
    case none
    /// An exchange is out, or is about to be.
    case sync
    /// Everything is exchanged; the hub says when there is more.
    case wait
    /// Something failed; a time is waited for.
    case backoff
    /// The hub was restored: what it said of later entries is withdrawn.
    case recover
    /// Another copy of the store wrote under this device: it goes on as a new one.
    case fork
    /// A person must do something; nothing is deleted, and marking goes on.
    case blocked
  }

  /// What to do next.
  public enum Step: Hashable, Sendable {
    /// Nothing, until the store is enrolled.
    case idle
    /// One round trip.
    case exchange(Exchange)
    /// A page of what stands at the hub; nil: the first.
    case snapshot(page: String?)
    /// Ask to be told when there is more, for so many seconds.
    case listen(seconds: Int64)
    /// Wait so many milliseconds; nothing that is written here ends it.
    case pause(milliseconds: Int64)
    /// Ask the hub what it is: whether what blocked is gone.
    case hello
    /// Go back to where the hub's log agrees with what is here.
    case rewind(LogMark, epoch: UUIDBytes)
    /// Go on as a new device.
    case newDevice
  }

  /// What a round trip carries.
  public struct Exchange: Hashable, Sendable {
    /// Where the device's chain ends at the hub; nil: not known yet, so nothing is sent.
    public var from: ChainTip?
    /// How many operations are sent at most.
    public var operations: Int
    /// Operations whose content the hub does not take.
    public var damaged: Set<OperationID>
    /// Whether operations of other devices are passed on, once the own ones are there.
    public var relays: Bool
    /// Whether the hub says again what it said of the own operations.
    public var receipts: Bool
    /// Whether a page is asked for.
    public var pulls: Bool
  }

  /// What came of a step.
  public enum Outcome: Sendable {
    /// The exchange was answered and taken in. `owes`: there is more to send.
    case exchanged(last: ChainTip, more: Bool, owes: Bool)
    /// A page of a snapshot was taken in; nil: it was the last one.
    case snapshot(next: String?)
    /// The hub rang, or the time of listening is over, or something was written here.
    case rang
    /// The hub answered hello, and nothing blocks.
    case greeted
    /// What was rewound, or sealed again, is on the disk.
    case done
    /// The hub answered with an error. `sent`: the operations that the request had.
    case refused(HubError, sent: [OperationID])
    /// There is no answer.
    case lost(TransportFailure)
    /// The store could not take the answer.
    case storeFailed
  }

  /// How long is waited at most, in milliseconds: as a rule, and while a clock runs, when who was away is to have sent all
  /// within three seconds after the hub's return.
  public static let (cap, capInRun): (Int64, Int64) = (60_000, 2_000)
  /// How long is waited at least.
  public static let floor: Int64 = 250
  /// How late the first attempt of a process may be, as a rule and while a clock runs.
  public static let (latestStart, latestStartInRun): (Int64, Int64) = (3_000, 1_000)
  /// How old the last attempt may be in any state.
  public static let watchdog: Int64 = 100_000
  /// How often a blocked client asks whether it is still blocked.
  private static let helloEvery: Int64 = 60_000
  /// How often a hub that is being filled is asked whether it still is.
  private static let fillingPause: Int64 = 10_000
  private static let mostOperations = 500

  /// The state.
  public private(set) var phase = Phase.none
  /// What is wrong; nil: nothing is.
  public private(set) var trouble: SyncTrouble?
  private var failures = 0
  private var wakeAt: Int64 = 0
  /// What was under way before the pause.
  private var afterPause = Phase.sync
  /// Whether the pause is over as soon as the hub answers anything: nobody said for how long to wait.
  private var endsWithAnswer = false
  private var known: ChainTip?
  private var batch = SyncMachine.mostOperations
  private var damaged: Set<OperationID> = []
  private var gaps = 0
  private var isFilling = false
  /// Whether a hub that was being filled is asked for a page again.
  private var asksAgain = false
  /// Whether a new device or a rewinding was just tried, and nothing has gone well since.
  private var hasRecovered = false
  private var receipts = false
  /// The first pulls come before the first push, so that what this store imported itself gives way to what is here.
  private var isFirst = true
  private var snapshot: Snapshot?
  private var rewind: (mark: LogMark, epoch: UUIDBytes)?

  /// The page of a snapshot that is asked for next.
  private enum Snapshot: Sendable {
    case first
    case after(String)

    /// By what the hub knows it; nil: the first.
    var page: String? { if case .after(let page) = self { page } else { nil } }
  }

  /// A machine that waits for an enrolment.
  public init() {}

  // MARK: What to do

  /// The next step.
  /// - Parameter now: a steady clock, in milliseconds.
  public mutating func step(at now: Int64) -> Step {
    switch phase {
    case .none: return .idle
    case .wait: return .listen(seconds: SyncLimits.standard.wait)
    case .fork: return .newDevice
    case .recover:
      if let rewind { return .rewind(rewind.mark, epoch: rewind.epoch) }
      phase = .sync
      return step(at: now)
    case .backoff:
      if now < wakeAt { return .pause(milliseconds: wakeAt - now) }
      phase = afterPause
      return step(at: now)
    case .blocked:
      if now < wakeAt { return .pause(milliseconds: wakeAt - now) }
      return .hello
    case .sync:
      if let snapshot, !isFilling { return .snapshot(page: snapshot.page) }
      return .exchange(
        Exchange(
          from: isFirst && !isFilling ? nil : known, operations: batch, damaged: damaged,
          relays: !isFirst || isFilling, receipts: receipts, pulls: !isFilling || asksAgain))
    }
  }

  // MARK: What came of it

  /// A place at a hub was taken: the exchange begins.
  /// - Parameter isNew: whether nothing of the hub's log is here yet.
  public mutating func enrol(isNew: Bool) {
    self = SyncMachine()
    phase = .sync
    isFirst = isNew
    snapshot = isNew ? .first : nil
  }

  /// Says that the first attempt of a process is put off a little, so that not all terminals ask in one moment.
  /// - Parameter isRunOpen: whether a clock runs: who comes back then is waited for.
  public mutating func delayStart(at now: Int64, isRunOpen: Bool, using random: inout some RandomNumberGenerator) {
    guard phase == .sync else { return }
    (phase, endsWithAnswer) = (.backoff, false)
    wakeAt = now + Int64.random(in: 0...(isRunOpen ? Self.latestStartInRun : Self.latestStart), using: &random)
  }

  /// Something was written here.
  public mutating func noteCommit() {
    if phase == .wait { phase = .sync }
  }

  /// A person wants it now, or the network came back.
  public mutating func retry() {
    switch phase {
    case .backoff: phase = afterPause
    case .wait: phase = .sync
    case .blocked: wakeAt = 0
    case .none, .sync, .recover, .fork: break
    }
  }

  /// The hub has answered somebody else of this machine: what failed on its way there is tried again now. A time that the
  /// hub itself named is waited for.
  /// - Returns: whether a pause ends by that.
  public mutating func noteAnswer() -> Bool {
    guard phase == .backoff, endsWithAnswer else { return false }
    phase = afterPause
    return true
  }

  /// The last attempt is too old, whatever the state: the request is given up and made again.
  public mutating func wake() {
    switch phase {
    case .none, .fork, .recover, .blocked: break
    case .backoff: phase = afterPause
    case .sync, .wait: phase = .sync
    }
  }

  /// Takes what came of a step.
  /// - Parameters:
  ///   - now: a steady clock, in milliseconds.
  ///   - isRunOpen: whether a clock runs, so that nobody may wait long.
  public mutating func note(
    _ outcome: Outcome, at now: Int64, isRunOpen: Bool, using random: inout some RandomNumberGenerator
  ) {
    var moment = Moment(now: now, isRunOpen: isRunOpen, random: random)
    note(outcome, &moment)
    random = moment.random
  }

  /// When something came of a step, and what decides besides how long is waited then.
  private struct Moment<Random: RandomNumberGenerator> {
    let now: Int64
    let isRunOpen: Bool
    var random: Random
  }

  private mutating func note(_ outcome: Outcome, _ moment: inout Moment<some RandomNumberGenerator>) {
    switch outcome {
    case .exchanged(let last, let more, let owes):
      succeed()
      known = last
      if isFilling {
        if asksAgain {
          // It gives: what it is now is not what it was.
          (isFilling, asksAgain) = (false, false)
        } else if !owes {
          asksAgain = true
        }
        return
      }
      if isFirst && !more { isFirst = false } else if !more && !owes { phase = .wait }
      if !more { receipts = false }
    case .snapshot(let next):
      succeed()
      snapshot = next.map { .after($0) }
    case .rang: phase = .sync
    case .greeted:
      succeed()
      phase = .sync
    case .done:
      rewind = nil
      known = nil
      phase = .sync
    case .refused(let error, let sent): refuse(error, sent, &moment)
    case .lost(.otherKey): block(.otherKey, moment.now)
    case .lost(.cancelled): if phase == .wait { phase = .sync }
    case .lost(let failure):
      // A hub that is slow or far has the next one sooner if it is smaller.
      if failure == .timeout { batch = max(1, batch / 2) }
      backOff(.lost(failure), &moment)
    case .storeFailed: backOff(.store, &moment)
    }
  }

  private mutating func succeed() {
    hasRecovered = false
    failures = 0
    gaps = 0
    trouble = nil
    batch = min(SyncMachine.mostOperations, batch * 2)
  }

  private mutating func refuse(
    _ error: HubError, _ sent: [OperationID], _ moment: inout Moment<some RandomNumberGenerator>
  ) {
    switch error {
    // Of what a proxy adds to a head nothing is the operations'.
    case .tooLarge(SyncLimits.head): block(.refused(error), moment.now)
    case .damaged, .malformed, .tooLarge: sendLess(error, sent, moment.now)
    case .gap(let expected, let hash):
      gaps += 1
      if gaps >= 2 { return backOff(.refused(error), &moment) }
      known = known.map { ChainTip(device: $0.device, deviceSeq: expected - 1, hash: hash) }
    case .fork:
      phase = .fork
      pauseIfAgain(error, &moment)
    case .cursor(let epoch, let common, _, _):
      recover(common, epoch)
      pauseIfAgain(error, &moment)
    case .filling: fill(error, moment.now)
    case .notFound where snapshot != nil: snapshot = nil
    case .token, .revoked, .version, .schema, .code, .role: block(.refused(error), moment.now)
    case .busy(let seconds), .readOnly(let seconds), .standby(let seconds), .notReady(let seconds):
      pause(error, seconds, &moment)
    case .session: break
    case .slow:
      batch = max(1, batch / 2)
      backOff(.refused(error), &moment)
    case .notFound, .method, .encoding, .unavailable: backOff(.refused(error), &moment)
    }
  }

  /// The hub does not take what was sent: fewer at once, or the one alone without its content.
  private mutating func sendLess(_ error: HubError, _ sent: [OperationID], _ now: Int64) {
    if sent.count > 1 {
      batch = max(1, min(batch, sent.count) / 2)
    } else if let only = sent.first, error.isOfContent, damaged.insert(only).inserted {
      // Without its content it can go: the others do not wait for it.
    } else {
      beginSnapshotAgain()
      block(.defect(error), now)
    }
  }

  /// The hub was restored: back to where its log agrees with what is here.
  private mutating func recover(_ common: LogMark, _ epoch: UUIDBytes) {
    rewind = (common, epoch)
    (phase, receipts) = (.recover, true)
    beginSnapshotAgain()
    (isFilling, asksAgain) = (false, false)
  }

  /// The hub is being filled. Once everything is pushed, it is asked again whether it gives by now.
  private mutating func fill(_ error: HubError, _ now: Int64) {
    if isFilling && asksAgain {
      (trouble, endsWithAnswer) = (.refused(error), false)
      (phase, afterPause, wakeAt) = (.backoff, .sync, now + SyncMachine.fillingPause)
    } else {
      isFilling = true
      snapshot = nil
    }
    asksAgain = false
  }

  /// The hub says for how long to wait.
  private mutating func pause(
    _ error: HubError, _ seconds: Int64, _ moment: inout Moment<some RandomNumberGenerator>
  ) {
    if phase == .blocked { return backOff(.refused(error), &moment) }
    failures = min(failures + 1, 30)
    (trouble, endsWithAnswer) = (.refused(error), false)
    afterPause = phase == .fork || phase == .recover ? phase : .sync
    let wait = Double(seconds) * (1 + Double.random(in: 0...0.2, using: &moment.random)) * 1000
    (phase, wakeAt) = (.backoff, moment.now + min(SyncMachine.cap, max(SyncMachine.floor, Int64(wait))))
  }

  /// A hub that says the same again, though it was answered, is not asked in a circle.
  private mutating func pauseIfAgain(_ error: HubError, _ moment: inout Moment<some RandomNumberGenerator>) {
    if hasRecovered { backOff(.refused(error), &moment) }
    hasRecovered = true
  }

  /// What is left of a snapshot is of a log that the hub no longer has.
  private mutating func beginSnapshotAgain() {
    if snapshot != nil { snapshot = .first }
  }

  private mutating func block(_ trouble: SyncTrouble, _ now: Int64) {
    self.trouble = trouble
    (phase, wakeAt) = (.blocked, now + SyncMachine.helloEvery)
  }

  private mutating func backOff(_ trouble: SyncTrouble, _ moment: inout Moment<some RandomNumberGenerator>) {
    self.trouble = trouble
    if phase == .blocked {
      wakeAt = moment.now + SyncMachine.helloEvery
      return
    }
    switch trouble {
    case .lost, .refused(.unavailable), .refused(.slow): endsWithAnswer = true
    default: endsWithAnswer = false
    }
    let cap = moment.isRunOpen ? SyncMachine.capInRun : SyncMachine.cap
    let greatest = min(cap, 500 << Int64(min(failures, 20)))
    failures = min(failures + 1, 30)
    let wait = max(SyncMachine.floor, Int64.random(in: 0...greatest, using: &moment.random))
    afterPause = phase == .fork || phase == .recover ? phase : .sync
    (phase, wakeAt) = (.backoff, moment.now + wait)
  }
}

extension HubError {
  /// Whether an operation can go without its content where it cannot with it.
  fileprivate var isOfContent: Bool {
    switch self {
    case .damaged(_, .bodyHash), .tooLarge: true
    default: false
    }
  }
}
