import Journal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Successive saves of one text") struct AutosaveChainTests {
  private struct DiskFull: Error {}

  /// The third item of a sheet, and one writing on it.
  private struct Written {
    let exam: MarkedExam
    let sheet: Sheet
    let chain = AutosaveChain()

    init() throws {
      exam = try MarkedExam()
      sheet = try exam.open(1)
    }

    func save(_ text: String, fails: Bool = false) throws {
      try exam.store.write(exam.author) { transaction in
        _ = try chain.continuing(sheet.items[2], in: transaction) { try Marking(transaction).write($0, text) }
        if fails { throw DiskFull() }
      }
    }

    var item: SheetItem { get throws { try exam.sheet(sheet.key).items[2] } }

    func contradictions() throws -> [SheetPlaces.Disputed] {
      try exam.store.read { try SheetPlaces.read(sheet: sheet.key, in: $0) }.contradictions(of: item)
    }
  }

  @Test("a piece after one that the disk refused follows the last that is there, and stands alone")
  func afterFailure() throws {
    let written = try Written()
    try written.save("A")
    #expect(throws: DiskFull.self) { try written.save("AB", fails: true) }
    try written.save("ABC")
    #expect(try written.item.feedback == "ABC" && written.contradictions().isEmpty)
  }

  @Test("what another terminal wrote in between stands beside it")
  func besideAnother() throws {
    let written = try Written()
    try written.save("A")
    try written.exam.write(written.sheet.key, item: 2, "other")
    try written.save("AB")
    try written.save("ABC")
    let found = try written.contradictions()
    #expect(try written.item.feedback == "ABC" && found.first { $0.field == "feedback" }?.values.count == 2)
  }
}
