import CircuitModel
import ExamStore
import Foundation
import GRDB
import Testing

@testable import ExamFiles
@testable import Reports

/// A station that the folder takes out of the exam.
@Suite("Withdrawn stations")
struct WithdrawnStationTests {
  private func withdraw(_ exam: MarkedYear3Exam) throws -> String {
    let path = exam.folder.path + "/exam/exam.yaml"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let changed = text.replacing("{ code: RX, name: ", with: "{ code: RX, withdrawn: chart misprinted, name: ")
    #expect(changed != text)
    try changed.write(toFile: path, atomically: true, encoding: .utf8)
    return exam.folder.path + "/exam"
  }

  private func expected(_ exam: MarkedYear3Exam) throws -> Int {
    try exam.store.read { try StatusReport.read($0) }.sessions.reduce(0) { $0 + $1.counts.expected }
  }

  @Test("a reason is asked for, and check names the withdrawal and asks for no assessor")
  func check() {
    var exam = SmallExam()
    exam.exam = exam.exam.replacing(
      "{ code: C, name: Third, sheets: A }", with: "{ code: C, name: Third, sheets: A, withdrawn: broken }")
    exam.exam = exam.exam.replacing("{ A: ann, C: ben }", with: "{ A: ann }")
    let folder = exam.write()
    let found = ExamCheck.problems(of: folder.path)
    #expect(!found.hasErrors)
    #expect(found.map(\.message).contains("station 'C' is withdrawn: broken; no sheet is expected there"))
    #expect(!found.contains { $0.message.contains("has no assessor") })

    exam.exam = exam.exam.replacing("withdrawn: broken", with: "withdrawn: true")
    #expect(exam.read().problems.contains { $0.contains("'withdrawn' is the reason in words") })
  }

  @Test("signed sheets stop counting only after it was said how many, and count again when the station is back")
  func signed() throws {
    let exam = try MarkedYear3Exam(isWhole: true, candidates: 8)
    let folder = try withdraw(exam)
    let before = try expected(exam)
    let refusal = try #require(throws: ImportRefusal.self) { try ExamImport.load([folder], into: exam.store) }
    #expect(refusal == .losesSigned(sheets: 30, stations: ["RX"]))
    #expect("\(refusal)".hasPrefix("30 signed sheets of station RX would stop counting"))
    #expect(try exam.store.read { try WithdrawnStation.all(in: $0) }.isEmpty)

    let report = try #require(try ExamImport.load([folder], into: exam.store, isForced: true).report)
    #expect(report.withdrawn.map(\.code) == ["RX", "RX", "RX", "RX"])
    #expect(report.withdrawn.allSatisfy { $0.reason == "chart misprinted" })
    #expect(report.withdrawn.reduce(0) { $0 + $1.signedSheets } == 30)
    let after = try expected(exam)
    #expect(after == before - 30)
    let plan = try exam.store.read { try PlanReport.read($0) }
    #expect(plan.sessions.allSatisfy { $0.withdrawn.map(\.station.title) == ["RX Prescribing in acute asthma"] })
    #expect(plan.sessions.allSatisfy { !$0.stations.contains { $0.place.stationCode == "RX" } })

    // Nobody could be examined there: it is in no total and no cut, and the others' results stand.
    let results = try exam.store.read { try ResultsReport.read(.init(), in: $0, at: exam.store.clock.now) }.results
    let withdrawn = try #require(results.stations.first { $0.station == "RX" })
    #expect(withdrawn.isExcluded && !withdrawn.isCounted)
    #expect(results.figures.alpha != nil && results.figures.cutPlusSem != nil && results.count(.pass) > 0)

    let again = try #require(try ExamImport.load([folder], into: exam.store).report)
    #expect(again.changed == 0 && again.withdrawn.isEmpty)

    _ = try #require(try ExamImport.load([Fixtures.path("year3-osce")], into: exam.store).report)
    #expect(try expected(exam) == before)
  }

  @Test("who was planned there reads everywhere in the same words that it was withdrawn, and why")
  func said() throws {
    let exam = try MarkedYear3Exam(isWhole: true, candidates: 8)
    _ = try #require(try ExamImport.load([withdraw(exam)], into: exam.store, isForced: true).report)
    let text = "RX Prescribing in acute asthma withdrawn: chart misprinted"
    let (plan, dossier, pages) = try exam.store.read { db in
      var pages: [ExamPapers.Kind: [PaperPage]] = [:]
      for kind in [ExamPapers.Kind.itineraries, .doors] {
        try ExamPapers(kind).forEachPage(in: db, at: exam.store.clock.now) { pages[kind, default: []].append($0) }
      }
      return (
        try PlanReport.read(db).only(PlanFilter(candidate: "30107"), in: db, at: exam.store.clock.now),
        try CandidateDossier.read("30107", concerns: false, in: db, at: exam.store.clock.now), pages
      )
    }
    // No round is missing on the way: where nobody examines, the plan says so.
    let way = plan.itinerary(of: "30107")
    #expect(way.count { $0.hasSuffix(text) } == 1)
    #expect((1...8).allSatisfy { round in way.contains { $0.contains("round \(round) ") } }, "\(way)")
    #expect(dossier.lines.joined(separator: " ").contains(text))
    func texts(_ kind: ExamPapers.Kind) -> [String] { (pages[kind] ?? []).map { "\($0)" } }
    #expect(texts(.itineraries).allSatisfy { $0.contains(text) && !$0.contains("rest: no station") })
    #expect(texts(.doors).count { $0.contains(text) } == 4)
  }
}
