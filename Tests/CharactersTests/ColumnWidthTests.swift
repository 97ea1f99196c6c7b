import Testing

@testable import Characters

@Suite("Columns")
struct ColumnWidthTests {
  @Test(
    "what stands on another character takes no column, what is as wide as it is high takes two",
    arguments: [
      ("", 0), ("Zoe", 3), ("Zoë", 3), ("Zoe\u{308}", 3), ("王小明", 6), ("민준", 4), ("\u{1106}\u{1175}\u{11AB}", 2),
      ("क्षि", 3), ("ที่", 1), ("👍", 2), ("·–…", 3),
    ])
  func widths(_ text: String, _ columns: Int) {
    #expect(ColumnWidth.of(text) == columns)
    #expect(text.map { ColumnWidth.of($0) }.reduce(0, +) == columns)
  }

  @Test("lines are broken by columns, and nothing of a text is lost")
  func lines() {
    #expect(TextLines.broken("王小明 王 ab", 6) == ["王小明", "王 ab"])
    #expect(TextLines.broken("王小明王", 5) == ["王小", "明王"])
    #expect(TextLines.broken("王小", 1) == ["王", "小"])
    #expect(TextLines.broken("Zoe\u{308} Ann", 3) == ["Zoe\u{308}", "Ann"])
    let wrapped = TextLines.wrapped(String(repeating: "佐藤 ", count: 30), indent: 4, width: 20)
    #expect(wrapped.allSatisfy { ColumnWidth.of($0) <= 20 })
    #expect(wrapped.joined().filter { $0 != " " } == String(repeating: "佐藤", count: 30))
  }
}
