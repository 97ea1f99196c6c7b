import CircuitModel
import ExamStore
import GRDB

/// Roster entries that were added on the day for candidates whom a folder plans at the same station session later.
enum AddedEntries {
  private struct Place: Hashable {
    let timetable: Int64
    let student: Int64
  }

  /// Gives each planned entry the key of the one that was added, so that no candidate is on a roster twice. An entry of
  /// the folder that is in view keeps its own.
  static func adopt(_ bundle: inout Bundle, in db: Database) throws {
    let added = try ReadRow.fetchAll(
      db,
      sql: """
        SELECT timetableID, studentID, uuid FROM timetableAttendanceLog
        WHERE additional = 1 AND dsDeleted = 0 AND practice = 0 AND timetableID IS NOT NULL AND studentID IS NOT NULL
        ORDER BY uuid
        """)
    if added.isEmpty { return }
    let keys = Dictionary(
      added.map { (Place(timetable: $0[0], student: $0[1]), $0[2] as String) }, uniquingKeysWith: { key, _ in key })
    for index in bundle.rows.indices where bundle.rows[index].entity == "TimetableAttendanceLog" {
      let values = bundle.rows[index].values
      guard case .integer(let timetable)? = values["timetable"], case .integer(let student)? = values["student"],
        case .text(let own)? = values["uuid"], let key = keys[Place(timetable: timetable, student: student)]
      else { continue }
      let isPlanned = try Bool.fetchOne(
        db, sql: "SELECT 1 FROM timetableAttendanceLog WHERE uuid = ? AND dsDeleted = 0", arguments: [own])
      if isPlanned == nil { bundle.rows[index].values["uuid"] = .text(key) }
    }
  }
}
