import CircuitModel
import ExamStore
import GRDB

/// `osce export comments`: one row per comment on a circuit, a station, a candidate at a station, or a person.
enum CommentsExport {
  static let columns = [
    "level", "date", "start", "circuit", "station", "timetable", "round", "student_number", "candidate", "text",
    "author", "time", "concern", "visible_to_candidate",
    "category", "written_at",
  ]

  static func forEachRow(in db: Database, _ body: ([ExportCell]) throws -> Void) throws {
    for (level, source) in sources {
      let rows = try ReadRow.fetchCursor(db, sql: source)
      while let row = try rows.next() { try body(cells(of: row, level: level)) }
    }
    // Comments from one person to another are kept with a date in words, as they come.
    let rows = try ReadRow.fetchCursor(
      db,
      sql: """
        SELECT m.text, m.date, g.name AS category, w.username AS author, r.studentNumber, r.title, r.forename, r.surname
        FROM comment m LEFT JOIN commentGroup g ON g.dsid = m.groupID LEFT JOIN user w ON w.dsid = m.writerID
          LEFT JOIN user r ON r.dsid = m.recipientID
        WHERE m.dsDeleted = 0 ORDER BY m.date, m.uuid
        """)
    while let row = try rows.next() {
      var cells = [ExportCell](repeating: .empty, count: columns.count)
      cells[0] = .text("person")
      cells[7] = .optional(row["studentNumber"])
      cells[8] = .optional(personName(title: row["title"], forename: row["forename"], surname: row["surname"]))
      cells[9] = .text(row["text"])
      cells[10] = .optional(row["author"])
      cells[14] = .optional(row["category"])
      cells[15] = .optional(row["date"])
      try body(cells)
    }
  }

  private static func cells(of row: ReadRow, level: String) -> [ExportCell] {
    return [
      .text(level), .optional(row["date"]), .optional(row["startTime"]), .optional(row["circuit"]),
      .optional(row["code"]),
      .number(row["timetable"] as Int?), .number(row["round"] as Int?), .optional(row["studentNumber"]),
      .optional(personName(title: row["title"], forename: row["forename"], surname: row["surname"])),
      .text(row["text"]),
      .optional(row["author"]), .milliseconds(row["time"]), .flag(row["concern"]), .flag(row["visible"]),
      .empty, .milliseconds(row["time"]),
    ]
  }

  private static let nobody = "NULL AS round, NULL AS studentNumber, NULL AS title, NULL AS forename, NULL AS surname"
  private static let sources = [
    (
      "circuit",
      """
      SELECT t.date, t.startTime, c.name AS circuit, NULL AS code, m.timetableID AS timetable, \(nobody),
        m.text, w.username AS author, m.time, m.concern, NULL AS visible
      FROM commentMetaCircuit m LEFT JOIN clinicGroup c ON c.dsid = m.circuitID
        LEFT JOIN timetable t ON t.dsid = m.timetableID LEFT JOIN user w ON w.dsid = m.authorID
      WHERE m.dsDeleted = 0 AND \(Comments.saysSomething) ORDER BY m.time, m.uuid
      """
    ),
    (
      "station",
      """
      SELECT t.date, t.startTime, c.name AS circuit, \(StationSession.codeSQL) AS code, m.timetableID AS timetable,
        \(nobody), m.text, w.username AS author, m.time, m.concern, NULL AS visible
      FROM commentMetaStation m LEFT JOIN activityType a ON a.dsid = m.stationID
        LEFT JOIN clinicGroup c ON c.dsid = a.clinicGroupID
        LEFT JOIN timetable t ON t.dsid = m.timetableID LEFT JOIN user w ON w.dsid = m.authorID
      WHERE m.dsDeleted = 0 AND \(Comments.saysSomething) ORDER BY m.time, m.uuid
      """
    ),
    (
      "candidate",
      """
      SELECT t.date, t.startTime, c.name AS circuit, \(StationSession.codeSQL) AS code, t.dsid AS timetable,
        e."order" AS round, u.studentNumber, u.title, u.forename, u.surname,
        m.text, w.username AS author, m.time, m.concern, m.visibleToCandidate AS visible
      FROM commentMetaStationCandidate m LEFT JOIN timetableAttendanceLog e ON e.uuid = m.attendanceLogID
        LEFT JOIN timetable t ON t.dsid = e.timetableID LEFT JOIN activityType a ON a.dsid = t.activityTypeID
        LEFT JOIN clinicGroup c ON c.dsid = a.clinicGroupID LEFT JOIN user u ON u.dsid = \(SlotChanges.candidate)
        LEFT JOIN user w ON w.dsid = m.authorID
      WHERE m.dsDeleted = 0 AND \(Comments.saysSomething) AND coalesce(e.practice, 0) = 0
      ORDER BY m.time, m.uuid
      """
    ),
  ]
}
