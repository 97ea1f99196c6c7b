import Catalogue
import GRDB
import Journal
import SeededNumbers
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("The outbox") struct OutboxTests {
  // MARK: What waits

  @Test("of an imported exam only what terminals send waits: plan, people and templates are the hub's")
  func directions() throws {
    let exam = try MarkedExam()
    // Two sessions, four roster entries, the version of the one template, and the device.
    #expect(try exam.waiting == .init(status: 8, header: 0, doctor: 8, outbox: 8, items: 8))
    #expect(
      try Set(exam.outbox().items.map(\.entity)) == ["Device", "FormVersion", "Timetable", "TimetableAttendanceLog"])
    // Sessions and rosters are the hub's import's, once there is a hub.
    try exam.store.enrol()
    #expect(try exam.waiting == .init(status: 2, header: 2, doctor: 2, outbox: 2, items: 2))
    #expect(try Set(exam.outbox().items.map(\.entity)) == ["Device", "FormVersion"])
  }

  @Test("a list for people ends after some lines, and says how many are left out") func shortened() throws {
    let whole = try MarkedExam().outbox()
    #expect(whole.items.count > 2 && whole.shortened == whole && whole.moreText == nil)
    let short = whole.first(2)
    #expect(short.items == Array(whole.items.prefix(2)) && short.waiting == whole.waiting)
    #expect(short.moreText == "and \(whole.items.count - 2) more")
  }

  @Test("every entity of the catalogue waits as its direction says, and a lead or the office sends all but local ones")
  func everyDirection() {
    for entity in Catalogue.standard.entities where entity.name != "Operation" {
      let row = RowKey(entity: entity.name, id: "7")
      let isSent = [SyncDirection.up, .both].contains(entity.sync)
      for role in [nil, DeviceRole.station, .desk, .auditor, .display] {
        #expect(SendRule(role: role).sends(row, fields: []) == isSent, "\(entity.name)")
      }
      for role in [DeviceRole.lead, .office] {
        #expect(SendRule(role: role).sends(row, fields: []) == (entity.sync != .local), "\(entity.name)")
      }
    }
    let rule = SendRule(role: .station)
    #expect(rule.sends(RowKey(entity: "Student", id: "-17"), fields: ["surname"]))
    #expect(!rule.sends(RowKey(entity: "Timetable", id: "1"), fields: ["scheduledCoverStaff"]))
    #expect(rule.sends(RowKey(entity: "Timetable", id: "1"), fields: ["coverStaff"]))
    #expect(rule.sends(RowKey(entity: "Operation", id: "x"), fields: ["verdict"]))
  }

  @Test("whatever a lead or a station sends is called by a word of the exam, not by the name of a table") func names() {
    for entity in Catalogue.standard.entities where entity.sync != .local || entity.name == "Operation" {
      let name = OutboxText.name(of: entity.name)
      #expect(name != entity.name && name.count <= 19, "\(entity.name)")
    }
  }

  @Test("fields that stay here are never in one operation with fields that are sent") func split() throws {
    let exam = try MarkedExam()
    let before = try exam.store.read { try Outbox.waiting($0) }
    try exam.store.write(.program) {
      try $0.set("Timetable", "1", ["scheduledCoverStaff": .integer(2), "startTime": .text("09:30")])
      try $0.create(
        "Timetable", "9",
        ["activityType": .integer(1), "date": .text("2026-12-08"), "scheduledCoverStaff": .integer(2)])
    }
    for operation in try exam.store.operations().suffix(4) {
      let fields = try #require(try operation.body()).fields.keys
      #expect(!fields.contains("scheduledCoverStaff") || fields.count == 1, "\(fields)")
    }
    #expect(try exam.store.read { try Outbox.waiting($0) } == before + 2)
    #expect(try exam.store.value("scheduledCoverStaff", "Timetable", "9") == .integer(2))
    #expect(try exam.store.value("startTime", "Timetable", "1") == .text("09:30"))
    #expect(try exam.examine().failures == [])
  }

  @Test("an exam lead's own plan waits, an assessor's copy of it does not; nobody's does without a hub")
  func roles() throws {
    for (role, count) in [(DeviceRole.station, 2), (.lead, 29), (.office, 29), (.desk, 1)] {
      let exam = try MarkedExam()
      try exam.store.enrol(as: .office)
      try exam.store.enrol(as: role)
      #expect(try exam.store.operations().count == 29)
      #expect(try exam.store.read { try Outbox.waiting($0) } == count)
      #expect(try exam.examine().failures == [])
    }
  }

  @Test("a store is enrolled before a hub has taken anything, and not because it has") func enrolment() throws {
    let exam = try MarkedExam()
    try exam.store.enrol(as: .desk)
    #expect(try exam.store.read { try HubContact.read($0) } == HubContact(isEnrolled: true, waiting: 1))
    let enrolment = try #require(try exam.store.read { try Enrolment.read($0) })
    #expect((enrolment.role, enrolment.url) == (.desk, "https://hub.example:8443"))
    #expect(enrolment.cursor == "\(enrolment.epoch):0")
    try exam.store.acknowledge()
    #expect(try exam.store.read { try HubContact.read($0) } == HubContact(isEnrolled: true, waiting: 0))
    #expect(try exam.examine().result("hub") == .ok)
    #expect(try exam.examine().failures == [])
    #expect(try exam.outbox().items == [])
  }

  @Test("what a former device did not send waits wherever it lies in the order") func formerDevice() throws {
    let exam = try MarkedExam()
    try exam.open(1)
    try exam.store.acknowledge()
    // A relay that has passed on a later operation of another device, and not the one before.
    let other = try TestStore()
    try other.store.apply(exam.store.operations())
    try other.store.write(Author(staff: 2)) { transaction in
      for text in ["one", "two", "three"] { try Comments.add(text, to: .station(1), in: transaction) }
    }
    let made = Array(try other.store.operations().suffix(3))
    try exam.store.apply(Array(try other.store.operations()))
    let before = try exam.store.read { try Outbox.waiting($0) }
    try exam.store.ingest(answers: [HubAnswer(id: made[2].id, hubSeq: 9_000, result: .applied)]) { _ in }
    #expect(try exam.store.read { try Outbox.waiting($0) } == before - 1)
    #expect(try exam.waiting.areEqual)
  }

  // MARK: Where marks are

  @Test("a mark is at the hub when what stands is, whatever waits behind it, on screens, in status and exports alike")
  func standing() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1).key
    try exam.store.acknowledge()
    try exam.mark(sheet, item: 0, level: 0)
    let earlier = try #require(try exam.store.operations().last)
    try exam.mark(sheet, item: 0, level: 1)
    let later = try #require(try exam.store.operations().last)
    #expect(try exam.places(sheet, item: 0) == [.disk])
    let last = try exam.store.read { try Int64.fetchOne($0, sql: "SELECT max(hubSeq) FROM operation") } ?? 0
    try exam.store.ingest(answers: [HubAnswer(id: later.id, hubSeq: last + 1, result: .deferred(.causeMissing))]) { _ in
    }
    #expect(try exam.places(sheet, item: 0) == [.hub])
    #expect(try exam.outbox().waiting == 1)
    try exam.store.ingest(answers: [HubAnswer(id: earlier.id, hubSeq: last + 2, result: .applied)]) { _ in }
    #expect(try exam.places(sheet, item: 0) == [.hub])
  }

  @Test(
    "taken, taken beside another value, kept as a stub or put off is no refusal",
    arguments: [
      HubResult.applied, .conflict, .withheld, .deferred(.transactionIncomplete),
    ])
  func harmless(result: HubResult) throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1).key
    try exam.mark(sheet, item: 0, level: 1)
    let mark = try #require(try exam.store.operations().last)
    try exam.store.acknowledge([mark.id: result])
    #expect(try exam.places(sheet, item: 0) == [.hub])
    #expect(try exam.outbox().attention == 0)
    #expect(try exam.examine().failures == [])
  }

  // MARK: What needs a person

  @Test(
    "what the hub refused or keeps counts for nothing, needs a person, and no store with it is sound",
    arguments: [
      HubResult.rejected(.role), .rejected(nil), .quarantined(.locked),
    ])
  func refused(result: HubResult) throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1).key
    try exam.mark(sheet, item: 0, level: 0)
    try exam.mark(sheet, item: 0, level: 1)
    let mark = try #require(try exam.store.operations().last)
    try exam.store.acknowledge([mark.id: result])
    // The mark before stands again.
    #expect(try exam.sheet(sheet).items[0].rating == MarkValue(0))
    #expect(try exam.places(sheet, item: 0) == [.attention])
    let outbox = try exam.outbox()
    #expect((outbox.waiting, outbox.attention) == (0, 1))
    let item = try #require(outbox.items.first)
    #expect((item.place, item.why, item.count) == (.attention, result.description, 1))
    #expect(item.candidate?.number == "1001" && item.station?.code == "H" && item.entity == "RatingQuestion")
    let text = "1 change is refused and counts for nothing: osce outbox says which and why"
    #expect(try exam.examine().failures == ["outbox: \(text); everything is at the hub"])
    // A person has ruled on it.
    try exam.tamper("UPDATE operation SET verdict = 'rejected' WHERE id = '\(mark.id)'")
    try exam.tamper("UPDATE pending SET verdict = 'rejected' WHERE id = '\(mark.id)'")
    #expect(try exam.outbox().attention == 0)
    #expect(try exam.places(sheet, item: 0) == [.hub])
    #expect(try exam.examine().failures == [])
  }

  @Test("what waits for others needs a person only after a minute") func deferred() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1).key
    try exam.mark(sheet, item: 0, level: 1)
    let mark = try #require(try exam.store.operations().last)
    try exam.store.acknowledge([mark.id: .deferred(.causeMissing)])
    #expect(try exam.outbox().attention == 0)
    #expect(try exam.status().refused == 1)
    exam.test.time.pass(60_001)
    #expect(try exam.outbox().items.map(\.why) == ["deferred:cause_missing"])
    #expect(try exam.examine().result("outbox") == .warning)
    #expect(try exam.examine().failures == [])
  }

  @Test("contradicting values are attention, and named by candidate and station") func forks() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1).key
    let item = try exam.sheet(sheet).items[0]
    for level in [0, 1] {
      try exam.store.write(exam.author) { _ = try Marking($0).mark(item, level: item.template.levels[level]) }
    }
    let outbox = try exam.outbox()
    let forked = outbox.items.filter { $0.why == "conflict" }
    #expect(forked.map(\.entity) == ["RatingQuestion"])
    #expect(forked.first?.candidate?.number == "1001")
    #expect(outbox.attention == forked.reduce(0) { $0 + $1.count })
  }

  // MARK: Where the changes of an entity lead

  @Test("what is recorded of a candidate leads to the candidate, what is of a station to the station")
  func anchors() {
    let expected: [OutboxPlaces.Anchor: Set<String>] = [
      .rosterEntry: [
        "TimetableAttendanceLog", "DataForm", "DataSection", "DataQuestion", "RatingQuestion",
        "CommentMetaStationCandidate", "Jot", "RerunEntry", "AttributesSelected",
      ],
      .session: ["StaffSignIn", "Sitting", "CommentMetaCircuit", "AdditionalStaff", "Timetable", "StationIncident"],
      .station: [
        "ActivityType", "AssistanceRequested", "HallMessage", "AvailableForm", "CommentMetaStation",
      ],
      .candidate: ["Student", "StudentForGroup", "StudentForMajor"],
    ]
    for entity in Catalogue.standard.entities {
      let anchor = OutboxPlaces(entity.name).anchor
      let named = expected.first { $0.value.contains(entity.name) }?.key ?? .nothing
      #expect(anchor == named, "\(entity.name)")
    }
    #expect(OutboxPlaces("Horse").anchor == .nothing)
  }

  @Test("a change is named after the candidate who came, not after the one who was planned") func swapped() throws {
    let exam = try MarkedExam()
    try exam.store.write(exam.author) {
      _ = try SlotChanges.swap(11, 12, from: 1, in: exam.session, $0)
    }
    let sheet = try exam.open(1).key
    try exam.mark(sheet, item: 0, level: 1)
    let marks = try exam.outbox().items.filter { $0.entity == "RatingQuestion" }
    #expect(Set(marks.map { $0.candidate?.number }) == ["1002"])
  }

  // MARK: Everywhere the same

  @Test("whatever is marked, sent, refused, put off and taken in, header, status, doctor and outbox agree")
  func agreement() throws {
    for seed in Seeded.seeds(2) {
      var random = Seeded(seed: seed)
      let exam = try MarkedExam()
      let other = try TestStore()
      try other.store.apply(exam.store.operations())
      let sheets = [try exam.open(1).key, try exam.open(2).key]
      for step in 0..<24 {
        switch Int.random(in: 0..<8, using: &random) {
        case 0...3:
          let sheet = sheets.randomElement(using: &random)!
          try exam.mark(
            sheet, item: Int.random(in: 0..<2, using: &random), level: Int.random(in: 0..<2, using: &random))
        case 4:
          try exam.store.acknowledge(most: Int.random(in: 0..<60, using: &random))
        case 5:
          // A mark, not the making of a sheet, which would be gone.
          let waiting = try exam.store.operations().filter {
            $0.hubSeq == nil && $0.row.entity == "RatingQuestion" && $0.kind == .set && $0.txSize == 1
          }
          let results: [HubResult] = [
            .rejected(.role), .quarantined(.locked), .conflict, .deferred(.causeMissing), .applied,
          ]
          guard let one = waiting.randomElement(using: &random) else { continue }
          try exam.store.acknowledge([one.id: results.randomElement(using: &random)!])
        case 6:
          try other.store.write(Author(staff: 2)) {
            try Comments.add("step \(step)", to: .station(1), in: $0)
            try Comments.add("step \(step)", to: .circuit(1), in: $0)
          }
          // Part of a transaction is kept aside until the rest is here.
          let made = try other.store.operations().shuffled(using: &random)
          try exam.store.apply(Array(made.prefix(Int.random(in: 1...made.count, using: &random))))
        default: exam.test.time.pass(Int64.random(in: 0..<90_000, using: &random))
        }
        let (found, naive) = (try exam.waiting, try exam.naiveCount())
        #expect(found.areEqual && found.outbox == naive, "OSCE_SEED=\(seed), step \(step): \(found), \(naive)")
        let outbox = try exam.outbox()
        let attention = outbox.items.filter { $0.place == .attention }.reduce(0) { $0 + $1.count }
        #expect(outbox.attention == attention, "OSCE_SEED=\(seed), step \(step)")
        #expect(try exam.agreesOnPlaces(), "OSCE_SEED=\(seed), step \(step)")
        if !found.areEqual { return }
      }
      let failures = try exam.examine().failures.filter { !$0.hasPrefix("outbox:") }
      #expect(failures == [], "OSCE_SEED=\(seed)")
    }
  }
}

/// What the places say that show how much waits.
private struct Waiting: Equatable, CustomStringConvertible {
  var status: Int
  var header: Int
  var doctor: Int
  var outbox: Int
  var items: Int
  var isEnrolled = false

  static func == (left: Waiting, right: Waiting) -> Bool {
    [left.status, left.header, left.doctor, left.outbox, left.items]
      == [right.status, right.header, right.doctor, right.outbox, right.items]
  }

  var areEqual: Bool {
    status == outbox && doctor == outbox && items == outbox && (isEnrolled ? header == outbox : header == 0)
  }

  var description: String { "status \(status), header \(header), doctor \(doctor), outbox \(outbox), items \(items)" }
}

extension MarkedExam {
  func outbox() throws -> OutboxReport { try store.read { try OutboxReport.read($0, at: store.clock.now) } }

  fileprivate var waiting: Waiting {
    get throws {
      let report = try outbox()
      let header = try store.changes(since: 0).hub
      let detail = try examine().checks.last { $0.name == "outbox" }?.detail ?? ""
      let words = detail.split(separator: ";").last?.split(separator: " ").first ?? ""
      return Waiting(
        status: try status().unsent, header: header.waiting, doctor: Int(words) ?? 0, outbox: report.waiting,
        items: report.items.filter { $0.place == .disk }.reduce(0) { $0 + $1.count }, isEnrolled: header.isEnrolled)
    }
  }

  /// The same, counted one by one.
  fileprivate func naiveCount() throws -> Int {
    try store.read { db in
      var journal: Set<[UInt8]> = []
      var count = 0
      let isEnrolled = try Enrolment.exists(db)
      try OperationTable.forEachNumbered(in: db) { _, operation in
        journal.insert(operation.hash)
        let isOwn = operation.device == store.device
        let direction = Catalogue.standard[operation.row.entity]!.sync
        let isImported = try operation.body()?.source == OperationBody.imported
        let isSent = direction == .up || direction == .both && !(isEnrolled && isImported)
        if operation.hubSeq == nil && (!isOwn || isSent) { count += 1 }
      }
      for pending in try PendingOperation.all(in: db)
      where pending.operation.hubSeq == nil && !journal.contains(pending.operation.hash) { count += 1 }
      return count
    }
  }

  /// Where an item of a sheet is, by its sheet's screen, by status and by the export.
  fileprivate func places(_ key: String, item: Int) throws -> Set<MarkPlace> {
    let sheet = try sheet(key)
    let shown = try store.read { try SheetPlaces.read(sheet: key, in: $0) }.place(of: sheet.items[item])
    let rows = try rows(.marks).filter { $0["item_key"] == .text(sheet.items[item].key) }
    let exported = rows.compactMap { row -> MarkPlace? in
      if case .text(let text)? = row["where"] { MarkPlace(rawValue: text) } else { nil }
    }
    return Set([shown] + exported)
  }

  /// Whether the screens, status and the export say the same of where all marks are.
  fileprivate func agreesOnPlaces() throws -> Bool {
    let total = try status().total
    var counts: [String: Int] = [:]
    for row in try rows(.marks) { if case .text(let text)? = row["where"] { counts[text, default: 0] += 1 } }
    let entries = try store.read { try Roster.entries(timetable: 1, seat: .lead, in: $0) }
    for entry in entries {
      for progress in entry.sheets {
        let sheet = try sheet(progress.key)
        let places = try store.read { try SheetPlaces.read(sheet: sheet.key, in: $0) }
        for (number, item) in sheet.items.enumerated() {
          guard try self.places(sheet.key, item: number) == [places.place(of: item)] else { return false }
        }
      }
    }
    return total.disk == counts["disk"] ?? 0 && total.hub == counts["hub"] ?? 0
      && total.attention == counts["attention"] ?? 0
  }
}
