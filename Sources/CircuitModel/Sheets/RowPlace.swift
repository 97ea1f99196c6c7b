import ExamStore
import GRDB
import Journal

/// Where a row of a sheet belongs.
struct RowPlace {
  /// The sheet's key.
  let sheet: String
  /// The roster entry's.
  let entry: String
  /// The station session's.
  let timetable: Int

  /// The place of a sheet, a section or an item; nil for any other row.
  static func of(_ row: RowKey, in db: Database) throws -> RowPlace? {
    let form: String
    if row.isSheet {
      form = "?"
    } else if row.isSection {
      form = "SELECT dataFormID FROM dataSection WHERE uuid = ?"
    } else if row.isItem {
      form = """
        SELECT s.dataFormID FROM dataQuestion q JOIN dataSection s ON s.uuid = q.dataSectionID WHERE q.uuid = ?
        """
    } else {
      return nil
    }
    let found = try ReadRow.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT f.uuid, e.uuid, e.timetableID FROM dataForm f
          JOIN timetableAttendanceLog e ON e.uuid = f.attendanceLogID WHERE f.uuid = (\(form))
          """), arguments: [row.id])
    return found.map { RowPlace(sheet: $0[0], entry: $0[1], timetable: $0[2]) }
  }
}

extension RowKey {
  /// Whether it is a mark sheet.
  package var isSheet: Bool { entity == Stored.DataForm.entityName }
  /// Whether it is a section of one.
  package var isSection: Bool { entity == Stored.DataSection.entityName }
  /// Whether it is an item of one, with levels or without.
  package var isItem: Bool { entity == Stored.DataQuestion.entityName || entity == Stored.RatingQuestion.entityName }
}
