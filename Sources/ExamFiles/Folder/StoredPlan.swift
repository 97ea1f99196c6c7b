import Catalogue
import CircuitModel
import ExamStore
import GRDB

/// Reads the plan that a store holds back into the shape of a plan, so that one set of checks serves both.
///
/// What came without a code is called by its name, or by its number.
struct StoredPlan {
  private let db: Database
  private let place: Place

  /// - Parameter file: how problems name the store; they have no line of their own.
  static func read(_ db: Database, file: String) throws -> ExamPlan {
    try StoredPlan(db: db, place: Place(file: file, line: 1)).plan()
  }

  private func plan() throws -> ExamPlan {
    let config = try ReadRow.fetchOne(
      db, sql: "SELECT examName, timeZone FROM config WHERE dsDeleted = 0 ORDER BY dsid")
    let circuits = try ReadRow.fetchAll(
      db, sql: "SELECT dsid, code, name FROM clinicGroup WHERE dsDeleted = 0 ORDER BY dsid")
    let staff = try ReadRow.fetchAll(
      db, sql: "SELECT dsid, username, surname FROM user WHERE entity = 'Staff' AND dsDeleted = 0 ORDER BY dsid")
    let students = try ReadRow.fetchAll(
      db, sql: "SELECT dsid, studentNumber, surname FROM user WHERE entity = 'Student' AND dsDeleted = 0 ORDER BY dsid")
    return ExamPlan(
      name: config?["examName"] ?? "", timeZone: config?["timeZone"] ?? "",
      circuits: try circuits.map(circuit), sessions: try circuits.flatMap(sessions),
      candidates: students.map { row in
        .init(
          number: name(row), surname: row[2] ?? "", forename: "", title: "", email: "", year: "", groups: [],
          majors: [],
          extraReadingSeconds: 0, extraStationSeconds: 0, access: "", place: place)
      },
      staff: staff.map { row in
        .init(
          username: name(row), surname: row[2] ?? "", forename: "", title: "", email: "", role: "", passcode: nil,
          place: place)
      },
      sheets: try ReadRow.fetchAll(
        db, sql: "SELECT dsid, key, name, props FROM typeForm WHERE dsDeleted = 0 ORDER BY \"order\", dsid"
      ).map(sheet), phrases: [], place: place)
  }

  /// Code, else name, else number: the first three columns of a row.
  private func name(_ row: ReadRow) -> String {
    let texts: [String?] = [row[1], row[2]]
    return texts.compactMap { $0 }.first { !$0.isEmpty } ?? String(row[0] as Int)
  }

  private func circuit(_ row: ReadRow) throws -> ExamPlan.Circuit {
    let phases = try ReadRow.fetchAll(
      db,
      sql: """
        SELECT durationType, duration * 60 + seconds, manualStart FROM circuitStationDuration
        WHERE clinicGroupID = ? AND dsDeleted = 0 ORDER BY "order", dsid
        """, arguments: [row[0] as Int])
    return ExamPlan.Circuit(
      code: name(row), name: row[2] ?? "",
      phases: phases.map {
        .init(
          type: ($0[0] as String? ?? "rotation").lowercased(), seconds: $0[1], manualStart: $0[2] as Int != 0,
          place: place)
      }, warnings: nil, stations: try stations(row[0]).map(station), disciplines: [], place: place)
  }

  private func stations(_ circuit: Int) throws -> [ReadRow] {
    try ReadRow.fetchAll(
      db,
      sql: """
        SELECT dsid, code, name, withdrawn FROM activityType WHERE clinicGroupID = ? AND dsDeleted = 0 ORDER BY "order", dsid
        """, arguments: [circuit])
  }

  /// The model has no flag for a rest station: it is one that has neither a form nor, in any session, an assessor.
  private func station(_ row: ReadRow) throws -> ExamPlan.Station {
    let sheets = try ReadRow.fetchAll(
      db,
      sql: """
        SELECT f.dsid, f.key, f.name FROM availableForm l JOIN typeForm f ON f.dsid = l.typeFormID
        WHERE l.activityTypeID = ? AND l.dsDeleted = 0 AND f.dsDeleted = 0 ORDER BY l."order", l.dsid
        """, arguments: [row[0] as Int])
    let isStaffed = try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (SELECT 1 FROM timetable WHERE activityTypeID = ? AND dsDeleted = 0
          AND coalesce(coverStaffID, scheduledCoverStaffID, staffID) IS NOT NULL)
        """, arguments: [row[0] as Int])
    return ExamPlan.Station(
      code: name(row), name: row[2] ?? "", sheets: sheets.map { .init(code: name($0), place: place) }, forms: "all",
      isRest: sheets.isEmpty && isStaffed != true, requiresStudentSignout: false,
      acceptsPatients: false, acceptsSimulatedPatient: false, lead: nil, withdrawn: row["withdrawn"],
      place: place)
  }

  private func sessions(_ circuit: ReadRow) throws -> [ExamPlan.Session] {
    let stations = try stations(circuit[0])
    return try Session.planned(of: circuit[0], in: db).map { session in
      ExamPlan.Session(
        name: "", date: session.date, start: session.startTime, end: nil,
        circuit: .init(code: name(circuit), place: place),
        assessors: try stations.map { try post($0, date: session.date, start: session.startTime) }, cover: [],
        slots: try candidates(circuit[0], date: session.date, start: session.startTime).map {
          .init(code: $0, place: place)
        },
        group: nil, place: place)
    }
  }

  private func post(_ station: ReadRow, date: String, start: String) throws -> ExamPlan.Post {
    let staff = try ReadRow.fetchAll(
      db,
      sql: """
        SELECT u.dsid, u.username, u.surname FROM timetable t
        JOIN user u ON u.dsid = coalesce(t.coverStaffID, t.scheduledCoverStaffID, t.staffID)
        WHERE t.activityTypeID = ?1 AND t.date = ?2 AND +t.startTime = ?3 AND t.dsDeleted = 0
        UNION ALL
        SELECT u.dsid, u.username, u.surname FROM timetable t JOIN additionalStaff l ON l.timetableID = t.dsid
        JOIN user u ON u.dsid = l.staffID
        WHERE t.activityTypeID = ?1 AND t.date = ?2 AND +t.startTime = ?3 AND t.dsDeleted = 0 AND l.dsDeleted = 0
        """, arguments: [station[0] as Int, date, start])
    return ExamPlan.Post(
      station: .init(code: name(station), place: place), staff: staff.map { .init(code: name($0), place: place) })
  }

  private func candidates(_ circuit: Int, date: String, start: String) throws -> [String] {
    try ReadRow.fetchAll(
      db,
      sql: """
        SELECT DISTINCT u.dsid, u.studentNumber, u.surname FROM timetableAttendanceLog e
        JOIN timetable t ON t.dsid = e.timetableID JOIN activityType a ON a.dsid = t.activityTypeID
        JOIN user u ON u.dsid = e.studentID
        WHERE a.clinicGroupID = ? AND t.date = ? AND +t.startTime = ? AND e.dsDeleted = 0 AND t.dsDeleted = 0
          AND e.practice = 0 ORDER BY u.dsid
        """, arguments: [circuit, date, start]
    ).map(name)
  }

  private func sheet(_ row: ReadRow) throws -> MarkSheet {
    var fields: [String: JSONTree.Content] = [:]
    if let props = row["props"] as String?, case .object(let entries)? = (try? JSONReader.read(props))?.content {
      for entry in entries { fields[entry.key] = entry.value.content }
    }
    let items = try ReadRow.fetchAll(
      db,
      sql: """
        SELECT q.dsid, q.key, q.text, q.questionType, q.lowest, q.step, q.numberOfOptions, q.binaryLow, q.binaryHigh
        FROM typeQuestion q
        JOIN questionToSection l ON l.questionID = q.dsid JOIN sectionToForm s ON s.sectionID = l.sectionID
        WHERE s.formID = ? AND l.dsDeleted = 0 AND s.dsDeleted = 0 AND q.dsDeleted = 0
        ORDER BY s."order", s.dsid, l."order", l.dsid
        """, arguments: [row[0] as Int]
    ).map(item)
    var sheet = MarkSheet(
      code: name(row), name: row[2] ?? "", instructions: "", assessorInstructions: "", candidateInstructions: "",
      hideTotal: false, globalRating: nil, borderlineGrade: nil, weight: 1, isPilot: false, critical: [],
      sections: [], place: place)
    if case .text(let key)? = fields["globalRating"] { sheet.globalRating = .init(code: key, place: place) }
    if case .integer(let grade)? = fields["borderlineGrade"] { sheet.borderlineGrade = Double(grade) }
    if case .double(let grade)? = fields["borderlineGrade"] { sheet.borderlineGrade = grade }
    if case .bool(true)? = fields["pilot"] { sheet.isPilot = true }
    sheet.sections = [
      .init(
        key: "", name: "", information: "", isFoldable: false, isDuplicable: false, maximumQuantity: 0,
        maximumDifficulty: 0, quadAndTooth: false, matrixTitles: [], items: items, place: place)
    ]
    return sheet
  }

  private func item(_ row: ReadRow) throws -> MarkSheet.Item {
    let values = try Double.fetchAll(
      db, sql: "SELECT value FROM markingDescriptor WHERE questionID = ? AND dsDeleted = 0 AND value IS NOT NULL",
      arguments: [row[0] as Int])
    return MarkSheet.Item(
      key: name(row), type: row["questionType"], text: row["text"], information: "", isMandatory: false,
      allowsUnable: false, defaultState: false, threshold: nil, lowerThreshold: nil, low: (row["binaryLow"], ""),
      high: (row["binaryHigh"], ""),
      scale: values.isEmpty
        ? .init(lowest: row["lowest"], step: row["step"], options: max(1, row["numberOfOptions"])) : nil,
      descriptors: values.map { .init(value: $0, text: "", place: place) }, tags: [], place: place)
  }
}
