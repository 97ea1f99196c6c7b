import GRDB
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

/// Bundles may bring stations without a code.
@Suite("What a station without a code is called") struct StationCodeTests {
  @Test(
    "it has its name: exports, the lead's grid and rulings find it by that", arguments: ["NULL", "''"])
  func name(code: String) throws {
    let exam = try MarkedExam()
    try exam.tamper("UPDATE activityType SET code = \(code), name = 'History' WHERE dsid = 1")
    let sheet = try exam.open(1)
    for item in 0...1 { try exam.mark(sheet.key, item: item, level: 1) }
    try exam.sign(sheet.key)
    try exam.store.write(exam.author) {
      try Comments.add("unsafe", to: .candidate(SmallExam.entry(1)), isConcern: true, in: $0)
    }
    for kind in [ExportKind.attendance, .comments, .marks] {
      #expect(try exam.rows(kind).first?["station"] == .text("History"))
    }
    try exam.store.read { db in
      #expect(try Concern.all(in: db).map(\.station) == ["History"])
      let grid = try LeadGrid.read(exam.session, at: exam.store.clock.now, in: db)
      #expect(grid.rows.flatMap(\.cells).contains { $0.hasConcern })
      try Rulings.check(.init(station: "History"), in: db)
      #expect(try !Rulings.places(of: "1001", at: "History", in: db).isEmpty)
      #expect(throws: RulingRefusal.self) { try Rulings.check(.init(station: "1"), in: db) }
    }
  }
}
