import SeededNumbers
import TerminalTesting
import Testing

@testable import Terminal

@Suite("Canvas")
struct CanvasTests {
  init() { useUTF8() }

  private func canvas(_ width: Int, _ height: Int) -> Canvas { Canvas(size: Size(width: width, height: height)) }

  @Test("text is clipped at the edges and the column after it is told")
  func clipping() {
    var screen = canvas(5, 2)
    #expect(screen.draw("abcdefgh", at: Point(x: 3, y: 0)) == 11)
    screen.draw("abcdefgh", at: Point(x: -6, y: 1))
    screen.draw("never", at: Point(x: 0, y: 2))
    screen.draw("never", at: Point(x: 0, y: -1))
    #expect(screen.plainText == "   ab\ngh\n")
  }

  @Test("a wide character that an edge cuts becomes a space")
  func wideAtEdges() {
    var screen = canvas(5, 3)
    screen.draw("漢字漢", at: Point(x: 0, y: 0))
    screen.draw("漢字漢", at: Point(x: -1, y: 1))
    screen.draw("漢字漢", at: Point(x: 0, y: 2), in: Rect(x: 1, y: 2, width: 2, height: 1))
    #expect(screen.plainText == "漢字\n 字漢\n\n")
  }

  @Test("writing over half of a wide character leaves a space for the other half")
  func overwritten() {
    var screen = canvas(4, 1)
    screen.draw("漢字", at: Point(x: 0, y: 0))
    screen.draw("x", at: Point(x: 1, y: 0))
    #expect(screen.plainText == " x字\n")
    screen.draw("y", at: Point(x: 2, y: 0))
    #expect(screen.plainText == " xy\n")
    screen.draw("漢", at: Point(x: 1, y: 0))
    screen.draw("字", at: Point(x: 2, y: 0))
    #expect(screen.plainText == "  字\n")
  }

  @Test("every row keeps its width whatever is drawn at random")
  func rowsStayWhole() {
    let seed = Seeded.seed
    var random = Seeded(seed: seed)
    var screen = canvas(13, 5)
    for _ in 0..<2_000 {
      let text = SafeText(oddNames.randomElement(using: &random) ?? "")
      let place = Point(x: Int.random(in: -6...14, using: &random), y: Int.random(in: -1...5, using: &random))
      screen.draw(text, at: place)
      for y in 0..<5 {
        let row = Array(screen.row(y))
        for (x, cell) in row.enumerated() {
          let follows = x > 0 && row[x - 1].glyph.width == 2
          #expect(cell.isContinuation == follows, "OSCE_SEED=\(seed)")
        }
        #expect(row.last?.glyph.width == 1, "OSCE_SEED=\(seed)")
      }
    }
  }

  @Test("a longer text is wrapped, and where it has no room its last row says so")
  func wrapping() {
    func drawn(_ text: String) -> (text: String, rows: Int) {
      var screen = canvas(10, 2)
      let rows = screen.drawWrapped(text, in: screen.bounds)
      return (screen.plainText, rows)
    }
    #expect(drawn("one two three four") == ("one two\nthree four\n", 2))
    #expect(drawn("one two three four five") == ("one two\nthree fou…\n", 3))
    #expect(drawn("one\ntwo\nthree four") == ("one\ntwo three…\n", 3))
    // What is after a line break and has room is not cut.
    #expect(drawn("one\ntwo\nthree") == ("one\ntwo three\n", 3))
  }

  @Test("a box has a title and gives the room inside")
  func box() {
    var screen = canvas(12, 3)
    let inside = screen.box(screen.bounds, title: "Keys", glyphs: .unicode)
    screen.draw("text", in: inside)
    #expect(screen.plainText == "┌─ Keys ───┐\n│text      │\n└──────────┘\n")
    var plain = canvas(8, 3)
    plain.box(plain.bounds, title: "Station", glyphs: .ascii)
    #expect(plain.plainText == "+- S… -+\n|      |\n+------+\n")
  }

  @Test("a region too small for a box stays as it is")
  func tinyBox() {
    var screen = canvas(1, 1)
    #expect(screen.box(screen.bounds, title: "x", glyphs: .unicode).isEmpty)
    #expect(screen.plainText == "\n")
  }

  @Test("alignment stands a text left, right and in the middle of a region")
  func alignment() {
    var screen = canvas(9, 3)
    screen.draw("abc", in: screen.bounds, row: 0, .left)
    screen.draw("abc", in: screen.bounds, row: 1, .centre)
    screen.draw("abc", in: screen.bounds, row: 2, .right)
    #expect(screen.plainText == "abc\n   abc\n      abc\n")
  }

  @Test("the styled form names every style and the cursor")
  func styled() {
    var screen = canvas(10, 2)
    screen.draw([("ab", Style(.red, [.bold])), ("cd", .plain)], in: screen.bounds)
    screen.cursor = Point(x: 1, y: 0)
    #expect(screen.styledText == "abcd\n~aa\n\ncursor 1,0\na = bold red\n")
  }

  @Test("parts of a rectangle never reach outside it")
  func geometry() {
    let region = Rect(x: 2, y: 3, width: 10, height: 4)
    #expect(region.splitTop(1).top == Rect(x: 2, y: 3, width: 10, height: 1))
    #expect(region.splitTop(1).rest == Rect(x: 2, y: 4, width: 10, height: 3))
    #expect(region.splitBottom(1).bottom == Rect(x: 2, y: 6, width: 10, height: 1))
    #expect(region.splitRight(3).right == Rect(x: 9, y: 3, width: 3, height: 4))
    #expect(region.splitTop(9).rest.isEmpty)
    #expect(region.row(4).isEmpty)
    #expect(region.inset(columns: 6, rows: 0).isEmpty)
    #expect(region.centred(Size(width: 4, height: 2)) == Rect(x: 5, y: 4, width: 4, height: 2))
  }

  @Test("a screen of 80x24 is small enough to stay in the heap from frame to frame")
  func memory() { #expect(MemoryLayout<Cell>.stride * 80 * 24 < 64 << 10) }
}
