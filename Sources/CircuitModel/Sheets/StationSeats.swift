import ExamStore
import GRDB
import Journal

extension StationSession {
  /// The seats that are to be filled at a station: the lead's, whether or not somebody is planned, and each
  /// second assessor's.
  package static func seats(of place: StationSession) -> [Seat] {
    [.lead] + place.assessors.filter { $0.role == .secondAssessor }.map(\.seat)
  }

  /// What people call a seat here: the name that the exam gave it, or where that is a key alone its number, as in
  /// `seat 2`; the lead's is 1.
  public func name(of seat: Seat) -> String {
    if UUIDBytes(seat.name) == nil { return seat.name }
    return StationSession.seats(of: self).firstIndex(of: seat).map { "seat \($0 + 1)" } ?? "a seat that was removed"
  }

  /// Where a mark sheet was filled; nil where it is in no station session.
  package static func holding(sheet: String, in db: Database) throws -> StationSession? {
    let timetable = try Int.fetchOne(
      db,
      sql: """
        SELECT e.timetableID FROM dataForm f JOIN timetableAttendanceLog e ON e.uuid = f.attendanceLogID
        WHERE f.uuid = ?
        """, arguments: [sheet])
    return timetable.flatMap { try? find($0, in: db) }
  }

  /// The station sessions that were cancelled: nothing is expected of them, but what they hold is still listed.
  package static func cancelled(in db: Database) throws -> [StationSession] {
    try Int.fetchAll(
      db, sql: "SELECT dsid FROM timetable WHERE cancelled = 1 AND dsDeleted = 0 ORDER BY date, startTime, dsid"
    ).compactMap { try? find($0, in: db) }
  }
}
