import CircuitModel
import ExamStore
import GRDB
import Journal

/// Rows that an earlier import of the same exam made and that its folder no longer has.
///
/// They are deleted as a bundle deletes, and come back when the folder has them again. What was used (attendance
/// recorded, a sheet begun, a comment written) stays, and so does everything that a person made: the import lists it.
enum RetiredRows {
  /// What is deleted, and what stays although the folder has it no more.
  struct Found {
    /// The rows to delete, those below a station or a station session only together with it.
    var rows: [ImportRow] = []
    /// Sessions that were begun, and that the folder has no more: circuit, date and start.
    var begun: [String] = []
    /// Sessions that were begun, and of which the folder has some stations no more.
    var begunInPart: [String] = []
    /// The station sessions that the folder still has of those, by key: their ring is that of all stations.
    var heldRing: Set<String> = []
  }

  /// Compares what the store has with what the folder has.
  static func find(_ bundle: Bundle, in db: Database) throws -> Found {
    var kept: Set<RowKey> = []
    for row in bundle.rows { if let key = row.key { kept.insert(key) } }
    let owners = Dictionary(grouping: kept, by: \.entity)
    var found: [RowKey] = []
    for (entity, owner, sql) in queries {
      let statement = try db.cachedStatement(sql: sql)
      for key in owners[owner] ?? [] {
        found += try String.fetchAll(statement, arguments: [key.id]).map { RowKey(entity: entity, id: $0) }
      }
    }
    var begun: Set<String> = []
    let retired = try Set(found.filter { !kept.contains($0) }).sorted().flatMap { row -> [RowKey] in
      let held = try stationSessions(of: row, in: db).filter { !kept.contains($0) }
      let sessions = try held.map { (row: $0, begun: try begunSession(of: $0.id, in: db)) }
      begun.formUnion(sessions.compactMap { $0.begun })
      // A station of a session that was begun stays, without those of its sessions that were not.
      return sessions.contains { $0.begun != nil } ? sessions.filter { $0.begun == nil }.map { $0.row } : [row]
    }
    var rows = retired.map { ImportRow($0, ["dsDeleted": .bool(true)]) }
    for above in retired {
      for (entity, owner, sql) in below where owner == above.entity {
        let keys = try String.fetchAll(db.cachedStatement(sql: sql), arguments: [above.id])
        rows += keys.map {
          ImportRow(RowKey(entity: entity, id: $0), ["dsDeleted": .bool(true)], goesWith: above)
        }
      }
    }
    if begun.isEmpty { return Found(rows: rows) }
    var planned: [String: Set<String>] = [:]
    for row in kept where row.entity == "Timetable" {
      if let session = try begunSession(of: row.id, in: db) { planned[session, default: []].insert(row.id) }
    }
    let inPart = begun.intersection(planned.keys).sorted()
    return Found(
      rows: rows, begun: begun.subtracting(planned.keys).sorted(), begunInPart: inPart,
      heldRing: inPart.reduce(into: []) { $0.formUnion(planned[$1] ?? []) })
  }

  /// Leaves the rounds as they are at these station sessions: the folder counts them round the stations that it still
  /// has, and a candidate would come to two stations in one round, or two to one. Who is new there has no round yet.
  static func keepRounds(at timetables: Set<String>, _ bundle: inout Bundle) {
    if timetables.isEmpty { return }
    for index in bundle.rows.indices where bundle.rows[index].entity == "TimetableAttendanceLog" {
      guard case .integer(let timetable)? = bundle.rows[index].values["timetable"],
        timetables.contains(String(timetable))
      else { continue }
      bundle.rows[index].values["order"] = nil
    }
  }

  /// What an import would take away of sessions together with a row: a station takes all that were planned at it.
  private static func stationSessions(of row: RowKey, in db: Database) throws -> [RowKey] {
    switch row.entity {
    case "Timetable": return [row]
    case "ActivityType":
      return try String.fetchAll(
        db.cachedStatement(
          sql: "SELECT dsid FROM timetable WHERE activityTypeID = ? AND dsDeleted = 0 ORDER BY dsid"),
        arguments: [row.id]
      ).map { RowKey(entity: "Timetable", id: $0) }
    default: return []
    }
  }

  /// The session of a station session, if anything of it was begun: its clock, its roster, or a sheet. It stays whole.
  private static func begunSession(of timetable: String, in db: Database) throws -> String? {
    let row = try ReadRow.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT c.name, t.date, t.startTime FROM timetable t JOIN activityType a ON a.dsid = t.activityTypeID
          JOIN clinicGroup c ON c.dsid = a.clinicGroupID
          WHERE t.dsid = ? AND (
            EXISTS (SELECT 1 FROM circuitRun r
              WHERE r.circuitID = c.dsid AND r.date = t.date AND r.startTime = t.startTime)
            OR EXISTS (SELECT 1 FROM timetable o JOIN activityType b ON b.dsid = o.activityTypeID
              JOIN timetableAttendanceLog e ON e.timetableID = o.dsid
              WHERE b.clinicGroupID = c.dsid AND o.date = t.date AND +o.startTime = t.startTime AND e.dsDeleted = 0
                AND e.practice = 0 AND (e.present IS NOT NULL OR EXISTS (
                  SELECT 1 FROM dataForm f WHERE f.attendanceLogID = e.uuid AND f.dsDeleted = 0))))
          """), arguments: [timetable])
    return row.map { row in
      [row[0] as String?, row[1] as String?, row[2] as String?].compactMap { $0 }.joined(separator: " ")
    }
  }

  /// The circuits that are planned and that no row of an import names, by code. They are not retired: an exam may come
  /// in parts, a folder for each circuit.
  static func circuits(without rows: [ImportRow], in db: Database) throws -> [String] {
    let kept = Set(rows.map(\.row))
    return try ReadRow.fetchAll(
      db,
      sql: """
        SELECT c.dsid, c.code FROM clinicGroup c WHERE c.code <> '' AND c.dsDeleted = 0 AND EXISTS (
          SELECT 1 FROM activityType a JOIN timetable t ON t.activityTypeID = a.dsid
          WHERE a.clinicGroupID = c.dsid AND a.dsDeleted = 0 AND t.dsDeleted = 0)
        ORDER BY c.code, c.dsid
        """
    ).compactMap { row in
      let key: Int = row[0]
      return kept.contains(RowKey(entity: "ClinicGroup", id: String(key))) ? nil : row[1] as String?
    }
  }

  private static let below: [(entity: String, owner: String, sql: String)] = [
    ("Timetable", "ActivityType", "SELECT dsid FROM timetable WHERE activityTypeID = ? AND dsDeleted = 0"),
    (
      "TimetableAttendanceLog", "Timetable",
      "SELECT uuid FROM timetableAttendanceLog WHERE timetableID = ? AND dsDeleted = 0"
    ),
    ("AdditionalStaff", "Timetable", "SELECT uuid FROM additionalStaff WHERE timetableID = ? AND dsDeleted = 0"),
    (
      "TimetableAttendanceLog", "ActivityType",
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
    ("Timetable", "ActivityType", "SELECT dsid FROM timetable WHERE activityTypeID = ? AND dsDeleted = 0"),
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
