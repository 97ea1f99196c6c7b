import CircuitModel
import ExamStore
import Standards
import Testing

@testable import ExamFiles
@testable import Reports

@Suite("Two assessors at closing") struct PairedExamTests {
  @Test("without a hub nothing is said to be at one") func noHub() throws {
    let lines = try PairedExam().closing().lines(listing: 0)
    #expect(lines.contains("✓ everything at the hub, if one is used") && !lines.contains("✓ everything at the hub"))
  }

  private func results(_ exam: PairedExam) throws -> Results {
    try exam.store.read { try ResultsReport.read(.init(), in: $0, at: exam.store.clock.now) }.results
  }

  private func reason(_ results: Results, _ candidate: String) -> Reason? {
    results.candidates.first { $0.number == candidate }?.stations.first { $0.station == "S" }?.reason
  }

  @Test("are not apart where they differ by the margin, whatever the last digits of both percentages are")
  func atMargin() throws {
    let exam = try PairedExam()
    for (candidate, x) in [(1, 7), (2, 6), (3, 10)] as [(Int, Double)] {
      try exam.give(0, candidate, 10, 10)
      try exam.give(1, candidate, 10, x)
    }
    let differences = try exam.store.read { try DoubleMarking.differences(in: $0) }
    let exact = try #require(differences.first { $0.candidate?.number == "1" })
    #expect(exact.points > exact.margin, "no last digits to be told apart")
    #expect(differences.filter(\.isBeyond).map { $0.candidate?.number } == ["2"])
    let lines = try exam.lines(.doubleMarks)
    #expect(lines.map(\.candidate) == ["2"] && lines.map(\.what) == ["two assessors are 13.3 points apart"])
    #expect(lines.allSatisfy { $0.station == "S" && $0.circuit == "Circuit" && $0.round != nil })
    #expect(try results(exam).stations.first { $0.station == "S" }?.comparisons.agreement?.score.beyondMargin == 1)
  }

  @Test("one of them is called the second assessor at the door and in a dossier, by the old name in its document")
  func text() throws {
    let exam = try PairedExam()
    let (dossier, doors) = try exam.store.read { db in
      var doors: [PaperPage] = []
      try ExamPapers(.doors).forEachPage(in: db, at: exam.store.clock.now) { doors.append($0) }
      return (try CandidateDossier.read("1", concerns: false, in: db, at: exam.store.clock.now), doors)
    }
    #expect(dossier.lines.contains("  Staff: Ann (assessor), Ben (second assessor)"))
    #expect(dossier.json.text.contains(#""role":"co-marker""#))
    #expect(doors.contains { "\($0)".contains("Ben (second assessor)") } && !"\(doors)".contains("co-marker"))
  }

  @Test("are compared by their scores in the results: items that are tried out say nothing")
  func pilotItems() throws {
    let exam = try PairedExam(results: ["doubleMarks: adjudicated", "stations: { S: { pilotItems: [x] } }"])
    for (candidate, a, x) in [(1, 10, 0), (2, 7, 10), (3, 10, 10)] as [(Int, Double, Double)] {
      try exam.give(0, candidate, 10, 10)
      try exam.give(1, candidate, a, x)
    }
    let open = try results(exam)
    #expect(["1", "2", "3"].filter { reason(open, $0) == .notAdjudicated } == ["2"])
    let line = try #require(try exam.lines(.doubleMarks).first)
    #expect(try exam.lines(.doubleMarks).count == 1)
    #expect(line.candidate == "2" && line.what == "two assessors are 15 points apart")
    // The lead sees the same figures where the two are compared.
    let comparison = try exam.store.read {
      try SheetComparison.read(
        circuit: line.circuit ?? "", session: line.session ?? "", station: line.station ?? "",
        candidate: line.candidate ?? "", in: $0)
    }
    #expect(comparison?.points == 15 && comparison?.assessors.map(\.percent) == [50, 35])
    let lead = try exam.store.read { try ExamLead.authorise(ExamLead.find(username: "lea", in: $0), by: nil) }
    try exam.store.write(Author(staff: lead.member.id)) { transaction in
      _ = try Rulings.make(
        .adjudication(.mean), on: .init(station: "S", candidate: "2"), reason: "heard the tape", by: lead, transaction)
    }
    #expect(try exam.lines(.doubleMarks).isEmpty && reason(results(exam), "2") != .notAdjudicated)
  }

  @Test("who fill several sheets each have one score, and one line where the two are apart") func severalSheets() throws
  {
    let exam = try PairedExam(sheets: "[H, I]", results: ["doubleMarks: adjudicated"])
    for (candidate, first, second) in [(1, 8, 7), (2, 2, 2), (3, 10, 5)] as [(Int, Double, Double)] {
      try exam.give(0, candidate, 10, 10, on: "H")
      try exam.give(0, candidate, 5, 0, on: "I")
      try exam.give(1, candidate, first, candidate == 3 ? 10 : 6, on: "H")
      try exam.give(1, candidate, second, candidate == 1 ? 4 : 0, on: "I")
    }
    // 25 of 60 each; 25 and 10 of 60; 25 each.
    let lines = try exam.lines(.doubleMarks)
    #expect(lines.map(\.candidate) == ["2"] && lines.map(\.what) == ["two assessors are 25 points apart"])
    #expect(try reason(results(exam), "1") == nil && reason(results(exam), "2") == .notAdjudicated)
  }

  @Test("keep nothing open of a candidate who is left out, or excused at the station") func notDue() throws {
    let exam = try PairedExam(
      results: [
        "exclude:", "  - { candidate: 1, reason: Withdrawn }", "  - { station: S, candidate: 2, reason: Fire alarm }",
      ])
    for candidate in 1...3 {
      try exam.give(0, candidate, 20, 10)
      try exam.give(1, candidate, 0, 0)
    }
    #expect(try exam.lines(.doubleMarks).map(\.candidate) == ["3"])
  }

  @Test("are each compared with the lead assessor, and two others with each other where both are close to that one")
  func threeAssessors() throws {
    let exam = try PairedExam(others: "[ben, cat]")
    for (candidate, marks) in [(1, [8, 6, 10]), (2, [10, 6, 6]), (3, [10, 10, 10])] as [(Int, [Double])] {
      for (seat, x) in marks.enumerated() { try exam.give(seat, candidate, 10, x) }
    }
    let lines = try exam.lines(.doubleMarks)
    #expect(lines.map(\.candidate) == ["1", "2", "2"])
    #expect(Set(lines.map(\.what)) == ["two assessors are 13.3 points apart"] && Set(lines.map(\.id)).count == 3)
  }

  @Test("may leave no global rating blank, also where their sheet does not require it")
  func blankGrade() throws {
    let exam = try PairedExam()
    #expect(try exam.lines(.blankGlobal).isEmpty)
    try exam.set("global", 1, 2, to: nil)
    try exam.set("x", 0, 3, to: nil)
    let lines = try exam.lines(.blankGlobal)
    #expect(lines.map(\.candidate) == ["2"] && lines.map(\.item) == ["global"] && lines.map(\.call) == ["ben"])
    #expect(lines.map(\.what) == ["item 3 is blank: Global"])
    #expect(try exam.lines(.blankRequired).isEmpty)
    try exam.set("a", 0, 3, to: nil)
    #expect(try exam.lines(.blankRequired).map(\.item) == ["a"] && exam.lines(.blankGlobal).count == 1)
  }
}
