import Hub
import Journal

/// PostgreSQL within one transaction.
struct PostgresConnection: HubConnection {
  let link: PostgresLink
  private let cursors = Cursors()

  /// How many rows come at a time.
  private static let batch = 200

  /// How many cursors were opened: one may be read while another is.
  private final class Cursors {
    var count = 0
  }

  init(_ link: PostgresLink) { self.link = link }

  var lockingClause: String { " FOR UPDATE" }

  var waitsForStandby: Bool {
    get throws {
      try fetch("SELECT current_setting('synchronous_standby_names') <> ''", []).first?.values.first == .integer(1)
    }
  }

  func run(_ sql: String, _ arguments: [HubValue]) throws -> Int { try link.execute(sql, arguments).changed }

  func fetch(_ sql: String, _ arguments: [HubValue]) throws -> [HubRow] {
    let result = try link.execute(sql, arguments)
    return try (0..<result.count).map { try result.row($0) }
  }

  func fetch(_ statement: BulkStatement, of exam: HubValue, _ keys: [[HubValue]]) throws -> [HubRow] {
    guard keys.count > 1, let many = statement.many else {
      return try keys.flatMap { try fetch(statement.single, statement.arguments(exam, $0)) }
    }
    return try fetch(many, PostgresValue.arrays(keys, statement.kinds) + [exam])
  }

  func run(_ statement: BulkStatement, of exam: HubValue, _ rows: [[HubValue]]) throws {
    if rows.count > 1, let many = statement.many {
      _ = try link.execute(many, PostgresValue.arrays(rows, statement.kinds) + [exam])
    } else {
      try link.execute(statement.single, each: rows.map { statement.arguments(exam, $0) })
    }
  }

  func begin(_ statement: BulkStatement, of exam: HubValue, _ rows: [[HubValue]]) throws {
    guard let many = statement.many else { return try run(statement, of: exam, rows) }
    try link.begin(many, PostgresValue.arrays(rows, statement.kinds) + [exam])
  }

  func forEach(_ sql: String, _ arguments: [HubValue], _ body: (HubRow) throws -> Bool) throws {
    cursors.count += 1
    let name = "rows\(cursors.count)"
    _ = try link.executeOnce("DECLARE \(name) NO SCROLL CURSOR FOR \(sql)", arguments)
    var isWanted = true
    while isWanted {
      let result = try link.executeOnce("FETCH \(Self.batch) FROM \(name)", [])
      for index in 0..<result.count where isWanted { isWanted = try body(result.row(index)) }
      if result.count < Self.batch { break }
    }
    _ = try link.executeOnce("CLOSE \(name)", [])
  }

  // The row of the exam is locked too. This lock is in front of it because it lets in who waits in the order in which
  // they came, and wakes one, where a row wakes all.
  func hold(_ exam: UUIDBytes) throws {
    _ = try link.execute(
      "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", [.text(exam.description)])
  }
}
