import ExamStore
import GRDB
import Timer

/// Events of a session's clock that counted until one was given for an instant before them. That is allowed, as for a
/// start that was forgotten; a slip in the time must not go unsaid.
public struct DisplacedEvents: Sendable {
  private let stood: [Session: [ClockEvent]]

  /// What an event has displaced.
  public struct Found: Sendable {
    /// What counts no more.
    public let lost: [ClockEvent]
    /// What follows the start that was given, and means something else now.
    public let moved: [ClockEvent]
  }

  /// Reads what counts, what is set for later included.
  public init(of sessions: [Session], in db: Database) throws {
    stood = try Dictionary(
      sessions.map { ($0, try DisplacedEvents.counting($0, db)) }, uniquingKeysWith: { first, _ in first })
  }

  private static func counting(_ session: Session, _ db: Database) throws -> [ClockEvent] {
    try ClockLogEntry.all(of: session, in: db).filter { $0.isApplied == true }.map(\.event)
  }

  /// Finds what counts no more since an event was given, or what means something else since it follows a start.
  /// - Parameter annulled: the events that were to be taken out.
  /// - Returns: nil if nothing does.
  public func found(
    since given: ClockEvent, of session: Session, besides annulled: Set<String>, in db: Database
  ) throws -> Found? {
    let before = (stood[session] ?? []).filter { !annulled.contains($0.id) }
    let still = Set(try DisplacedEvents.counting(session, db).map(\.id))
    let lost = before.filter { !still.contains($0.id) }
    // What an annul takes out stays out, whatever comes before it.
    let moved =
      given.kind.isStart ? before.filter { !$0.kind.isAnnul && still.contains($0.id) && given.at < $0.at } : []
    return lost.isEmpty && moved.isEmpty ? nil : Found(lost: lost, moved: moved)
  }
}
