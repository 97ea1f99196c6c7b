import Foundation
import GRDB
import Standards
import Synchronization
import SystemTesting
import Testing

@testable import CircuitModel
@testable import ExamFiles
@testable import ExamStore
@testable import Reports

@Suite("Import")
struct ExamImportTests {
  /// A store in a folder of its own.
  private final class ScratchStore {
    let scratch = Scratch()
    let store: ExamStore

    init() throws {
      store = try ExamStore(StoreLocation(path: scratch.path + "/store/exam.sqlite"), .createIfMissing)
    }

    deinit { store.close() }

    func load(_ paths: String...) throws -> ExamImport.Outcome { try ExamImport.load(paths, into: store) }

    func load(_ exam: SmallExam) throws -> ImportReport {
      let folder = exam.write()
      return try withExtendedLifetime(folder) { try #require(try load(folder.path).report) }
    }

    func count(_ sql: String) throws -> Int {
      try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM " + sql) ?? 0 }
    }

    func list(_ sql: String) throws -> [String] { try store.read { try String.fetchAll($0, sql: sql) } }

    /// Everything a person could see, row by row.
    func contents() throws -> [String] {
      try store.read { db in
        let tables = try String.fetchAll(
          db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
        return try tables.flatMap { table in
          try Row.fetchAll(db, sql: "SELECT * FROM \"\(table)\" ORDER BY 1").map { "\(table) \($0)" }
        }
      }
    }
  }

  /// The one scale of the year 3 exam that keys alone do not mark.
  private static let typedScale =
    "sheets/RX.yaml:39: warning: item 'quality': no key marks 10 levels from 11 to 20; '=' and the value does"

  @Test("the year 3 exam is all there after one import")
  func year3() throws {
    let scratch = try ScratchStore()
    let outcome = try scratch.load(Fixtures.path("year3-osce"))
    #expect(outcome.problems.map(\.description) == [Self.typedScale])
    let report = try #require(outcome.report)
    #expect(report.changed == 0 && report.kept == [])
    #expect(try scratch.count("clinicGroup") == 2)
    #expect(try scratch.count("activityType") == 16)
    #expect(try scratch.count("timetable") == 32)
    #expect(try scratch.count("timetableAttendanceLog") == 30 * 8)
    #expect(try scratch.count("user WHERE entity = 'Student'") == 30)
    #expect(try scratch.count("user WHERE entity = 'Staff'") == 22)
    #expect(try scratch.count("additionalStaff") == 2)
    #expect(try scratch.count("typeForm") == 7)
    #expect(try scratch.count("timetable WHERE scheduledCoverStaffID IS NOT NULL") == 1)
  }

  @Test("an import says which running clocks keep another plan, and what gives one more rounds") func outdatedClocks() {
    let session = Session(circuit: 1, date: "2026-12-07", startTime: "09:00")
    var report = ImportReport()
    report.outdated = [(2, 3), (3, 3)].map {
      OutdatedRun(circuit: "Blue", session: session, rounds: $0, needed: $1)
    }
    #expect(
      report.lines.dropFirst() == [
        "clock running: Blue, 2026-12-07 09:00: it keeps its phases and 2 rounds; 3 are planned: osce clock \"Blue\" rounds 3",
        "clock running: Blue, 2026-12-07 09:00: it keeps its phases and 3 rounds",
      ])
  }

  @Test("importing twice appends nothing and changes nothing", arguments: ["year3-osce", "reference-bundle.json"])
  func twice(_ name: String) throws {
    let scratch = try ScratchStore()
    let first = try scratch.load(Fixtures.path(name))
    #expect(first.problems.map(\.description) == (name == "year3-osce" ? [Self.typedScale] : []))
    let before = try scratch.contents()
    let second = try #require(try scratch.load(Fixtures.path(name)).report)
    #expect(second.created == 0 && second.changed == 0 && second.kept == [] && second.versions == [])
    #expect(second.unchanged == first.report?.created)
    #expect(try scratch.contents() == before)
  }

  @Test("a copy of a store goes on soundly from a bundle with rows of what never leaves a store") func copied() throws {
    let first = try ScratchStore()
    _ = try first.load(Fixtures.path("reference-bundle.json"))
    #expect(first.store.close())
    let folder = Scratch()
    chmod(folder.path, 0o700)
    let path = folder.path + "/exam.sqlite"
    try FileManager.default.copyItem(atPath: first.store.location.path, toPath: path)
    let copy = try ExamStore(StoreLocation(path: path))
    defer { copy.close() }
    #expect(copy.device != first.store.device)
    #expect(try ExamImport.load([Fixtures.path("reference-bundle.json")], into: copy).report?.changed == 0)
    let diagnosis = try Doctor(copy.location, program: "test").examine()
    #expect(diagnosis.isSound, "\(diagnosis.verdict)")
  }

  @Test("a signed sheet that a bundle brings without its version counts") func unversioned() throws {
    let scratch = try ScratchStore()
    _ = try scratch.load(Fixtures.path("reference-bundle.json"))
    let sheets = try scratch.store.read { try StoredScores.read(.init(), in: $0).sheets }
    #expect(sheets.contains { $0.signedAt != nil && $0.isEligible })
  }

  /// A bundle of one station whose form has three items, of up to 10, of up to 5, and the global rating.
  /// - Parameter sheets: the groups of rows of its sheets.
  private func bundle(_ sheets: String...) -> String {
    let plan = #"""
      "Config": [{"dsid": 1, "examName": "E", "timeZone": "UTC"}], "Staff": [{"dsid": 1, "username": "ann", "surname": "Ann"}],
      "TypeForm": [{"dsid": 3, "name": "F", "props": "{\"globalRating\": \"global\", \"borderlineGrade\": 2}"}],
      "TypeSection": [{"dsid": 4, "name": "Sec"}], "SectionToForm": [{"dsid": 5, "form": 3, "section": 4}],
      "TypeQuestion": [
        {"dsid": 6, "text": "a", "key": "a", "questionType": "rating", "lowest": 0, "numberOfOptions": 11},
        {"dsid": 7, "text": "x", "key": "x", "questionType": "rating", "lowest": 0, "numberOfOptions": 6},
        {"dsid": 8, "text": "g", "key": "global", "questionType": "rating", "lowest": 1, "numberOfOptions": 5}],
      "QuestionToSection": [
        {"dsid": 16, "question": 6, "section": 4, "order": 1}, {"dsid": 17, "question": 7, "section": 4, "order": 2},
        {"dsid": 18, "question": 8, "section": 4, "order": 3}],
      "ClinicGroup": [{"dsid": 9, "name": "Red"}],
      "CircuitStationDuration": [{"dsid": 9, "clinicGroup": 9, "order": 1, "durationType": "rotation", "duration": 5}],
      "ActivityType": [{"dsid": 10, "name": "First", "code": "S1", "clinicGroup": 9}],
      "AvailableForm": [{"dsid": 11, "activityType": 10, "typeForm": 3}],
      "Timetable": [{"dsid": 12, "activityType": 10, "date": "2026-11-28", "startTime": "06:00", "staff": 1}],
      "Student": [{"dsid": 13, "studentNumber": "200", "surname": "One"}],
      "TimetableAttendanceLog": [{"uuid": "entry", "timetable": 12, "student": 13, "order": 1}]
      """#
    return "{\"entities\": {" + ([plan] + sheets).joined(separator: ",\n") + "}}"
  }

  private static let openSheet = #""DataForm": [{"uuid": "sheet", "type": 3, "attendanceLog": "entry"}]"#
  private static let signedSheet = #"""
    "DataForm": [{"uuid": "sheet", "type": 3, "attendanceLog": "entry", "judgedBy": 1, "version": null,
      "signedAt": "2026-11-28T06:00:00Z", "signedBy": 1}]
    """#
  private static let section = #"""
    "DataSection": [{"uuid": "part", "name": "Sec", "dataForm": "sheet", "type": 4, "sectionToFormLink": 5}]
    """#
  private static let answered = #"""
    "RatingQuestion": [
      {"uuid": "a", "dataSection": "part", "type": 6, "itemLink": 16, "order": 1, "rating": 7},
      {"uuid": "g", "dataSection": "part", "type": 8, "itemLink": 18, "order": 3, "rating": 3}]
    """#

  private static let whole = answered.replacing(
    "]", with: #", {"uuid": "x", "dataSection": "part", "type": 7, "itemLink": 17, "order": 2}]"#)

  /// Loads a bundle, and says which items the sheet has: each with its value, `-` where it has none.
  private func items(_ bundle: String, into scratch: ScratchStore) throws -> [String] {
    scratch.scratch.write("bundle.json", bundle)
    let outcome = try scratch.load(scratch.scratch.path + "/bundle.json")
    #expect(outcome.report?.kept == [] && outcome.report?.notDeleted == [], "\(outcome.problems)")
    let sheet = try #require(try scratch.store.read { try Sheet.read("sheet", in: $0) })
    return sheet.items.map { "\($0.template.text) \($0.rating?.description ?? "-")" }
  }

  @Test("an item that a form of a bundle says something of and does not have is named in a warning")
  func lackedItems() throws {
    let scratch = try ScratchStore()
    func warnings(_ names: String) throws -> [String] {
      let text = bundle().replacing(#"\"borderlineGrade\": 2"#, with: #"\"criticalItems\": [\#(names)]"#)
      scratch.scratch.write("bundle.json", text)
      let outcome = try scratch.load(scratch.scratch.path + "/bundle.json")
      #expect(outcome.report != nil)
      return outcome.problems.map(\.message)
    }
    #expect(try warnings(#"\"a\", 7, \"g\""#) == [])
    #expect(
      try warnings(#"\"a\", \"wash\", 70"#)
        == ["wash", "70"].map {
          "TypeForm 3: 'props' names the item '\($0)', which the form does not have: it has no effect"
        })
  }

  @Test("a sheet that a bundle brings without its version can be opened, and keeps that of the import")
  func versionOfSheet() throws {
    let scratch = try ScratchStore()
    let text = bundle(Self.signedSheet, Self.section, Self.whole)
    #expect(try items(text, into: scratch) == ["a 7", "x -", "g 3"])
    let before = try scratch.contents()
    _ = try items(text, into: scratch)
    #expect(try scratch.contents() == before)
    let version = try scratch.list("SELECT versionID FROM dataForm")
    #expect(version.count == 1)
    _ = try items(text.replacing("\"numberOfOptions\": 11", with: "\"numberOfOptions\": 9"), into: scratch)
    #expect(try scratch.list("SELECT versionID FROM dataForm") == version)
    #expect(try scratch.store.read { try Sheet.read("sheet", in: $0)?.items.first?.template.maximum } == MarkValue(10))
    #expect(scratch.store.close())
    let diagnosis = try Doctor(scratch.store.location, program: "test").examine()
    #expect(diagnosis.isSound, "\(diagnosis.verdict)")
  }

  @Test(
    "no deletion in a file takes a signed sheet that files brought out of the exam, unless it is forced",
    arguments: [
      ("TimetableAttendanceLog", #""uuid": "entry", "timetable": 12"#),
      ("Timetable", #""dsid": 12, "activityType": 10"#),
      ("ActivityType", #""dsid": 10, "name": "First", "clinicGroup": 9"#),
      ("ClinicGroup", #""dsid": 9, "name": "Red""#),
    ])
  func deletedAboveSigned(entity: String, row: String) throws {
    let scratch = try ScratchStore()
    _ = try items(bundle(Self.signedSheet, Self.section, Self.whole), into: scratch)
    let before = try scratch.contents()
    scratch.scratch.write("delete.json", "{\"entities\": {\"\(entity)\": [{\(row), \"dsDeleted\": true}]}}")
    let path = scratch.scratch.path + "/delete.json"
    let refusal = try #require(throws: ImportRefusal.self) { try scratch.load(path) }
    #expect(refusal == .losesSigned(sheets: 1, stations: ["S1"]))
    #expect(try scratch.contents() == before)
    #expect(try ExamImport.load([path], into: scratch.store, isForced: true).report?.changed == 1)
  }

  @Test("a station names its help call by the number that the reference gives it")
  func helpCallByNumber() throws {
    let scratch = try ScratchStore()
    func problems(_ number: Int) throws -> [String] {
      let text = bundle(#""AssistanceRequested": [{"dsid": 5, "station": 10}]"#)
        .replacing(#""code": "S1""#, with: #""code": "S1", "assistanceRequest": \#(number)"#)
      scratch.scratch.write("bundle.json", text)
      return try scratch.load(scratch.scratch.path + "/bundle.json").problems.map(\.message)
    }
    #expect(try problems(5) == [])
    #expect(try problems(6).count == 1)
    // Once it is in the store it need not be in the file.
    scratch.scratch.write(
      "bundle.json",
      #"{"entities": {"ActivityType": [{"dsid": 10, "name": "First", "clinicGroup": 9, "assistanceRequest": 5}]}}"#)
    #expect(try scratch.load(scratch.scratch.path + "/bundle.json").problems == [])
  }

  @Test("a phase keeps its length where a bundle leaves it out, and needs none to be deleted")
  func lengthLeftOut() throws {
    let scratch = try ScratchStore()
    scratch.scratch.write("bundle.json", bundle())
    let path = scratch.scratch.path + "/bundle.json"
    _ = try scratch.load(path)
    func problems(_ row: String) throws -> [String] {
      scratch.scratch.write("bundle.json", #"{"entities": {"CircuitStationDuration": [{"clinicGroup": 9, \#(row)}]}}"#)
      return try scratch.load(path).problems.map(\.message)
    }
    #expect(try problems(#""dsid": 9, "durationType": "break""#) == [])
    #expect(try scratch.list("SELECT durationType || duration FROM circuitStationDuration") == ["break5"])
    #expect(try problems(#""dsid": 8, "durationType": "break""#).count == 1)
    #expect(try problems(#""dsid": 9, "duration": 0"#).count == 1)
    #expect(try problems(#""dsid": 9, "seconds": 0"#) == [], "the store has minutes")
    #expect(try problems(#""dsid": 9, "seconds": 30"#) == [])
    #expect(try problems(#""dsid": 9, "duration": 0"#) == [], "the store has seconds by now")
    #expect(try problems(#""dsid": 9, "seconds": 0"#).count == 1)
    #expect(try scratch.list("SELECT duration || ':' || seconds FROM circuitStationDuration") == ["0:30"])
    #expect(try problems(#""dsid": 9, "dsDeleted": true"#) == [])
  }

  @Test("an item that a bundle has no row for is a blank, and its maximum counts")
  func blankItems() throws {
    let scratch = try ScratchStore()
    let text = bundle(Self.signedSheet, Self.section, Self.answered)
    _ = try items(text, into: scratch)
    let score = try #require(try scratch.store.read { try StoredScores.read(.init(), in: $0).sheets.first?.score })
    #expect(score.points == 7 && score.maximum == 15 && score.blanks == 1)
    let before = try scratch.contents()
    _ = try items(text, into: scratch)
    #expect(try scratch.contents() == before)
  }

  @Test("copies of a section that a bundle does not number are numbered in their order, and keep their numbers")
  func unnumberedCopies() throws {
    let scratch = try ScratchStore()
    func load(_ keys: String...) throws -> [String] {
      let rows = keys.map { #"{"uuid": "\#($0)", "name": "Sec", "dataForm": "sheet", "type": 4}"# }
      _ = try items(bundle(Self.openSheet, "\"DataSection\": [\(rows.joined(separator: ", "))]"), into: scratch)
      return try scratch.list("SELECT uuid || ' ' || copy FROM dataSection WHERE dsDeleted = 0 ORDER BY uuid")
    }
    #expect(try load("p", "q") == ["p 1", "q 2"])
    let before = try scratch.contents()
    #expect(try load("p", "q") == ["p 1", "q 2"])
    #expect(try scratch.contents() == before)
    #expect(try load("p", "q", "a") == ["a 3", "p 1", "q 2"])
  }

  @Test("a sheet without any row of an item is not filled")
  func emptySheet() throws {
    for parts in [[Self.openSheet], [Self.openSheet, Self.section]] {
      let scratch = try ScratchStore()
      let text = bundle(parts.joined(separator: ", "))
      #expect(try items(text, into: scratch) == ["a -", "x -", "g -"])
      #expect(try scratch.store.read { try Sheet.read("sheet", in: $0)?.isFilled } == false)
      #expect(try scratch.store.read { try StatusReport.read($0) }.total.filled == 0)
      let before = try scratch.contents()
      _ = try items(text, into: scratch)
      #expect(try scratch.contents() == before)
    }
  }

  @Test("what was made for want of a row gives way to the row that a later bundle has")
  func laterRows() throws {
    let scratch = try ScratchStore()
    #expect(try items(bundle(Self.openSheet), into: scratch) == ["a -", "x -", "g -"])
    let section = bundle(Self.openSheet, Self.section)
    let answered = bundle(Self.openSheet, Self.section, Self.answered)
    #expect(try items(section, into: scratch) == ["a -", "x -", "g -"])
    #expect(try items(answered, into: scratch) == ["a 7", "x -", "g 3"])
    let before = try scratch.contents()
    // An earlier one again, and then the same.
    for text in [section, answered] { #expect(try items(text, into: scratch) == ["a 7", "x -", "g 3"]) }
    #expect(try scratch.contents() == before)
  }

  @Test("what somebody has marked meanwhile stays beside the row that a later bundle has")
  func markedMeanwhile() throws {
    let scratch = try ScratchStore()
    _ = try items(bundle(Self.openSheet), into: scratch)
    let item = try scratch.list("SELECT uuid FROM dataQuestion WHERE itemLinkID = 16")[0]
    _ = try scratch.store.write(.program) { try $0.set("RatingQuestion", item, ["rating": .integer(5_000_000)]) }
    let found = try items(bundle(Self.openSheet, Self.section, Self.answered), into: scratch)
    #expect(found.contains("a 5") && found.contains("a 7"))
  }

  @Test("an item that was deleted is not made again")
  func deletedItem() throws {
    let scratch = try ScratchStore()
    let gone = Self.answered.replacing("\"rating\": 7", with: "\"rating\": 7, \"dsDeleted\": true")
    for _ in 1...2 {
      #expect(try items(bundle(Self.openSheet, Self.section, gone), into: scratch) == ["x -", "g 3"])
    }
  }

  @Test("a deleted sheet stays as it came, and no row below it is made")
  func deletedSheet() throws {
    let scratch = try ScratchStore()
    scratch.scratch.write("bundle.json", bundle(Self.openSheet.replacing("}]", with: ", \"dsDeleted\": true}]")))
    for _ in 1...2 {
      #expect(try scratch.load(scratch.scratch.path + "/bundle.json").report?.notDeleted == [])
      #expect(try scratch.count("dataForm WHERE dsDeleted = 1") == 1)
      #expect(try scratch.count("dataSection") == 0)
    }
  }

  @Test("sections and items that name no link are known by what they are of")
  func linksLeftOut() throws {
    let scratch = try ScratchStore()
    let text = bundle(Self.openSheet, Self.section, Self.answered)
      .replacing(", \"sectionToFormLink\": 5", with: "").replacing("\"itemLink\": 16", with: "\"itemLink\": null")
      .replacing("\"itemLink\": 18, ", with: "")
    #expect(try items(text, into: scratch) == ["a 7", "x -", "g 3"])
    let before = try scratch.contents()
    _ = try items(text, into: scratch)
    #expect(try scratch.contents() == before)
  }

  @Test("a sheet that an older program took without its version is read by its form as it stands")
  func unversionedInStore() throws {
    let scratch = try ScratchStore()
    _ = try items(bundle(Self.signedSheet, Self.section, Self.whole), into: scratch)
    try scratch.store.outsideTransaction { try $0.execute(sql: "UPDATE dataForm SET versionID = NULL") }
    let sheet = try #require(try scratch.store.read { try Sheet.read("sheet", in: $0) })
    #expect(sheet.items.map(\.template.text) == ["a", "x", "g"])
  }

  @Test("tags that a bundle has in rows of their own stand on their items, where an item does not say its own")
  func tagsInRows() throws {
    let scratch = try ScratchStore()
    let rows = #"""
      "AttributesSelected": [
        {"question": "a", "tag": "safety"}, {"question": "a", "tag": "infection"}, {"question": "a", "tag": "safety"},
        {"question": "g", "tag": "safety", "dsDeleted": true}]
      """#
    func tags() throws -> [[String]] {
      try #require(try scratch.store.read { try Sheet.read("sheet", in: $0) }).items.map(\.tags)
    }
    _ = try items(bundle(Self.signedSheet, Self.section, Self.whole, rows), into: scratch)
    #expect(try tags() == [["safety", "infection"], [], []])
    #expect(try scratch.store.read { try TagMirror.differences(in: $0).isEmpty })
    let own = Self.whole.replacing(#""rating": 7"#, with: #""rating": 7, "tags": ["kind"]"#)
    _ = try items(bundle(Self.signedSheet, Self.section, own, rows), into: scratch)
    #expect(try tags() == [["kind"], [], []])
  }

  @Test("the reference bundle has a row of each of the 37 entities")
  func reference() throws {
    let (bundle, problems) = BundleReader.read(Fixtures.path("reference-bundle.json"))
    #expect(problems == [])
    #expect(Set(try #require(bundle).rows.map(\.entity)).count == 37)
  }

  @Test("a folder with an error changes nothing, also beside a good one")
  func allOrNothing() throws {
    let scratch = try ScratchStore()
    let before = try scratch.contents()
    for bad in ["broken/unknown-assessor", "broken/bundle-wrong-type/bundle.json"] {
      let outcome = try scratch.load(Fixtures.path("year3-osce"), Fixtures.path(bad))
      #expect(outcome.report == nil)
      #expect(outcome.problems.hasErrors)
      #expect(try scratch.contents() == before)
    }
  }

  @Test("a bundle may refer to rows that the store has, and to no others")
  func destinations() throws {
    let scratch = try ScratchStore()
    _ = try scratch.load(Fixtures.path("reference-bundle.json"))
    let more = scratch.scratch.path + "/more.json"
    try """
    {"entities": {"Timetable": [
      {"dsid": 7, "activityType": 2, "staff": 1}, {"dsid": 8, "activityType": 2, "staff": 101}
    ]}}
    """.write(toFile: more, atomically: true, encoding: .utf8)
    let outcome = try scratch.load(more)
    #expect(outcome.report == nil)
    #expect(
      outcome.problems.map(\.message)
        == ["Timetable 8: 'staff' must name a row of Staff, but 101 is a row of Student"])
  }

  @Test("a bundle's hash that asks too much is refused; its plain passcode is known before the lock is taken")
  func passcodeHashes() throws {
    let scratch = try ScratchStore()
    let file = scratch.scratch.path + "/staff.json"
    let (salt, hash) = (Data(count: 16).base64EncodedString(), Data(count: 32).base64EncodedString())
    func write(_ fields: String) throws {
      try #"{"entities": {"Staff": [{"dsid": 1, "username": "ann", "surname": "Ann", \#(fields)}]}}"#
        .write(toFile: file, atomically: true, encoding: .utf8)
    }
    for kept in ["scrypt$1048576$32$1$\(salt)$\(hash)", "scrypt$16384$8$1", "md5$x", ""] {
      try write("\"passcodeHash\": \"\(kept)\"")
      let outcome = try scratch.load(file)
      #expect(outcome.report == nil, "\(kept)")
      #expect(outcome.problems.first?.message.hasPrefix("Staff 1: 'passcodeHash' is not scrypt") == true)
    }
    try write("\"passcodeHash\": \"scrypt$16384$8$1$\(salt)$\(hash)\"")
    #expect(try scratch.load(file).report?.created == 1)
    try write(#""passcode": "hunter-three""#)
    #expect(BundleReader.passcodes(file) == [.init(username: "ann", passcode: "hunter-three")])
    #expect(try scratch.load(file).report?.changed == 1)
    #expect(try scratch.load(file).report?.changed == 0)
  }

  @Test("a store whose people hold broken names and hashes takes an import with passcodes")
  func brokenPeople() throws {
    let scratch = try ScratchStore()
    let file = scratch.scratch.path + "/staff.json"
    try #"{"entities": {"Staff": [{"dsid": 1, "username": "ann", "surname": "Ann", "passcode": "one two"}]}}"#
      .write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try scratch.load(file).report?.created == 1)
    for column in ["username", "passcodeHash"] {
      try scratch.store.outsideTransaction { try $0.execute(sql: "UPDATE user SET \(column) = x'00ff'") }
      #expect(try scratch.load(file).report != nil, "\(column)")
    }
  }

  @Test(
    "no file rules, locks, writes operations, or says who was at a terminal and gave the right passcode",
    arguments: ["ExamRuling", "ExamLock", "Operation", "PasscodeAttempt", "Sitting", "Device"])
  func barred(entity: String) throws {
    let scratch = try ScratchStore()
    let file = scratch.scratch.path + "/bundle.json"
    try #"{"entities": {"\#(entity)": [{"uuid": "00000000-0000-4000-8000-0000000000aa"}]}}"#
      .write(toFile: file, atomically: true, encoding: .utf8)
    let outcome = try scratch.load(file)
    #expect(outcome.report == nil)
    #expect(outcome.problems.map(\.description).count == 1)
    #expect(try #require(outcome.problems.first).description.hasSuffix("; take its rows out of the file"))
  }

  @Test("a bundle is read and refused without the store's lock", .timeLimit(.minutes(15))) func refusedUnlocked() throws
  {
    let store = try ScratchStore()
    _ = try store.load(Fixtures.path("reference-bundle.json"))
    store.scratch.write("wrong.json", #"{"entities": {"Staff": [{"dsid": 1, "nonsense": 1}]}}"#)
    let lock = try HeldLock(store.store.location.path + ".lock")
    let isFree = Atomic<Bool>(false)
    let release = DispatchWorkItem {
      isFree.store(true, ordering: .relaxed)
      lock.release()
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + 10, execute: release)
    defer { release.cancel() }
    let outcome = try store.load(Fixtures.path("reference-bundle.json"), store.scratch.path + "/wrong.json")
    #expect(outcome.report == nil && outcome.problems.hasErrors)
    let wasFree = isFree.load(ordering: .relaxed)
    #expect(!wasFree)
  }

  @Test("a bundle that names a path for backups is taken, and the path is not: one line says so") func backupPath()
    throws
  {
    let store = try ScratchStore()
    let settings = #"{"backup": {"path": "/etc/victim", "minutes": 2}}"#
    store.scratch.write(
      "exam.json", #"{"entities": {"Config": [{"dsid": 1, "examName": "E", "settings": \#(settings)}]}}"#)
    let path = store.scratch.path + "/exam.json"
    let line = "\(path):1: warning: Config 1: the exam's settings name /etc/victim for backups, which is ignored"
    #expect(ExamCheck.problems(of: path).map { "\($0)".hasPrefix(line) } == [true])
    let outcome = try store.load(path)
    #expect(outcome.report != nil && outcome.problems.map { "\($0)".hasPrefix(line) } == [true])
    #expect(try store.store.read { try ExamSettings.read($0).backup.minutes } == 2)
  }

  @Test("a changed folder updates the rows of the same natural keys and adds no others")
  func update() throws {
    let scratch = try ScratchStore()
    var exam = SmallExam()
    _ = try scratch.load(exam)
    exam.exam = exam.exam.replacingOccurrences(of: "[1, empty, 2]", with: "[empty, 1, 2]")
      .replacingOccurrences(of: "name: Third", with: "name: The third")
    let report = try scratch.load(exam)
    #expect(report.created == 0)
    // A station's name, and candidate 1's round at three stations.
    #expect(report.changed == 4)
    #expect(try scratch.count("timetableAttendanceLog") == 6)
    #expect(try scratch.list("SELECT name FROM activityType ORDER BY \"order\"") == ["First", "Second", "The third"])
  }

  @Test("what a folder no longer has is taken out of view, and comes back with its old key")
  func retired() throws {
    let scratch = try ScratchStore()
    var exam = SmallExam()
    let whole = exam
    _ = try scratch.load(exam)
    let keys = try scratch.list("SELECT uuid FROM timetableAttendanceLog ORDER BY uuid")
    exam.exam = exam.exam.replacingOccurrences(of: "[1, empty, 2]", with: "[1, empty, empty]")
      .replacingOccurrences(of: "[rotation 5 min]", with: "[rotation 6 min]")
    exam.sheet = exam.sheet.replacingOccurrences(of: "      - Washes hands\n", with: "")
    _ = try scratch.load(exam)
    #expect(try scratch.count("timetableAttendanceLog WHERE dsDeleted = 0") == 3)
    #expect(try scratch.count("questionToSection WHERE dsDeleted = 0") == 1)
    _ = try scratch.load(whole)
    #expect(try scratch.list("SELECT uuid FROM timetableAttendanceLog WHERE dsDeleted = 0 ORDER BY uuid") == keys)
    #expect(try scratch.count("questionToSection WHERE dsDeleted = 0") == 2)
  }

  @Test("a session whose date was corrected takes the old one's place; one that was begun stays whole, and it is said")
  func movedSession() throws {
    func imported(_ exam: SmallExam, into store: ExamStore) throws -> ExamImport.Outcome {
      let folder = exam.write()
      return try withExtendedLifetime(folder) { try ExamImport.load([folder.path], into: store) }
    }
    func planned(_ store: ExamStore) throws -> [String] {
      try store.read { try StationSession.all(in: $0) }.map { "\($0.session.date) \($0.stationCode)" }
    }
    let scratch = Scratch()
    chmod(scratch.path, 0o700)
    let store = try ExamStore(StoreLocation(path: scratch.path + "/exam.sqlite"), .createIfMissing)
    defer { store.close() }
    var exam = SmallExam()
    _ = try imported(exam, into: store)
    exam.exam = exam.exam.replacing("date: 2026-12-07", with: "date: 2026-12-08")
    _ = try imported(exam, into: store)
    #expect(try planned(store) == ["2026-12-08 A", "2026-12-08 B", "2026-12-08 C"])
    let place = try #require(try store.read { try StationSession.all(in: $0) }.first)
    let entry = try #require(
      try store.read { try Roster.entries(timetable: place.timetable, seat: .lead, in: $0) }.first)
    try store.write(.program) { try Attendance.record(true, for: entry, in: $0) }
    exam.exam = exam.exam.replacing("date: 2026-12-08", with: "date: 2026-12-09")
    let outcome = try imported(exam, into: store)
    #expect(try planned(store).count == 6)
    #expect(
      outcome.problems.contains {
        $0.severity == .warning
          && $0.message
            == "the session Circuit 2026-12-08 09:00 is not in the folder any more, but was begun: it stays planned"
      })
  }

  @Test(
    "a session that was begun keeps a station that the folder has no more, and its sheets",
    arguments: [("2026-12-08", "is not in the folder any more"), ("2026-12-07", "has fewer stations in the folder")])
  func stationOfABegunSession(date: String, text: String) throws {
    let scratch = try ScratchStore()
    var exam = SmallExam()
    _ = try scratch.load(exam)
    func planned() throws -> [String] {
      try scratch.store.read { try StationSession.all(in: $0) }.map { "\($0.session.date) \($0.stationCode)" }
    }
    func expected() throws -> Int {
      try scratch.store.read { try StatusReport.read($0) }.sessions.reduce(0) { $0 + $1.counts.expected }
    }
    let sheets = try expected()
    let place = try #require(try scratch.store.read { try StationSession.all(in: $0) }.first)
    let entry = try #require(
      try scratch.store.read { try Roster.entries(timetable: place.timetable, seat: .lead, in: $0) }.first)
    try scratch.store.write(.program) { try Attendance.record(true, for: entry, in: $0) }
    exam.exam = exam.exam.replacing("{ code: C, name: Third,", with: "{ code: D, name: Fourth,")
      .replacing("C: ben", with: "D: ben").replacing("date: 2026-12-07", with: "date: \(date)")
    let folder = exam.write()
    let outcome = try withExtendedLifetime(folder) { try scratch.load(folder.path) }
    #expect(outcome.report != nil)
    #expect(outcome.problems.contains { $0.severity == .warning && $0.message.contains(text) })
    #expect(Set(try planned()).isSuperset(of: ["A", "B", "C"].map { "2026-12-07 \($0)" } + ["\(date) D"]))
    #expect(try expected() > sheets)
  }

  @Test("a station that a begun session loses in the folder leaves everybody in their rounds")
  func ringOfABegunSession() throws {
    let scratch = try ScratchStore()
    var exam = SmallExam()
    exam.exam = exam.exam.replacing("[1, empty, 2]", with: "[1, 2, empty]")
    _ = try scratch.load(exam)
    func rounds() throws -> [String] {
      try scratch.list(
        """
        SELECT a.code || ' ' || e."order" || ' ' || u.studentNumber FROM timetableAttendanceLog e
        JOIN timetable t ON t.dsid = e.timetableID JOIN activityType a ON a.dsid = t.activityTypeID
        JOIN user u ON u.dsid = e.studentID WHERE e.dsDeleted = 0 ORDER BY 1
        """)
    }
    let before = try rounds()
    #expect(before == ["A 1 1", "A 3 2", "B 1 2", "B 2 1", "C 2 2", "C 3 1"])
    let place = try #require(try scratch.store.read { try StationSession.all(in: $0) }.first)
    let entry = try #require(
      try scratch.store.read { try Roster.entries(timetable: place.timetable, seat: .lead, in: $0) }.first)
    try scratch.store.write(.program) { try Attendance.record(true, for: entry, in: $0) }
    exam.exam = exam.exam.replacing("  - { code: C, name: Third, sheets: A }\n", with: "")
      .replacing(", C: ben", with: "").replacing("[1, 2, empty]", with: "[1, 2]")
    let report = try scratch.load(exam)
    #expect(try rounds() == before, "\(report.lines)")
  }

  @Test("a circuit that the folder lacks stays planned, with a warning; without sessions there it is taken out")
  func lackedCircuit() throws {
    let scratch = try ScratchStore()
    func warnings(_ exam: SmallExam) throws -> [String] {
      let folder = exam.write()
      let outcome = try withExtendedLifetime(folder) { try scratch.load(folder.path) }
      #expect(outcome.report != nil)
      return outcome.problems.map(\.description)
    }
    func planned() throws -> [String] {
      try scratch.list(
        """
        SELECT DISTINCT c.code FROM timetable t JOIN activityType a ON a.dsid = t.activityTypeID
        JOIN clinicGroup c ON c.dsid = a.clinicGroupID WHERE t.dsDeleted = 0 ORDER BY c.code
        """)
    }
    var exam = SmallExam()
    #expect(try warnings(exam) == [])
    exam.exam = exam.exam.replacing("code: X,", with: "code: Y,").replacing("      X:", with: "      Y:")
    #expect(
      try warnings(exam) == [
        "exam.yaml:1: warning: the circuit 'X' is not in the folder any more: its sessions stay planned; to take them "
          + "out, put the circuit back without sessions"
      ])
    #expect(try planned() == ["X", "Y"])
    exam.exam = exam.exam.replacing("circuits:\n  - {", with: "circuits:\n  - { code: X, name: Old }\n  - {")
    #expect(try !warnings(exam).contains { $0.contains("stay planned") })
    #expect(try planned() == ["Y"])
  }

  @Test("two folders are parts of one exam: the roles and phrases of both, the results of the one that has them")
  func parts() throws {
    let scratch = try ScratchStore()
    var (first, second) = (SmallExam(), SmallExam())
    first.exam += "\nphrases: [Well done.]\nresults:\n  method: borderlineRegression\n"
    first.staff = "username,surname,role\nann,Ann,\nben,Ben,\ncleo,Cleo,lead\n"
    second.exam =
      second.exam.replacing("code: X,", with: "code: Y,").replacing("      X:", with: "      Y:")
      + "\nphrases: [Too fast.]\n"
    let folders = [first.write(), second.write()]
    let outcome = try withExtendedLifetime(folders) { try scratch.load(folders[0].path, folders[1].path) }
    #expect(outcome.report != nil && !outcome.problems.contains { $0.message.contains("stay planned") })
    let settings = try #require(try scratch.list("SELECT settings FROM config").first)
    for part in ["\"cleo\":\"lead\"", "Well done.", "Too fast.", "borderlineRegression"] {
      #expect(settings.replacing(" ", with: "").contains(part.replacing(" ", with: "")), "\(part): \(settings)")
    }
    let before = try scratch.contents()
    _ = try withExtendedLifetime(folders) { try scratch.load(folders[0].path, folders[1].path) }
    #expect(try scratch.contents() == before)
  }

  @Test(
    "two folders that are not of one exam are refused in one line that names both",
    arguments: [
      ("exam: Small exam", "exam: Other exam", "'exam'"), ("Europe/London", "Europe/Paris", "'timeZone'"),
      ("phases:", "showNames: false\nphases:", "'showNames'"),
      ("borderlineRegression", "borderlineGroup", "'results'"), ("Days: 8", "Days: 9", "'retentionDays'"),
      ("ben,Ben,", "ben,Ben,lead", "the role of 'ben'"),
    ])
  func otherExam(old: String, new: String, differs: String) throws {
    let scratch = try ScratchStore()
    var exam = SmallExam()
    exam.exam += "\nretentionDays: 8\nresults: { method: borderlineRegression }\n"
    exam.staff = "username,surname,role\nann,Ann,\nben,Ben,\n"
    let first = exam.write()
    exam.exam = exam.exam.replacing(old, with: new)
    exam.staff = exam.staff.replacing(old, with: new)
    let second = exam.write()
    let before = try scratch.contents()
    let outcome = try scratch.load(first.path, second.path)
    #expect(outcome.report == nil)
    #expect(
      outcome.problems.filter { $0.severity == .error }.map(\.message) == [
        "the folders \(first.path) and \(second.path) differ in \(differs): make it the same in both, or import each "
          + "into its own store"
      ])
    #expect(ExamImport.problems(ofFolders: [first.path, second.path]).hasErrors)
    #expect(try scratch.contents() == before)
  }

  @Test("a candidate who was added on the day and is in the folder later has one entry", arguments: [3, nil])
  func addedOnTheDay(round: Int?) throws {
    let scratch = try ScratchStore()
    var exam = SmallExam()
    exam.candidates += "3,Three\n"
    _ = try scratch.load(exam)
    let station = try #require(
      try scratch.store.read { try StationSession.all(in: $0) }.first { $0.stationCode == "A" })
    let added = try scratch.store.write(.program) {
      try AdditionalCandidate.add(number: "3", timetable: station.timetable, round: round, in: $0)
    }
    exam.exam = exam.exam.replacing("[1, empty, 2]", with: "[1, 3, 2]")
    let report = try scratch.load(exam)
    #expect(report.created == 2)
    #expect(report.kept.isEmpty, "without a round it gets that of the folder")
    #expect(try scratch.count("timetableAttendanceLog WHERE dsDeleted = 0") == 9)
    let here = "FROM timetableAttendanceLog e JOIN user u ON u.dsid = e.studentID AND u.studentNumber = '3'"
    #expect(
      try scratch.list("SELECT e.uuid \(here) WHERE e.timetableID = \(station.timetable) AND e.dsDeleted = 0") == [
        added
      ])
    let before = try scratch.contents()
    _ = try scratch.load(exam)
    #expect(try scratch.contents() == before)
  }

  @Test("a roster entry with a comment alone, and its station, stay when the folder drops them")
  func commentedEntry() throws {
    let scratch = try ScratchStore()
    var exam = SmallExam()
    _ = try scratch.load(exam)
    let entries = try scratch.list("SELECT uuid FROM timetableAttendanceLog ORDER BY uuid")
    _ = try scratch.store.write(.program) { transaction in
      for entry in entries { try Comments.add("did not come", to: .candidate(entry), in: transaction) }
    }
    exam.exam = exam.exam.replacingOccurrences(of: "[1, empty, 2]", with: "[1, empty, empty]")
    exam.candidates = "number,surname\n1,One\n"
    _ = try scratch.load(exam)
    #expect(try scratch.list("SELECT uuid FROM timetableAttendanceLog WHERE dsDeleted = 0 ORDER BY uuid") == entries)
  }

  @Test("a roster entry with a mark stays when the folder drops its candidate")
  func usedEntry() throws {
    let scratch = try ScratchStore()
    var exam = SmallExam()
    _ = try scratch.load(exam)
    let entry = try scratch.list(
      """
      SELECT e.uuid FROM timetableAttendanceLog e JOIN user u ON u.dsid = e.studentID
      WHERE u.studentNumber = '2' AND e."order" = 1
      """)[0]
    _ = try scratch.store.write(.program) { try $0.set("TimetableAttendanceLog", entry, ["present": .bool(true)]) }
    exam.exam = exam.exam.replacingOccurrences(of: "[1, empty, 2]", with: "[1, empty, empty]")
    exam.candidates = "number,surname\n1,One\n"
    let report = try scratch.load(exam)
    #expect(report.lines.contains("NOT deleted: 2 at C in round 1: it was made or changed here"), "\(report.lines)")
    #expect(try scratch.list("SELECT uuid FROM timetableAttendanceLog WHERE dsDeleted = 0").contains(entry))
    #expect(try scratch.count("timetableAttendanceLog WHERE dsDeleted = 0") == 4)
  }

  @Test("a field changed by hand is listed and kept")
  func byHand() throws {
    let scratch = try ScratchStore()
    var exam = SmallExam()
    _ = try scratch.load(exam)
    let station = try scratch.list("SELECT dsid FROM activityType WHERE code = 'A'")[0]
    _ = try scratch.store.write(.program) { try $0.set("ActivityType", station, ["name": .text("By hand")]) }
    exam.exam = exam.exam.replacingOccurrences(of: "name: First", with: "name: From the file")
    let report = try scratch.load(exam)
    #expect(report.kept.map(\.field) == ["name"])
    #expect(report.lines.contains("not overwritten, edited since the last import: station A name"), "\(report.lines)")
    #expect(try scratch.list("SELECT name FROM activityType WHERE code = 'A'") == ["By hand"])
  }

  @Test("a passcode is stored as a hash only, and an import with the same passcode changes nothing")
  func passcode() throws {
    let scratch = try ScratchStore()
    var exam = SmallExam()
    exam.staff = "username,surname,passcode\nann,Ann,hunter-two\nben,Ben,\n"
    _ = try scratch.load(exam)
    let hash = try scratch.list("SELECT passcodeHash FROM user WHERE username = 'ann'")[0]
    #expect(Passcode.verify("hunter-two", against: hash))
    #expect(try scratch.contents().allSatisfy { !$0.contains("hunter-two") })
    let report = try scratch.load(exam)
    #expect(report.changed == 0)
  }

  @Test("a folder imported beside a bundle takes numbers that are free")
  func beside() throws {
    let scratch = try ScratchStore()
    _ = try scratch.load(Fixtures.path("reference-bundle.json"))
    #expect(try scratch.load(SmallExam()).kept == [])
    #expect(try scratch.count("user") == 6 + 4)
    #expect(try scratch.count("clinicGroup") == 2)
  }
}
