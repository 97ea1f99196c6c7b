import CircuitModel
import ExamStore
import Foundation
import GRDB
import Testing

@testable import ExamFiles
@testable import Reports

/// A rota of candidates by stations becomes the slot table of a session.
@Suite("Rotas")
struct RotaTests {
  private final class Loaded {
    let scratch = Scratch()
    let store: ExamStore

    init() throws {
      chmod(scratch.path, 0o700)
      store = try ExamStore(StoreLocation(path: scratch.path + "/exam.sqlite"), .createIfMissing)
      _ = try #require(try ExamImport.load([Fixtures.path("year3-osce")], into: store).report)
    }

    deinit { store.close() }

    func follow(_ text: String) throws -> RotaImport.Outcome {
      scratch.write("rota.csv", text)
      return try RotaImport.load(scratch.path + "/rota.csv", into: store)
    }

    func refusals(_ text: String) throws -> [String] {
      let outcome = try follow(text)
      #expect(outcome.changed == nil)
      return outcome.problems.map { "\($0.line): \($0.message)" }
    }

    func itinerary(_ number: String) throws -> [String] {
      try store.read { try PlanReport.read($0) }.itinerary(of: number)
    }
  }

  @Test("the rota of the fixtures swaps two candidates, once")
  func swap() throws {
    let exam = try Loaded()
    let first = try RotaImport.load(Fixtures.path("rota.csv"), into: exam.store)
    #expect(first.problems.isEmpty)
    #expect(first.changed?.map(\.places) == [16])
    let way = try exam.itinerary("30101")
    #expect(way.contains { $0.contains("09:01  round 1  ABDO") })
    #expect(way.contains { $0.contains("09:41  round 5  RESUS") })
    let again = try RotaImport.load(Fixtures.path("rota.csv"), into: exam.store)
    #expect(again.changed?.map(\.places) == [0])
  }

  @Test("rounds serve as well as times, semicolons as commas, and who is not named stays")
  func rounds() throws {
    let exam = try Loaded()
    let outcome = try exam.follow("candidate;CHEST;ABDO\n30109;;1\n30110;1;\n")
    #expect(outcome.changed?.map(\.places) == [2])
    // Who is pushed out takes the one place that is left.
    #expect(try exam.follow("candidate,CHEST\n30109,1\n").changed?.map(\.places) == [2])
  }

  @Test("what cannot be is named with its line and column, and changes nothing")
  func faults() throws {
    let exam = try Loaded()
    #expect(
      try exam.refusals("candidate,CHEST,ABD\n30101,09:01,\n").first?.hasPrefix("1: column C: station 'ABD'") == true)
    #expect(
      try exam.refusals("candidate,CHEST\n30101,09:02\n").first?.hasPrefix(
        "2: column B: '09:02' is the start of no round; rounds start from 09:00 to ") == true)
    #expect(try exam.refusals("candidate,CHEST\n99999,09:01\n") == ["2: candidate '99999' is in no session"])
    #expect(
      try exam.refusals("candidate,CHEST\n30101,09:01\n30102,09:01\n").contains(
        "3: column B: candidate '30101' is at CHEST in the same round, 1"))
    #expect(
      try exam.refusals("candidate,CHEST,ABDO\n30101,09:01,09:01\n").contains(
        "2: column C: candidate '30101' is at CHEST in the same round, 1"))
    #expect(
      try exam.refusals("candidate,CHEST,CONSENT\n30102,1,\n30104,,1\n").contains(
        "1: candidate '30101' has no place in round 1: another has the planned one"))
    #expect(try exam.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM slotTable") } == 0)
  }

  @Test("a place of which something is recorded goes to nobody else")
  func recorded() throws {
    let exam = try MarkedYear3Exam(isWhole: true)
    let problems = try RotaImport.load(Fixtures.path("rota.csv"), into: exam.store).problems
    #expect(
      problems.contains { $0.line == 2 && $0.message.contains("something is recorded for '30102' at ABDO in round 1") })
  }
}
