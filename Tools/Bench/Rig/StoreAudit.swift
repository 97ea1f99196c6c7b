import GRDB
import Journal

import struct Foundation.Data

/// A closed store read with nothing but SQL and the journal's own rules: the oracle of the fault tests.
public struct StoreAudit: Sendable {
  /// What is wrong; empty if nothing is.
  public private(set) var problems: [String] = []
  /// How many operations the journal holds.
  public private(set) var operations = 0
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

  private mutating func readJournal(_ db: Database) throws {
    var verifier = ChainVerifier()
    let rows = try Row.fetchCursor(db, sql: "SELECT * FROM operation ORDER BY device, deviceSeq")
    while let row = try rows.next() {
      guard let operation = StoreAudit.operation(row) else {
        problems.append("an operation with a broken identifier")
        continue
      }
      operations += 1
      if let problem = verifier.feed(operation) { problems.append("chain: \(problem)") }
      guard operation.row.entity == "RatingQuestion", let body = try operation.body(),
        case .integer(let rating) = body.fields["rating"]
      else { continue }
      marks[operation.id.description] = (operation.row.id, rating)
      history[operation.row.id, default: []].append(rating)
    }
    for end in try Row.fetchAll(db, sql: "SELECT device, lastSeq, lastHash FROM chain") {
      let tip = UUIDBytes(end[0] as String).flatMap { verifier.tips[$0] }
      if tip?.deviceSeq != end[1] as Int64? || tip.map({ Data($0.hash) }) != end[2] as Data? {
        problems.append("the end of the chain is not its last operation")
      }
    }
    for (item, ratings) in history {
      let stored = try Double.fetchOne(db, sql: "SELECT rating FROM dataQuestion WHERE uuid = ?", arguments: [item])
      if stored.flatMap({ Scaled.encode($0) }) != ratings.last {
        problems.append("the value of \(item) is not that of its last operation")
      }
    }
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
      sitting: (row["sitting"] as String?).flatMap { UUIDBytes($0) }, reason: row["reason"], schema: row["schema"],
      prevHash: [UInt8](row["prevHash"] as Data), hash: [UInt8](row["hash"] as Data))
  }
}
