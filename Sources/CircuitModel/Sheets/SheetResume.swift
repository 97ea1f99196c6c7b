import ExamStore
import GRDB

/// Where an assessor goes on.
public enum SheetResume {
  /// The roster entry to open: that of the sheet last worked on at this seat if it is not signed, else the entry of a
  /// round.
  /// - Parameter isRerun: whether the round is one of a re-run: then whose turn it is in the queue.
  /// - Returns: nil if nobody is planned in that round.
  public static func entry(
    timetable: Int, seat: Seat, round: Int, isRerun: Bool = false, in db: Database
  ) throws -> String? {
    let last = try ReadRow.fetchOne(
      db,
      sql: """
        SELECT f.attendanceLogID, f.signedAt FROM timetableAttendanceLog e
        JOIN dataForm f ON f.attendanceLogID = e.uuid AND f.seat = ? AND f.dsDeleted = 0
        LEFT JOIN dataSection s ON s.dataFormID = f.uuid
        LEFT JOIN dataQuestion q ON q.dataSectionID = s.uuid
        WHERE e.timetableID = ? AND e.dsDeleted = 0 AND e.practice = 0
        GROUP BY f.uuid
        ORDER BY max(max(coalesce(q.markedAt, 0), coalesce(e.identityCheckedAt, 0))) DESC, e."order" DESC LIMIT 1
        """, arguments: [seat.name, timetable])
    if let last, last["signedAt"] as Int64? == nil { return last["attendanceLogID"] }
    if isRerun {
      return try Roster.entries(timetable: timetable, seat: seat, in: db).first { $0.rerunRound == round }?.key
    }
    return try String.fetchOne(
      db,
      sql: """
        SELECT uuid FROM timetableAttendanceLog
        WHERE timetableID = ? AND "order" = ? AND dsDeleted = 0 AND practice = 0 ORDER BY uuid
        """, arguments: [timetable, round])
  }
}
