import CircuitModel
import ExamStore
import GRDB
import Timer

/// Go or no-go: what must be as it should be before an exam begins.
///
/// Quick enough to be looked at every few seconds: no journal is verified, and nothing is opened
/// but a second copy that is new.
public enum Readiness {
  /// Looks at plan, terminals, assessors, clocks, second copy and disk.
  /// - Parameters:
  ///   - program: the version that every terminal should have.
  ///   - backup: where the timed backup goes.
  /// - Returns: the lines, those that failed first, then the warnings.
  /// - Throws: `StoreError` if the store cannot be read.
  public static func read(
    _ store: ExamStore, program: String = ProgramVersion.text, backup: BackupChoice? = nil
  ) throws -> Diagnosis {
    try read(store, program: program, surroundings: MachineSurroundings(backup: backup))
  }

  static func read(_ store: ExamStore, program: String, surroundings: MachineSurroundings) throws -> Diagnosis {
    let objection = surroundings.backup.flatMap { store.timedBackup.objection(to: $0.path) }
    return try store.read { db in
      var diagnosis = Diagnosis()
      try run(db, program: program, surroundings, copyObjection: objection, &diagnosis)
      FileChecks(location: store.location, freeBytes: surroundings.freeBytes).space(&diagnosis)
      return diagnosis.redFirst
    }
  }

  static func run(
    _ db: Database, program: String, _ surroundings: MachineSurroundings, copyObjection: String?,
    _ diagnosis: inout Diagnosis
  ) throws {
    let now = try MachineChecks.now(db, surroundings)
    let expected = try ExpectedSessions.read(db, at: now)
    try PlanChecks(db: db, now: now).run(&diagnosis)
    try PasscodeChecks(db: db).run(&diagnosis)
    try TerminalChecks(db: db, program: program, surroundings: surroundings, expected: expected, now: now)
      .run(&diagnosis)
    try MachineChecks(
      db: db, surroundings: surroundings, copyObjection: copyObjection, isUrgent: expected.isUrgent(at: now)
    ).run(&diagnosis)
  }
}

/// The sessions for which everything must be ready: those that run, else those that begin next.
struct ExpectedSessions {
  /// The sessions, of one date and start unless several run.
  let sessions: [Session]

  /// The sessions in the order of the timetable.
  var inOrder: [Session] {
    Set(sessions).sorted { ($0.date, $0.startTime, $0.circuit) < ($1.date, $1.startTime, $1.circuit) }
  }
  private let isRunning: Bool

  /// How long before its start a session counts as about to begin, in milliseconds: an hour.
  private static let lead: Int64 = 3_600_000

  /// Whether they run, or are about to: what is missing then is a failure, before that a warning.
  func isUrgent(at now: Instant) -> Bool {
    guard let start = sessions.first?.plannedStart else { return isRunning }
    return isRunning || now >= start - Self.lead
  }

  static func read(_ db: Database, at now: Instant) throws -> ExpectedSessions {
    var open: [Session] = []
    var next: [(session: Session, start: Instant)] = []
    for circuit in try Circuit.all(at: now, db) {
      for session in try Session.all(of: circuit.id, in: db) {
        let states = try Run.all(of: session, in: db).map { $0.state(at: now).status }
        if states.contains(where: \.isOpen) {
          open.append(session)
        } else if !states.contains(.finished), let start = session.plannedStart, start >= now - dayMs {
          next.append((session, start))
        }
      }
    }
    if !open.isEmpty {
      let names = Set(open.map(\.name))
      return ExpectedSessions(
        sessions: open + next.map(\.session).filter { names.contains($0.name) }, isRunning: true)
    }
    let first = next.map(\.start).min()
    return ExpectedSessions(sessions: next.filter { $0.start == first }.map(\.session), isRunning: false)
  }

  /// A session that was never started is forgotten after a day.
  private static let dayMs: Int64 = 86_400_000
}
