import CircuitModel
import GRDB
import Timer

/// Events of a session's clock that counted until one was given for an instant before them. That is allowed, as for a
/// start that was forgotten; a slip in the time must not go unsaid.
struct DisplacedEvents {
  private let stood: [Session: [ClockEvent]]

  /// Reads what counts now.
  init(of sessions: [Session], at now: Instant, in db: Database) throws {
    stood = try Dictionary(
      sessions.map { ($0, try DisplacedEvents.counting($0, now, db)) }, uniquingKeysWith: { first, _ in first })
  }

  private static func counting(_ session: Session, _ now: Instant, _ db: Database) throws -> [ClockEvent] {
    try ClockLogEntry.all(of: session, asOf: now, in: db).filter { $0.isApplied == true }.map(\.event)
  }

  /// Says what counts no more since an event was given; nil if all does but what it annuls.
  func line(since given: ClockEvent, of session: Session, circuit: Circuit, at now: Instant, in db: Database) throws
    -> String?
  {
    var still = Set(try DisplacedEvents.counting(session, now, db).map(\.id))
    if case .annul(let target) = given.kind { still.insert(target) }
    let lost = (stood[session] ?? []).filter { !still.contains($0.id) }
    if lost.isEmpty { return nil }
    let words = lost.prefix(3).map { "\($0.kind.name) at \(LocalTime.reading(of: $0.at).time)" }
    let more = lost.count > 3 ? " and \(lost.count - 3) more" : ""
    return "\(circuit.name): what came after that instant counts no more: \(words.joined(separator: ", "))\(more); "
      + "osce clock \(circuit.id) annul \(given.id) takes this back"
  }
}
