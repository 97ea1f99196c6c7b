import CircuitModel
import ExamStore
import Foundation
import GRDB
import Standards
import SystemTesting
import Testing
import Timer

@testable import Reports

@Suite("The report to the board") struct BoardReportTests {
  private func page(_ exam: MarkedYear3Exam, names: Bool = false) throws -> String {
    let bytes = try exam.store.read { db in
      let now = exam.store.clock.now
      let closing = try ClosingReport.read(Diagnosis(), Diagnosis(), in: db, at: now)
      return try BoardReport.read(closing, showsNames: names, in: db, at: now).page.bytes
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("has its parts in the order of a meeting, every candidate, and says that it is not final") func parts() throws {
    let exam = try MarkedYear3Exam(candidates: 8)
    let page = try self.page(exam)
    let parts = [
      "Decisions", "By which choices", "The exam", "Pass list", "Close calls", "What if", "Stations",
      "Agreement of two assessors", "Candidates left out", "Critical failures", "Incidents and lost time", "Rulings",
      "Closing",
    ]
    let places = try parts.map { try #require(page.range(of: "<h2>\($0)")).lowerBound }
    #expect(places == places.sorted())
    #expect(page.contains("NOT FINAL: not locked") && page.contains("NOT LOCKED: there is no final hash."))
    for number in 30101...30130 { #expect(page.contains("<td class=\"t\">\(number)</td>"), "\(number)") }
    #expect(page.components(separatedBy: "<svg ").count == 8)
    #expect(page.contains(">score, %</text>") && page.contains(">global grade</text>"))
    #expect(page.contains(" · local times, UTC"))
    let head = page.components(separatedBy: "<h2>")[0]
    for start in ["09:00", "13:30"] { #expect(head.contains("<li>2026-12-07 \(start) · Blue circuit, planned ")) }
  }

  @Test("a printed page with a foot has its number there") func foot() {
    var page = HTMLPage(title: "Board")
    page.foot(["Year 3\"}</style>", "final hash ab12"])
    let content =
      #"content: "Year 3\22 \7d \3c \2f style\3e \a final hash ab12 · page " counter(page) " of " counter(pages);"#
    #expect(String(decoding: page.bytes, as: UTF8.self).contains(content))
  }

  @Test("every printed page names the exam, and says that the report is not final") func printed() throws {
    let page = try self.page(MarkedYear3Exam(candidates: 2))
    let foot = try #require(page.components(separatedBy: "@bottom-center").last?.components(separatedBy: "}")[0])
    #expect(foot.contains(#"content: "Year 3 Integrated OSCE \b7 "#))
    #expect(foot.contains(#"\a not final · page " counter(page) " of " counter(pages)"#))
  }

  @Test("compares both rules for blanks, and has all that is known of a station and of the time that was lost")
  func whole() throws {
    let exam = try MarkedYear3Exam(results: "results: { exclude: [{ station: RX, reason: Kit broken }] }")
    let store = exam.store
    let place = try #require(try store.read { try StationSession.all(in: $0) }.first { !$0.isRest })
    try store.write(Author(staff: 1, reason: "fire alarm")) { transaction in
      let now = transaction.clock.now
      try ClockLog.append(.start, to: place.session, at: now - 600_000, in: transaction)
      try ClockLog.append(.pause, to: place.session, at: now - 500_000, in: transaction)
      try ClockLog.append(.resume, to: place.session, at: now - 440_000, in: transaction)
    }
    let page = try self.page(exam)
    #expect(
      page.contains("<td class=\"t\">blanks: zero</td>") && page.contains("<td class=\"t\">blanks: left out</td>"))
    #expect(page.contains("<li>left out: RX: Kit broken (exam.yaml)</li>"))
    #expect(page.contains("every station · round 1: pause, 1 min lost: fire alarm</li>"))
    let report = try store.read { try ResultsReport.read(.init(), in: $0, at: store.clock.now) }
    let station = try #require(
      report.results.stations.first { $0.comparisons.sessions.groups.count > 1 && $0.comparisons.circuits.f != nil })
    let part = try #require(
      page.components(separatedBy: "<h3>\(station.station) ").last?.components(separatedBy: "</section>")[0])
    for column in ["min", "max", "intercept", "residual sd", "eta²", "F"] {
      #expect(part.contains("\(column)</th>"), "\(column)")
    }
    for figure in [
      Figure.tenths(station.minimum), Figure.tenths(station.maximum), Figure.tenths(station.regression.intercept),
      Figure.tenths(station.regression.residualSd), Figure.hundredths(station.comparisons.circuits.f),
      Figure.hundredths(station.comparisons.sessions.eta2), Figure.tenths(station.contrastingGroups.passing.sd),
    ] { #expect(part.contains("<td>\(figure)</td>"), "\(figure)") }
    #expect(part.contains("<td class=\"t\">sessions</td>"))
  }

  @Test("says beside each figure between groups what is to be known of it, so that none is read as two facts")
  func groupNotes() throws {
    let page = try self.page(PairedExam().exam)
    #expect(page.contains("<td>one group</td></tr>"))
  }

  @Test("says of two assessors how many pairs are beyond the margin, what was left out, and that scales differ")
  func agreement() throws {
    let exam = try PairedExam()
    for candidate in 1...3 {
      try exam.give(0, candidate, 20, 10)
      try exam.give(1, candidate, candidate == 1 ? 2 : 19, 10)
    }
    try exam.set("x", 1, 2, to: nil)
    let page = try self.page(exam.exam)
    let part = try #require(page.components(separatedBy: "<h2>Agreement of two assessors").last)
      .components(separatedBy: "<h2>")[0]
    let report = try exam.store.read { try ResultsReport.read(.init(), in: $0, at: exam.store.clock.now) }
    let found = try #require(report.results.stations.first { $0.station == "S" }?.comparisons.agreement)
    #expect(found.items.leftOut.blank == 1 && found.items.notes.contains(.mixedScales))
    #expect(part.contains("<td>1 blank</td><td>") && part.contains("items of different scales</td></tr>"))
    let beyond = try #require(found.score.beyondMargin)
    let (icc, icc2) = (Figure.hundredths(found.score.icc), Figure.hundredths(found.score.icc2))
    #expect(beyond > 0 && part.contains("<td>\(beyond)</td><td>\(icc)</td><td>\(icc2)</td><td>–</td>"))
  }

  @Test("gives the policy's choices in words, never as JSON or a key of the program") func policy() throws {
    let page = try self.page(MarkedYear3Exam(seed: 45))
    let table = try #require(page.range(of: "<h2>By which choices"))
    let choices = page[table.upperBound...].components(separatedBy: "<h2>")[0]
    #expect(choices.contains("minimum stations") && choices.contains("critical"))
    #expect(!choices.contains("{") && !choices.contains("&quot;") && !choices.contains("minimumStations"))
    #expect(
      PolicyPhrases.value(.object([("effect", .text("fail")), ("allowedFails", .integer(0))]))
        == "effect: fail, allowed fails: 0")
    #expect(PolicyPhrases.value(.array([])) == "none" && PolicyPhrases.value(.bool(true)) == "yes")
    #expect(PolicyPhrases.value(.object([("CHEST", .integer(2))])) == "CHEST: 2")
    #expect(PolicyPhrases.value(.text("borderlineRegression"), isChoice: true) == "borderline regression")
  }

  @Test("gives a failed critical item the level that was marked, as the sheet has it") func criticalLevel() throws {
    let exam = try MarkedYear3Exam(candidates: 8)
    let page = try self.page(exam)
    let report = try exam.store.read { try ResultsReport.read(.init(), in: $0, at: exam.store.clock.now) }
    let failure = try #require(
      report.results.candidates.lazy.flatMap(\.criticalFailures).first { $0.value == $0.value?.rounded() })
    let level = String(Int(try #require(failure.value)))
    #expect(page.contains("at \(failure.station): \(HTMLPage.escaped(failure.text)) (\(level))</li>"))
  }

  @Test("names nobody unless it is asked to, and shows no figure of an assessor with few candidates") func names()
    throws
  {
    let exam = try MarkedYear3Exam()
    let page = try self.page(exam)
    #expect(!page.contains("Abara") && !page.contains("nokafor") && page.contains("assessors: A"))
    #expect(page.contains("not shown"))
    #expect(try self.page(exam, names: true).contains("30101 Ms Chidinma Abara"))
  }

  @Test("says the cut of each set of stations beside what it would be") func severalSets() throws {
    let exam = try MarkedYear3Exam(isWhole: true)
    try exam.loseRound(of: "30101", at: "CHEST")
    var options = PolicyDocument()
    options.k = 0
    let results = try exam.store.read { try ResultsReport.read(options, in: $0, at: exam.store.clock.now) }.results
    let cuts = results.stationSets.map { Figure.tenths($0.figures.cutPlusSem) }
    try #require(cuts.count == 2 && cuts[0] != cuts[1])
    #expect(try page(exam).contains("<td>\(cuts[0]) · \(cuts[1])</td>"))
  }

  @Test("what the exam's texts hold is text on the page, and nothing of it is fetched") func hostile() throws {
    let exam = try MarkedYear3Exam()
    let queue = try DatabaseQueue(path: exam.store.location.path)
    try queue.write { db in
      try db.execute(sql: "UPDATE config SET examName = '<script>alert(1)</script>\"''&\u{1b}[31m'")
      try db.execute(sql: "UPDATE activityType SET name = '</svg><img src=x onerror=y>' WHERE code = 'CHEST'")
    }
    try queue.close()
    let page = try self.page(exam)
    #expect(!page.contains("<script") && !page.contains("<img") && !page.contains("\u{1b}"))
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;"))
    for reference in ["http:", "https:", "src=", "href=", "url(http", "@import"] {
      #expect(!page.contains(reference.replacingOccurrences(of: "src=", with: " src=\"")), "\(reference)")
    }
  }

  @Test("a browser shows every scatter and loads nothing") func browser() async throws {
    let browser = try #require(browserPath, "chromium is needed; script/test installs it")
    let exam = try MarkedYear3Exam()
    let file = exam.folder.path + "/board.html"
    try Data(page(exam).utf8).write(to: URL(fileURLWithPath: file))
    let shown = try await EndedProgram.run(
      browser,
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(exam.folder.path)/profile", "--dump-dom",
        "file://\(file)",
      ]
    ).output
    #expect(shown.components(separatedBy: "<svg").count == 8 && shown.components(separatedBy: "<circle").count > 100)
  }
}

/// A browser without a screen; nil where none is installed.
private let browserPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].first {
  FileManager.default.isExecutableFile(atPath: $0)
}
