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
    switch row.entity {
    case "DataForm": form = "?"
    case "DataSection": form = "SELECT dataFormID FROM dataSection WHERE uuid = ?"
    case "DataQuestion", "RatingQuestion":
      form = """
        SELECT s.dataFormID FROM dataQuestion q JOIN dataSection s ON s.uuid = q.dataSectionID WHERE q.uuid = ?
        """
    default: return nil
    }
    let found = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT f.uuid, e.uuid, e.timetableID FROM dataForm f
          JOIN timetableAttendanceLog e ON e.uuid = f.attendanceLogID WHERE f.uuid = (\(form))
          """), arguments: [row.id])
    return found.map { RowPlace(sheet: $0[0], entry: $0[1], timetable: $0[2]) }
  }
}
