import ExamStore
import GRDB
import Journal
import Timer

/// Goes through every sheet of the exam, station session by station session, without holding more than one of them in
/// memory.
package final class SheetWalk {
  private let db: Database
  private var current: [Int: (template: SheetTemplate, version: Int?)] = [:]
  private var versions: [String: (template: SheetTemplate, number: Int)] = [:]

  init(_ db: Database) { self.db = db }

  /// Calls `body` with each sheet in the order of sessions, stations, rounds, seats and forms.
  package static func forEach(in db: Database, _ body: (PlannedSheet) throws -> Void) throws {
    let walk = SheetWalk(db)
    let places = try StationSession.all(in: db)
    for place in places { try walk.sheets(at: place, isCancelled: false, body) }
    for place in try StationSession.cancelled(in: db) { try walk.sheets(at: place, isCancelled: true, body) }
  }

  /// Calls `body` with each sheet of some station sessions that are not cancelled, in their order.
  package static func forEach(at places: [StationSession], in db: Database, _ body: (PlannedSheet) throws -> Void)
    throws
  {
    let walk = SheetWalk(db)
    for place in places { try walk.sheets(at: place, isCancelled: false, body) }
  }

  private struct Form {
    let key: String
    let form: Int
    let seat: Seat
    let version: String?
    let signedAt: Instant?
  }

  private func sheets(at place: StationSession, isCancelled: Bool, _ body: (PlannedSheet) throws -> Void) throws {
    let entries = try entries(timetable: place.timetable)
    if entries.isEmpty { return }
    let (required, isOne) = try forms(station: place.station)
    let forms = try heldForms(timetable: place.timetable)
    let items = forms.isEmpty ? [:] : try heldItems(timetable: place.timetable, forms: forms)
    let facts = forms.isEmpty ? [:] : try blankFacts(timetable: place.timetable, forms: forms, items)
    let held = Dictionary(grouping: forms, by: \.entry)
    let seats = StationSession.seats(of: place)
    for entry in entries {
      let ofEntry = held[entry.key]?.map(\.form) ?? []
      var listed: Set<String> = []
      func list(_ form: Form?, template id: Int, seat: Seat, isExpected: Bool) throws {
        guard let (template, version) = try template(of: form, id) else { return }
        if let form { listed.insert(form.key) }
        try body(
          PlannedSheet(
            place: place, entry: entry, seat: seat, assessor: place.assessors.first { $0.seat == seat },
            template: template, version: version,
            held: form.map {
              HeldSheet(
                key: $0.key, signedAt: $0.signedAt, items: items[$0.key] ?? [], blankFacts: facts[$0.key] ?? [])
            },
            isExpected: isExpected,
            nameAmongSeveral: required.count < 2 || (isOne && form == nil) ? nil : template.name))
      }
      if entry.isPresent != false && !isCancelled {
        for seat in seats {
          let atSeat = ofEntry.filter { $0.seat == seat }
          let started = isOne ? required.first { id in atSeat.contains { $0.form == id } } : nil
          let wanted = isOne ? [started ?? required.first].compactMap { $0 } : required
          for id in wanted {
            try list(atSeat.first { $0.form == id }, template: id, seat: seat, isExpected: true)
          }
        }
      }
      for form in ofEntry where !listed.contains(form.key) && items[form.key]?.contains(where: { !$0.isBlank }) == true
      {
        try list(form, template: form.form, seat: form.seat, isExpected: false)
      }
    }
  }

  private func entries(timetable: Int) throws -> [PlannedSheet.Entry] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT e.uuid, e."order", e.present, u.studentNumber, u.title, u.forename, u.surname
          FROM timetableAttendanceLog e LEFT JOIN user u ON u.dsid = \(SlotChanges.candidate)
          WHERE e.timetableID = ? AND e.dsDeleted = 0 AND e.practice = 0 ORDER BY e."order", e.uuid
          """), arguments: [timetable]
    ).map { row in
      PlannedSheet.Entry(
        key: row[0], round: row[1], number: row[3] ?? "",
        candidate: personName(title: row[4], forename: row[5], surname: row[6]) ?? "", isPresent: row[2])
    }
  }

  private func forms(station: Int) throws -> (required: [Int], isOne: Bool) {
    let required = try Int.fetchAll(
      db.cachedStatement(
        sql: "SELECT typeFormID FROM availableForm WHERE activityTypeID = ? AND dsDeleted = 0 ORDER BY \"order\", dsid"),
      arguments: [station])
    let rule = try String.fetchOne(
      db.cachedStatement(sql: "SELECT forms FROM activityType WHERE dsid = ?"), arguments: [station])
    return (required, rule == "one")
  }

  private func heldForms(timetable: Int) throws -> [(entry: String, form: Form)] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT f.attendanceLogID, f.uuid, f.typeID, f.seat, f.versionID, f.signedAt
          FROM timetableAttendanceLog e CROSS JOIN dataForm f ON f.attendanceLogID = e.uuid
          WHERE e.timetableID = ? AND e.dsDeleted = 0 AND f.dsDeleted = 0 ORDER BY f.seat, f.typeID, f.uuid
          """), arguments: [timetable]
    ).map { row in
      let form = Form(
        key: row[1], form: row[2], seat: Seat(name: row[3]), version: row[4],
        signedAt: (row[5] as Int64?).map { Instant(milliseconds: $0) })
      return (row[0], form)
    }
  }

  private func heldItems(timetable: Int, forms: [(entry: String, form: Form)]) throws -> [String: [HeldItem]] {
    var parts: [String: TemplateParts] = [:]
    for (_, form) in forms {
      guard let (template, _) = try template(of: form, form.form) else { continue }
      parts[form.key] = TemplateParts(template)
    }
    var found: [String: [HeldItem]] = [:]
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT s.dataFormID, s.sectionToFormLinkID, s.copy, q.itemLinkID, q.uuid, q.rating, q.unable, q.feedback,
            q.markedAt, q.descriptorID, q.judgedByID, q.enteredByID, q.times, q.difficulty, q.note
          FROM timetableAttendanceLog e CROSS JOIN dataForm f ON f.attendanceLogID = e.uuid
            CROSS JOIN dataSection s ON s.dataFormID = f.uuid CROSS JOIN dataQuestion q ON q.dataSectionID = s.uuid
          WHERE e.timetableID = ? AND e.dsDeleted = 0 AND f.dsDeleted = 0 AND s.dsDeleted = 0 AND q.dsDeleted = 0
          ORDER BY s.dataFormID, s."order", s.copy, s.uuid, q."order", q.uuid
          """), arguments: [timetable])
    while let row = try rows.next() {
      let sheet: String = row[0]
      guard let parts = parts[sheet], let section = (row[1] as Int?).flatMap({ parts.sections[$0] }),
        let item = (row[3] as Int?).flatMap({ parts.items[$0] })
      else { continue }
      found[sheet, default: []].append(
        HeldItem(
          key: row[4], copy: row[2], section: section, template: item,
          rating: (row[5] as Double?).flatMap { MarkValue($0) }, isUnable: row[6] ?? false, feedback: row[7] ?? "",
          markedAt: (row[8] as Int64?).map { Instant(milliseconds: $0) }, descriptor: row[9], judge: row[10],
          enteredBy: row[11], work: WorkFacts(times: row[12], difficulty: row[13], note: row[14] ?? "")))
    }
    return found
  }

  /// What the sections of sheets ask for and lack; of most templates none asks for anything.
  private func blankFacts(
    timetable: Int, forms: [(entry: String, form: Form)], _ items: [String: [HeldItem]]
  ) throws -> [String: [BlankFact]] {
    var templates: [String: SheetTemplate] = [:]
    for (_, form) in forms {
      guard let (template, _) = try template(of: form, form.form),
        template.sections.contains(where: { !SectionFact.asked(by: $0).isEmpty })
      else { continue }
      templates[form.key] = template
    }
    if templates.isEmpty { return [:] }
    var found: [String: [BlankFact]] = [:]
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT s.dataFormID, s.sectionToFormLinkID, s.copy, s.quad, s.quantity, s.difficulty
          FROM timetableAttendanceLog e CROSS JOIN dataForm f ON f.attendanceLogID = e.uuid
            CROSS JOIN dataSection s ON s.dataFormID = f.uuid
          WHERE e.timetableID = ? AND e.dsDeleted = 0 AND f.dsDeleted = 0 AND s.dsDeleted = 0
          ORDER BY s.dataFormID, s."order", s.copy, s.uuid
          """), arguments: [timetable])
    while let row = try rows.next() {
      let sheet: String = row[0]
      guard let template = templates[sheet], let link = row[1] as Int?,
        let section = template.sections.first(where: { $0.link == link })
      else { continue }
      let copy: Int = row[2]
      let required = template.requiredLinks
      let isUsed =
        items[sheet]?.contains {
          $0.section.link == link && $0.copy == copy && (!$0.isBlank || required.contains($0.template.link))
        } ?? false
      let held: [SectionFact: Bool] = [
        .tooth: row[3] as String? != nil, .quantity: row[4] as Int? != nil, .difficulty: row[5] as Int? != nil,
      ]
      found[sheet, default: []] += BlankFact.of(section, copy: copy, isUsed: isUsed) { held[$0] ?? false }
    }
    return found
  }

  /// The sections and items of a template by their links.
  private struct TemplateParts {
    let sections: [Int: SectionTemplate]
    let items: [Int: ItemTemplate]

    init(_ template: SheetTemplate) {
      sections = Dictionary(template.sections.map { ($0.link, $0) }) { first, _ in first }
      items = Dictionary(template.items.map { ($0.link, $0) }) { first, _ in first }
    }
  }

  /// What a held sheet was made from; for one that is not started, the template as it stands now.
  private func template(of form: Form?, _ id: Int) throws -> (template: SheetTemplate, version: Int?)? {
    guard let key = form?.version else { return try current(id) }
    if let known = versions[key] { return (known.template, known.number) }
    guard
      let row = try Row.fetchOne(db, sql: "SELECT content, number FROM formVersion WHERE uuid = ?", arguments: [key])
    else { return try current(id) }
    let template = try SheetTemplate(content: row[0])
    versions[key] = (template, row[1])
    return (template, row[1])
  }

  private func current(_ id: Int) throws -> (template: SheetTemplate, version: Int?)? {
    if let known = current[id] { return known }
    guard let template = try TemplateReader.read(form: id, in: db) else { return nil }
    let number = try Int.fetchOne(
      db, sql: "SELECT number FROM formVersion WHERE typeFormID = ? AND content = ?", arguments: [id, template.content])
    current[id] = (template, number)
    return (template, number)
  }
}
