import GRDB
import Journal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("What is expected, held and missing") struct ReportsTests {
  @Test("before the start every expected item is a row, and empty") func empty() throws {
    let exam = try MarkedExam()
    let rows = try exam.rows(.marks)
    #expect(rows.count == 6)
    #expect(rows.allSatisfy { $0["where"] == .text("empty") && $0["value"] == .empty })
    #expect(rows.map { $0["item"] } == [1, 2, 3, 1, 2, 3].map { .integer($0) })
    #expect(rows[0]["student_number"] == .text("1001"))
    #expect(rows[0]["assessor"] == .text("adavies"))
    #expect(rows[0]["form_version"] == .integer(1))
    let counts = try exam.status().total
    #expect((counts.expected, counts.started, counts.items, counts.held, counts.blank) == (2, 0, 6, 0, 4))
    #expect(try exam.missing() == ["1001 sheet 0", "1002 sheet 0"])
  }

  @Test("a mark is a row with its value, its place and its times") func marked() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 1, level: 2)
    let row = try exam.rows(.marks)[1]
    let now = ExportCell.time(exam.store.clock.now)
    #expect(row["value"] == .mark(MarkValue(3)!))
    #expect(row["maximum"] == .mark(MarkValue(5)!))
    #expect(row["where"] == .text("disk"))
    #expect(row["marked_at"] == now)
    #expect(row["first_marked_at"] == now)
    #expect(row["changes"] == .integer(0))
    #expect(row["entered_by"] == .text("adavies"))
    #expect(row["present"] == .bool(true))
    #expect(row["seconds_after_bell"] == .empty)
    #expect(try exam.missing() == ["1001 item 1", "1001 signature 0", "1002 sheet 0"])
  }

  @Test("the time of the first mark stays, and every change of the answer counts") func changes() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    let first = exam.store.clock.now
    for level in [2, 3, 3] {
      try exam.mark(sheet.key, item: 1, level: level)
      exam.test.time.pass(1000)
    }
    let row = try exam.rows(.marks)[1]
    #expect(row["first_marked_at"] == .time(first))
    #expect(row["changes"] == .integer(1))
  }

  @Test("the first change of an answer that came with an imported sheet counts") func importedAnswer() throws {
    let keys = ["a", "b", "c"].map { "00000000-0000-4000-8000-0000000000d\($0)" }
    let exam = try MarkedExam([
      SmallExam.row(
        "DataForm", keys[0],
        ["attendanceLog": .text(SmallExam.entry(1)), "type": .integer(1), "seat": .text(Seat.lead.name)]),
      SmallExam.row(
        "DataSection", keys[1],
        [
          "dataForm": .text(keys[0]), "name": .text("Opening"), "type": .integer(1), "sectionToFormLink": .integer(1),
          "order": .integer(1),
        ]),
      SmallExam.row(
        "RatingQuestion", keys[2],
        [
          "dataSection": .text(keys[1]), "type": .integer(2), "itemLink": .integer(2), "order": .integer(2),
          "rating": .integer(2_000_000),
        ]),
    ])
    #expect(try exam.rows(.marks)[1]["changes"] == .integer(0))
    try exam.mark(keys[0], item: 1, level: 2)
    #expect(try exam.rows(.marks)[1]["changes"] == .integer(1))
    let changes = try exam.rows(.changes)
    #expect(changes.map { $0["from"] } == [.text("2")] && changes.map { $0["to"] } == [.text("3")])
  }

  @Test("feedback on an item is not a change of its mark") func feedback() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 1, level: 2)
    try exam.write(sheet.key, item: 1, "calm")
    try exam.write(sheet.key, item: 1, "calm and clear")
    let row = try exam.rows(.marks)[1]
    #expect(row["changes"] == .integer(0))
    #expect(row["feedback"] == .text("calm and clear"))
  }

  @Test("a filled and signed sheet misses nothing") func complete() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 0, level: 1)
    try exam.mark(sheet.key, item: 1, level: 0)
    try exam.sign(sheet.key)
    let counts = try exam.status().total
    #expect((counts.started, counts.filled, counts.signed, counts.held, counts.disk) == (1, 1, 1, 2, 2))
    #expect(try exam.missing() == ["1002 sheet 0"])
    #expect(try exam.rows(.marks)[0]["signed_at"] == .time(exam.store.clock.now))
  }

  @Test("a candidate who is recorded absent is not expected, but what was marked before is still listed")
  func absent() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 0, level: 1)
    for number in [1, 2] {
      let entry = try exam.entry(number)
      try exam.store.write(exam.author) { try Attendance.record(false, for: entry, in: $0) }
    }
    let counts = try exam.status().total
    #expect((counts.expected, counts.unexpected, counts.items) == (0, 1, 0))
    let rows = try exam.rows(.marks)
    #expect(rows.count == 3)
    #expect(rows[0]["present"] == .bool(false))
    #expect(try exam.missing().isEmpty)
  }

  @Test("practice never counts") func practice() throws {
    let exam = try MarkedExam()
    let key = try exam.store.write(exam.author) { try Attendance.practiceEntry(timetable: 1, in: $0) }
    let entry = try exam.store.read { db in try Roster.entry(key, seat: .lead, in: db)! }
    let sheet = try exam.store.write(exam.author) {
      try Attendance.passIdentityStep(entry: entry, seat: .lead, in: $0)[0]
    }
    try exam.mark(sheet, item: 0, level: 1)
    #expect(try exam.rows(.marks).count == 6)
    #expect(try exam.status().total.started == 0)
  }

  @Test("each second assessor is one more expected sheet for every candidate") func secondAssessors() throws {
    let exam = try MarkedExam([SmallExam.secondAssessor])
    #expect(try exam.status().total.expected == 4)
    #expect(try exam.rows(.marks).count == 12)
    let sheet = try exam.open(1, seat: Seat(name: "second"))
    try exam.mark(sheet.key, item: 0, level: 1)
    #expect(try exam.status().total.started == 1)
  }

  @Test("a station that asks for one of several forms expects one sheet, of the form that was chosen") func oneForm()
    throws
  {
    let exam = try MarkedExam([
      SmallExam.row("ActivityType", "1", ["forms": .text("one")]),
      SmallExam.row("TypeForm", "2", ["name": .text("Other"), "code": .text("O")]),
      SmallExam.row("SectionToForm", "2", ["section": .integer(1), "form": .integer(2), "order": .integer(1)]),
      SmallExam.row(
        "AvailableForm", "2", ["typeForm": .integer(2), "activityType": .integer(1), "order": .integer(2)]),
    ])
    #expect(try exam.status().total.expected == 2)
    let entry = try exam.entry(1)
    _ = try exam.store.write(exam.author) {
      try SheetGenerator.makeSheets(entry: entry.key, seat: .lead, form: 2, in: $0)
    }
    #expect(try exam.status().total.expected == 2)
    #expect(try exam.rows(.marks)[0]["form"] == .text("O"))
    #expect(try exam.rows(.marks)[3]["form"] == .text("H"))
  }

  @Test("a started sheet keeps the version of its template; sheets not started follow the new one") func versions()
    throws
  {
    let exam = try MarkedExam()
    try exam.open(1)
    _ = try exam.store.write(.program) {
      try BundleImport.apply([SmallExam.row("TypeQuestion", "1", ["text": .text("Cleans hands")])], in: $0)
    }
    let rows = try exam.rows(.marks)
    #expect((rows[0]["text"], rows[0]["form_version"]) == (.text("Washes hands"), .integer(1)))
    #expect((rows[3]["text"], rows[3]["form_version"]) == (.text("Cleans hands"), .integer(2)))
  }

  @Test("a mark after the end of the candidate's rotation says by how many seconds") func late() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    try exam.clock(.start)
    exam.test.time.pass(360_000)
    try exam.mark(sheet.key, item: 0, level: 1)
    exam.test.time.pass(12_400)
    try exam.mark(sheet.key, item: 1, level: 1)
    let rows = try exam.rows(.marks)
    #expect(rows[0]["seconds_after_bell"] == .empty)
    #expect(rows[1]["seconds_after_bell"] == .integer(13))
  }

  @Test("contradicting marks and refused changes need a person; what the hub has is at the hub") func places() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 0, level: 0)
    let item = try exam.sheet(sheet.key).items[0]
    for level in [0, 1] {
      try exam.store.write(exam.author) { _ = try Marking($0).mark(item, level: item.template.levels[level]) }
    }
    #expect(try exam.rows(.marks)[0]["where"] == .text("attention"))
    try exam.mark(sheet.key, item: 1, level: 1)
    let key = try exam.sheet(sheet.key).items[1].key
    try exam.store.enrol()
    try exam.tamper("UPDATE operation SET hubSeq = seq WHERE entityID = '\(key)'")
    #expect(try exam.rows(.marks)[1]["where"] == .text("hub"))
    try exam.mark(sheet.key, item: 1, level: 2)
    #expect(try exam.rows(.marks)[1]["where"] == .text("disk"))
    try exam.tamper("UPDATE operation SET result = 'rejected:role' WHERE entityID = '\(key)' AND kind = 'set'")
    #expect(try exam.rows(.marks)[1]["where"] == .text("attention"))
    let status = try exam.status()
    #expect((status.total.attention, status.refused) == (2, 2))
    #expect(status.forks > 0)
  }

  @Test("an item that could not be assessed is held, without a value") func unable() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    let item = try exam.sheet(sheet.key).items[0]
    try exam.store.write(exam.author) { _ = try Marking($0).markUnable(item) }
    let row = try exam.rows(.marks)[0]
    #expect((row["unable"], row["value"], row["where"]) == (.bool(true), .empty, .text("disk")))
  }

  @Test("attendance, comments, sign-ins and clock have a row for each") func others() throws {
    let exam = try MarkedExam()
    let member = try exam.store.read { db in try StaffMember.find(username: "adavies", in: db) }
    let place = try exam.store.read { db in try StationSession.find(1, in: db) }
    let device = exam.store.device
    try exam.store.write(.program) { transaction in
      _ = try SignIn.begin(member, timetable: 1, device: device, in: transaction)
      try Comments.add("loud", to: .circuit(1), timetable: place, in: transaction)
      try Comments.add("cold", to: .station(1), isConcern: true, timetable: place, in: transaction)
      try Comments.add("kind", to: .candidate(SmallExam.entry(1)), in: transaction)
    }
    try exam.clock(.start)
    #expect(try exam.rows(.attendance).count == 4)
    #expect(try exam.rows(.comments).map { $0["level"] } == [.text("circuit"), .text("station"), .text("candidate")])
    #expect(try exam.rows(.comments)[2]["student_number"] == .text("1001"))
    #expect(try exam.rows(.signins).map { $0["staff"] } == [.text("adavies")])
    #expect(try exam.rows(.events).map { $0["kind"] } == [.text("start")])
    let journal = try exam.rows(.journal)
    #expect(journal.count > 50)
    // An event's instant is written as every other of the journal.
    let at = journal.first { $0["entity"] == .text("ClockEvent") && $0["field"] == .text("at") }
    #expect(at?["new"] == .text(Timestamp.text(exam.store.clock.now)))
  }

  @Test("the plan says who is where, and when") func plan() throws {
    let exam = try MarkedExam()
    let plan = try exam.store.read { db in try PlanReport.read(db) }
    let session = try #require(plan.sessions.first)
    #expect(session.rounds.count == 2)
    #expect(session.rounds[1].start == Instant(milliseconds: TestClock.start + 480_000))
    #expect(session.end == Instant(milliseconds: TestClock.start + 840_000))
    #expect(session.stations.map(\.place.stationCode) == ["H", "R"])
    #expect(session.stations[0].entries.map { $0.candidate?.number } == ["1001", "1002"])
  }

  @Test("the history of a row gives old and new values, and what stands") func history() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 1, level: 2)
    try exam.mark(sheet.key, item: 1, level: 3)
    let item = try exam.sheet(sheet.key).items[1]
    var found: [String] = []
    try exam.store.read { db in
      try JournalReport.forEach(row: RowKey(entity: item.entity, id: item.key), in: db) { entry in
        for change in entry.changes where change.field == "rating" {
          found.append("\(change.old.text) \(change.new.text) \(change.isStanding) \(entry.staff ?? "")")
        }
      }
    }
    #expect(found == ["null 3 false adavies", "3 4 true adavies"])
  }

  @Test("no history shows the hash of a passcode") func passcode() throws {
    let exam = try MarkedExam([SmallExam.row("Staff", "1", ["passcode": .text("sesame")])])
    var texts: [String] = []
    try exam.store.read { db in
      try JournalReport.forEach(row: RowKey(entity: "Staff", id: "1"), in: db) { texts.append($0.json.text) }
    }
    #expect(texts.contains { $0.contains("passcodeHash") })
    #expect(!texts.contains { $0.contains("scrypt$") })
  }
}
