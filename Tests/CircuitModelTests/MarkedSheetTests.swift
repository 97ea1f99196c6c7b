import GRDB
import Journal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("What a sheet holds")
struct MarkedSheetTests {
  private let tooth: [String: Value] = ["quad": .text("1"), "tooth": .text("3")]

  /// Opens a candidate's sheet in a round, writes something on it, and clears the attendance again.
  private func use(
    _ exam: HallExam, _ student: Int, _ round: Int, _ write: (JournalTransaction, Sheet) throws -> Void
  ) throws -> String {
    let entry = try exam.entry(student, round)
    let key = try exam.write { try Attendance.passIdentityStep(entry: entry, seat: .lead, in: $0)[0] }
    let sheet = try exam.store.read { try Sheet.read(key, in: $0)! }
    try exam.write { try write($0, sheet) }
    let now = try exam.entry(student, round)
    try exam.write { try Attendance.record(nil, for: now, in: $0) }
    return key
  }

  private func refusal(_ exam: HallExam, _ first: Int, _ second: Int, _ round: Int) throws -> String? {
    do { _ = try exam.swap(first, second, round) } catch  where isRefusal(error) { return "\(error)" }
    return nil
  }

  @Test("a blank sheet is nobody's: its candidate can still change places")
  func blank() throws {
    let exam = try HallExam()
    let key = try use(exam, 101, 1) { _, _ in }
    #expect(try exam.store.read { try !MarkedSheet.holdsSomething(key, in: $0) })
    #expect(try refusal(exam, 101, 102, 1) == nil)
  }

  @Test("slots are not swapped over a sheet that holds anything at all, and it is counted where it is not expected")
  func anything() throws {
    let writings: [(String, (JournalTransaction, Sheet) throws -> Void)] = [
      ("tooth", { try $0.set("DataSection", $1.sections[0].key, tooth) }),
      ("quantity", { try $0.set("DataSection", $1.sections[0].key, ["quantity": .integer(2)]) }),
      ("difficulty", { try $0.set("DataSection", $1.sections[0].key, ["difficulty": .integer(2)]) }),
      ("level", { _ = try Marking($0).mark($1.items[0], level: $1.items[0].template.levels[0]) }),
      ("unable", { try $0.set("RatingQuestion", $1.items[1].key, ["unable": .bool(true)]) }),
      ("feedback", { try $0.set("RatingQuestion", $1.items[1].key, ["feedback": .text("slower")]) }),
      ("text", { try $0.set("DataQuestion", $1.items[2].key, ["feedback": .text("calm")]) }),
      ("tags", { try $0.set("RatingQuestion", $1.items[0].key, ["tags": .text("[\"kind\"]")]) }),
      ("times", { try $0.set("RatingQuestion", $1.items[0].key, ["times": .integer(2)]) }),
      ("note", { try $0.set("RatingQuestion", $1.items[0].key, ["note": .text("slow")]) }),
      ("case", { try $0.set("RatingQuestion", $1.items[0].key, ["completedCase": .bool(true)]) }),
      ("recommended", { try $0.set("RatingQuestion", $1.items[0].key, ["recommended": .bool(true)]) }),
      (
        "copy",
        { transaction, sheet in
          var template = sheet.sections[0].template
          template.isDuplicable = true
          _ = try SheetGenerator.make(
            template, copy: 2, key: UUIDBytes.random().description, order: 1, sheet: sheet.key, in: transaction)
        }
      ),
    ]
    for (name, write) in writings {
      let exam = try HallExam()
      let key = try use(exam, 101, 1, write)
      #expect(try exam.store.read { try MarkedSheet.holdsSomething(key, in: $0) }, "\(name)")
      #expect(try refusal(exam, 101, 102, 1)?.contains("has marks at A1") == true, "\(name)")
      #expect(try exam.write { try HallAttendance.absent(101, from: 1, in: exam.session, $0) } == 4, "\(name)")
      let entry = try exam.entry(101, 1)
      try exam.write { try Attendance.record(false, for: entry, in: $0) }
      let report = try exam.store.read { try StatusReport.read($0) }
      #expect(report.total.unexpected == 1, "\(name)")
    }
  }

  @Test("a signature alone keeps a sheet where it is")
  func signature() throws {
    let exam = try HallExam()
    let key = try use(exam, 101, 1) { try $0.set("DataForm", $1.key, ["signedAt": .integer(1)], kind: .sign) }
    #expect(try exam.store.read { try MarkedSheet.holdsSomething(key, in: $0) })
    #expect(try refusal(exam, 101, 102, 1)?.contains("has a signed sheet at A1") == true)
  }

  @Test("what was written about a candidate never comes under another's name by a change of slots")
  func notes() throws {
    let exam = try HallExam()
    let entry = try exam.entry(101, 1)
    let comment = try exam.write { try Comments.add("shook", to: .candidate(entry.key), in: $0) }
    #expect(try refusal(exam, 101, 102, 1)?.contains("has a comment or a private note at A1") == true)
    #expect(try exam.write { try HallAttendance.absent(101, from: 1, in: exam.session, $0) } == 5)
    try exam.write { try $0.delete("CommentMetaStationCandidate", comment) }
    #expect(try refusal(exam, 101, 102, 1) == nil)
  }

  @Test("a comment to the wrong candidate is moved though the sheet is blank")
  func movedComment() throws {
    let exam = try HallExam()
    let (from, to) = (try exam.entry(101, 1).key, try exam.entry(102, 5).key)
    try exam.write { _ = try Comments.add("shook", to: .candidate(from), in: $0) }
    let plan = try exam.store.read { try WrongCandidate.plan(.move(from: from, to: to), in: $0) }
    #expect(plan.lines { $0.name }.first?.hasSuffix("0 marks, 1 comment") == true)
    try exam.write { try WrongCandidate.apply(plan, reason: "mistaken", movesAttendance: false, in: $0) }
    let on = try exam.store.read {
      try String.fetchAll($0, sql: "SELECT attendanceLogID FROM commentMetaStationCandidate")
    }
    #expect(on == [to])
  }
}
