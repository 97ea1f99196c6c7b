import Journal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Mark sheets on paper")
struct MarkSheetPaperTests {
  private func pages(_ exam: MarkedExam) throws -> [PaperPage] {
    var pages: [PaperPage] = []
    try exam.store.read { db in
      try ExamPapers(.sheets).forEachPage(in: db, at: exam.store.clock.now) { pages.append($0) }
    }
    return pages
  }

  @Test("where the assessor fills one of several sheets, each is printed until one is chosen")
  func oneOfSeveral() throws {
    let exam = try MarkedExam([
      SmallExam.row("ActivityType", "1", ["forms": .text("one")]),
      SmallExam.row("TypeForm", "2", ["name": .text("Other sheet")]),
      SmallExam.row("SectionToForm", "2", ["section": .integer(1), "form": .integer(2), "order": .integer(1)]),
      SmallExam.row(
        "AvailableForm", "2", ["typeForm": .integer(2), "activityType": .integer(1), "order": .integer(2)]),
    ])
    let both = try pages(exam)
    #expect(
      both.map(\.title) == [
        "H History, History sheet – candidate 1001", "H History, Other sheet – candidate 1001",
        "H History, History sheet – candidate 1002", "H History, Other sheet – candidate 1002",
      ])
    #expect(both.allSatisfy { $0.blocks.contains(.line("One of: History sheet, Other sheet. Fill in one alone.")) })
    let entry = try exam.entry(1)
    _ = try exam.store.write(exam.author) {
      try SheetGenerator.generateInitialForms(entry: entry.key, seat: .lead, form: 2, in: $0)
    }
    let chosen = try pages(exam).filter { $0.title.hasSuffix("1001") }
    #expect(chosen.map(\.title) == ["H History, Other sheet – candidate 1001"])
    #expect(!chosen[0].blocks.contains { "\($0)".contains("One of: ") })
  }
}
