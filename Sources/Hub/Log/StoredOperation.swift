import Journal
import Sync

/// An operation as the hub keeps it.
struct StoredOperation {
  let operation: Journal.Operation
  /// Its number in the log.
  let seq: Int64
  /// What is said of it now: a verdict changes it, the log's entry stays.
  let standing: Standing

  /// What is said of an operation now.
  enum Standing: Hashable {
    case result(HubResult)
    case withdrawn

    init?(_ text: String) {
      guard let ruling = LogEntry.Ruling(text) else { return nil }
      self.init(ruling)
    }

    init(_ ruling: LogEntry.Ruling) {
      self =
        switch ruling {
        case .withdrawn: .withdrawn
        case .result(let result): .result(result)
        }
    }

    var text: String {
      switch self {
      case .result(let result): result.description
      case .withdrawn: "withdrawn"
      }
    }

    /// Whether it counts.
    var isApplied: Bool { self == .result(.applied) || self == .result(.conflict) }

    /// Whether it is not decided yet.
    var isDeferred: Bool { if case .result(.deferred) = self { true } else { false } }

    /// As an answer says it: what was revoked counts for nothing.
    var result: HubResult { if case .result(let result) = self { result } else { .rejected(nil) } }
  }
}

/// The operations of one exam.
struct OperationStore {
  let log: ExamLog
  private var connection: any HubConnection { log.connection }
  private var exam: HubValue { HubValue(log.exam) }

  private static let columns = "header, bodyHash, hash, sealed, absent, seq, result"

  private static func stored(_ row: HubRow) throws -> StoredOperation {
    let parts = WireOperation.Parts(
      header: try row.bytes(0), bodyHash: try row.bytes(1), hash: try row.bytes(2), sealedBody: try row.bytes(ifAny: 3),
      absent: try row.text(ifAny: 4).flatMap { AbsentContent(rawValue: $0) })
    guard let operation = try? parts.operation(), let standing = StoredOperation.Standing(try row.text(6)) else {
      throw HubDamage(what: "an operation cannot be read")
    }
    return StoredOperation(operation: operation, seq: try row.integer(5), standing: standing)
  }

  // The plus keeps SQLite from going through the whole log in its order, where a handful of rows is to be sorted.
  func fetch(_ condition: String, _ arguments: [HubValue], limit: Int64? = nil) throws -> [StoredOperation] {
    if let limit {
      return try connection.rows(
        "SELECT \(Self.columns) FROM op WHERE exam = ? AND \(condition) ORDER BY seq LIMIT \(limit)", [exam] + arguments
      ).map { try Self.stored($0) }
    }
    return try fetchAll(condition, arguments)
  }

  private func fetchAll(_ condition: String, _ arguments: [HubValue]) throws -> [StoredOperation] {
    try connection.rows(
      "SELECT \(Self.columns) FROM op WHERE exam = ? AND \(condition) ORDER BY +seq", [exam] + arguments
    ).map { try Self.stored($0) }
  }

  /// All versions of an operation, the first to come first: it is the one that stands.
  func versions(of id: OperationID) throws -> [StoredOperation] { try fetch("id = ?", [HubValue(id)]) }

  /// The operations of a transaction of a device, those that stand.
  func members(device: UUIDBytes, tx: UUIDBytes) throws -> [StoredOperation] {
    try fetch("tx = ?", [HubValue(tx)]).filter { $0.operation.device == device }
  }

  /// The operations on a row, each once: of a change that was sealed again in another chain the first to come, which is
  /// the one on which people rule.
  func history(of row: RowKey) throws -> [StoredOperation] {
    var seen: Set<OperationID> = []
    return try everyVersion(on: row).filter {
      seen.insert($0.operation.id).inserted
    }
  }

  /// Every version of the operations on a row, in the order in which they came.
  func everyVersion(on row: RowKey) throws -> [StoredOperation] {
    try fetch("entity = ? AND entityID = ?", [HubValue(key: row.entity), HubValue(key: row.id)])
  }

  /// Whether an operation is the one that stands under its identifier: another with the same one, from whatever device,
  /// came later.
  func isFirst(_ stored: StoredOperation) throws -> Bool {
    try connection.row(
      "SELECT hash FROM op WHERE exam = ? AND id = ? ORDER BY +seq LIMIT 1", [exam, HubValue(stored.operation.id)]
    )?.bytes(0) == stored.operation.hash
  }

  /// Those that are kept for a person; also those that count for nothing for good.
  func refused(isRejectedToo: Bool) throws -> [StoredOperation] {
    let rejected = isRejectedToo ? " OR result LIKE 'rejected%'" : ""
    return try fetch("(result LIKE 'quarantined:%'\(rejected))", [])
  }

  /// The hash of the operation with a number in a device's chain; nil where there is none.
  func hash(device: UUIDBytes, deviceSeq: Int64) throws -> [UInt8]? {
    try connection.row(
      "SELECT hash FROM op WHERE exam = ? AND device = ? AND deviceSeq = ?",
      [exam, HubValue(device), .integer(deviceSeq)])?.bytes(0)
  }

  /// What became of an operation as far as those that name it need to know; nil while it waits or is not here.
  func fate(of id: OperationID) throws -> Fate? {
    let row = try connection.row(
      "SELECT result, hlc, absent FROM op WHERE exam = ? AND id = ? ORDER BY +seq LIMIT 1", [exam, HubValue(id)])
    guard let row else { return nil }
    guard let standing = StoredOperation.Standing(try row.text(0)) else {
      throw HubDamage(what: "what is said of an operation cannot be read")
    }
    if standing.isDeferred { return nil }
    return try standing.isApplied && row.text(ifAny: 2) == nil ? .applied(HybridTime(raw: row.integer(1))) : .void
  }

  /// Keeps an operation.
  /// - Parameter atoms: what it is called where it is asked who gets it.
  func insert(_ operation: Journal.Operation, seq: Int64, result: HubResult, untilSeq: Int64?, atoms: String) throws {
    try connection.run(
      """
      INSERT INTO op (exam, id, hash, device, deviceSeq, tx, txIndex, txSize, kind, entity, entityID, hlc, schema,
        header, bodyHash, sealed, absent, seq, result, untilSeq, atoms)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        exam, HubValue(operation.id), .bytes(operation.hash), HubValue(operation.device), .integer(operation.deviceSeq),
        HubValue(operation.tx), .integer(Int64(operation.txIndex)), .integer(Int64(operation.txSize)),
        .text(operation.kind.rawValue), HubValue(key: operation.row.entity), HubValue(key: operation.row.id),
        .integer(operation.hlc.raw), .integer(Int64(operation.schema)), .bytes(operation.headerBytes),
        .bytes(operation.bodyHash), HubValue(operation.sealedBody), HubValue(operation.absent?.rawValue),
        .integer(seq), .text(result.description), HubValue(untilSeq), .text(atoms),
      ])
  }

  /// Gives an operation that was kept without its content that content.
  /// - Parameter atoms: what it is called now that its content says where it is.
  func fill(_ operation: Journal.Operation, atoms: String) throws {
    try connection.run(
      "UPDATE op SET sealed = ?, absent = NULL, atoms = ? WHERE exam = ? AND id = ? AND hash = ?",
      [
        HubValue(operation.sealedBody), .text(atoms), exam, HubValue(operation.id), .bytes(operation.hash),
      ])
  }

  /// Notes what is said of an operation now, and so of the same change in chains that continue another: only what has
  /// taken its identifier has a fate of its own.
  func note(_ standing: StoredOperation.Standing, of operation: Journal.Operation) throws {
    let other = HubResult.rejected(.twoVersions).description
    try connection.run(
      "UPDATE op SET result = ? WHERE exam = ? AND id = ? AND (hash = ? OR result <> ?)",
      [.text(standing.text), exam, HubValue(operation.id), .bytes(operation.hash), .text(other)])
  }

  /// Notes since when an operation stands on no field any more; nil: it does. Its copies never stand on any.
  ///
  /// Without the plus SQLite looks for the least number along the whole log.
  func noteEnd(of id: OperationID, at seq: Int64?) throws {
    try connection.run(
      """
      UPDATE op SET untilSeq = ? WHERE exam = ? AND id = ?
        AND seq = (SELECT min(+first.seq) FROM op first WHERE first.exam = ? AND first.id = ?)
      """, [HubValue(seq), exam, HubValue(id), exam, HubValue(id)])
  }
}
