import Foundation
import Reports
import RowStream
import SystemTesting
import Testing

@testable import OsceTUI

/// Workbooks, made by the real program that makes them and looked at as XML.
@Suite("Workbooks") struct WorkbookTests {
  /// What `unzip` has of a part of a workbook.
  private func part(_ name: String, of workbook: String) async throws -> String {
    try await EndedProgram.run("/usr/bin/unzip", ["-p", workbook, name]).output
  }

  @Test("all exports in one workbook: a sheet each, its header frozen, numbers as numbers and no formula") func all()
    async throws
  {
    let exam = try CommandRunner()
    let formula = "=HYPERLINK(\"http://x\")"
    #expect(exam.run("clock", "1", "start", "--at", "2026-12-07T09:00:00Z").code == 0)
    #expect(exam.run("clock", "1", "pause", "--at", "2026-12-07T09:03:00Z", "--reason", formula).code == 0)
    let file = exam.folder + "/all.xlsx"
    let result = exam.run("export", "all", "--format", "xlsx", "--out", file)
    #expect(result.code == 0 && result.failure.isEmpty, "\(result.failure)")
    let book = try await part("xl/workbook.xml", of: file)
    let names = book.matches(of: /<sheet name="([a-z]+)"/).map { String($0.1) }
    #expect(names == ExportKind.allCases.map(\.rawValue))
    for number in 1...names.count {
      let sheet = try await part("xl/worksheets/sheet\(number).xml", of: file)
      #expect(sheet.contains("state=\"frozen\""), "\(names[number - 1])")
      #expect(!sheet.contains("<f>"), "\(names[number - 1])")
    }
    let events = try await part("xl/worksheets/sheet6.xml", of: file)
    #expect(events.contains("<t>=HYPERLINK(\"http://x\")</t>") || events.contains("<t>=HYPERLINK(&quot;"), "\(events)")
    let attendance = try await part("xl/worksheets/sheet2.xml", of: file)
    let held = exam.run("export", "attendance").output.split(separator: "\r\n").count
    #expect(attendance.matches(of: #/<row /#).count == held)
    #expect(attendance.contains(/<c r="[A-Z]+2"><v>[0-9]+<\/v>/))
  }

  private static let officePath = "/usr/bin/soffice"

  /// Rows of comma-separated values, each value quoted or not.
  private func rows(_ text: String) -> [[String]] {
    var rows: [[String]] = [[""]]
    var isQuoted = false
    for character in text.replacing("\r\n", with: "\n") {
      switch character {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: rows[rows.count - 1].append("")
      case "\n" where !isQuoted: rows.append([""])
      default: rows[rows.count - 1][rows[rows.count - 1].count - 1].append(character)
      }
    }
    return rows
  }

  @Test("LibreOffice reads a workbook as the CSV has it") func office() async throws {
    try #require(access(Self.officePath, X_OK) == 0, "libreoffice-calc is needed; script/test installs it")
    let exam = try CommandRunner()
    #expect(exam.run("clock", "1", "start", "--at", "2026-12-07T09:00:00Z").code == 0)
    let file = exam.folder + "/all.xlsx"
    #expect(exam.run("export", "all", "--format", "xlsx", "--out", file).code == 0)
    let form = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1"
    let office = try await EndedProgram.run(
      Self.officePath,
      [
        "-env:UserInstallation=file://\(exam.folder)/office", "--headless", "--convert-to", form, "--outdir",
        exam.folder, file,
      ])
    #expect(office.code == 0, "\(office)")
    for kind in [ExportKind.marks, .attendance, .journal, .events] {
      let read = rows(try String(contentsOfFile: "\(exam.folder)/all-\(kind.rawValue).csv", encoding: .utf8))
      let written = rows(exam.run("export", kind.rawValue).output)
      #expect(read.count == written.count && read.count > 1, "\(kind)")
      for (one, other) in zip(read, written) {
        // Truth values are spelled in capitals there.
        #expect(one.map { ["TRUE", "FALSE"].contains($0) ? $0.lowercased() : $0 } == other)
      }
    }
  }

  @Test("results in one workbook have a sheet for each table") func results() async throws {
    let exam = try CommandRunner()
    let file = exam.folder + "/results.xlsx"
    #expect(exam.run("results", "--format", "xlsx", "--out", file).code == 0)
    let names = try await part("xl/workbook.xml", of: file).matches(of: /<sheet name="([a-z]+)"/).map { String($0.1) }
    #expect(names == ResultsTable.allCases.map(\.rawValue))
  }

  @Test("a workbook needs a file, and a file that cannot be written leaves what was there") func refused() throws {
    let exam = try CommandRunner()
    #expect(exam.run("export", "marks", "--format", "xlsx").code == 64)
    #expect(exam.run("export", "all").code == 64)
    #expect(exam.run("results", "--format", "xlsx").code == 64)
    let result = exam.run("export", "marks", "--format", "xlsx", "--out", exam.folder + "/none/a.xlsx")
    #expect(result.code == 1 && result.failure.filter { $0 == "\n" }.count == 1)
  }

  @Test("tables that end too early are no workbook; a real number is one, a long key and a long text are texts")
  func streams() async throws {
    let program = try #require(CompanionProgram(name: "osce-xlsx", builtBy: "").path)
    let scratch = NSTemporaryDirectory() + "osce-workbook-\(UUID().uuidString)"
    let shell = "exec \(program) 3>&1 >\(scratch)"
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    func made(_ stream: String) async throws -> (code: Int32, said: String) {
      let ended = try await EndedProgram.run("/bin/sh", ["-c", shell], input: Data(stream.utf8))
      return (ended.code, ended.output + ended.failure)
    }
    #expect(try await made("Smarks\0Titem\0\nT") == (1, "the tables ended too early; the workbook was not written\n"))
    #expect(try await made("{\"a\": 1}") == (1, "standard input holds no tables of osce\n"))
    let long = String(repeating: "é", count: 40_000)
    let reals = "N0.25\0N66.66666666666667\0N-0.00012345678901234567\0N1.2345678901234567e+300\0"
    let outcome = try await made("Smarks\0Ta\0Tb\0\nN117651721428860928\0T\(long)\0\(reals)\n.")
    #expect(outcome.code == 0)
    #expect(
      outcome.said
        == "1 text was cut to 32767 characters, which is what a cell holds; CSV and JSON have all of them\n")
    let sheet = try await part("xl/worksheets/sheet1.xml", of: scratch)
    #expect(sheet.contains("<t>117651721428860928</t>"))
    let values = sheet.matches(of: /<v>([^<]*)<\/v>/).compactMap { Double($0.1) }
    #expect(values.count == 4, "\(sheet)")
    for (value, written) in zip(values, [0.25, 66.66666666666667, -0.00012345678901234567, 1.2345678901234567e300]) {
      #expect(abs(value - written) <= abs(written) * 1e-15)
    }
  }
}
