import Journal
import Sync

/// Reads entries of a log as a device is given them, written as they travel.
struct EntryReader {
  private let log: ExamLog
  private let scope: ScopeReader
  private let receipts: Bool
  private var device: DeviceRecord { scope.device }

  /// - Parameter receipts: whether the device's own operations are answered for.
  init(_ log: ExamLog, _ scope: ScopeReader, receipts: Bool) {
    self.log = log
    self.scope = scope
    self.receipts = receipts
  }

  /// What is read of an entry, in a query that calls the entries `l` and their operations `o`.
  static let columns =
    "l.seq, l.time, l.type, l.subject, l.result, l.byOp, l.detail, \(LoggedOperation.columns)"

  /// An entry; nil where the device does not get it.
  func entry(_ row: HubRow) throws -> [UInt8]? {
    let (seq, time) = (try row.integer(0), try row.integer(1))
    guard let type = ExamLog.EntryType(rawValue: try row.text(2)) else { throw Self.unreadable(seq) }
    switch type {
    case .operation:
      guard case .result(let result)? = LogEntry.Fate(try row.text(4)) else { throw Self.unreadable(seq) }
      return try entry(LoggedOperation(row, from: 7), result, seq, time)
    case .verdict:
      guard let id = OperationID(try row.text(3)), let fate = LogEntry.Fate(try row.text(4)) else {
        throw Self.unreadable(seq)
      }
      let by = try row.text(ifAny: 5).flatMap { OperationID($0) }
      let isContent = try row.text(ifAny: 6) == ExamLog.Note.content.rawValue
      return try verdict(id, fate, by, isContent: isContent, seq, time).map { Self.bytes(of: $0) }
    case .erase: return Self.bytes(of: try Self.erasure(seq, time, of: row.text(3), bodies: row.text(ifAny: 6)))
    }
  }

  private static func unreadable(_ seq: Int64) -> HubDamage { HubDamage(what: "entry \(seq) of a log cannot be read") }

  private static func bytes(of entry: LogEntry) -> [UInt8] {
    var bytes: [UInt8] = []
    entry.write(to: &bytes)
    return bytes
  }

  // MARK: Operations

  private func entry(
    _ operation: LoggedOperation, _ result: HubResult, _ seq: Int64, _ time: Int64
  ) throws -> [UInt8]? {
    if operation.author == device.id {
      return receipts ? Self.bytes(of: LogEntry(seq: seq, time: time, .receipt(operation.id, result))) : nil
    }
    if result.refusal != nil && !device.seesOthers { return try refused(operation, result, seq, time) }
    guard let content = try scope.content(of: operation, at: seq, time) else { return nil }
    var bytes: [UInt8] = []
    // Content that came later comes to everybody with what became of it then.
    LogEntry.write(
      seq: seq, time: time, result == .withheld ? content.withoutBody : content, result, operation.part, to: &bytes)
    return bytes
  }

  /// Who holds it by another way, as out of a file, hears that it counts for nothing, and not what it is.
  private func refused(
    _ operation: LoggedOperation, _ result: HubResult, _ seq: Int64, _ time: Int64
  ) throws -> [UInt8]? {
    if try scope.takesBackRefused(operation, at: seq, time) {
      var bytes: [UInt8] = []
      LogEntry.write(seq: seq, time: time, operation.parts.withoutBody, result, operation.part, to: &bytes)
      return bytes
    }
    guard scope.held.see(operation.atoms, at: seq),
      try OperationStore(log: log).versions(of: operation.id).first?.operation.hash == operation.parts.hash
    else { return nil }
    return Self.bytes(of: LogEntry(seq: seq, time: time, .receipt(operation.id, result)))
  }

  // MARK: What was destroyed

  /// An entry that names what was destroyed, as every device is given it.
  static func erasure(_ seq: Int64, _ time: Int64, of subject: String, bodies: String?) throws -> LogEntry {
    guard let subject = UUIDBytes(subject) else { throw unreadable(seq) }
    let names = (bodies ?? "").split(separator: " ").compactMap { OperationID(String($0)) }
    return LogEntry(seq: seq, time: time, .erase(subject: subject, bodies: names))
  }

  // MARK: Verdicts

  private func verdict(
    _ id: OperationID, _ fate: LogEntry.Fate, _ by: OperationID?, isContent: Bool, _ seq: Int64, _ time: Int64
  ) throws -> LogEntry? {
    if try !scope.sees(id, at: seq) { return nil }
    let late = try missing(id, fate, by, isContent: isContent)
    if late == nil, !device.seesOthers, try Self.wasRefused(id, log, device),
      try !Self.wasAdmitted(id, before: seq, log)
    {
      return nil
    }
    return LogEntry(seq: seq, time: time, .verdict(id, fate, by: by, late))
  }

  /// Whether an operation ever counted, so that everybody who has its part was given it then.
  static func hasCounted(_ id: OperationID, _ log: ExamLog, _ device: DeviceRecord) throws -> Bool {
    try !wasRefused(id, log, device) || wasAdmitted(id, before: .max, log)
  }

  /// Whether a device was not given an operation of another as it came.
  private static func wasRefused(_ id: OperationID, _ log: ExamLog, _ device: DeviceRecord) throws -> Bool {
    let row = try log.connection.row(
      """
      SELECT o.device, l.result FROM op o JOIN log l ON l.exam = o.exam AND l.seq = o.seq
      WHERE o.exam = ? AND o.id = ? ORDER BY +o.seq LIMIT 1
      """, [HubValue(log.exam), HubValue(id)])
    guard let row else { return false }
    let author = try row.id(0)
    if author == device.id { return false }
    guard case .result(let result)? = LogEntry.Fate(try row.text(1)) else { return false }
    return result.refusal != nil
  }

  /// Whether an operation counted for a while, so that everybody was given it then.
  private static func wasAdmitted(_ id: OperationID, before seq: Int64, _ log: ExamLog) throws -> Bool {
    try log.connection.row(
      """
      SELECT 1 FROM log WHERE exam = ? AND seq > (SELECT min(+seq) FROM op WHERE exam = ? AND id = ?) AND seq < ?
        AND type = ? AND subject = ? AND result IN \(HubResult.countingList) LIMIT 1
      """,
      [
        HubValue(log.exam), HubValue(log.exam), HubValue(id), .integer(seq), .text(ExamLog.EntryType.verdict.rawValue),
        .text(id.description),
      ]) != nil
  }

  /// An operation that counts now, and of which the device may have been given nothing: as it came it was refused, or the
  /// device came while it was. And one whose content came only now.
  private func missing(
    _ id: OperationID, _ fate: LogEntry.Fate, _ by: OperationID?, isContent: Bool
  ) throws -> WireOperation? {
    guard isContent ? device.seesOthers || fate.answer.refusal == nil : !device.seesOthers && fate.counts,
      let stored = try OperationStore(log: log).versions(of: id).first, stored.operation.device != device.id
    else { return nil }
    if try !isContent && by == nil && !Self.wasRefused(id, log, device) { return nil }
    return WireOperation(received: stored.operation)
  }
}
