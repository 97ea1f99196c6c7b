import GRDB
import Journal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Double marking")
struct DoubleMarkingTests {
  private let second = Seat(name: "second")

  private func exam(margin: Int64? = nil) throws -> MarkedExam {
    var rows: [ImportRow] = [
      SmallExam.row("AdditionalStaff", "a1", ["timetable": .integer(1), "staff": .integer(2), "seat": .text("second")])
    ]
    if let margin {
      rows.append(
        SmallExam.row(
          "ActivityType", "1",
          [
            "name": .text("History"), "code": .text("H"), "clinicGroup": .integer(1), "order": .integer(1),
            "doubleMarkingMargin": .integer(margin * Scaled.unit),
          ]))
    }
    return try MarkedExam(rows)
  }

  private func differences(_ exam: MarkedExam) throws -> [DoubleMarking.Difference] {
    try exam.store.read { try DoubleMarking.differences(exam.session, in: $0) }
  }

  private func mark(_ exam: MarkedExam, _ seat: Seat, staff: Int, binary: Int, rating: Int) throws -> String {
    let key = try exam.open(1, seat: seat).key
    for (item, level) in [(0, binary), (1, rating)] {
      let item = try exam.sheet(key).items[item]
      try exam.store.write(Author(staff: staff)) {
        _ = try Marking($0).mark(item, level: item.template.levels[level])
      }
    }
    return key
  }

  @Test("two signed sheets are compared in percent of the maximum, against ten points where nothing else is said")
  func differences() throws {
    let exam = try exam()
    let first = try mark(exam, .lead, staff: 1, binary: 1, rating: 4)
    let other = try mark(exam, second, staff: 2, binary: 0, rating: 4)
    #expect(try differences(exam).isEmpty)
    try exam.sign(first)
    #expect(try differences(exam).isEmpty)
    try exam.sign(other)
    let found = try #require(try differences(exam).first)
    #expect(found.first.seat == .lead && found.first.percent == 100 && found.second.assessor?.name == "Murphy")
    #expect(abs(found.points - 100.0 / 6) < 1e-9 && found.margin == 10 && found.isBeyond)
    #expect(found.candidate?.number == "1001" && found.round == 1)
  }

  @Test("a station's own margin stands, and a difference as large as it is none")
  func margin() throws {
    let exam = try exam(margin: 50)
    for (seat, staff, binary, rating) in [(.lead, 1, 1, 4), (second, 2, 0, 2)] as [(Seat, Int, Int, Int)] {
      try exam.sign(try mark(exam, seat, staff: staff, binary: binary, rating: rating))
    }
    let found = try #require(try differences(exam).first)
    #expect(found.points == 50 && !found.isBeyond)
  }

  @Test("without a session all are compared; the difference as JSON has whole hundredths")
  func json() throws {
    let exam = try exam()
    for (seat, staff, binary, rating) in [(.lead, 1, 1, 4), (second, 2, 0, 4)] as [(Seat, Int, Int, Int)] {
      try exam.sign(try mark(exam, seat, staff: staff, binary: binary, rating: rating))
    }
    let found = try #require(try exam.store.read { try DoubleMarking.differences(in: $0) }.first)
    let json = found.json.text
    #expect(json.contains(#""round":1,"student_number":"1001""#))
    #expect(json.contains(#""second":{"seat":"second","assessor":"bmurphy","score":5,"maximum":6,"percent":83.33}"#))
    #expect(json.hasSuffix(#""points":16.67,"margin":10,"beyond":true}"#))
  }

  @Test("concerns and sheets that could not be assessed in full are counted for the lead, practice is not")
  func forTheLead() throws {
    let exam = try exam()
    let sheet = try exam.open(1)
    let practice = try exam.store.write(.program) { try Attendance.practiceEntry(timetable: 1, in: $0) }
    try exam.store.write(Author(staff: 1)) {
      try Marking($0).markUnable(sheet.items[1])
      try Comments.add("unsafe", to: .candidate(SmallExam.entry(1)), isConcern: true, in: $0)
      try Comments.add("the room is too hot", to: .station(1), isConcern: true, in: $0)
      try Comments.add("no concern", to: .candidate(SmallExam.entry(1)), in: $0)
      try Comments.add("only tried", to: .candidate(practice), isConcern: true, in: $0)
    }
    let status = try exam.status()
    #expect(status.concerns == 2)
    #expect(status.total.unable == 1)
    #expect(status.json.text.contains(#""concerns":2"#) && status.json.text.contains(#""unable":1"#))
  }

  @Test("a seat reads at once what it may of every candidate's comments, the first first, without concerns")
  func texts() throws {
    let exam = try exam()
    for (staff, entry, text, isConcern) in [
      (1, 1, "calm", false), (1, 1, "unsafe", true), (1, 1, "then hurried", false), (2, 1, "slow", false),
      (1, 2, "well read", false),
    ] {
      try exam.store.write(Author(staff: staff)) {
        _ = try Comments.add(text, to: .candidate(SmallExam.entry(entry)), isConcern: isConcern, in: $0)
      }
    }
    func texts(_ seat: Seat) throws -> [String: [String]] {
      try exam.store.read { db in
        try Comments.texts(at: StationSession.find(1, in: db), seenFrom: seat, in: db)
      }
    }
    #expect(
      try texts(.lead) == [SmallExam.entry(1): ["calm", "then hurried"], SmallExam.entry(2): ["well read"]])
    #expect(try texts(second) == [SmallExam.entry(1): ["slow"]])
  }

  @Test("nothing that an assessor is given changes with what the other assessor does")
  func blind() throws {
    let exam = try exam()
    let own = try mark(exam, .lead, staff: 1, binary: 1, rating: 4)
    struct Seen: Equatable {
      let sheet: Sheet?
      let roster: [RosterEntry]
      let recent: [RecentMarks.Mark]
      let histories: [[ItemHistory.Change]]
      let step: SessionUndo.Step?
      let comments: [CircuitModel.Comment]
      let jots: [Jots.Line]
      let next: String?
      let plan: WrongCandidate.Plan
    }
    let entry = SmallExam.entry(1)
    func seen() throws -> Seen {
      try exam.store.read { db in
        let sheet = try Sheet.read(own, in: db)!
        let session = try StationSession.find(1, in: db)
        return Seen(
          sheet: sheet, roster: try Roster.entries(timetable: 1, seat: .lead, in: db),
          recent: try RecentMarks.last(8, of: sheet.items, in: db),
          histories: try sheet.items.map { try ItemHistory.read($0, in: db) },
          step: try SessionUndo.last(staff: 1, timetable: 1, in: db),
          comments: try Comments.all(.candidate(entry), seenFrom: .lead, of: session, in: db),
          jots: try Jots.all(entry: entry, author: 1, in: db),
          next: try SheetResume.entry(timetable: 1, seat: .lead, round: 1, in: db),
          plan: try WrongCandidate.plan(.move(from: entry, to: SmallExam.entry(2)), in: db))
      }
    }
    // The other's identity step is one of attendance, which both see; what is marked after it is not.
    let other = try exam.open(1, seat: second)
    let before = try seen()
    let author = Author(staff: 2)
    try exam.store.write(author) { transaction in
      let marking = Marking(transaction)
      try marking.mark(other.items[0], level: other.items[0].template.levels[0])
      try marking.mark(other.items[1], level: other.items[1].template.levels[2])
      try marking.write(other.items[2], "otherwise")
      try Comments.add("what I saw", to: .candidate(SmallExam.entry(1)), isConcern: true, in: transaction)
      try Jots.add("noted", entry: SmallExam.entry(1), phase: nil, in: transaction)
    }
    try exam.sign(other.key)
    let after = try seen()
    #expect(after.sheet == before.sheet)
    #expect(after.roster == before.roster)
    #expect(after == before)
  }
}
