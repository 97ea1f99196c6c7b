import CircuitModel
import Journal
import Sync

/// An exam's log within one transaction: its holder is the only one to append.
final class ExamLog {
  /// The exam's rows as this transaction has them: operations, entries, heads, what waits, where rows are.
  let held: HeldRows
  /// The database, for what is in no table that `held` holds: devices, sessions, what is kept aside, the audit.
  let beside: any HubConnection
  /// The exam.
  let exam: UUIDBytes
  /// Which run of the log.
  let epoch: UUIDBytes
  /// What people call the exam.
  let name: String
  /// The hub's own device, whose chain holds imports and rulings.
  let hubDevice: UUIDBytes
  /// Whether the hub is being filled from its devices.
  let isFilling: Bool
  /// The hub's clock at the transaction's begin, milliseconds since 1970-01-01T00:00:00Z.
  let now: Int64
  /// The last entry.
  private(set) var head: LogMark
  private let headBefore: Int64
  /// When the exam was made here.
  private let made: Int64
  /// Under what the places are sealed that devices are given; nil only where the exam's row was written by a hub that
  /// did not do so.
  private let cursorKey: [UInt8]?

  /// - Parameter forChange: whether entries will be appended, so that nobody else does meanwhile.
  /// - Throws: `HubError.token` where there is no such exam.
  init(_ exam: UUIDBytes, in connection: any HubConnection, at now: Int64, forChange: Bool) throws {
    if forChange { try connection.hold(exam) }
    let end = forChange ? connection.lockingClause : ""
    let row = try connection.row(
      "SELECT epoch, name, head, headHash, hubDevice, filling, made, cursorKey FROM exam WHERE exam = ?\(end)",
      [HubValue(exam)])
    guard let row else { throw HubError.token }
    beside = connection
    held = HeldRows(HubValue(exam), in: connection, keeps: forChange)
    self.exam = exam
    self.now = now
    epoch = try row.id(0)
    name = try row.text(1)
    head = LogMark(seq: try row.integer(2), hash: try row.bytes(3))
    headBefore = head.seq
    hubDevice = try row.id(4)
    isFilling = try row.flag(5)
    made = try row.integer(6)
    cursorKey = try row.bytes(ifAny: 7)
  }

  /// The exam as answers name it.
  var described: HubExam { HubExam(id: exam, epoch: epoch, name: name, head: head, isFilling: isFilling) }

  /// When this run of the log began, by the hub's clock then, milliseconds since 1970-01-01T00:00:00Z: the epoch's own
  /// time.
  var began: Int64 { Self.start(of: epoch) }

  /// When a run began, in milliseconds since 1970.
  static func start(of run: UUIDBytes) -> Int64 { run.milliseconds }

  /// Whether there was another run of the log before this one, of which this one may lack something.
  var hasFormerRun: Bool { isFilling || began > made }

  /// Whether an operation that others bring may be one that a former run of the log had and this one has not: a hub
  /// that was restored, or is filled, gets those back from any store that holds them. What its present device wrote it has.
  func mayHaveLost(_ operation: Journal.Operation) -> Bool {
    if operation.device == hubDevice { return false }
    return hasFormerRun && (isFilling || min(operation.hlc.milliseconds, operation.wallTime) < began)
  }

  // MARK: Appending

  /// What an entry of the log is of.
  enum Subject {
    case operation(hash: [UInt8], result: HubResult)
    case verdict(OperationID, LogEntry.Fate, by: OperationID?)
    case erase(subject: UUIDBytes, bodies: [OperationID])
  }

  /// What the hub notes of an entry for itself: it is not hashed.
  enum Note: String {
    /// The operation was passed on by a device that may not do what it does.
    case relayed
    /// The operation's content came after it had been kept without.
    case content
  }

  /// The exam's tables, after all that is to be written to them.
  var connection: any HubConnection { held }

  /// Appends an entry; `close` writes it, and where the log ends.
  /// - Returns: its number.
  @discardableResult func append(_ entry: Subject, _ note: Note? = nil) -> Int64 {
    let (type, subject, result): (EntryType, String, String)
    var (by, detail): (OperationID?, String?) = (nil, note?.rawValue)
    switch entry {
    case .operation(let hash, let said):
      (type, subject, result) = (.operation, Hexadecimal.text(hash), said.description)
    case .verdict(let id, let fate, let cause):
      (type, subject, result) = (.verdict, id.description, fate.text)
      by = cause
    case .erase(let key, let bodies):
      (type, subject, result) = (.erase, key.description, "")
      detail = bodies.map(\.description).joined(separator: " ")
    }
    head = LogHash.next(after: head, type: type.rawValue, subject: subject, result: result)
    held.insert(
      [
        .integer(head.seq), .text(type.rawValue), .text(subject), .text(result), .integer(now), .bytes(head.hash),
        HubValue(by?.description), HubValue(detail),
      ], into: .entries)
    return head.seq
  }

  /// The words for what an entry is of.
  enum EntryType: String {
    case operation = "op"
    case verdict
    case erase
  }

  /// Writes what the transaction changed, and where the log ends now; to be called once, after the last entry.
  func close() throws {
    try held.write()
    guard head.seq != headBefore else { return }
    try beside.run(
      "UPDATE exam SET head = ?, headHash = ? WHERE exam = ?",
      [.integer(head.seq), .bytes(head.hash), HubValue(exam)])
  }

  /// The operations that entries name as erased.
  func erased() throws -> Set<OperationID> {
    let rows = try connection.rows(
      "SELECT detail FROM log WHERE exam = ? AND type = ?", [HubValue(exam), .text(EntryType.erase.rawValue)])
    return Set(try rows.flatMap { try $0.text(0).split(separator: " ").compactMap { OperationID(String($0)) } })
  }

  /// What was noted of an entry.
  func note(at seq: Int64) throws -> Note? {
    try connection.row("SELECT detail FROM log WHERE exam = ? AND seq = ?", [HubValue(exam), .integer(seq)])?
      .text(ifAny: 0).flatMap { Note(rawValue: $0) }
  }

  /// The entity whose rows nobody waits for: they are in the next exchange, whenever that is.
  static let contactRecord = Stored.SyncInformation.entityName

  /// The last number of a log after another at which there is what somebody waits for; nil: there is none.
  static func lastOfNote(after seq: Int64, in exam: UUIDBytes, _ connection: any HubConnection) throws -> Int64? {
    try connection.row(
      """
      SELECT l.seq FROM log l LEFT JOIN op o ON o.exam = l.exam AND o.seq = l.seq
      WHERE l.exam = ? AND l.seq > ? AND (o.entity IS NULL OR o.entity <> ?) ORDER BY l.seq DESC LIMIT 1
      """, [HubValue(exam), .integer(seq), .text(contactRecord)])?.integer(0)
  }

  // MARK: Places

  /// A cursor at a place of this log, where its hash is this.
  func cursor(at place: LogPlace, _ hash: [UInt8]) -> LogCursor {
    LogCursor(epoch: epoch, place: place, proof: proof(of: epoch, LogMark(seq: place.seq, hash: hash)))
  }

  /// Whether a device shows a place that this hub gave it and does not have: so it was restored from a copy, and nobody
  /// told it. The proof is the hub's own, so no device can say so of itself. Of an earlier run of the log it says
  /// nothing: that such a run was left is known.
  func hasLost(_ cursor: LogCursor, _ hash: [UInt8]) throws -> Bool {
    guard !isFilling, cursor.epoch >= epoch, let seq = cursor.seq, let shown = cursor.proof,
      let proof = proof(of: cursor.epoch, LogMark(seq: seq, hash: hash)),
      Secret.isSame(Array(shown.utf8), Array(proof.utf8))
    else { return false }
    return try cursor.epoch != epoch || self.hash(at: seq) != hash
  }

  private func proof(of epoch: UUIDBytes, _ mark: LogMark) -> String? {
    cursorKey.map { key in
      let place = Array("\(epoch)\n\(mark.seq)\n".utf8) + mark.hash
      return Base64URL.encode(Array(StreamDigest.code(of: place, under: key).prefix(16)))
    }
  }

  /// The log's hash at a number; nil where it has no such entry.
  func hash(at seq: Int64) throws -> [UInt8]? {
    if seq == 0 { return LogHash.start(of: exam).hash }
    if seq == head.seq { return head.hash }
    return try connection.row(
      "SELECT hash FROM log WHERE exam = ? AND seq = ?", [HubValue(exam), .integer(seq)]
    )?.bytes(0)
  }

  /// Whether this log is not the one that a device was given a place of.
  func lacks(_ mark: LogMark) throws -> Bool { try hash(at: mark.seq) != mark.hash }

  /// The last of some places at which this log and a device's agree: the log's begin at least.
  func common(among marks: [LogMark]) throws -> LogMark {
    for mark in marks.sorted(by: { $0.seq > $1.seq }) where try hash(at: mark.seq) == mark.hash { return mark }
    return LogHash.start(of: exam)
  }
}
