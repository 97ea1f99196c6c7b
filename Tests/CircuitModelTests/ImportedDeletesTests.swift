import GRDB
import Journal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Rows that files delete") struct ImportedDeletesTests {
  /// An exam with a sheet that was marked and signed.
  private func markedExam() throws -> (exam: MarkedExam, sheet: String) {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 0, level: 1)
    try exam.mark(sheet.key, item: 1, level: 3)
    try exam.sign(sheet.key)
    return (exam, sheet.key)
  }

  private func delete(_ exam: MarkedExam, _ rows: (String, String)...) throws -> ImportReport {
    try exam.store.write(.program) { transaction in
      try BundleImport.apply(
        rows.map { ImportRow(RowKey(entity: $0.0, id: $0.1), ["dsDeleted": .bool(true)]) }, in: transaction)
    }
  }

  private func isDeleted(_ exam: MarkedExam, _ entity: String, _ key: String) throws -> Bool {
    try exam.store.read { try RowTable.of(entity).values(of: key, in: $0)?["dsDeleted"] == .bool(true) }
  }

  private func marks(_ exam: MarkedExam) throws -> Int {
    try exam.rows(.marks).filter { $0["value"] != .empty }.count
  }

  @Test(
    "nothing that holds a mark is hidden, and each row that stays is listed",
    arguments: ["ClinicGroup", "ActivityType", "Timetable", "TimetableAttendanceLog", "DataForm", "Student"])
  func marksStay(entity: String) throws {
    let (exam, sheet) = try markedExam()
    let before = (marks: try marks(exam), missing: try exam.missing(), status: try exam.status().total)
    let key = ["TimetableAttendanceLog": SmallExam.entry(1), "DataForm": sheet, "Student": "11"][entity] ?? "1"
    let report = try delete(exam, (entity, key))
    #expect(report.notDeleted.map(\.row) == [RowKey(entity: entity, id: key)])
    #expect(report.changed == 0)
    #expect(before.marks == 2)
    #expect(try marks(exam) == before.marks)
    #expect(try exam.missing() == before.missing)
    #expect(try exam.status().total == before.status)
    #expect(try exam.status().hiddenMarks == 0)
    #expect(try exam.examine().failures == [])
  }

  @Test("attendance and comments are kept as marks are") func attendance() throws {
    let exam = try MarkedExam()
    try exam.store.write(exam.author) {
      _ = try $0.set("TimetableAttendanceLog", SmallExam.entry(2), ["present": .bool(false)])
    }
    let report = try delete(
      exam, ("TimetableAttendanceLog", SmallExam.entry(2)), ("TimetableAttendanceLog", SmallExam.entry(1)))
    let row = RowKey(entity: "TimetableAttendanceLog", id: SmallExam.entry(2))
    #expect(report.notDeleted == [.init(row: row, obstacle: .madeHere(row))])
    #expect(try isDeleted(exam, "TimetableAttendanceLog", SmallExam.entry(1)))
  }

  @Test("what nobody has touched goes with all that belongs to it, and comes back when the files have it again")
  func untouched() throws {
    let exam = try MarkedExam()
    #expect(try delete(exam, ("ClinicGroup", "1")).notDeleted == [])
    #expect(try exam.store.read { try StationSession.all(in: $0) }.isEmpty)
    #expect(try exam.examine().failures == [])
    #expect(try delete(exam, ("ClinicGroup", "1")).unchanged == 1)
    let back = ImportRow(RowKey(entity: "ClinicGroup", id: "1"), ["dsDeleted": .bool(false)])
    #expect(try exam.store.write(.program) { try BundleImport.apply([back], in: $0) }.changed == 1)
    #expect(try exam.store.read { try StationSession.all(in: $0) }.count == 2)
    #expect(try exam.examine().failures == [])
  }

  @Test("a candidate who is on a roster is not deleted, but goes together with the entries") func denied() throws {
    let exam = try MarkedExam()
    let report = try delete(exam, ("Student", "11"))
    guard case .neededBy(let row)? = report.notDeleted.first?.obstacle else {
      Issue.record("deleted")
      return
    }
    #expect(row.entity == "TimetableAttendanceLog")
    let entries = [1, 4].map { ("TimetableAttendanceLog", SmallExam.entry($0)) }
    #expect(try delete(exam, ("Student", "11"), entries[0], entries[1]).notDeleted == [])
    #expect(try isDeleted(exam, "Student", "11"))
  }

  @Test("what names a row that is deleted forgets it, unless a person chose it") func forgotten() throws {
    let exam = try MarkedExam()
    #expect(try delete(exam, ("Staff", "1")).notDeleted == [])
    #expect(try exam.store.read { try Int.fetchOne($0, sql: "SELECT staffID FROM timetable WHERE dsid = 1") } == nil)
    try exam.store.write(exam.author) { _ = try $0.set("Timetable", "2", ["coverStaff": .integer(2)]) }
    #expect(try delete(exam, ("Staff", "2")).notDeleted.count == 1)
  }

  @Test("a second assessor whom files delete is planned no more, and no sheet is expected of that seat")
  func secondAssessor() throws {
    let exam = try MarkedExam([SmallExam.secondAssessor])
    func seats() throws -> [Seat] { try exam.store.read { try StationSession.find(1, in: $0) }.assessors.map(\.seat) }
    #expect(try seats() == [.lead, Seat(name: "second")] && exam.status().total.expected == 4)
    #expect(try delete(exam, ("Staff", "2")).notDeleted == [])
    #expect(try seats() == [.lead] && exam.status().total.expected == 2)
    #expect(try exam.examine().failures == [])
  }

  @Test("a second assessor who is deleted after they have marked keeps the seat with its sheets")
  func secondAssessorWhoMarked() throws {
    let second = Seat(name: "second")
    let exam = try MarkedExam([SmallExam.secondAssessor])
    let sheet = try exam.open(1, seat: second)
    try exam.mark(sheet.key, item: 0, level: 1)
    #expect(try delete(exam, ("Staff", "2")).notDeleted == [])
    let assessors = try exam.store.read { try StationSession.find(1, in: $0) }.assessors
    #expect(assessors.map(\.seat) == [.lead, second] && assessors.last?.staff == 2)
    #expect(try exam.examine().failures == [])
  }

  @Test("a row that comes deleted is there, out of view, and comes back with what it was") func createdDeleted() throws
  {
    let exam = try MarkedExam()
    let row = SmallExam.row("StudentGroup", "5", ["name": .text("A"), "dsDeleted": .bool(true)])
    #expect(try exam.store.write(.program) { try BundleImport.apply([row], in: $0) }.created == 1)
    #expect(try isDeleted(exam, "StudentGroup", "5"))
    #expect(try exam.store.write(.program) { try BundleImport.apply([row], in: $0) }.unchanged == 1)
    let back = SmallExam.row("StudentGroup", "5", ["name": .text("A"), "dsDeleted": .bool(false)])
    #expect(try exam.store.write(.program) { try BundleImport.apply([back], in: $0) }.changed == 1)
    #expect(try isDeleted(exam, "StudentGroup", "5") == false)
    #expect(try exam.examine().failures == [])
  }

  @Test("what a person removed is not brought back by files") func removedByHand() throws {
    let exam = try MarkedExam()
    try exam.store.write(exam.author) { _ = try $0.delete("TimetableAttendanceLog", SmallExam.entry(2)) }
    let row = ImportRow(
      RowKey(entity: "TimetableAttendanceLog", id: SmallExam.entry(2)), ["dsDeleted": .bool(false)])
    let report = try exam.store.write(.program) { try BundleImport.apply([row], in: $0) }
    #expect(report.kept == [.init(row: row.row, field: "dsDeleted")])
    #expect(try isDeleted(exam, "TimetableAttendanceLog", SmallExam.entry(2)))
  }

  @Test("marks under what a person deleted or cancelled are counted, with where they are") func counted() throws {
    for change in ["delete", "cancel"] {
      let (exam, _) = try markedExam()
      try exam.store.write(exam.author) { transaction in
        if change == "delete" {
          _ = try transaction.delete("ClinicGroup", "1")
        } else {
          _ = try transaction.set("Timetable", "1", ["cancelled": .bool(true)])
        }
      }
      #expect(try exam.status().hiddenMarks == 2)
      #expect(try exam.status().json.text.hasSuffix(#""hiddenMarks":2}"#))
      let check = try #require(try exam.examine().checks.first { $0.name == "hidden marks" })
      #expect(check.result == .warning)
      #expect(check.detail.contains("H, Blue, 2026-12-07 09:00: 2"))
    }
  }

  @Test("marks in a section that somebody else took out of a sheet are counted, those of its remover are not")
  func removedSection() throws {
    for remover in [1, 2] {
      let exam = try MarkedExam([
        SmallExam.row("TypeSection", "1", ["name": .text("Opening"), "duplicable": .bool(true)])
      ])
      let sheet = try exam.open(1)
      let copy = try exam.store.write(exam.author) { try SectionCopies.add(sheet.sections[0], of: sheet, in: $0).key }
      try exam.mark(sheet.key, item: 4, level: 2)
      #expect(try exam.status().hiddenMarks == 0)
      try exam.store.write(Author(staff: remover)) { _ = try $0.delete("DataSection", copy) }
      #expect(try exam.status().hiddenMarks == (remover == 1 ? 0 : 1))
      #expect(try exam.examine().result("hidden marks") == (remover == 1 ? .ok : .warning))
    }
  }

  // MARK: What stays deleted

  private func load(_ exam: MarkedExam, _ rows: ImportRow...) throws -> ImportReport {
    try exam.store.write(.program) { try BundleImport.apply(rows, in: $0) }
  }

  @Test("a row that files deleted comes back only when they say that it is not deleted, and is listed otherwise")
  func silentRow() throws {
    let exam = try MarkedExam()
    let station: [String: Value] = ["name": .text("Y"), "clinicGroup": .integer(1)]
    _ = try delete(exam, ("ActivityType", "1"))
    let silent = try load(exam, SmallExam.row("ActivityType", "1", station))
    #expect(silent.leftDeleted == [RowKey(entity: "ActivityType", id: "1")])
    #expect(silent.changed == 0 && silent.kept == [])
    #expect(try isDeleted(exam, "ActivityType", "1"))
    let same = try load(exam, SmallExam.row("ActivityType", "1", ["name": .text("History")]))
    #expect(same.unchanged == 1 && same.leftDeleted == silent.leftDeleted)
    let spoken = station.merging(["dsDeleted": .bool(false)]) { $1 }
    #expect(try load(exam, SmallExam.row("ActivityType", "1", spoken)).changed == 1)
    #expect(try !isDeleted(exam, "ActivityType", "1"))
    #expect(try exam.examine().failures == [])
  }

  @Test("nobody who stays deleted is planned by a file, and who gave a mark is still named")
  func namesDeleted() throws {
    let exam = try MarkedExam()
    _ = try load(exam, SmallExam.row("Staff", "3", ["username": .text("cgone"), "surname": .text("Gone")]))
    _ = try delete(exam, ("Staff", "3"))
    let place = SmallExam.row("Timetable", "1", ["coverStaff": .integer(3)])
    let report = try load(exam, place)
    #expect(report.kept == [.init(row: place.row, field: "coverStaff", reason: .namesDeleted)] && report.changed == 0)
    let new = SmallExam.row(
      "Timetable", "9", ["activityType": .integer(1), "date": .text("2026-12-08"), "staff": .integer(3)])
    let created = try load(exam, new)
    #expect(created.kept == [.init(row: new.row, field: "staff", reason: .namesDeleted)] && created.created == 1)
    #expect(try exam.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM timetable WHERE staffID = 3") } == 0)
    let sheet = SmallExam.row(
      "DataForm", "f9",
      ["attendanceLog": .text(SmallExam.entry(2)), "type": .integer(1), "judgedBy": .integer(3)])
    #expect(try load(exam, sheet).kept == [])
    #expect(try exam.store.value("judgedBy", "DataForm", "f9") == .integer(3))
  }

  @Test("a changed or a new row below a deleted one brings nothing back, unless the files bring back all above it")
  func silentChild() throws {
    let exam = try MarkedExam()
    _ = try delete(exam, ("ClinicGroup", "1"))
    let changed = SmallExam.row("Timetable", "1", ["group": .text("A")])
    let new = SmallExam.row("Timetable", "9", ["activityType": .integer(1), "date": .text("2026-12-08")])
    let below = SmallExam.row("TimetableAttendanceLog", "e9", SmallExam.place(timetable: 9, student: 11, round: 1))
    let gone = SmallExam.row("ActivityType", "2", ["name": .text("Z"), "dsDeleted": .bool(true)])
    let report = try load(exam, below, changed, new, gone)
    #expect(report.leftDeleted == [below.row, changed.row, new.row])
    #expect(report.created == 0)
    #expect(try isDeleted(exam, "ClinicGroup", "1"))
    #expect(try exam.store.read { try RowTable.of("Timetable").values(of: "9", in: $0) } == nil)
    let back = SmallExam.row("ClinicGroup", "1", ["dsDeleted": .bool(false)])
    let again = try load(exam, below, changed, new, back)
    #expect(again.leftDeleted == [] && again.created == 2 && again.changed == 1)
    #expect(try !isDeleted(exam, "ClinicGroup", "1"))
    #expect(try exam.examine().failures == [])
  }

  @Test("a row that a person removed stays removed though files change other fields of it, or of rows below it")
  func removedByHandAndChanged() throws {
    let exam = try MarkedExam()
    try exam.store.write(exam.author) {
      _ = try $0.delete("TimetableAttendanceLog", SmallExam.entry(2))
      _ = try $0.delete("Timetable", "2")
    }
    let entry = RowKey(entity: "TimetableAttendanceLog", id: SmallExam.entry(2))
    for says in [["dsDeleted": Value.bool(false)], [:]] {
      let fields = says.merging(["order": .integer(5)]) { $1 }
      let report = try load(exam, ImportRow(entry, fields))
      #expect(report.kept == (says.isEmpty ? [] : [.init(row: entry, field: "dsDeleted")]))
      #expect(report.leftDeleted == (says.isEmpty ? [entry] : []))
      #expect(try isDeleted(exam, "TimetableAttendanceLog", SmallExam.entry(2)))
    }
    let child = SmallExam.row(
      "TimetableAttendanceLog", SmallExam.entry(3), ["dsDeleted": .bool(false), "order": .integer(5)])
    let parent = SmallExam.row("Timetable", "2", ["dsDeleted": .bool(false)])
    let report = try load(exam, child, parent)
    #expect(report.leftDeleted == [child.row] && report.kept == [.init(row: parent.row, field: "dsDeleted")])
    #expect(try isDeleted(exam, "Timetable", "2"))
    #expect(try exam.examine().failures == [])
  }
}
