import Catalogue
import Journal
import Sync

/// An operation as the hub keeps it.
struct StoredOperation {
  let operation: Journal.Operation
  /// Its number in the log.
  let seq: Int64
  /// What is said of it now: a verdict changes it, the log's entry stays.
  let fate: LogEntry.Fate
}

extension LogEntry.Fate {
  /// Reads it as the hub keeps it.
  init(stored text: String) throws {
    guard let fate = LogEntry.Fate(text) else {
      throw HubDamage(what: "what is said of an operation cannot be read")
    }
    self = fate
  }
}

/// The operations of one exam.
struct OperationStore {
  let log: ExamLog
  private var connection: any HubConnection { log.connection }
  private var exam: HubValue { HubValue(log.exam) }

  private static let columns = "header, bodyHash, hash, sealed, absent, seq, result"
  private static let places = columns.split(separator: ", ").map { HeldTable.operations.column(String($0)) }
  private static let (hash, sealed, absent, seq, result) = (places[2], places[3], places[4], places[5], places[6])
  private static let (id, device) = (HeldTable.operations.column("id"), HeldTable.operations.column("device"))
  private static let hlc = HeldTable.operations.column("hlc")
  private static let untilSeq = HeldTable.operations.column("untilSeq")
  private static let atoms = HeldTable.operations.column("atoms")

  private static func stored(_ row: HubRow) throws -> StoredOperation {
    let parts = try WireOperation.Parts(row, from: 0)
    guard let operation = try? parts.operation() else { throw HubDamage(what: "an operation cannot be read") }
    return StoredOperation(
      operation: operation, seq: try row.integer(5), fate: try LogEntry.Fate(stored: row.text(6)))
  }

  func fetch(_ condition: String, _ arguments: [HubValue], limit: Int64? = nil) throws -> [StoredOperation] {
    // The plus keeps SQLite from going through the whole log in its order, where a handful of rows is to be sorted.
    let order = limit.map { "seq LIMIT \($0)" } ?? "+seq"
    return try connection.rows(
      "SELECT \(Self.columns) FROM op WHERE exam = ? AND \(condition) ORDER BY \(order)", [exam] + arguments
    ).map { try Self.stored($0) }
  }

  /// The rows that an index finds, the first to come first.
  private func held(_ index: HeldIndex, _ key: [HubValue]) throws -> [HeldRow] {
    let rows = try log.held.rows(index, key)
    if rows.count < 2 { return rows }
    return try rows.map { ($0, try $0.row.integer(Self.seq)) }.sorted { $0.1 < $1.1 }.map(\.0)
  }

  private func found(_ index: HeldIndex, _ key: [HubValue]) throws -> [StoredOperation] {
    try held(index, key).map { row in try Self.stored(HubRow(Self.places.map { row.values[$0] })) }
  }

  /// All versions of an operation, the first to come first: it is the one that stands.
  func versions(of id: OperationID) throws -> [StoredOperation] { try found(.operationsByID, [HubValue(id)]) }

  /// The operations of a transaction of a device, those that stand.
  func members(device: UUIDBytes, tx: UUIDBytes) throws -> [StoredOperation] {
    try found(.operationsByTransaction, [HubValue(tx)]).filter { $0.operation.device == device }
  }

  /// The operations on a row, each once: of a change that was sealed again in another chain the first to come, which is
  /// the one on which people rule.
  func history(of row: RowKey) throws -> [StoredOperation] {
    var seen: Set<OperationID> = []
    return try everyVersion(on: row).filter {
      seen.insert($0.operation.id).inserted
    }
  }

  /// The devices whose operations on a row count: those of `history`, of which none is opened.
  func writers(of row: RowKey) throws -> Set<UUIDBytes> {
    var seen: Set<HubValue> = []
    return try Set(
      held(.operationsByRow, row.held).filter {
        try seen.insert($0.values[Self.id]).inserted && LogEntry.Fate(stored: $0.row.text(Self.result)).counts
      }.map { try $0.row.id(Self.device) })
  }

  /// Every version of the operations on a row, in the order in which they came.
  func everyVersion(on row: RowKey) throws -> [StoredOperation] {
    try found(.operationsByRow, row.held)
  }

  /// Whether an operation is the one that stands under its identifier: another with the same one, from whatever device,
  /// came later.
  func isFirst(_ stored: StoredOperation) throws -> Bool {
    try held(.operationsByID, [HubValue(stored.operation.id)]).first?.row.bytes(Self.hash) == stored.operation.hash
  }

  /// Those that are kept for a person; also those that count for nothing for good.
  func refused(isRejectedToo: Bool) throws -> [StoredOperation] {
    let rejected = isRejectedToo ? " OR result LIKE 'rejected%'" : ""
    return try fetch("(result LIKE 'quarantined:%'\(rejected))", [])
  }

  /// The operation with a number in a device's chain; nil where there is none.
  func find(device: UUIDBytes, deviceSeq: Int64) throws -> StoredOperation? {
    try found(.operationsByChain, [HubValue(device), .integer(deviceSeq)]).first
  }

  /// The hash of the operation with a number in a device's chain; nil where there is none.
  func hash(device: UUIDBytes, deviceSeq: Int64) throws -> [UInt8]? {
    try held(.operationsByChain, [HubValue(device), .integer(deviceSeq)]).first?.row.bytes(Self.hash)
  }

  /// The latest time of a device's operations that count; nil where none does.
  func latestTime(of device: UUIDBytes) throws -> HybridTime? {
    try connection.row(
      "SELECT max(hlc) FROM op WHERE exam = ? AND device = ? AND result IN \(HubResult.countingList)",
      [exam, HubValue(device)])?.integer(ifAny: 0).map { HybridTime(raw: $0) }
  }

  /// What became of an operation as far as those that name it need to know; nil while it waits or is not here.
  func admission(of id: OperationID) throws -> AdmissionResult? {
    guard let row = try held(.operationsByID, [HubValue(id)]).first?.row else { return nil }
    let fate = try LogEntry.Fate(stored: row.text(Self.result))
    if fate.isDeferred { return nil }
    return try fate.counts && row.text(ifAny: Self.absent) == nil
      ? .applied(HybridTime(raw: row.integer(Self.hlc))) : .void
  }

  /// Keeps an operation.
  /// - Parameter atoms: what it is called where it is asked who gets it.
  func insert(_ operation: Journal.Operation, seq: Int64, result: HubResult, untilSeq: Int64?, atoms: String) {
    log.held.insert(
      [
        HubValue(operation.id), .bytes(operation.hash), HubValue(operation.device), .integer(operation.deviceSeq),
        HubValue(operation.tx), .integer(Int64(operation.txIndex)), .integer(Int64(operation.txSize)),
        .text(operation.kind.rawValue), HubValue(key: operation.row.entity), HubValue(key: operation.row.id),
        .integer(operation.hlc.raw), .integer(Int64(operation.schema)), .bytes(operation.headerBytes),
        .bytes(operation.bodyHash), HubValue(operation.sealedBody), HubValue(operation.absent?.rawValue),
        .integer(seq), .text(result.description), HubValue(untilSeq), .text(atoms),
      ], into: .operations)
  }

  /// Gives an operation that was kept without its content that content.
  /// - Parameter atoms: what it is called now that its content says where it is.
  func fill(_ operation: Journal.Operation, atoms: String) throws {
    for row in try held(.operationsByID, [HubValue(operation.id)]) where row.values[Self.hash] == .bytes(operation.hash)
    {
      set(Self.sealed, of: row, to: HubValue(operation.sealedBody))
      set(Self.absent, of: row, to: .null)
      set(Self.atoms, of: row, to: .text(atoms))
    }
  }

  /// What is said of an operation that has taken another's identifier.
  private static let secondVersion = HubValue.text(HubResult.rejected(.twoVersions).description)

  /// Destroys the content of a change that is here, in every chain that has it.
  /// - Returns: whether there was any.
  func erase(_ operation: Journal.Operation) throws -> Bool {
    let rows = try held(.operationsByID, [HubValue(operation.id)])
    guard let own = rows.first(where: { $0.values[Self.hash] == .bytes(operation.hash) }) else { return false }
    // What has taken another's identifier takes nothing from that.
    let same =
      own.values[Self.result] == Self.secondVersion
      ? [own] : rows.filter { $0.values[Self.result] != Self.secondVersion }
    let hadContent = same.contains { $0.values[Self.sealed] != .null }
    for row in same { destroyContent(of: row) }
    return hadContent
  }

  /// Destroys the content that is here of changes, under whatever hash, and of single operations.
  func erase(_ changes: [OperationID], and single: [Journal.Operation]) throws {
    try log.held.load(.operationsByID, (changes + single.map(\.id)).map { [HubValue($0)] })
    for id in changes {
      for row in try held(.operationsByID, [HubValue(id)]) where row.values[Self.sealed] != .null {
        destroyContent(of: row)
      }
    }
    for operation in single {
      for row in try held(.operationsByID, [HubValue(operation.id)])
      where row.values[Self.hash] == .bytes(operation.hash) {
        destroyContent(of: row)
      }
    }
  }

  private func destroyContent(of row: HeldRow) {
    set(Self.sealed, of: row, to: .null)
    set(Self.absent, of: row, to: .text(AbsentContent.erased.rawValue))
  }

  /// The changes whose content was destroyed and that no entry of the log names.
  func unnamedErasures() throws -> [OperationID] {
    let named = try log.erased()
    return try connection.rows(
      "SELECT DISTINCT id FROM op WHERE exam = ? AND absent = ? AND result <> ?",
      [exam, .text(AbsentContent.erased.rawValue), Self.secondVersion]
    ).compactMap { try OperationID($0.text(0)) }.filter { !named.contains($0) }.sorted()
  }

  /// How many rows no change here has any content of, but for what was erased and what every device keeps to itself.
  func emptyRows() throws -> Int {
    try connection.rows(
      """
      SELECT entity, count(*) FROM (
        SELECT entity, entityID FROM op WHERE exam = ? GROUP BY entity, entityID
        HAVING count(sealed) = 0 AND count(CASE WHEN absent = ? THEN 1 END) = 0) AS bare
      GROUP BY entity
      """, [exam, .text(AbsentContent.erased.rawValue)]
    ).filter { try Catalogue.standard[$0.text(0)]?.sync != .local }.reduce(0) { try $0 + Int($1.integer(1)) }
  }

  /// Notes what is said of an operation now, and so of the same change in chains that continue another: only what
  /// has taken its identifier stands apart.
  func note(_ fate: LogEntry.Fate, of operation: Journal.Operation) throws {
    for row in try held(.operationsByID, [HubValue(operation.id)])
    where row.values[Self.hash] == .bytes(operation.hash) || row.values[Self.result] != Self.secondVersion {
      set(Self.result, of: row, to: .text(fate.text))
    }
  }

  /// Notes since when an operation stands on no field any more; nil: it does. Its copies never stand on any.
  func noteEnd(of id: OperationID, at seq: Int64?) throws {
    guard let first = try held(.operationsByID, [HubValue(id)]).first else { return }
    set(Self.untilSeq, of: first, to: HubValue(seq))
  }

  /// Calls the operations on a row that came before a number of the log by more atoms from then on.
  /// - Returns: whether there are any.
  func call(_ row: RowKey, _ atoms: Set<String>, from seq: Int64) throws -> Bool {
    let earlier = try held(.operationsByRow, row.held).filter {
      try $0.row.integer(Self.seq) < seq
    }
    for operation in earlier {
      let called = try operation.row.text(Self.atoms)
      let names = Set(called.split(separator: " ").compactMap { $0.split(separator: "@").first.map(String.init) })
      let more = atoms.subtracting(names).sorted().map { "\($0)@\(seq)" }
      if more.isEmpty { continue }
      set(Self.atoms, of: operation, to: .text(([called] + more).filter { !$0.isEmpty }.joined(separator: " ")))
    }
    return !earlier.isEmpty
  }

  private func set(_ column: Int, of row: HeldRow, to value: HubValue) {
    log.held.set(column, of: row, in: .operations, to: value)
  }
}
