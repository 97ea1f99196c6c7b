import GRDB
import Journal

import struct Foundation.Data

/// A closed store read with nothing but SQL and the journal's own rules: the oracle of the fault tests.
public struct StoreAudit: Sendable {
  /// What is wrong; empty if nothing is.
  public private(set) var problems: [String] = []
  /// How many operations the journal holds.
  public private(set) var operations = 0
  /// Items with a mark that no operation gave them.
  public private(set) var unexplained: [String] = []
  /// The ratings that each item was given, in millionths, oldest first.
  public private(set) var history: [String: [Int64]] = [:]

  /// The item and the rating, in millionths, of each operation that set one.
  private var marks: [String: (item: String, rating: Int64)] = [:]

  /// Reads a store that no process has open.
  /// - Throws: if it cannot be read at all.
  public init(_ path: String) throws {
    let database = try DatabaseQueue(path: path)
    try database.inDatabase { db in
      let integrity = try String.fetchAll(db, sql: "PRAGMA integrity_check")
      if integrity != ["ok"] { problems += integrity.map { "integrity: \($0)" } }
      if let row = try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") { problems.append("foreign key: \(row)") }
      try readJournal(db)
    }
  }

  /// Holds the store against marks that were drawn, in the order in which they were.
  /// - Returns: what is missing or has another value; empty if every one is there.
  public func missing(_ drawn: [MarkingProcess.Drawn]) -> [String] {
    var missing: [String] = []
    for mark in drawn {
      guard let kept = marks[mark.operation] else {
        missing.append("the operation \(mark.operation) on \(mark.item) was drawn and is not there")
        continue
      }
      if kept.item != mark.item || kept.rating != mark.rating {
        missing.append("the operation \(mark.operation) holds \(kept.rating), \(mark.rating) was drawn")
      }
    }
    return missing
  }

  /// Holds the store against the marks that a screen showed on one item, one after the other.
  /// - Parameters:
  ///   - shown: whole marks in the order in which they appeared, none twice in a row.
  /// - Returns: whether they are among the item's marks in that order.
  public func holds(_ shown: [Int], on item: String) -> Bool {
    var wanted = shown[...]
    for rating in history[item] ?? [] where rating == wanted.first.map({ Int64($0) * Scaled.unit }) {
      wanted.removeFirst()
    }
    return wanted.isEmpty
  }

  /// Looks at a backup as it lies there now, while others may put another in its place.
  /// - Returns: how many operations it holds.
  /// - Throws: if it is not one whole file with a gapless chain for each device.
  public static func wholeCopy(_ path: String) throws -> Int {
    var configuration = GRDB.Configuration()
    configuration.readonly = true
    let database = try DatabaseQueue(path: path, configuration: configuration)
    return try database.read { db in
      let integrity = try String.fetchOne(db, sql: "PRAGMA integrity_check")
      if integrity != "ok" { throw RigError("not whole: \(integrity ?? "nothing")") }
      let gap = "SELECT device FROM operation GROUP BY device HAVING count(*) <> max(deviceSeq)"
      if let device = try String.fetchOne(db, sql: gap) { throw RigError("a gap in the chain of \(device)") }
      return try Int.fetchOne(db, sql: "SELECT count(*) FROM operation") ?? 0
    }
  }

  /// The marks of items as they stand on the disk now, while others have the store open; nil where there is none.
  /// - Throws: if the store cannot be read.
  public static func marks(in path: String, of items: [String]) throws -> [Int?] {
    var configuration = GRDB.Configuration()
    configuration.readonly = true
    let database = try DatabaseQueue(path: path, configuration: configuration)
    return try database.read { db in
      try items.map { try Int.fetchOne(db, sql: "SELECT rating FROM dataQuestion WHERE uuid = ?", arguments: [$0]) }
    }
  }

  /// The feedback in a store.
  /// - Throws: if the store cannot be read.
  public static func feedback(in path: String) throws -> [String] {
    try DatabaseQueue(path: path).read {
      try String.fetchAll($0, sql: "SELECT feedback FROM dataQuestion WHERE feedback <> ''")
    }
  }

  private mutating func readJournal(_ db: Database) throws {
    var verifier = ChainVerifier()
    var last: [String: Value] = [:]
    let rows = try Row.fetchCursor(db, sql: "SELECT * FROM operation ORDER BY device, deviceSeq")
    while let row = try rows.next() {
      guard let operation = StoreAudit.operation(row) else {
        problems.append("an operation with a broken identifier")
        continue
      }
      operations += 1
      if let problem = verifier.feed(operation) { problems.append("chain: \(problem)") }
      guard operation.row.entity == "RatingQuestion", let value = try operation.body()?.fields["rating"] else {
        continue
      }
      last[operation.row.id] = value
      guard case .integer(let rating) = value else { continue }
      marks[operation.id.description] = (operation.row.id, rating)
      history[operation.row.id, default: []].append(rating)
    }
    for end in try Row.fetchAll(db, sql: "SELECT device, lastSeq, lastHash FROM chain") {
      let tip = UUIDBytes(end[0] as String).flatMap { verifier.tips[$0] }
      if tip?.deviceSeq != end[1] as Int64? || tip.map({ Data($0.hash) }) != end[2] as Data? {
        problems.append("the end of the chain is not its last operation")
      }
    }
    let ratings = try Row.fetchAll(db, sql: "SELECT uuid, rating FROM dataQuestion WHERE entity = 'RatingQuestion'")
    for row in ratings {
      let item: String = row[0]
      let stored = (row[1] as Double?).flatMap { Scaled.encode($0) }.map { Value.integer($0) } ?? .null
      if let given = last.removeValue(forKey: item) {
        if stored != given { problems.append("the value of \(item) is not that of its last operation") }
      } else if stored != .null {
        unexplained.append("\(item) has a mark that no operation gave it")
      }
    }
    problems += last.filter { $0.value != .null }.map { "the item \($0.key) of an operation is not there" }
  }

  private static func operation(_ row: Row) -> Operation? {
    guard let id = UUIDBytes(row["id"] as String), let device = UUIDBytes(row["device"] as String),
      let tx = UUIDBytes(row["tx"] as String)
    else { return nil }
    return Operation(
      id: id, device: device, deviceSeq: row["deviceSeq"], tx: tx, txIndex: row["txIndex"], txSize: row["txSize"],
      kind: OperationKind(rawValue: row["kind"]), row: RowKey(entity: row["entity"], id: row["entityID"]),
      sealedBody: (row["body"] as Data?).map { [UInt8]($0) }, bodyHash: [UInt8](row["bodyHash"] as Data),
      hlc: HybridTime(raw: row["hlc"]), wallTime: row["wallTime"], clockError: row["clockError"],
      examTime: (row["examTime"] as Int64?).map { ExamTime(milliseconds: $0) }, staff: row["staff"],
      sitting: (row["sitting"] as String?).flatMap { UUIDBytes($0) }, headerReason: row["reason"],
      schema: row["schema"], prevHash: [UInt8](row["prevHash"] as Data), hash: [UInt8](row["hash"] as Data))
  }
}
