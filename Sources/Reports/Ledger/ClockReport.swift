import CircuitModel
import ExamStore
import GRDB
import Timer

/// What a session's clock shows at an instant, for `osce clock status`.
public struct ClockReport: Sendable {
  /// The session.
  public let session: Session
  /// What the clock shows.
  public let state: ClockState
  /// Rotations of the run's list; before the start, of the list that a start would use.
  public let rounds: Int
  /// Whether it is the clock of a re-run.
  public let isRerun: Bool

  /// Reads a session's clock.
  /// - Throws: `StoreError` if the circuit's warnings cannot be read.
  public static func read(_ session: Session, at instant: Instant, in db: Database) throws -> ClockReport {
    let run = try Run.current(of: session, at: instant, in: db)
    let state = Rotation.fold(run?.events ?? [], until: instant).state(at: instant)
    let rounds = try state.rounds ?? StartPlan.made(for: session, in: db).list.rotations
    return ClockReport(session: session, state: state, rounds: rounds, isRerun: run?.isRerun ?? false)
  }

  /// `{"at","circuit","session","state","phase","round","rounds","elapsedMs","remainingMs","alert","endsAt"}`.
  public var json: JSONDocument {
    .object([
      ("at", .time(state.at)), ("circuit", .integer(Int64(session.circuit))), ("session", .text(session.name)),
      ("state", .text(state.status.rawValue)), ("phase", phase), ("round", .number(state.round)),
      ("rounds", .integer(Int64(rounds))), ("elapsedMs", .number(state.elapsedMs)),
      ("remainingMs", .number(state.remainingMs)), ("alert", .text(state.alert.name)), ("endsAt", .time(state.endsAt)),
    ])
  }

  private var phase: JSONDocument {
    guard let phase = state.phase, let index = state.phaseIndex else { return .null }
    return .object([
      ("index", .integer(Int64(index))), ("type", .text(phase.type.name)), ("passage", .number(state.passage)),
      ("plannedMs", .integer(phase.plannedMs)), ("allottedMs", .number(state.allottedMs)),
    ])
  }

  /// One line for a person: `2026-12-07T09:12:30.000Z running, round 3 of 8, 07:30 left of 08:00, until …`.
  public var line: String {
    var parts = [Timestamp.text(state.at) + " " + ClockReport.text(state.status)]
    if isRerun { parts.append("re-run") }
    if let phase = state.phase, let round = state.round {
      let place =
        phase.type == .rotation ? "round \(round) of \(rounds)" : "\(phase.type.name), round \(round) of \(rounds)"
      parts.append(place)
      if let remaining = state.remainingMs, let allotted = state.allottedMs {
        parts.append("\(PhaseText.digits(remaining)) left of \(PhaseText.digits(allotted))")
      }
    } else if state.status == .notStarted {
      parts.append("\(rounds) rounds planned")
    }
    if state.alert != .none { parts.append(state.alert.name.uppercased()) }
    if let end = state.endsAt { parts.append("until \(Timestamp.text(end))") }
    return parts.joined(separator: ", ")
  }

  private static func text(_ status: ClockStatus) -> String {
    switch status {
    case .notStarted: "not started"
    case .running: "running"
    case .paused: "PAUSED"
    case .waiting: "WAITING to be started"
    case .finished: "finished"
    }
  }
}

extension ClockLogEntry {
  /// `{"id","kind","at","seconds","index","rounds","passage","target","staff","reason","applied"}`; `applied` is null
  /// for an event later than the instant asked about.
  public var json: JSONDocument {
    .object([
      ("id", .text(event.id)), ("kind", .text(event.kind.name)), ("at", .time(event.at)), ("seconds", .number(seconds)),
      ("index", .number(index)), ("rounds", .number(rounds)), ("passage", .number(event.passage)),
      ("target", .optional(target)), ("staff", .optional(event.staff)), ("reason", .optional(event.reason)),
      ("applied", .flag(isApplied)),
    ])
  }

  /// The event in words: `extend -30`, `jump 4`.
  public var text: String { event.text }
}

extension ClockEvent {
  /// Kind and value: `extend -30`, `jump 4`.
  public var text: String {
    switch kind {
    case .extend(let seconds): "\(kind.name) \(seconds)"
    case .jump(let index): "\(kind.name) \(index)"
    case .rounds(let rounds): "\(kind.name) \(rounds)"
    case .annul(let target): "\(kind.name) \(target)"
    default: kind.name
    }
  }
}

/// The sessions that have a run, for what goes through all clocks.
enum RunSessions {
  /// In the order of date, start and circuit, each with its circuit's name.
  static func all(_ db: Database) throws -> [(circuit: String, session: Session)] {
    try ReadRow.fetchAll(
      db,
      sql: """
        SELECT DISTINCT r.circuitID, r.date, r.startTime, c.name FROM circuitRun r JOIN clinicGroup c ON c.dsid = r.circuitID
        ORDER BY r.date, r.startTime, r.circuitID
        """
    ).map { ($0[3], Session(circuit: $0[0], date: $0[1] ?? "", startTime: $0[2] ?? "")) }
  }
}
