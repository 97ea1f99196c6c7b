import GRDB

/// Whether a store sends to a hub, and how much the hub does not have yet.
public struct HubContact: Equatable, Sendable {
  /// Whether a hub has taken anything of this store.
  public var isEnrolled: Bool
  /// Changes that the hub has not acknowledged; 0 where there is none.
  public var waiting: Int

  /// No hub.
  public static let none = HubContact(isEnrolled: false, waiting: 0)

  /// Looks at the ends of each device's chain: what is sent first is acknowledged first, so neither the number of
  /// changes nor that of marks makes it slower, only what waits.
  public static func read(_ db: Database) throws -> HubContact {
    guard try isEnrolled(db) else { return .none }
    let waiting = try Int.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT sum(lastSeq - coalesce((
            SELECT deviceSeq FROM operation o WHERE o.device = c.device AND o.hubSeq IS NOT NULL
            ORDER BY deviceSeq DESC LIMIT 1), 0)) FROM chain c
          """))
    return HubContact(isEnrolled: true, waiting: waiting ?? 0)
  }

  /// Whether a hub has taken anything of this store. The first change of a chain is sent before all others of it.
  package static func isEnrolled(_ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT EXISTS (SELECT 1 FROM chain c WHERE (
            SELECT hubSeq FROM operation o WHERE o.device = c.device ORDER BY deviceSeq LIMIT 1) IS NOT NULL)
          """)) ?? false
  }
}

/// The changes that the hub refused.
package enum RefusedChanges {
  /// What the hub may say of an operation that is no cause for concern.
  private static let harmlessResults = ["applied", "duplicate", "deferred"]

  /// Whether the hub's answer is a refusal; there is no answer yet where it has no value.
  package static func isRefusal(_ result: String?) -> Bool { result.map { !harmlessResults.contains($0) } ?? false }

  /// The same in SQL, of an operation. The index of refused changes has these words, so that queries with them use it.
  /// A list with IN would be made into a table of its own at each insert.
  /// - Parameter row: what the query calls the operation, where it names several tables.
  package static func condition(of row: String = "") -> String {
    let column = row.isEmpty ? "result" : row + ".result"
    return harmlessResults.map { "\(column) <> '\($0)'" }.joined(separator: " AND ")
  }
}
