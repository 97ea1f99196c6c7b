import Characters
import CircuitModel
import Console
import Foundation
import GRDB
import Reports
import Testing

@testable import OsceTUI

@Suite("Papers for a hall without its host") struct PrintTests {
  private func pages(_ text: String) -> [[String]] {
    text.split(separator: "\u{0C}", omittingEmptySubsequences: false).map { page in
      var lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      if lines.last == "" { lines.removeLast() }
      return lines
    }
  }

  @Test(
    "every paper fits sheets of 80 columns and 60 lines",
    arguments: ["sheets", "itineraries", "doors", "list"])
  func fits(what: String) throws {
    let exam = try CommandRunner()
    let result = exam.run("print", what)
    #expect(result.code == 0, "\(result.failure)")
    let pages = pages(result.output)
    #expect(pages.count > 1)
    #expect(pages.allSatisfy { $0.count <= 60 && !$0.isEmpty })
    #expect(pages.joined().allSatisfy { ColumnWidth.of($0) <= 80 })
    #expect(pages.allSatisfy { $0.contains { $0.hasSuffix(" · times of Europe/London") } })
  }

  @Test("a column of a table begins in one place, whatever letters stand before it")
  func columns() throws {
    let names = ["小明 王", "Siobhán O'Connor", "Zoe\u{308}", "민준 김"]
    var paper = PaperText(breaksPages: true)
    let page = paper.page(PaperPage("List", [.table(["NAME", "STATION"], names.map { [$0, "CHEST"] })]))
    let starts = String(decoding: page, as: UTF8.self).split(separator: "\n").compactMap { line in
      line.firstRange(of: "CHEST").map { ColumnWidth.of(line[..<$0.lowerBound]) }
    }
    #expect(starts == [18, 18, 18, 18])
    var table = TextTable()
    for name in names { table.row([name, "CHEST"]) }
    let listed = table.text.split(separator: "\n").compactMap { line in
      line.firstRange(of: "CHEST").map { ColumnWidth.of(line[..<$0.lowerBound]) }
    }
    #expect(listed == [18, 18, 18, 18])
  }

  @Test("a name that is spelt with joiners is printed without codes")
  func joiners() throws {
    var paper = PaperText(breaksPages: true)
    let names = PaperPage("Mr علی\u{200C}رضا", [.line("Ms ප්\u{200D}රියංකා"), .table(["a\u{FE0F}"], [])])
    for page in [paper.page(names), PaperHTML.page(names)] {
      #expect(!String(decoding: page, as: UTF8.self).contains("\\u{"))
    }
    #expect(PlainText.cell("علی\u{200C}رضا") == PlainText.lines("علیرضا"))
  }

  @Test("what goes on overleaf has the whole head again, and a table the names of its columns")
  func overleaf() {
    let rows = (1...70).map { [String($0), "somebody"] }
    let list = PaperPage("Station", head: ["Blue · 09:00"], [.table(["NO", "NAME"], rows)])
    var paper = PaperText(breaksPages: true)
    let sheets = pages(String(decoding: paper.page(list), as: UTF8.self))
    #expect(
      sheets.map { Array($0.prefix(2)) } == [["Station", "Blue · 09:00"], ["Station (page 2)", "Blue · 09:00"]])
    #expect(sheets.allSatisfy { $0.count <= 60 && $0.contains("NO  NAME") })
    // A browser prints the head of a table on each sheet of paper.
    let html = String(decoding: PaperHTML.page(list), as: UTF8.self)
    #expect(html.contains("<thead><tr><td>\n<h1>Station</h1>\n<p>Blue · 09:00</p>\n</td></tr></thead>"))
  }

  @Test("there is a mark sheet for each expected one, with candidate, station, time, levels and a line to sign")
  func sheets() throws {
    let exam = try CommandRunner()
    let expected = try exam.withStore { store in try store.read { try StatusReport.read($0).total.expected } }
    let pages = pages(exam.run("print", "sheets").output).filter { !$0[0].contains("(page ") }
    #expect(pages.count == expected)
    let text = exam.run("print", "sheets").output
    for part in ["candidate ", "round 1", " to ", "[ ] 0", "(global rating)", "signature ___"] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test("one circuit and session can be printed alone; unknown ones are named with those there are") func scope() throws
  {
    let exam = try CommandRunner()
    let one = exam.run("print", "doors", "--circuit", "Blue circuit", "--session", "09:00")
    #expect(one.code == 0 && !one.output.contains("Green circuit"))
    let unknown = exam.run("print", "doors", "--circuit", "Mauve")
    #expect(unknown.code == 1)
    #expect(unknown.failure.hasPrefix("osce: ") && unknown.failure.contains("Mauve"))
    let never = exam.run("print", "doors", "--session", "03:00")
    #expect(never.code == 1 && never.failure.contains("sessions are 2026-"))
  }

  @Test("HTML loads nothing, prints each page on paper of its own, and keeps hostile names harmless") func html() throws
  {
    let exam = try CommandRunner()
    try exam.withStore { store in
      let student = try store.read { try Int.fetchOne($0, sql: "SELECT min(dsid) FROM user WHERE entity = 'Student'") }
      try store.write(.program) {
        try $0.set("Student", String(student ?? 0), ["surname": .text("<script>alert('x')</script>\u{202E}")])
      }
    }
    let file = exam.folder + "/itineraries.html"
    #expect(exam.run("print", "itineraries", "--html", "--out", file).code == 0)
    let html = try String(contentsOfFile: file, encoding: .utf8)
    #expect(html.hasPrefix("<!doctype html>") && html.hasSuffix("</html>\n"))
    #expect(html.contains("@page") && html.contains("break-after: page"))
    #expect(html.contains("&lt;script&gt;") && !html.contains("<script") && !html.contains("\u{202E}"))
    for word in ["http:", "https:", "src=", "url(", "@import"] { #expect(!html.contains(word)) }
  }
}
