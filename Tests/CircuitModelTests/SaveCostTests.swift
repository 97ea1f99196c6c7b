import Foundation
import GRDB
import Testing

@testable import CircuitModel
@testable import ExamStore

@Suite("What a save costs")
struct SaveCostTests {
  @Test("a mark writes no page of the log that it could leave alone")
  func pagesOfAMark() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1).key
    func logSize() throws -> Int {
      try FileManager.default.attributesOfItem(atPath: exam.store.location.path + "-wal")[.size] as? Int ?? 0
    }
    let pages = try (0..<12).map { number in
      let before = try logSize()
      try exam.mark(sheet, item: 0, level: number % 2)
      return (try logSize() - before) / (4096 + 24)
    }
    // The item, the operation with its three indexes, the chain's end. Now and then one of them is split.
    #expect(pages.sorted()[pages.count / 2] <= 6, "\(pages)")
  }

  @Test("to append to the journal SQLite makes no table of its own")
  func appendingIsDirect() throws {
    let exam = try MarkedExam()
    let columns = try exam.store.read { try $0.columns(in: "operation").map(\.name).filter { $0 != "seq" } }
    let marks = columns.map { _ in "1" }.joined(separator: ", ")
    let steps = try exam.store.read { db in
      try Row.fetchAll(db, sql: "EXPLAIN INSERT INTO operation (\(columns.joined(separator: ", "))) VALUES (\(marks))")
        .map { $0["opcode"] as String }
    }
    #expect(steps.contains("Insert") && !steps.contains("OpenEphemeral"))
  }
}
