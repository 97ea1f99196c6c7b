import ExamStore
import GRDB
import Timer

/// What an undo takes out: of the clocks that are meant the event that was given last, and where several are meant the
/// same action at the same instant at all of them, as one key for all circuits gave it.
public struct ClockUndo: Sendable {
  /// The clocks of which an event is taken out, in the order in which they were named.
  public let undone: [Undone]
  /// The clocks at which something else came last, or nothing.
  public let leftAlone: [LeftAlone]

  /// A clock with the event that is taken out.
  public struct Undone: Sendable {
    /// The session.
    public let session: Session
    /// The event.
    public let last: ClockLogEntry
  }

  /// A clock that is left as it is.
  public struct LeftAlone: Sendable {
    /// The session.
    public let session: Session
    /// What came last there; nil: nothing was done to it yet.
    public let last: ClockLogEntry?
  }

  /// - Returns: nil if nothing was done to any of the clocks.
  public init?(at sessions: [Session], now: Instant, in db: Database) throws {
    let found = try sessions.map { (session: $0, last: try ClockLog.lastGiven(of: $0, at: now, in: db)) }
    guard let latest = found.compactMap(\.last).max(by: { $0.order < $1.order })?.entry else { return nil }
    undone = found.compactMap { session, last in
      last.flatMap { $0.entry.isTogether(with: latest) ? Undone(session: session, last: $0.entry) : nil }
    }
    leftAlone = found.compactMap { session, last in
      last?.entry.isTogether(with: latest) == true ? nil : LeftAlone(session: session, last: last?.entry)
    }
  }

  /// What is to be done to the clocks.
  public var orders: [ClockIntent.Order] {
    undone.map { ClockIntent.Order(action: .annul(target: $0.last.event.id), session: $0.session) }
  }
}

extension ClockLogEntry {
  /// Whether two clocks were given the same at one instant. The plans of two starts differ with their circuits.
  fileprivate func isTogether(with other: ClockLogEntry) -> Bool {
    event.at == other.event.at && event.kind.name == other.event.kind.name && seconds == other.seconds
      && index == other.index && rounds == other.rounds && target == other.target
  }
}
