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
      try SheetGenerator.makeSheets(entry: entry.key, seat: .lead, form: 2, in: $0)
    }
    let chosen = try pages(exam).filter { $0.title.hasSuffix("1001") }
    #expect(chosen.map(\.title) == ["H History, Other sheet – candidate 1001"])
    #expect(!chosen[0].blocks.contains { "\($0)".contains("One of: ") })
  }

  @Test("every paper and a dossier say of which exam they are") func exam() throws {
    let exam = try MarkedExam()
    try exam.store.write(.program) { try $0.set("Config", "1", ["examName": .text("Finals")]) }
    try exam.store.read { db in
      let now = exam.store.clock.now
      for kind in ExamPapers.Kind.allCases {
        try ExamPapers(kind).forEachPage(in: db, at: now) { #expect($0.head.first?.hasPrefix("Finals") == true) }
      }
      #expect(try CandidateDossier.read("1001", concerns: false, in: db, at: now).lines[1] == "Finals")
    }
  }

  @Test("a sheet has the instructions, the adjustments, and a line for each fact that the screen asks for")
  func facts() throws {
    let exam = try MarkedExam([
      SmallExam.row("TypeForm", "1", ["name": .text("History sheet"), "instructions": .text("Say nothing.\nListen.")]),
      SmallExam.row(
        "TypeSection", "1",
        [
          "name": .text("Tooth"), "quadAndTooth": .bool(true), "maximumDifficulty": .integer(4),
          "duplicable": .bool(true), "maximumQuantity": .integer(3),
        ]),
      SmallExam.row("TypeQuestion", "3", ["text": .text("Filling"), "questionType": .text("record")]),
      SmallExam.row("Student", "11", ["extraStationSeconds": .integer(120)]),
    ])
    let pages = try pages(exam)
    let blocks = try #require(pages.first).blocks
    for block: PaperBlock in [
      .heading("For the assessor"), .line("Say nothing."), .line("Listen."), .blank("Quadrant and tooth"),
      .blank("Difficulty, 1 to 4"),
      .line("Recorded more than once, at most 3 in all: use another sheet for each copy."),
      .blank("   How often"), .blank("   Difficulty, 1 to 4"), .blank("   Note"),
    ] {
      #expect(blocks.contains(block), "\(block)")
    }
    func isAdjusted(_ page: PaperPage) -> Bool {
      page.blocks.contains { if case .warning(let text) = $0 { text.hasPrefix("Adjustments: ") } else { false } }
    }
    #expect(pages.map(isAdjusted) == [true, false])
  }
}
