import GRDB

/// At which seat somebody wrote about candidates: what the writer is now, or was before somebody else came in their
/// place. Who was relieved has no seat any more, but what they wrote stays with the seat's sheets.
enum WriterSeat {
  /// - Returns: nil for who never marked at the station session, such as the invigilator: what they write is for all.
  static func of(_ writer: Int?, at session: StationSession, in db: Database) throws -> Seat? {
    guard let writer else { return nil }
    if let seat = session.seat(of: writer) { return seat }
    let before = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT seat, uuid FROM additionalStaff WHERE timetableID = ? AND staffID = ?"),
      arguments: [session.timetable, writer])
    if let before { return Seat(name: before["seat"] as String? ?? before["uuid"]) }
    let satHere = try Bool.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT EXISTS (SELECT 1 FROM sitting WHERE timetableID = ? AND staffID = ?)
            OR EXISTS (SELECT 1 FROM timetable WHERE dsid = ? AND staffID = ?)
          """), arguments: [session.timetable, writer, session.timetable, writer])
    return satHere == true ? .lead : nil
  }
}
