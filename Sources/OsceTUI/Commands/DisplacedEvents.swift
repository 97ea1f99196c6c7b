import CircuitModel
import ExamStore
import GRDB
import Reports
import Timer

/// Events of a session's clock that counted until one was given for an instant before them. That is allowed, as for a
/// start that was forgotten; a slip in the time must not go unsaid.
struct DisplacedEvents {
  private let stood: [Session: [ClockEvent]]

  /// Reads what counts, what is set for later included.
  init(of sessions: [Session], in db: Database) throws {
    stood = try Dictionary(
      sessions.map { ($0, try DisplacedEvents.counting($0, db)) }, uniquingKeysWith: { first, _ in first })
  }

  private static func counting(_ session: Session, _ db: Database) throws -> [ClockEvent] {
    try ClockLogEntry.all(of: session, in: db).filter { $0.isApplied == true }.map(\.event)
  }

  /// Says what counts no more since an event was given, or what means something else since it follows a start; nil if
  /// nothing does.
  /// - Parameter annulled: the events that were to be taken out.
  func line(
    since given: ClockEvent, of session: Session, circuit: Circuit, besides annulled: Set<String>, in db: Database
  ) throws -> String? {
    let before = (stood[session] ?? []).filter { !annulled.contains($0.id) }
    let still = Set(try DisplacedEvents.counting(session, db).map(\.id))
    let lost = before.filter { !still.contains($0.id) }
    let moved = given.kind.isStart ? before.filter { still.contains($0.id) && given.at < $0.at } : []
    if lost.isEmpty && moved.isEmpty { return nil }
    let parts = [
      lost.isEmpty ? nil : "counts no more: \(words(lost))",
      moved.isEmpty ? nil : "came after this start and may mean something else now: \(words(moved))",
    ]
    let line = "\(circuit.name): \(parts.compactMap { $0 }.joined(separator: "; "))"
    // An annul is not annulled.
    if case .annul = given.kind { return line }
    return line + "; osce clock \(circuit.id) annul \(given.id) takes this back"
  }

  private func words(_ events: [ClockEvent]) -> String {
    let named = events.prefix(3).map { "\($0.kind.name) at \(LocalTime.reading(of: $0.at).time)" }
    return named.joined(separator: ", ") + (events.count > 3 ? " and \(events.count - 3) more" : "")
  }
}
