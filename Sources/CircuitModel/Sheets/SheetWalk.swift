import ExamStore
import GRDB
import Journal
import Timer

/// How much of each started sheet a walk reads.
package enum SheetDepth: Sendable {
  /// Whether it is there, and signed.
  case signature
  /// How many items it has, and how many of them have an answer.
  case tally
  /// What `tally` reads, and the items without an answer.
  case blanks
  /// Every item.
  case whole
}

/// Goes through every sheet of the exam, station session by station session, without holding more than one of them in
/// memory.
package final class SheetWalk {
  private let db: Database
  private let depth: SheetDepth
  private var current: [Int: Template] = [:]
  private var versions: [String: Template] = [:]
  private var offered: [Int: StationForms] = [:]
  /// What one pass over all items found, where the whole exam is gone through.
  private var scan: SheetScan?

  private init(_ db: Database, _ depth: SheetDepth) {
    self.db = db
    self.depth = depth
  }

  /// Calls `body` with each sheet in the order of sessions, stations, rounds, seats and forms.
  package static func forEach(_ depth: SheetDepth, in db: Database, _ body: (PlannedSheet) throws -> Void) throws {
    let walk = SheetWalk(db, depth)
    if depth == .tally || depth == .blanks {
      walk.scan = try SheetScan(db, keepsBlanks: depth == .blanks) { version, form in
        // What a section lacks depends on all of its items: those sheets are read whole.
        try walk.template(version: version, form).flatMap { $0.asksForFacts ? nil : $0.parts }
      }
    }
    let places = try StationSession.all(in: db)
    for place in places { try walk.sheets(at: place, isCancelled: false, body) }
    for place in try StationSession.cancelled(in: db) { try walk.sheets(at: place, isCancelled: true, body) }
  }

  /// Calls `body` with each sheet of some station sessions that are not cancelled, in their order.
  /// - Parameter asIfPresent: whether the sheets of who is recorded absent are expected too.
  package static func forEach(
    _ depth: SheetDepth, at places: [StationSession], asIfPresent: Bool = false, in db: Database,
    _ body: (PlannedSheet) throws -> Void
  ) throws {
    let walk = SheetWalk(db, depth)
    for place in places { try walk.sheets(at: place, isCancelled: false, asIfPresent: asIfPresent, body) }
  }

  private struct Form {
    /// Its row, by which its items are found.
    let row: Int64
    let entry: String
    let key: String
    let form: Int
    let seat: Seat
    let version: String?
    let signedAt: Instant?
  }

  private func sheets(
    at place: StationSession, isCancelled: Bool, asIfPresent: Bool = false, _ body: (PlannedSheet) throws -> Void
  ) throws {
    let entries = try entries(timetable: place.timetable)
    if entries.isEmpty { return }
    let asked = try forms(station: place.station)
    let forms = try heldForms(timetable: place.timetable)
    let contents = try contents(timetable: place.timetable, forms: forms)
    let held = Dictionary(grouping: forms, by: \.entry)
    let seats = StationSession.seats(of: place)
    for entry in entries {
      let ofEntry = held[entry.key] ?? []
      var listed: Set<String> = []
      func list(_ form: Form?, template id: Int, seat: Seat, isExpected: Bool) throws {
        guard let made = try template(of: form, id) else { return }
        if let form { listed.insert(form.key) }
        try body(
          PlannedSheet(
            place: place, entry: entry, seat: seat, assessor: place.assessors.first { $0.seat == seat },
            template: made.template, version: made.number,
            held: form.map { form in
              let content = contents[form.row] ?? SheetContent()
              return HeldSheet(
                key: form.key, signedAt: form.signedAt, items: content.items, tally: content.tally,
                blankFacts: content.facts)
            },
            isExpected: isExpected,
            nameAmongSeveral: asked.ids.count < 2 || (asked.isOne && form == nil) ? nil : made.template.name))
      }
      if (asIfPresent || entry.isPresent != false) && !isCancelled {
        for seat in seats {
          let atSeat = ofEntry.filter { $0.seat == seat }
          let wanted = try asked.wanted(from: atSeat, form: { $0.form }) { form in
            SheetInUse.Claim(
              isPilot: try template(of: form, form.form)?.template.isPilot ?? false, isSigned: form.signedAt != nil,
              answers: contents[form.row]?.tally.answered ?? 0, form: form.form)
          }
          for (id, form) in wanted { try list(form, template: id, seat: seat, isExpected: true) }
        }
      }
      if depth == .signature { continue }
      for form in ofEntry where try !listed.contains(form.key) && MarkedSheet.holdsSomething(form.key, in: db) {
        try list(form, template: form.form, seat: form.seat, isExpected: false)
      }
    }
  }

  private func entries(timetable: Int) throws -> [PlannedSheet.Entry] {
    try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT e.uuid, e."order", e.present, \(CandidateLabel.column), u.title, u.forename, u.surname
          FROM timetableAttendanceLog e LEFT JOIN user u ON u.dsid = \(SlotChanges.candidate)
          WHERE e.timetableID = ? AND e.dsDeleted = 0 AND e.practice = 0 ORDER BY e."order", e.uuid
          """), arguments: [timetable]
    ).map { row in
      PlannedSheet.Entry(
        key: row[0], round: Roster.round(row[1]), number: row[3] ?? "",
        candidate: personName(title: row[4], forename: row[5], surname: row[6]) ?? "", isPresent: row[2])
    }
  }

  private func forms(station: Int) throws -> StationForms {
    if let known = offered[station] { return known }
    let forms = try StationForms.read(station: station, in: db)
    offered[station] = forms
    return forms
  }

  private func heldForms(timetable: Int) throws -> [Form] {
    try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT f.attendanceLogID, f.uuid, f.typeID, f.seat, f.versionID, f.signedAt, f.rowid
          FROM timetableAttendanceLog e CROSS JOIN dataForm f ON f.attendanceLogID = e.uuid
          WHERE e.timetableID = ? AND e.dsDeleted = 0 AND f.dsDeleted = 0 ORDER BY f.seat, f.typeID, f.uuid
          """), arguments: [timetable]
    ).map { row in
      Form(
        row: row[6], entry: row[0], key: row[1], form: row[2], seat: Seat(name: row[3]), version: row[4],
        signedAt: (row[5] as Int64?).map { Instant(stored: $0) })
    }
  }

  // MARK: What sheets hold

  /// What was read of a sheet.
  private struct SheetContent {
    var items: [HeldItem] = []
    var tally = SheetTally()
    var facts: [BlankFact] = []
  }

  private func contents(timetable: Int, forms: [Form]) throws -> [Int64: SheetContent] {
    if forms.isEmpty || depth == .signature { return [:] }
    var asking: [Form] = []
    var others: [Int64: Template] = [:]
    for form in forms {
      guard let made = try template(of: form, form.form) else { continue }
      if made.asksForFacts { asking.append(form) } else { others[form.row] = made }
    }
    var found: [Int64: SheetContent] = [:]
    if let scan {
      for row in others.keys {
        guard let sheet = scan[row], sheet.isOrdered || depth == .tally else { continue }
        found[row] = SheetContent(items: sheet.items, tally: sheet.tally)
        others[row] = nil
      }
    }
    if !others.isEmpty { try read(depth, timetable: timetable, others, into: &found) }
    if !asking.isEmpty {
      // What a section lacks depends on all of its items.
      var templates: [Int64: Template] = [:]
      for form in asking { templates[form.row] = try template(of: form, form.form) }
      try read(.whole, timetable: timetable, templates, into: &found)
      try addFacts(timetable: timetable, templates, &found)
    }
    return found
  }

  private static let itemColumns = """
    f.rowid, s.sectionToFormLinkID, q.itemLinkID, \(AnswerFlags.sql)
    """
  /// Where an item stands; to count them it is not asked for, which saves a sixth of the time.
  private static let orderColumns = """
    , s.rowid, s."order", s.copy, q."order"
    """
  private static let wholeColumns = """
    , q.uuid, q.rating, q.feedback, q.markedAt, q.descriptorID, q.judgedByID, q.enteredByID, q.times, q.difficulty, q.note,
      q.tags, q.recommended, q.completedCase, s.quad, s.tooth, s.quantity, s.difficulty, q.source
    """
  /// Through sheets and sections in the order in which they were made: nothing needs sorting as a rule.
  private static let source = """
    FROM timetableAttendanceLog e CROSS JOIN dataForm f ON f.attendanceLogID = e.uuid
      CROSS JOIN dataSection s ON s.dataFormID = f.uuid CROSS JOIN dataQuestion q ON q.dataSectionID = s.uuid
    WHERE e.timetableID = ? AND e.dsDeleted = 0 AND f.dsDeleted = 0 AND s.dsDeleted = 0 AND q.dsDeleted = 0
    """
  private static let ordered = """
    AND f.rowid = ? ORDER BY s."order", s.copy, s.uuid, q."order", q.uuid
    """

  /// Reads the items of sheets of a station session.
  private func read(
    _ depth: SheetDepth, timetable: Int, _ templates: [Int64: Template], into found: inout [Int64: SheetContent]
  ) throws {
    var columns = SheetWalk.itemColumns
    if depth != .tally { columns += SheetWalk.orderColumns }
    if depth == .whole { columns += SheetWalk.wholeColumns }
    let rows = try ReadRow.fetchCursor(
      db.cachedStatement(sql: "SELECT \(columns) \(SheetWalk.source)"), arguments: [timetable])
    var content = SheetContent()
    var sheet: Int64?
    var template: Template?
    var last: ItemOrder?
    var isOrdered = true
    var disordered: [Int64] = []
    func finish() {
      guard let sheet, template != nil else { return }
      if !isOrdered && depth != .tally { disordered.append(sheet) }
      found[sheet] = content
    }
    while let row = try rows.next() {
      let next: Int64 = row[0]
      if next != sheet {
        finish()
        (content, sheet, template, last, isOrdered) = (SheetContent(), next, templates[next], nil, true)
      }
      guard let template else { continue }
      if depth != .tally, isOrdered {
        let place = ItemOrder(section: row[4], sectionOrder: row[5], copy: row[6], order: row[7])
        isOrdered = last.map(place.follows) ?? true
        last = place
      }
      take(row, depth, template, &content)
    }
    finish()
    for sheet in disordered {
      guard let template = templates[sheet] else { continue }
      var content = SheetContent()
      let rows = try ReadRow.fetchCursor(
        db.cachedStatement(sql: "SELECT \(columns) \(SheetWalk.source) \(SheetWalk.ordered)"),
        arguments: [timetable, sheet])
      while let row = try rows.next() { take(row, depth, template, &content) }
      found[sheet] = content
    }
  }

  private func take(_ row: ReadRow, _ depth: SheetDepth, _ template: Template, _ content: inout SheetContent) {
    guard let section = row[1] as Int?, let link = row[2] as Int?,
      let part = template.parts.part(SheetPart.Link(section: section, item: link))
    else { return }
    let answer = AnswerFlags(rawValue: row[3])
    content.tally.count(part, answer)
    if depth == .whole {
      let source: String? = row[25]
      content.items.append(
        HeldItem(
          key: row[8], number: content.tally.items, copy: row[6], part: part,
          rating: (row[9] as Double?).flatMap { MarkValue($0) }, isUnable: answer.contains(.isUnable),
          feedback: row[10] ?? "", markedAt: (row[11] as Int64?).map { Instant(stored: $0) }, descriptor: row[12],
          judge: row[13], enteredBy: row[14], isFromPaper: source == Marking.Source.paper.rawValue,
          work: WorkFacts(times: row[15], difficulty: row[16], note: row[17] ?? ""),
          facts: ItemFacts(
            tags: row[18], isRecommended: row[19] ?? false, isCompletedCase: row[20] ?? false, quadrant: row[21],
            tooth: row[22], quantity: row[23], difficulty: row[24])))
    } else if depth == .blanks, answer.isBlank(part) {
      content.items.append(HeldItem(blank: part, number: content.tally.items, copy: row[6]))
    }
  }

  /// What the sections of sheets ask for and lack; of most templates none asks for anything.
  private func addFacts(
    timetable: Int, _ templates: [Int64: Template], _ found: inout [Int64: SheetContent]
  ) throws {
    let rows = try ReadRow.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT f.rowid, s.sectionToFormLinkID, s.copy, s.quad, s.quantity, s.difficulty
          FROM timetableAttendanceLog e CROSS JOIN dataForm f ON f.attendanceLogID = e.uuid
            CROSS JOIN dataSection s ON s.dataFormID = f.uuid
          WHERE e.timetableID = ? AND e.dsDeleted = 0 AND f.dsDeleted = 0 AND s.dsDeleted = 0
          ORDER BY s.dataFormID, s."order", s.copy, s.uuid
          """), arguments: [timetable])
    while let row = try rows.next() {
      let sheet: Int64 = row[0]
      guard let template = templates[sheet]?.template, let link = row[1] as Int?,
        let section = template.sections.first(where: { $0.link == link })
      else { continue }
      let copy: Int = row[2]
      let isUsed =
        found[sheet]?.items.contains {
          $0.part.section.link == link && $0.copy == copy && (!$0.isBlank || $0.part.isRequired)
        } ?? false
      let held: [SectionFact: Bool] = [
        .tooth: row[3] as String? != nil, .quantity: row[4] as Int? != nil, .difficulty: row[5] as Int? != nil,
      ]
      found[sheet, default: SheetContent()].facts += BlankFact.of(section, copy: copy, isUsed: isUsed) {
        held[$0] ?? false
      }
    }
  }

  // MARK: What sheets are made from

  /// A template, worked out once for all sheets that were made from it.
  private final class Template {
    let template: SheetTemplate
    /// Its number among the versions; nil where none is recorded.
    let number: Int?
    var parts: SheetParts
    let asksForFacts: Bool

    init(_ template: SheetTemplate, number: Int?) {
      (self.template, self.number) = (template, number)
      parts = SheetParts(template)
      asksForFacts = template.sections.contains { !SectionFact.asked(by: $0).isEmpty }
    }
  }

  /// What a held sheet was made from; for one that is not started, the template as it stands now.
  private func template(of form: Form?, _ id: Int) throws -> Template? {
    try template(version: form?.version, id)
  }

  private func template(version: String?, _ id: Int) throws -> Template? {
    guard let key = version else { return try current(id) }
    if let known = versions[key] { return known }
    guard
      let row = try ReadRow.fetchOne(
        db.cachedStatement(sql: "SELECT content, number FROM formVersion WHERE uuid = ?"), arguments: [key])
    else { return try current(id) }
    let template = Template(try SheetTemplate(content: row[0]), number: row[1])
    versions[key] = template
    return template
  }

  private func current(_ id: Int) throws -> Template? {
    if let known = current[id] { return known }
    guard let template = try TemplateReader.read(form: id, in: db) else { return nil }
    let number = try Int.fetchOne(
      db.cachedStatement(sql: "SELECT number FROM formVersion WHERE typeFormID = ? AND content = ?"),
      arguments: [id, template.content])
    let made = Template(template, number: number)
    current[id] = made
    return made
  }
}
