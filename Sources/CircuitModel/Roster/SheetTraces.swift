import ExamStore
import GRDB

/// What a roster entry's sheets hold already, at any seat: what must never come under another candidate's name.
struct SheetTraces {
  /// Entries of a session with an answer, a written word or a note.
  let marked: Set<String>
  /// Entries of a session with a signed sheet.
  let signed: Set<String>

  /// Entries of a session of which every sheet that is expected is signed, at every seat and by every form: nothing of
  /// them is left to be made up.
  static func complete(_ session: Session, in db: Database) throws -> Set<String> {
    var open: Set<String> = []
    let places = try StationSession.all(of: session, in: db)
    try SheetWalk.forEach(.signature, at: places, in: db) { sheet in
      if sheet.isExpected, sheet.held?.signedAt == nil { open.insert(sheet.entry.key) }
    }
    return try read(session, in: db).signed.subtracting(open)
  }

  /// Whether an entry's sheets hold something that was earned.
  func hasMarks(_ entry: RosterEntry) -> Bool { marked.contains(entry.key) || signed.contains(entry.key) }

  /// Reads them for a whole session.
  static func read(_ session: Session, in db: Database) throws -> SheetTraces {
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT f.attendanceLogID, max(f.signedAt IS NOT NULL), max(coalesce(
            q.rating IS NOT NULL OR q.unable = 1 OR coalesce(q.feedback, '') <> '' OR coalesce(q.note, '') <> '', 0))
          FROM timetable t JOIN activityType a ON a.dsid = t.activityTypeID
            JOIN timetableAttendanceLog e ON e.timetableID = t.dsid JOIN dataForm f ON f.attendanceLogID = e.uuid
            LEFT JOIN dataSection s ON s.dataFormID = f.uuid AND s.dsDeleted = 0
            LEFT JOIN dataQuestion q ON q.dataSectionID = s.uuid AND q.dsDeleted = 0
          WHERE a.clinicGroupID = ? AND t.date = ? AND t.startTime = ? AND f.dsDeleted = 0
          GROUP BY f.attendanceLogID
          """), arguments: [session.circuit, session.date, session.startTime])
    return SheetTraces(
      marked: Set(rows.filter { $0[2] }.map { $0[0] }), signed: Set(rows.filter { $0[1] }.map { $0[0] }))
  }
}
