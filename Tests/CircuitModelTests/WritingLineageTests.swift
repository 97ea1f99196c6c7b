import Journal
import Testing

@testable import CircuitModel

@Suite("One writing, saved piece by piece") struct WritingLineageTests {
  private struct DiskFull: Error {}

  @Test("a piece after one that the disk refused follows the last that is there, and stands alone")
  func afterFailure() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    let item = sheet.items[2]
    let lineage = WritingLineage()
    func save(_ text: String, fails: Bool = false) throws {
      try exam.store.write(exam.author) { transaction in
        _ = try lineage.continuing(item, in: transaction) { try Marking(transaction).write($0, text) }
        if fails { throw DiskFull() }
      }
    }
    try save("A")
    #expect(throws: DiskFull.self) { try save("AB", fails: true) }
    try save("ABC")
    let now = try exam.sheet(sheet.key).items[2]
    let places = try exam.store.read { try SheetPlaces.read(sheet: sheet.key, in: $0) }
    #expect(now.feedback == "ABC" && places.contradictions(of: now).isEmpty)
  }

  @Test("what another terminal wrote in between stands beside it")
  func besideAnother() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    let item = sheet.items[2]
    let lineage = WritingLineage()
    func save(_ text: String) throws {
      try exam.store.write(exam.author) { transaction in
        _ = try lineage.continuing(item, in: transaction) { try Marking(transaction).write($0, text) }
      }
    }
    try save("A")
    try exam.write(sheet.key, item: 2, "other")
    try save("AB")
    try save("ABC")
    let now = try exam.sheet(sheet.key).items[2]
    let found = try exam.store.read { try SheetPlaces.read(sheet: sheet.key, in: $0) }.contradictions(of: now)
    #expect(now.feedback == "ABC" && found.first { $0.field == "feedback" }?.values.count == 2)
  }
}
