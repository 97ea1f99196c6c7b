import Catalogue
import GRDB
import Timer

/// When rows of each entity last came from the hub, by the hub's clock: the rows of `LastUpdate`.
///
/// For people only: the exchange goes by its cursor. The rows are this store's own, in no operation, and travel nowhere.
public struct LastUpdates: Equatable, Sendable {
  static let entity = "LastUpdate"

  /// The times by entity, in whole seconds.
  public let times: [String: Instant]

  /// Reads them; a time that cannot be read is left out.
  public static func read(_ db: Database) throws -> LastUpdates {
    let statement = try db.cachedStatement(sql: "SELECT lastUpdateType, last_update FROM lastUpdate")
    let rows = try ReadRow.fetchAll(statement).compactMap { row -> (String, Instant)? in
      let text: String? = row[1]
      return text.flatMap { Timestamp.parse($0 + "Z") }.map { (row[0], $0) }
    }
    return LastUpdates(times: Dictionary(rows) { $1 })
  }

  /// Whether the row of an entity is one that an exchange with a hub leaves.
  static func isNoted(_ entity: String, in db: Database) throws -> Bool {
    try Catalogue.standard[entity] != nil && Enrolment.exists(db) && read(db).times[entity] != nil
  }

  /// Sets the time of each entity that is known here, one statement an entity.
  static func note(_ entities: Set<String>, at time: Instant, in db: Database) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO lastUpdate (lastUpdateType, last_update) VALUES (?, ?)
        ON CONFLICT (lastUpdateType) DO UPDATE SET last_update = excluded.last_update
        """)
    let text = Timestamp.text(time)
    let stored = "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))"
    for entity in entities.sorted() where Catalogue.standard[entity] != nil {
      try statement.execute(arguments: [entity, stored])
    }
  }
}
