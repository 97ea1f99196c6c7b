import GRDB
import Journal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Importing rows") struct BundleImportTests {
  private func replacing(_ entity: String, _ key: String, _ field: String, _ value: Value) -> [ImportRow] {
    SmallExam.rows.map { row in
      var row = row
      if row.row == RowKey(entity: entity, id: key) { row.fields[field] = value }
      return row
    }
  }

  private func apply(_ rows: [ImportRow], _ test: TestStore) throws -> ImportReport {
    try test.store.write(.program) { try BundleImport.apply(rows, in: $0) }
  }

  @Test("the same rows a second time append nothing") func twice() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    let before = try test.store.lastSequence()
    let report = try test.loadSmallExam()
    #expect(report.created == 0 && report.changed == 0 && report.unchanged == SmallExam.rows.count)
    #expect(try test.store.lastSequence() == before)
  }

  @Test("a value that differs from the one imported before is one operation") func changed() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    let before = try test.store.lastSequence()
    let report = try apply(replacing("Student", "11", "surname", .text("Okafor")), test)
    #expect(report.changed == 1)
    #expect(try test.store.lastSequence() == before + 1)
  }

  @Test("a correction that two stores import settles what a file between them left, and nothing that a person set")
  func settled() throws {
    let (here, there) = (try TestStore(), try TestStore())
    for store in [here, there] { try store.loadSmallExam() }
    func exchange() throws {
      try here.store.apply(there.store.operations())
      try there.store.apply(here.store.operations())
    }
    func contradictions(_ test: TestStore) throws -> [String] {
      try test.store.read {
        try String.fetchAll($0, sql: "SELECT entityID FROM fork WHERE entity = 'Student' ORDER BY entityID")
      }
    }
    let rows = SmallExam.rows.map { row in
      var row = row
      if row.row.entity == "Student", ["11", "12"].contains(row.row.id) { row.fields["surname"] = .text("Okafor") }
      return row
    }
    #expect(try apply(rows, here).changed == 2)
    try there.store.write(Author(staff: 1)) { try $0.set("Student", "12", ["surname": .text("By-Hand")]) }
    try exchange()
    for store in [here, there] { #expect(try contradictions(store) == ["11", "12"]) }
    #expect(try apply(rows, there).changed == 1)
    #expect(try contradictions(there) == ["12"])
    try exchange()
    for store in [here, there] {
      #expect(try contradictions(store) == ["12"])
      #expect(try store.surname() == .text("Okafor"))
      let before = try store.store.lastSequence()
      #expect(try apply(rows, store).changed == 0)
      #expect(try store.store.lastSequence() == before)
      #expect(try store.examine().failures == [])
    }
  }

  @Test("a field that was changed by hand is listed and kept") func kept() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    try test.store.write(Author(staff: 1)) { try $0.set("Student", "11", ["surname": .text("By-Hand")]) }
    let report = try apply(replacing("Student", "11", "surname", .text("Okafor")), test)
    #expect(report.kept == [.init(row: RowKey(entity: "Student", id: "11"), field: "surname")])
    let surname = try test.store.read { try String.fetchOne($0, sql: "SELECT surname FROM user WHERE dsid = 11") }
    #expect(surname == "By-Hand")
  }

  @Test(
    "what was recorded for a candidate goes to no other, to no other session and to no practice by a file",
    arguments: [
      ("student", .integer(12)), ("student", .null), ("timetable", .integer(2)), ("practice", .bool(true)),
    ] as [(String, Value)])
  func recorded(field: String, value: Value) throws {
    let exam = try MarkedExam()
    try exam.clock(.start)
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 1, level: 2)
    let absent = try exam.entry(3)
    try exam.store.write(exam.author) { try Attendance.record(false, for: absent, in: $0) }
    let before = try exam.rows(.marks)
    for entry in [1, 3] {
      let row = ImportRow(RowKey(entity: "TimetableAttendanceLog", id: SmallExam.entry(entry)), [field: value])
      if try exam.store.value(field, row.row.entity, row.row.id) == value { continue }
      let report = try apply([row], exam.test)
      #expect(report.kept == [.init(row: row.row, field: field, reason: .recordedHere)])
      #expect(report.changed == 0)
    }
    #expect(try exam.rows(.marks) == before)
    // Nothing was recorded for this one.
    let unused = ImportRow(RowKey(entity: "TimetableAttendanceLog", id: SmallExam.entry(2)), [field: value])
    let changes = try exam.store.value(field, unused.row.entity, unused.row.id) != value
    #expect(try apply([unused], exam.test).changed == (changes ? 1 : 0))
  }

  @Test("a plain passcode is stored only as a hash, and the same one again changes nothing") func passcode() throws {
    let test = try TestStore()
    let rows = replacing("Staff", "1", "passcode", .text("4711"))
    _ = try apply(rows, test)
    let kept = try #require(
      try test.store.read { try String.fetchOne($0, sql: "SELECT passcodeHash FROM user WHERE dsid = 1") })
    #expect(kept.hasPrefix("scrypt$"))
    #expect(Passcode.verify("4711", against: kept) && !Passcode.verify("4712", against: kept))
    #expect(try apply(rows, test).changed == 0)
    let plain = try test.store.read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM operation WHERE instr(body, '4711')")
    }
    #expect(plain == 0)
  }

  @Test("a help call that a file says is not required any more is over, unless the file states its status")
  func helpCalls() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    func open(_ fields: [String: Value]) throws -> [HelpCall.Status] {
      _ = try apply(
        [SmallExam.row("AssistanceRequested", "h", fields.merging(["station": .integer(1)]) { $1 })], test)
      return try test.store.read { try HelpCalls.open(in: $0) }.map(\.status)
    }
    #expect(try open(["assistanceRequired": .bool(true)]) == [.requested])
    #expect(try open(["assistanceRequired": .bool(false)]) == [])
    #expect(try open(["assistanceRequired": .bool(true)]) == [.requested])
    #expect(try open(["assistanceRequired": .bool(false), "status": .text("responding")]) == [.responding])
  }

  @Test(
    "the time of a help call is known as the reference writes it, too",
    arguments: [
      "2026-11-28 23:10:00", "2026-11-28T23:10:00Z", "2026-11-29T00:10:00+01:00",
    ])
  func helpCallTime(text: String) throws {
    let test = try TestStore()
    try test.loadSmallExam()
    _ = try apply(
      [SmallExam.row("AssistanceRequested", "h", ["station": .integer(1), "timeRequested": .text(text)])], test)
    let call = try #require(try test.store.read { try HelpCalls.open(in: $0) }.first)
    #expect(call.requestedAt == Timestamp.parse("2026-11-28T23:10:00Z"))
  }

  @Test("staff who have only a first and a last name in a file are called by them") func otherNames() throws {
    let test = try TestStore()
    func name(_ fields: [String: Value]) throws -> String? {
      _ = try apply([SmallExam.row("Staff", "9", fields)], test)
      return try test.store.read { try personName(of: 9, in: $0) }
    }
    #expect(try name(["firstName": .text("Ann"), "lastName": .text("Lee")]) == "Ann Lee")
    #expect(try name(["lastName": .text("Low")]) == "Ann Low")
    #expect(try name(["surname": .text("High"), "lastName": .text("Lee")]) == "Ann High")
  }

  @Test("a changed template makes a new version for sheets not yet started, and says so") func versions() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    let started = try test.store.write(Author(staff: 1)) {
      try SheetGenerator.makeSheets(entry: SmallExam.entry(1), seat: .lead, in: $0)
    }
    let report = try apply(replacing("TypeQuestion", "2", "text", .text("Listens actively")), test)
    #expect(report.versions.count == 1)
    let later = try test.store.write(Author(staff: 1)) {
      try SheetGenerator.makeSheets(entry: SmallExam.entry(2), seat: .lead, in: $0)
    }
    let texts = try test.store.read { db in
      try (started + later).compactMap { try Sheet.read($0, in: db)?.template.items[1].text }
    }
    #expect(texts == ["Listens", "Listens actively"])
  }
}
