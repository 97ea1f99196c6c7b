import Catalogue
import ExamStore
import GRDB

extension NaturalKeys {
  /// The numbers that a store has given already, removed rows included: what comes back gets its old number.
  init(_ db: Database) throws {
    var known: [Name: Int] = [:]
    for (entity, sql) in Self.queries {
      for row in try ReadRow.fetchAll(db, sql: sql) {
        let parts = (1..<row.count).map { index -> String? in
          switch row.cell(index).storage {
          case .double(let number): WrittenNumber.text(number)
          case .int64(let number): String(number)
          case .string(let text): text
          default: nil
          }
        }
        let name = Name(entity, parts.compactMap { $0 })
        if name.parts.count == parts.count, known[name] == nil { known[name] = row[0] }
      }
    }
    var last: [String: Int] = [:]
    for entity in Catalogue.standard.entities where entity.key == .dsid && entity.parent == nil {
      last[entity.table] = try Int.fetchOne(db, sql: "SELECT max(0, max(dsid)) FROM \"\(entity.table)\"") ?? 0
    }
    self.init(known: known, last: last)
  }

  /// For each entity the number and the natural key of its rows; rows in use come before removed ones.
  private static let queries: [(entity: String, sql: String)] = [
    ("Config", "SELECT dsid FROM config ORDER BY dsDeleted, dsid"),
    ("CommentGroup", "SELECT dsid, name FROM commentGroup ORDER BY dsDeleted, dsid"),
    ("Staff", "SELECT dsid, username FROM user WHERE entity = 'Staff' ORDER BY dsDeleted, dsid"),
    ("Student", "SELECT dsid, studentNumber FROM user WHERE entity = 'Student' ORDER BY dsDeleted, dsid"),
    ("StudentGroup", "SELECT dsid, name FROM studentGroup ORDER BY dsDeleted, dsid"),
    ("StudentMajor", "SELECT dsid, name FROM studentMajor ORDER BY dsDeleted, dsid"),
    (
      "StudentForGroup",
      """
      SELECT l.dsid, u.studentNumber, g.name FROM studentForGroup l JOIN user u ON u.dsid = l.studentID
      JOIN studentGroup g ON g.dsid = l.groupID ORDER BY l.dsDeleted, l.dsid
      """
    ),
    (
      "StudentForMajor",
      """
      SELECT l.dsid, u.studentNumber, m.name FROM studentForMajor l JOIN user u ON u.dsid = l.studentID
      JOIN studentMajor m ON m.dsid = l.majorID ORDER BY l.dsDeleted, l.dsid
      """
    ),
    ("TypeForm", "SELECT dsid, key FROM typeForm ORDER BY dsDeleted, dsid"),
    (
      "ScenarioMetadata",
      """
      SELECT m.dsid, f.key FROM scenarioMetadata m JOIN typeForm f ON f.dsid = m.typeFormID ORDER BY m.dsDeleted, m.dsid
      """
    ),
    ("SectionToForm", sections("l.dsid")),
    ("TypeSection", sections("s.dsid")),
    ("QuestionToSection", items("l.dsid")),
    ("TypeQuestion", items("q.dsid")),
    (
      "MarkingDescriptor",
      """
      SELECT d.dsid, f.key, q.key, d.value FROM markingDescriptor d JOIN typeQuestion q ON q.dsid = d.questionID
      JOIN questionToSection l ON l.questionID = q.dsid JOIN sectionToForm sl ON sl.sectionID = l.sectionID
      JOIN typeForm f ON f.dsid = sl.formID ORDER BY d.dsDeleted, d.dsid
      """
    ),
    ("ClinicGroup", "SELECT dsid, code FROM clinicGroup ORDER BY dsDeleted, dsid"),
    (
      "CircuitStationDuration",
      """
      SELECT d.dsid, c.code, d."order" FROM circuitStationDuration d JOIN clinicGroup c ON c.dsid = d.clinicGroupID
      ORDER BY d.dsDeleted, d.dsid
      """
    ),
    ("Discipline", "SELECT dsid, name FROM discipline ORDER BY dsDeleted, dsid"),
    (
      "DisciplineForClinicGroup",
      """
      SELECT l.dsid, c.code, d.name FROM disciplineForClinicGroup l JOIN clinicGroup c ON c.dsid = l.clinic_group_id
      JOIN discipline d ON d.dsid = l.discipline_id ORDER BY l.dsDeleted, l.dsid
      """
    ),
    (
      "ActivityType",
      """
      SELECT a.dsid, c.code, a.code FROM activityType a JOIN clinicGroup c ON c.dsid = a.clinicGroupID
      ORDER BY a.dsDeleted, a.dsid
      """
    ),
    (
      "AvailableForm",
      """
      SELECT l.dsid, c.code, a.code, f.key FROM availableForm l JOIN activityType a ON a.dsid = l.activityTypeID
      JOIN clinicGroup c ON c.dsid = a.clinicGroupID JOIN typeForm f ON f.dsid = l.typeFormID
      ORDER BY l.dsDeleted, l.dsid
      """
    ),
    (
      "Timetable",
      """
      SELECT t.dsid, c.code, a.code, t.date, t.startTime FROM timetable t
      JOIN activityType a ON a.dsid = t.activityTypeID JOIN clinicGroup c ON c.dsid = a.clinicGroupID
      ORDER BY t.dsDeleted, t.dsid
      """
    ),
  ]

  private static func sections(_ key: String) -> String {
    """
    SELECT \(key), f.key, s.key FROM sectionToForm l JOIN typeForm f ON f.dsid = l.formID
    JOIN typeSection s ON s.dsid = l.sectionID ORDER BY l.dsDeleted, l.dsid
    """
  }

  private static func items(_ key: String) -> String {
    """
    SELECT \(key), f.key, q.key FROM questionToSection l JOIN typeQuestion q ON q.dsid = l.questionID
    JOIN sectionToForm sl ON sl.sectionID = l.sectionID JOIN typeForm f ON f.dsid = sl.formID
    ORDER BY l.dsDeleted, l.dsid
    """
  }
}
