import CircuitModel
import ExamStore
import GRDB

/// Marks that are held, but that no sheet of a session shows: something above them was deleted, is not here, or their
/// station session was cancelled. They are never lost, but nobody would miss them either.
///
/// A section that was taken out of its sheet hides what others gave there. What its own remover gave went with intent.
package struct HiddenMarks: Sendable {
  /// The items with an answer.
  package private(set) var marks = 0
  /// Where they are, with their numbers.
  package private(set) var places: [String] = []

  /// Counts them. Looks at every section, but at the items of hidden ones only; practice never counts.
  package static func read(_ db: Database) throws -> HiddenMarks {
    var hidden = HiddenMarks()
    let rows = try ReadRow.fetchCursor(db, sql: sql)
    while let row = try rows.next() {
      let (timetable, circuit, station, count) = (row[0] as Int?, row[1] as String?, row[2] as String?, row[5] as Int)
      hidden.marks += count
      let place =
        [station, circuit, [row[3] as String?, row[4] as String?].compactMap { $0 }.joined(separator: " ")]
        .compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ", ")
      let name = place.isEmpty ? timetable.map { "timetable \($0)" } ?? "no roster entry" : place
      hidden.places.append("\(name): \(count)")
    }
    return hidden
  }

  private static let sql = """
    SELECT t.dsid, c.name, \(StationSession.codeSQL), t.date, t.startTime, count(*)
    FROM dataForm f LEFT JOIN timetableAttendanceLog e ON e.uuid = f.attendanceLogID
      LEFT JOIN timetable t ON t.dsid = e.timetableID LEFT JOIN activityType a ON a.dsid = t.activityTypeID
      LEFT JOIN clinicGroup c ON c.dsid = a.clinicGroupID
      CROSS JOIN dataSection s ON s.dataFormID = f.uuid CROSS JOIN dataQuestion q ON q.dataSectionID = s.uuid
    WHERE coalesce(e.practice, 0) = 0
      AND (f.dsDeleted OR coalesce(e.dsDeleted, 1) OR coalesce(t.dsDeleted OR t.cancelled, 1)
        OR coalesce(a.dsDeleted, 1) OR coalesce(c.dsDeleted, 1) OR s.dsDeleted)
      AND q.dsDeleted = 0 AND (s.dsDeleted = 0 OR NOT EXISTS (
        SELECT 1 FROM operation o WHERE o.entity = 'DataSection' AND o.entityID = s.uuid AND o.kind = 'delete'
          AND o.staff = coalesce(q.judgedByID, q.enteredByID)))
      AND \(AnsweredItem.condition)
    GROUP BY t.dsid, e.uuid IS NULL ORDER BY t.date, t.startTime, c.dsid, a."order", t.dsid
    """
}
