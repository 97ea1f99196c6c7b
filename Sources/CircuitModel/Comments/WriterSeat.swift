import ExamStore
import GRDB
import Journal

/// At which seat somebody wrote about candidates: what the writer is now, or was when it was written. Who was relieved
/// has no seat any more, but what they wrote while they sat at the station stays with the seat's sheets.
enum WriterSeat {
  /// - Parameter row: what was written.
  /// - Returns: nil for what was not written by an assessor of the station session: what the invigilator writes at the
  ///   desk is for all, also where they have stood in at the station once.
  static func of(_ row: RowKey, by writer: Int?, at session: StationSession, in db: Database) throws -> Seat? {
    guard let writer else { return nil }
    let place = try ReadRow.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT s.timetableID FROM operation o JOIN sitting s ON s.uuid = o.sitting
          WHERE o.entity = ? AND o.entityID = ? AND o.kind = 'create'
          """), arguments: [row.entity, row.id]
    ).map { $0[0] as Int? }
    // Written where they sat, and that was not here: at the desk, say.
    if let place, place != session.timetable { return nil }
    if let seat = session.seat(of: writer) { return seat }
    let before = try ReadRow.fetchOne(
      db.cachedStatement(sql: "SELECT seat, uuid FROM additionalStaff WHERE timetableID = ? AND staffID = ?"),
      arguments: [session.timetable, writer])
    if let before { return Seat(name: before["seat"] as String? ?? before["uuid"]) }
    if place == session.timetable { return .lead }
    let isPlanned = try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM timetable WHERE dsid = ? AND staffID = ?)"),
      arguments: [session.timetable, writer])
    return isPlanned == true ? .lead : nil
  }
}
