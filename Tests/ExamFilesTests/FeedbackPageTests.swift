import CircuitModel
import ExamStore
import Foundation
import GRDB
import SeededNumbers
import Standards
import Testing

@testable import ExamFiles
@testable import Reports

@Suite("Feedback pages") struct FeedbackPageTests {
  private func pages(_ exam: MarkedYear3Exam) throws -> [FeedbackPage] {
    try exam.store.read { try FeedbackPages.all(in: $0, at: exam.store.clock.now) }
  }

  /// Writes on signed sheets and about candidates as assessors do.
  private func write(_ exam: MarkedYear3Exam) throws {
    for place in try exam.store.read({ try StationSession.all(in: $0) }).filter({ !$0.isRest }).prefix(12) {
      let author = Author(staff: place.assessors[0].staff, reason: "feedback forgotten")
      for entry in try exam.store.read({ try Roster.entries(timetable: place.timetable, seat: .lead, in: $0) }) {
        try exam.store.write(author) { transaction in
          _ = try Comments.add("a concern: secret-c", to: .candidate(entry.key), isConcern: true, in: transaction)
          _ = try Comments.add("staff only: secret-s", to: .candidate(entry.key), in: transaction)
          _ = try Comments.add(
            "released-r", to: .candidate(entry.key), isVisibleToCandidate: true, in: transaction)
          for key in try String.fetchAll(
            transaction.db, sql: "SELECT uuid FROM dataForm WHERE attendanceLogID = ?", arguments: [entry.key])
          {
            guard let sheet = try Sheet.read(key, in: transaction.db) else { continue }
            if sheet.isSigned { try Signing.reopen(sheet, in: transaction) }
            for item in sheet.items where item.template.kind == .feedback {
              _ = try Marking(transaction).write(item, "written-w for \(entry.candidate?.number ?? "")")
            }
            if sheet.isSigned, let open = try Sheet.read(key, in: transaction.db) {
              try Signing.sign(open, in: transaction)
            }
          }
        }
      }
    }
  }

  @Test(
    "no page has another candidate's number, a name of staff, a concern, a staff comment or a cut",
    arguments: [
      "", "results: { feedback: { scores: stations, cohort: true } }", "results: { feedback: { scores: sections } }",
    ])
  func nothingOfOthers(results: String) throws {
    let exam = try MarkedYear3Exam(results: results)
    try write(exam)
    let pages = try pages(exam)
    let (staff, cuts) = try exam.store.read { db in
      let report = try ResultsReport.read(.init(), in: db, at: exam.store.clock.now)
      return (
        try StaffMember.active(db), report.results.stations.compactMap(\.cut).map { Figure.tenths($0) }
      )
    }
    #expect(pages.count > 8 && cuts.count > 3)
    var shown = (written: 0, released: 0)
    for page in pages {
      for text in [page.markdown, page.text] {
        for other in pages where other.number != page.number { #expect(!text.contains(other.number)) }
        for member in staff { #expect(!text.contains(member.name) && !text.contains(member.username)) }
        #expect(
          !text.contains("secret") && text.range(of: "\\bcut\\b", options: .regularExpression) == nil
            && !text.contains("global"))
        if results.isEmpty { #expect(cuts.allSatisfy { !text.contains($0) }) }
        if text.contains("written-w") { shown.written += 1 }
        if text.contains("released-r") { shown.released += 1 }
        #expect(text.contains("NOT FINAL"))
        for word in ["<script", "http:", "https:", "src="] { #expect(!text.contains(word)) }
      }
    }
    #expect(shown.written > 8 && shown.released > 8)
    #expect(pages.contains { $0.text.contains(" %") } == !results.isEmpty)
  }

  @Test("the median of a station is of its scores, and is hidden where few have one") func cohort() throws {
    let exam = try MarkedYear3Exam(
      results: "results: { feedback: { scores: stations, cohort: true, minimumGroup: 10 } }")
    let report = try exam.store.read { try ResultsReport.read(.init(), in: $0, at: exam.store.clock.now) }
    let station = try #require(report.results.stations.first { !$0.isPilot && $0.scores.n >= 10 })
    let median = try #require(station.scores.median)
    #expect(try pages(exam).contains { $0.markdown.contains("All candidates: median \(Figure.tenths(median)) %") })
    let strict = try MarkedYear3Exam(
      results: "results: { feedback: { scores: stations, cohort: true, minimumGroup: 1000 } }")
    let text = try pages(strict).map(\.markdown).joined()
    #expect(text.contains("All candidates: not shown: fewer than 1000 candidates") && !text.contains("median"))
  }

  @Test("a copy of a section in which nothing is answered changes no section's score") func emptyCopy() throws {
    let exam = try MarkedYear3Exam(results: "results: { sheets: held, feedback: { scores: sections } }", isWhole: true)
    let before = try pages(exam).map(\.markdown)
    var copied = 0
    for key in try exam.store.read({ try String.fetchAll($0, sql: "SELECT uuid FROM dataForm") }) {
      try exam.store.write(Author(staff: nil, reason: "another analysis")) { transaction in
        guard let sheet = try Sheet.read(key, in: transaction.db),
          sheet.sections.contains(where: { $0.template.name == "Defibrillator" })
        else { return }
        try Signing.reopen(sheet, in: transaction)
        let open = try #require(try Sheet.read(key, in: transaction.db))
        let section = try #require(open.sections.first { $0.template.name == "Defibrillator" })
        _ = try SectionCopies.add(section, of: open, in: transaction)
        copied += 1
      }
    }
    #expect(copied > 8 && before.joined().contains("- Defibrillator: "))
    #expect(try pages(exam).map(\.markdown) == before)
  }

  @Test("feedback of several lines has its lines on the page, in Markdown a paragraph each")
  func severalLines() throws {
    let text = "Well <b>ordered</b> history.\r\nNext time\n\n- ask about allergies"
    let station = FeedbackPage.Station(name: "History", feedback: [text])
    let page = FeedbackPage(number: "30101", exam: nil, state: .locked, stations: [station])
    #expect(
      page.text.contains(
        """
        <p>Well &lt;b&gt;ordered&lt;/b&gt; history.<br>
        Next time<br>
        <br>
        - ask about allergies</p>
        """))
    #expect(
      page.markdown.hasSuffix(
        "\n\nWell \\<b\\>ordered\\</b\\> history.\n\nNext time\n\n\\- ask about allergies\n"))
  }

  @Test("an excluded station and a pilot are on no page") func excluded() throws {
    let exam = try MarkedYear3Exam(results: "results: { feedback: { scores: stations } }")
    let codes = try exam.store.read { try ResultsReport.read(.init(), in: $0, at: exam.store.clock.now) }
      .results.stations.filter { $0.scores.n > 0 && !$0.isPilot }
    let (one, two) = (codes[0], codes[1])
    let without = try MarkedYear3Exam(
      results: """
        results:
          feedback: { scores: stations }
          stations: { \(one.station): { pilot: true } }
          exclude: [{ station: \(two.station), reason: "kit broken" }]
        """)
    let (before, after) = (try pages(exam).map(\.markdown).joined(), try pages(without).map(\.markdown).joined())
    for name in [one.name, two.name].compactMap({ $0 }) {
      #expect(before.contains("## \(name)") && !after.contains("## \(name)"))
    }
  }
}

extension FeedbackPage {
  /// The page in HTML.
  fileprivate var text: String { String(decoding: html.bytes, as: UTF8.self) }
}
