import CircuitModel
import Foundation
import GRDB
import Testing
import Timer

@testable import ExamFiles
@testable import ExamStore
@testable import Reports

@Suite("Writing exports") struct ExportWriterTests {
  private func csv(_ cells: [ExportCell]) -> String {
    var bytes: [UInt8] = []
    CSVRows([]).row(cells, isFirst: true, &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("values are written plainly, times in UTC with three decimals, and lines end in CR LF") func plain() {
    let cells: [ExportCell] = [
      .empty, .text("a b"), .integer(-3), .mark(MarkValue(scaled: -500_000)), .bool(true),
      .time(Instant(milliseconds: 1_796_634_000_007)), .empty,
    ]
    #expect(csv(cells) == ",a b,-3,-0.5,true,2026-12-07T09:00:00.007Z,\r\n")
  }

  @Test("a cell with a comma, a quote or a line end is quoted") func quoting() {
    #expect(csv([.text("a,b"), .text("say \"x\""), .text("1\n2")]) == "\"a,b\",\"say \"\"x\"\"\",\"1\n2\"\r\n")
  }

  @Test(
    "a cell that a spreadsheet would take for a formula is guarded, a number is not",
    arguments: [
      ("=1+1", "'=1+1"), ("@x", "'@x"), ("+44 20", "'+44 20"), ("-cmd", "'-cmd"), ("\tx", "'\tx"), ("-", "'-"),
      ("-1.5", "-1.5"), ("+3", "+3"), ("-1.2.3", "'-1.2.3"), ("a=b", "a=b"), ("", ""), ("=a,b", "\"'=a,b\""),
      ("\rx", "\"'\rx\""), ("\n=1+1", "\"'\n=1+1\""), ("-1e5", "'-1e5"),
    ])
  func formulas(_ text: String, _ cell: String) { #expect(csv([.text(text)]) == cell + "\r\n") }

  @Test("JSON has an object a row, with null for what has no value") func json() throws {
    let rows = JSONRows(["a", "b", "c"])
    var bytes: [UInt8] = []
    rows.begin(&bytes)
    rows.row([.empty, .mark(MarkValue(scaled: 1_500_000)), .text("=x")], isFirst: true, &bytes)
    rows.row([.bool(false), .integer(2), .time(Instant(milliseconds: 0))], isFirst: false, &bytes)
    rows.end(&bytes)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "[\n{\"a\":null,\"b\":1.5,\"c\":\"=x\"},\n{\"a\":false,\"b\":2,\"c\":\"1970-01-01T00:00:00.000Z\"}\n]\n")
    bytes = []
    rows.begin(&bytes)
    rows.end(&bytes)
    #expect(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String] == [])
  }

  @Test("a file appears whole or not at all, and replaces one that is there") func atomic() throws {
    let scratch = Scratch()
    let path = scratch.path + "/out.csv"
    scratch.write("out.csv", "old")
    do {
      let abandoned = try AtomicFile(path)
      try abandoned.write(Array("half".utf8))
    }
    #expect(scratch.text("out.csv") == "old")
    let file = try AtomicFile(path)
    try file.write(Array("new".utf8))
    #expect(scratch.text("out.csv") == "old")
    try file.finish()
    #expect(scratch.text("out.csv") == "new")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() == ["out.csv", "sheets"])
    #expect(throws: StoreError.self) { try AtomicFile(scratch.path + "/none/out.csv") }
  }

  @Test("a file replaces no database of whatever exam or program, and nothing that belongs to one") func databases()
    throws
  {
    let scratch = Scratch()
    try DatabaseQueue(path: scratch.path + "/other.sqlite").inDatabase { try $0.execute(sql: "CREATE TABLE t (a)") }
    scratch.write("torn", "no database any more")
    scratch.write("torn.lock", "")
    scratch.write("other.sqlite.hub", "token")
    for name in ["other.sqlite", "torn", "other.sqlite.hub", "other.sqlite-wal", "other.sqlite.people"] {
      #expect(throws: StoreError.self, "\(name)") { try AtomicFile(scratch.path + "/" + name) }
    }
    #expect(scratch.text("other.sqlite.hub") == "token")
    // One that comes to lie there meanwhile stays.
    let file = try AtomicFile(scratch.path + "/late.csv")
    try DatabaseQueue(path: scratch.path + "/late.csv").inDatabase { try $0.execute(sql: "CREATE TABLE t (a)") }
    #expect(throws: StoreError.self) { try file.finish() }
    #expect(StoreLocation(path: scratch.path + "/late.csv").isDatabase)
  }
}
