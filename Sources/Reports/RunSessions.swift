import CircuitModel
import ExamStore
import GRDB

/// The sessions that have a run, for what goes through all clocks.
enum RunSessions {
  /// In the order of date, start and circuit, each with its circuit's name.
  static func all(_ db: Database) throws -> [(circuit: String, session: Session)] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT DISTINCT r.circuitID, r.date, r.startTime, c.name FROM circuitRun r JOIN clinicGroup c ON c.dsid = r.circuitID
        ORDER BY r.date, r.startTime, r.circuitID
        """
    ).map { ($0[3], Session(circuit: $0[0], date: $0[1] ?? "", startTime: $0[2] ?? "")) }
  }
}
