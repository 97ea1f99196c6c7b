import ExamStore
import GRDB
import Timer

/// The stations of the sessions whose clocks are open: no import takes one of them away.
struct OpenSessionStations {
  private let stations: [(session: Session, timetables: Set<Int>)]

  static func read(_ db: Database, at instant: Instant) throws -> OpenSessionStations {
    let sessions = try OpenRuns.all(db, at: instant).map(\.session)
    return OpenSessionStations(stations: try sessions.map { ($0, try timetables(of: $0, in: db)) })
  }

  /// - Throws: `ImportRefusal` with the first station that is no longer where it was.
  func check(_ db: Database) throws {
    for (session, timetables) in stations {
      guard let lost = timetables.subtracting(try Self.timetables(of: session, in: db)).min() else { continue }
      let names = try ReadRow.fetchOne(
        db,
        sql: """
          SELECT c.name, \(StationSession.codeSQL)
          FROM timetable t JOIN activityType a ON a.dsid = t.activityTypeID, clinicGroup c
          WHERE t.dsid = ? AND c.dsid = ?
          """, arguments: [lost, session.circuit])
      let circuit: String = names?[0] ?? "\(session.circuit)"
      let station: String = names?[1] ?? "\(lost)"
      throw ImportRefusal.openStation(circuit: circuit, session: session.name, station: station)
    }
  }

  private static func timetables(of session: Session, in db: Database) throws -> Set<Int> {
    try Set(
      Int.fetchAll(
        db,
        sql: """
          SELECT t.dsid FROM timetable t JOIN activityType a ON a.dsid = t.activityTypeID
          JOIN clinicGroup c ON c.dsid = a.clinicGroupID
          WHERE c.dsid = ? AND t.date = ? AND +t.startTime = ? AND +t.cancelled = 0
            AND t.dsDeleted = 0 AND a.dsDeleted = 0 AND c.dsDeleted = 0
          """, arguments: session.arguments))
  }
}
