import CircuitModel
import ExamStore
import Glibc
import Journal
import Sync
import Timer

/// A store as the client of the exchange sees it.
public struct EnrolledStore: SyncStore {
  private let store: ExamStore

  /// How much is sent at once, in bytes before they are compressed: less than a hub inflates.
  private static let batchBytes = 2 << 20

  /// The store.
  public init(_ store: ExamStore) {
    self.store = store
  }

  // MARK: Standing

  /// Where the store stands; nil where it has no place at a hub, or no token of its own is beside it, as after a copy.
  public func standing() throws -> SyncStanding? {
    guard let standing = try store.exchangeStanding(), let cursor = LogCursor(standing.enrolment.cursor) else {
      return nil
    }
    let tokens = try HubCredential.read(of: store.location)?.tokens ?? [:]
    let device = standing.tip.device
    // A store that was moved with its token is another device now, and takes the place of the former.
    let former = try tokens[device] == nil ? store.lastWriter(among: tokens.keys) : nil
    guard let token = tokens[former ?? device] else {
      try Self.noteMissingPlace(of: store)
      return nil
    }
    let enrolment = standing.enrolment
    return SyncStanding(
      device: device, token: token, former: former, cursor: cursor, hash: enrolment.cursorHash,
      marks: standing.marks, tip: standing.tip,
      waiting: Int64(standing.waiting), isRunOpen: standing.isRunOpen)
  }

  /// What a store says that has a place at a hub and no token beside it, so that nothing is sent.
  public static let missingPlace =
    "the token of this store's place at the hub is not beside it: ask for a new code, then: osce enrol URL CODE"

  /// Says to everybody who looks at a store that its token is not beside it.
  public static func noteMissingPlace(of store: ExamStore) throws {
    let (isEnrolled, before) = try store.read { (try Enrolment.exists($0), try SyncState.read($0)) }
    if !isEnrolled || before?.trouble == missingPlace { return }
    try store.note(
      SyncState(
        attemptAt: before?.attemptAt, contactAt: before?.contactAt, state: .none, trouble: missingPlace))
  }

  /// What of the device's own chain follows what the hub has.
  public func owed(
    after last: ChainTip, operations: Int, damaged: Set<OperationID>
  ) throws -> [WireOperation]? {
    let limit = OwedLimit(operations: operations, bytes: Self.batchBytes)
    switch try store.owed(after: last, limit: limit, damaged: damaged) {
    case .operations(let operations): return operations
    case .otherChain: return nil
    }
  }

  /// How many operations of other devices the hub has not numbered.
  public func unnumbered() throws -> Int { try store.unnumbered() }

  /// Operations of other devices that the hub has not numbered.
  public func unnumbered(after place: ChainTip?, operations: Int) throws -> [WireOperation] {
    try store.unnumbered(after: place, limit: OwedLimit(operations: operations, bytes: Self.batchBytes))
  }

  // MARK: Taking in

  /// Takes an answer in: results, entries and cursor in one durable transaction; none where nothing is new. That the
  /// hub was met is recorded where it is due, and goes with the exchange that follows at once.
  public func take(_ answer: SyncAnswer) throws {
    try takeIn(answer)
    // A record that cannot be written must not stand in the way of what was exchanged.
    _ = try? ContactRecord.note(in: store, name: DeviceBinding.hostName)
  }

  private func takeIn(_ answer: SyncAnswer) throws {
    let answers = answer.results.compactMap { result -> HubAnswer? in
      guard case .stored(let said) = result.outcome, let hubSeq = result.hubSeq else { return nil }
      return HubAnswer(id: result.id, hubSeq: hubSeq, result: said)
    }
    if answers.isEmpty, answer.entries.isEmpty, let standing = try store.exchangeStanding(),
      standing.enrolment.cursor == answer.cursor.description
    {
      return
    }
    try take(
      answer.entries, answers, upTo: cursor(answer.cursor, answer.hash),
      end: answer.head, answer.scope, answer.time)
  }

  /// Takes a page of a snapshot in; the cursor moves with the last one.
  public func take(_ page: SnapshotPage) throws {
    try take(page.entries, [], upTo: page.next == nil ? cursor(page.cursor, page.hash) : nil, page.scope, page.time)
  }

  private func cursor(_ cursor: LogCursor, _ hash: [UInt8]) -> ExchangeCursor {
    ExchangeCursor(epoch: cursor.epoch, place: cursor.place, hash: hash)
  }

  private func take(
    _ entries: [LogEntry], _ answers: [HubAnswer], upTo cursor: ExchangeCursor?, end: LogMark? = nil,
    _ scope: SyncScope, _ time: Int64?
  ) throws {
    let report = try store.ingest(
      upTo: cursor, end: end, scope: String(decoding: scope.document, as: UTF8.self),
      at: time.map { Instant(stored: $0) }, answers: answers
    ) { ingest in
      for entry in entries {
        var bytes: [UInt8] { entry.asReceived }
        for part in entry.parts { try ingest.take(part, bytes: bytes) }
      }
    }
    // What is taken in stands whether this succeeds or not; it is tried again with each report.
    if report.erased > 0 { _ = try? store.clearErasedPages() }
  }

  // MARK: Recovery

  /// Goes back to where the hub's log agrees with what is here.
  public func rewind(to mark: LogMark, epoch: UUIDBytes) throws {
    try store.rewind(to: mark, epoch: epoch)
  }

  /// Goes on as a new device. The token is kept before the chain is changed: a crash between costs a device that nobody
  /// uses.
  public func continueAsNewDevice(asking transport: any Transport) async throws {
    guard let standing = try standing(), var credential = try HubCredential.read(of: store.location),
      let exam = try store.exchangeStanding()?.enrolment.exam
    else { return }
    let next = standing.former == nil ? UUIDBytes.random() : standing.device
    let asked = NewDeviceRequest(
      former: standing.former ?? standing.device, device: next, name: DeviceBinding.hostName)
    let response = try await transport.send(
      WireRequest(.post, .device, token: standing.token, body: asked.encoded), wait: 0)
    credential.tokens[next] = try EnrolAnswer.decode(response.body(expecting: 201)).token
    try credential.write(of: store.location)
    // The chain of a store that was moved is a new one since then.
    if standing.former != nil { return }
    try store.continueAsNewDevice(next, logFrom: LogHash.start(of: exam))
  }

  /// Says what the client does, for people.
  public func note(_ report: SyncReport) throws {
    _ = try? store.clearErasedPages()
    let (before, now) = (try store.read { try SyncState.read($0) }, store.clock.now)
    try store.note(
      SyncState(
        attemptAt: now - report.sinceAttempt, contactAt: report.sinceContact.map { now - $0 } ?? before?.contactAt,
        state: SyncState.Work(report.phase), trouble: report.trouble?.text, clockOffset: report.clock?.offset,
        clockBound: report.clock?.bound))
  }
}

extension SyncState.Work {
  fileprivate init(_ phase: SyncMachine.Phase) {
    self =
      switch phase {
      case .none: .none
      case .sync: .sync
      case .wait: .wait
      case .backoff: .backoff
      case .recover: .recover
      case .fork: .fork
      case .blocked: .blocked
      }
  }
}

extension LogEntry.Fate {
  fileprivate var result: HubResult? { if case .result(let result) = self { result } else { nil } }
}

extension LogEntry {
  /// What a store takes in for an entry, in order.
  fileprivate var parts: [ExchangeEntry] {
    switch content {
    case .operation(let operation, let result, _): [.operation(operation.operation, result: result, hubSeq: seq)]
    case .verdict(let id, let fate, let by, let operation):
      (operation.map { [.operation($0.operation, result: fate.result, hubSeq: seq)] } ?? [])
        + [Self.verdict(id, fate, by)]
    case .erase(_, let bodies): [.erase(bodies)]
    case .receipt(let id, let result): [.receipt(HubAnswer(id: id, hubSeq: seq, result: result))]
    case .unreadable(let why, let id, _): [.unreadable(RefusedEntry.Why(rawValue: why) ?? .malformed, id)]
    }
  }

  private static func verdict(_ id: OperationID, _ fate: Fate, _ by: OperationID?) -> ExchangeEntry {
    switch fate {
    case .withdrawn: .verdict(id, .withdrawn)
    case .result(.rejected) where by != nil: .verdict(id, .rejected)
    case .result(let result) where by != nil && result.counts: .verdict(id, .applied)
    case .result(let result): .outcome(id, result)
    }
  }

  fileprivate var asReceived: [UInt8] {
    if case .unreadable(_, _, let bytes) = content { return bytes }
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }
}
