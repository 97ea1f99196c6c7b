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
