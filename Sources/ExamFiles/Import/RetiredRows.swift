import CircuitModel
import GRDB
import Journal

/// Rows that an earlier import of the same exam made and that its folder no longer has.
///
/// They are deleted as a bundle deletes, and come back when the folder has them again. What was used (attendance
/// recorded, a sheet begun, a comment written) stays, and so does everything that a person made: the import lists it.
enum RetiredRows {
  /// - Returns: the rows to delete, those below a station only together with it.
  static func find(_ bundle: Bundle, in db: Database) throws -> [ImportRow] {
    var kept: Set<RowKey> = []
    for row in bundle.rows { if let key = row.key { kept.insert(key) } }
    var found: [RowKey] = []
    for (entity, owner, sql) in queries {
      for key in kept where key.entity == owner {
        found += try String.fetchAll(db, sql: sql, arguments: [key.id]).map { RowKey(entity: entity, id: $0) }
      }
    }
    let retired = Set(found.filter { !kept.contains($0) }).sorted()
    var rows = retired.map { ImportRow($0, ["dsDeleted": .bool(true)]) }
    for station in retired where station.entity == "ActivityType" {
      for (entity, sql) in belowStations {
        let keys = try String.fetchAll(db, sql: sql, arguments: [station.id])
        rows += keys.map {
          ImportRow(RowKey(entity: entity, id: $0), ["dsDeleted": .bool(true)], goesWith: station)
        }
      }
    }
    return rows
  }

  private static let belowStations: [(entity: String, sql: String)] = [
    ("Timetable", "SELECT dsid FROM timetable WHERE activityTypeID = ? AND dsDeleted = 0"),
    (
      "TimetableAttendanceLog",
      """
      SELECT e.uuid FROM timetableAttendanceLog e JOIN timetable t ON t.dsid = e.timetableID
      WHERE t.activityTypeID = ? AND e.dsDeleted = 0
      """
    ),
  ]

  /// Rows below an owner that the folder still has. Only those of sheets and circuits with a code come from a folder.
  private static let queries: [(entity: String, owner: String, sql: String)] = [
    (
      "CircuitStationDuration", "ClinicGroup",
      "SELECT dsid FROM circuitStationDuration WHERE clinicGroupID = ? AND dsDeleted = 0"
    ),
    (
      "DisciplineForClinicGroup", "ClinicGroup",
      "SELECT dsid FROM disciplineForClinicGroup WHERE clinic_group_id = ? AND dsDeleted = 0"
    ),
    (
      "ActivityType", "ClinicGroup",
      "SELECT a.dsid FROM activityType a WHERE a.clinicGroupID = ? AND a.dsDeleted = 0"
    ),
    ("AvailableForm", "ActivityType", "SELECT dsid FROM availableForm WHERE activityTypeID = ? AND dsDeleted = 0"),
    ("SectionToForm", "TypeForm", "SELECT dsid FROM sectionToForm WHERE formID = ? AND dsDeleted = 0"),
    ("QuestionToSection", "TypeSection", "SELECT dsid FROM questionToSection WHERE sectionID = ? AND dsDeleted = 0"),
    ("MarkingDescriptor", "TypeQuestion", "SELECT dsid FROM markingDescriptor WHERE questionID = ? AND dsDeleted = 0"),
    ("StudentForGroup", "Student", "SELECT dsid FROM studentForGroup WHERE studentID = ? AND dsDeleted = 0"),
    ("StudentForMajor", "Student", "SELECT dsid FROM studentForMajor WHERE studentID = ? AND dsDeleted = 0"),
    ("AdditionalStaff", "Timetable", "SELECT uuid FROM additionalStaff WHERE timetableID = ? AND dsDeleted = 0"),
    (
      "TimetableAttendanceLog", "Timetable",
      """
      SELECT e.uuid FROM timetableAttendanceLog e WHERE e.timetableID = ? AND e.dsDeleted = 0 AND e.practice = 0
        AND e.additional = 0 AND e.addedInApp = 0
      """
    ),
  ]
}
