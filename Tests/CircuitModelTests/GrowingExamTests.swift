import GRDB
import Journal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("What reports and screens read as an exam grows")
struct GrowingExamTests {
  /// The small exam with further sessions on later days, all of whose sheets are marked by one of the assessors.
  private func exam(sessions: Int) throws -> MarkedExam {
    var rows: [ImportRow] = []
    for session in 1...sessions {
      for station in 1...2 {
        let timetable = 100 * session + station
        rows.append(
          SmallExam.row(
            "Timetable", "\(timetable)",
            [
              "activityType": .integer(Int64(station)), "staff": .integer(2), "startTime": .text("09:00"),
              "date": .text("2027-\(10 + session / 20)-\(10 + session % 20)"),
            ]))
        for round in 1...2 {
          rows.append(
            SmallExam.row(
              "TimetableAttendanceLog", entry(timetable, round),
              SmallExam.place(timetable: Int64(timetable), student: Int64(10 + round), round: Int64(round))))
        }
      }
    }
    let exam = try MarkedExam(rows)
    for session in 1...sessions {
      try exam.store.write(Author(staff: 2)) { transaction in
        for round in 1...2 {
          let key = try SheetGenerator.makeSheets(
            entry: entry(100 * session + 1, round), seat: .lead, in: transaction)[0]
          for item in try Sheet.read(key, in: transaction.db)?.items.prefix(2) ?? [] {
            try Marking(transaction).mark(item, level: item.template.levels[0])
          }
        }
      }
    }
    return exam
  }

  private func entry(_ timetable: Int, _ round: Int) -> String { DerivedKeys.key("Grown", "\(timetable)", "\(round)") }

  private func steps(_ exam: MarkedExam, _ body: (Database) throws -> Void) throws -> Int {
    try exam.store.read { try body($0) }
    return try ReadSteps.of(exam.store) { try exam.store.read { try body($0) } }
  }

  @Test("reports cost what there is to report: twice the marks at most twice the steps")
  func reports() throws {
    func cost(_ exam: MarkedExam) throws -> [(String, Int)] {
      let export = Export(.marks, format: .csv)
      return [
        ("plan", try steps(exam) { _ = try PlanReport.read($0) }),
        ("status", try steps(exam) { _ = try StatusReport.read($0) }),
        ("missing", try steps(exam) { try MissingMark.forEach(in: $0, at: exam.store.clock.now) { _ in } }),
        ("export", try steps(exam) { try export.forEachRow(in: $0, at: exam.store.clock.now) { _ in } }),
      ]
    }
    let (small, large) = (try cost(try exam(sessions: 20)), try cost(try exam(sessions: 40)))
    for ((name, small), (_, large)) in zip(small, large) {
      #expect(large < small * 21 / 10, "\(name): \(large), not \(small)")
    }
  }

  @Test("what others marked costs the roster, the desk, undo and an open sheet nothing")
  func screens() throws {
    func cost(_ exam: MarkedExam) throws -> [(String, Int)] {
      let key = try exam.open(1).key
      try exam.mark(key, item: 1, level: 1)
      // Others go on after one's own last mark.
      let other = try exam.open(2).key
      try exam.store.write(Author(staff: 2)) { transaction in
        for item in try Sheet.read(other, in: transaction.db)?.items.prefix(2) ?? [] {
          try Marking(transaction).mark(item, level: item.template.levels[1])
        }
      }
      let now = exam.store.clock.now
      return [
        ("roster", try steps(exam) { _ = try Roster.entries(timetable: 1, seat: .lead, in: $0) }),
        ("hall", try steps(exam) { _ = try HallView.read(exam.session, at: now, in: $0) }),
        ("clearance", try steps(exam) { _ = try StationClearance.read(exam.session, in: $0) }),
        ("clocks", try steps(exam) { _ = try HallRuns.all(at: now, in: $0) }),
        ("station session", try steps(exam) { _ = try StationSession.find(1, in: $0) }),
        ("undo", try steps(exam) { _ = try SessionUndo.last(staff: 1, timetable: 1, in: $0) }),
        ("undo on a sheet", try steps(exam) { _ = try SessionUndo.last(staff: 1, timetable: 1, sheet: key, in: $0) }),
        ("sheet", try steps(exam) { _ = try Sheet.read(key, in: $0) }),
      ]
    }
    let (small, large) = (try cost(try exam(sessions: 5)), try cost(try exam(sessions: 40)))
    for ((name, small), (_, large)) in zip(small, large) {
      // The random keys of one millisecond move a look-up by some steps.
      #expect(large < small + 60, "\(name): \(large), not \(small)")
    }
  }

  @Test("a dossier asks the rosters of the sessions that its candidate comes to, and no others")
  func dossier() throws {
    let exam = try exam(sessions: 20)
    try exam.store.write(.program) {
      _ = try AdditionalCandidate.add(number: "9001", names: ["New"], timetable: 1, round: nil, in: $0)
    }
    let reads = RosterReads()
    exam.store.reader.inDatabase { $0.trace { reads.note("\($0)") } }
    let now = exam.store.clock.now
    let dossier = try exam.store.read { try CandidateDossier.read("9001", concerns: false, in: $0, at: now) }
    #expect(dossier.sessions.map(\.session) == [exam.session])
    #expect(1...3 ~= reads.count)
  }

  @Test("undo does not look at what others did since")
  func undo() throws {
    let exam = try MarkedExam()
    let (mine, theirs) = (try exam.open(1).key, try exam.open(2).key)
    try exam.mark(mine, item: 1, level: 1)
    let read: (Database) throws -> Void = { _ = try SessionUndo.last(staff: 1, timetable: 1, sheet: mine, in: $0) }
    let before = try steps(exam, read)
    let item = try exam.sheet(theirs).items[1]
    try exam.store.write(Author(staff: 2)) { transaction in
      var item = item
      item.shown = .unknown
      for number in 0..<500 { _ = try Marking(transaction).mark(item, level: item.template.levels[number % 3]) }
    }
    #expect(try steps(exam, read) < before + 60)
    #expect(try exam.store.read { try SessionUndo.last(staff: 1, timetable: 1, sheet: mine, in: $0) }?.sheet == mine)
  }
}

/// How often the roster of a session is asked for a candidate.
private final class RosterReads: @unchecked Sendable {
  private(set) var count = 0

  func note(_ statement: String) {
    if statement.contains("+t.startTime"), statement.contains("e.practice = 0") { count += 1 }
  }
}
