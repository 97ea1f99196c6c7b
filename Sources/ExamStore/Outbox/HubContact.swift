import GRDB
import Timer

/// Whether a store sends to a hub, and how much the hub does not have yet.
public struct HubContact: Equatable, Sendable {
  /// Whether the store has a place at a hub.
  public var isEnrolled: Bool
  /// Changes that the hub does not have, as `Outbox` counts them; 0 where there is no hub.
  public var waiting: Int
  /// Whether nothing more is exchanged until somebody acts.
  public var needsPerson = false
  /// When the hub last answered; nil where it has not been asked yet.
  public var contactAt: Instant?

  /// No hub.
  public static let none = HubContact(isEnrolled: false, waiting: 0)

  /// How old the hub's last answer, and the last attempt to get one, are at most while all is well, in milliseconds.
  public static let silence: Int64 = 100_000

  /// When the hub last answered, where that is too long ago; nil: it is in contact.
  public func awaySince(at now: Instant) -> Instant? {
    contactAt.flatMap { now - $0 > HubContact.silence ? $0 : nil }
  }

  /// Costs what waits, however much the hub has.
  public static func read(_ db: Database) throws -> HubContact {
    guard try Enrolment.exists(db) else { return .none }
    let state = try SyncState.read(db)
    return HubContact(
      isEnrolled: true, waiting: try Outbox.waiting(db), needsPerson: state?.needsPerson ?? false,
      contactAt: state?.contactAt)
  }
}

/// The changes that the hub did not take as they are.
package enum RefusedChanges {
  /// What the hub may say of an operation that needs nobody.
  private static let harmlessResults = ["applied", "conflict", "withheld", "duplicate"]

  /// Whether the hub refuses a change, or keeps it for a person: there is no answer yet where the result has no value,
  /// and one that only waits for others is not refused.
  package static func isRefusal(_ result: String?) -> Bool {
    result.map { !harmlessResults.contains($0) && !$0.hasPrefix("deferred") } ?? false
  }

  /// Whether the hub's answer leaves something open and nobody has ruled on it, in SQL, of an operation. The index of
  /// such changes has these words, so that queries with them use it. A list with IN would be made into a table of its
  /// own at each insert.
  /// - Parameter row: what the query calls the operation, where it names several tables.
  package static func unsettled(_ row: String = "") -> String {
    let prefix = row.isEmpty ? "" : row + "."
    return (harmlessResults.map { "\(prefix)result <> '\($0)'" } + ["\(prefix)verdict IS NULL"])
      .joined(separator: " AND ")
  }

  /// The condition for changes that the hub refused or keeps for a person.
  package static func condition(of row: String = "") -> String {
    unsettled(row) + " AND substr(\(row.isEmpty ? "" : row + ".")result, 1, 8) <> 'deferred'"
  }

  /// The words of the index before those of `unsettled`.
  static let formerCondition = "result <> 'applied' AND result <> 'duplicate' AND result <> 'deferred'"
}
