import ExamStore
import GRDB

/// Roster entries that already have marks or a signed sheet, for any assessor; they must never pass to another candidate.
struct MarkedEntries {
  /// Entries of a session with anything on a sheet.
  let marked: Set<String>
  /// Entries of a session with a signed sheet.
  let signed: Set<String>
  /// Entries of a session with a comment or a private note about their candidate.
  let noted: Set<String>

  /// Entries of a session of which every sheet that is expected is signed, at every seat and by every form: nothing of
  /// them is left to be made up.
  /// - Parameter places: the stations that are looked at; nil: all of the session's.
  static func complete(
    _ session: Session, at places: [StationSession]? = nil, in db: Database
  ) throws -> Set<String> {
    var open: Set<String> = []
    let places = try places ?? StationSession.all(of: session, in: db)
    try SheetWalk.forEach(.signature, at: places, in: db) { sheet in
      if sheet.isExpected, sheet.held?.signedAt == nil { open.insert(sheet.entry.key) }
    }
    return try read(session, in: db).signed.subtracting(open)
  }

  /// Whether an entry's sheets hold something that was earned.
  func hasMarks(_ entry: RosterEntry) -> Bool { marked.contains(entry.key) || signed.contains(entry.key) }

  /// Reads them for a whole session.
  static func read(_ session: Session, in db: Database) throws -> MarkedEntries {
    let rows = try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT e.uuid, \(UsedEntry.hasNotes), max(coalesce(f.signedAt IS NOT NULL, 0)),
            max(f.uuid IS NOT NULL AND \(MarkedSheet.content))
          FROM timetable t JOIN activityType a ON a.dsid = t.activityTypeID
            JOIN timetableAttendanceLog e ON e.timetableID = t.dsid
            LEFT JOIN dataForm f ON f.attendanceLogID = e.uuid AND f.dsDeleted = 0
          WHERE \(Session.condition)
          GROUP BY e.uuid
          """), arguments: session.arguments)
    func keys(_ column: Int) -> Set<String> { Set(rows.filter { $0[column] }.map { $0[0] }) }
    return MarkedEntries(marked: keys(3), signed: keys(2), noted: keys(1))
  }
}
