import SeededNumbers
import TerminalTesting
import Testing

@testable import Terminal

@Suite("Text field")
struct TextFieldTests {
  init() { useUTF8() }

  private func field(_ keys: Key...) -> TextField {
    var field = TextField(prompt: "/ ")
    for key in keys { _ = field.update(key) }
    return field
  }

  @Test("typing, moving and deleting")
  func editing() {
    #expect(field("a", "b", "left", "c").text == "acb")
    #expect(field("a", "b", "backspace").text == "a")
    #expect(field("a", "b", "home", "del").text == "b")
    #expect(field("a", "b", "space", "c", "d", "ctrl-w").text == "ab ")
    #expect(field("a", "b", "ctrl-u").text == "")
    #expect(field("backspace", "del", "left", "right").text == "")
  }

  @Test("keys that type nothing are left to the screen")
  func foreign() {
    var field = TextField()
    for key: Key in ["enter", "esc", "tab", "up", "f1", "alt-x", "ctrl-o"] { #expect(field.update(key) == false) }
  }

  @Test("a combining mark joins its letter and goes with it")
  func combining() {
    var field = field("e", Key.character("\u{301}"))
    #expect(field.text == "e\u{301}" && field.text.count == 1)
    _ = field.update("backspace")
    #expect(field.text == "")
  }

  @Test("what turns the direction of text is dropped from what is typed and pasted; joiners and signs in colour stay")
  func directions() {
    var field = TextField(prompt: "")
    field.paste("a\u{202E}b\u{2066}c\u{2069}\u{200F}\u{61C}d \u{1F469}\u{200D}\u{1F52C} \u{2764}\u{FE0F} e\u{2028}f")
    #expect(field.text == "abcd \u{1F469}\u{200D}\u{1F52C} \u{2764}\u{FE0F} e f")
  }

  @Test("pasted line breaks become spaces and the limit holds")
  func paste() {
    var field = TextField(limit: 5)
    field.paste("a\nb\u{1B}cdefg")
    #expect(field.text == "a bcd")
  }

  @Test("a line end around a paste is left out, and around a secret a tab; blanks may belong to it")
  func ends() {
    var field = TextField()
    field.paste("\n30112\n\n")
    #expect(field.text == "30112")
    field.paste("\t")
    #expect(field.text == "30112 ")
    var secret = TextField(isSecret: true)
    secret.paste("\topen sesame \t\n")
    #expect(secret.text == "open sesame ")
    secret.paste("\n")
    #expect(secret.text == "open sesame ")
  }

  @Test("marks without end on one letter are too much for a line, which stays as it was")
  func endlessMarks() {
    let marks = String(repeating: "\u{301}", count: 30_000)
    var field = TextField(text: "na", limit: 10)
    field.paste(marks)
    #expect(field.text == "na" && field.isCut)
    field.paste("b" + marks)
    #expect(field.text == "na" && field.isCut)
    field.paste("i\u{308}ve \u{915}\u{94D}\u{937}\u{93F}")
    #expect(field.text == "nai\u{308}ve \u{915}\u{94D}\u{937}\u{93F}" && !field.isCut)
  }

  @Test("words that a paste parts by other breaks of lines stay parted")
  func otherBreaks() {
    var field = TextField()
    field.paste("one\u{85}two\u{B}three\u{C}four")
    #expect(field.text == "one two three four")
  }

  @Test("a long text scrolls with its cursor, and a secret one shows its length only")
  func drawing() {
    var canvas = Canvas(size: Size(width: 10, height: 2))
    TextField(prompt: "/ ", text: "abcdefghijkl").draw(on: &canvas, in: canvas.bounds, theme: .standard())
    #expect(canvas.plainText == "/ fghijkl\n\n")
    #expect(canvas.cursor == Point(x: 9, y: 0))
    let secret = TextField(prompt: "> ", text: "abc", isSecret: true)
    secret.draw(on: &canvas, in: canvas.bounds.row(1), theme: .standard())
    #expect(canvas.plainText == "/ fghijkl\n> ***\n")
  }
}

@Suite("Text area")
struct TextAreaTests {
  init() { useUTF8() }

  private func area(_ text: String = "", _ keys: Key...) -> TextArea {
    var area = TextArea(target: "Feedback", text: text, viewport: Size(width: 21, height: 6))
    for key in keys { _ = area.update(key) }
    return area
  }

  @Test("lines, words and the cursor")
  func editing() {
    #expect(area("", "a", "enter", "b").text == "a\nb")
    #expect(area("one two", "ctrl-left", "x").text == "one xtwo")
    #expect(area("one two", "ctrl-w").text == "one ")
    #expect(area("one\ntwo", "home", "backspace").text == "onetwo")
    #expect(area("one\ntwo", "up", "end", "ctrl-u").text == "\ntwo")
    #expect(area("one\ntwo", "ctrl-home", "ctrl-k").text == "\ntwo")
    #expect(area("one", "home", "del").text == "ne")
  }

  @Test("up and down keep to their column through shorter lines")
  func column() {
    #expect(area("abcdef\nx\nabcdef", "up", "up").cursor == 6)
    #expect(area("abcdef\nx\nabcdef", "up").cursor == 8)
  }

  @Test("undo takes back words, redo brings them again, and a new edit ends the redo")
  func undo() {
    var text = area("", "o", "n", "e", "space", "t", "w", "o")
    #expect(text.update("ctrl-z") == .edited)
    #expect(text.text == "one ")
    _ = text.update("ctrl-z")
    #expect(text.text == "")
    #expect(text.update("ctrl-z") == .refused("nothing to undo"))
    _ = text.update("ctrl-y")
    #expect(text.text == "one ")
    _ = text.update("x")
    #expect(text.update("ctrl-y") == .refused("nothing to redo"))
    #expect(text.text == "one x")
  }

  @Test("Esc keeps the text")
  func escape() {
    var text = area("kept")
    #expect(text.update("esc") == .finished)
    #expect(text.text == "kept")
  }

  @Test("a paste is text without control characters, one undo step, cut at the limit")
  func paste() {
    var text = TextArea(target: "Feedback", limit: 10)
    #expect(text.paste("a\r\nb\u{1B}[Zc\td") == .edited)
    #expect(text.text == "a\nb[Zc d")
    #expect(text.paste("12345") == .refused("the text is full (10 bytes): the rest was left out"))
    #expect(text.text == "a\nb[Zc d12")
    #expect(text.update("x") == .refused("the text is full (10 bytes)"))
    _ = text.update("ctrl-z")
    _ = text.update("ctrl-z")
    #expect(text.text == "")
  }

  @Test("the target is in the first line and the cursor where the next character goes")
  func drawing() {
    var text = area("Please look at the candidate while you speak, Zoë. 漢字漢字漢字漢字漢字漢字")
    var canvas = Canvas(size: Size(width: 21, height: 7))
    text.draw(on: &canvas, in: canvas.bounds, theme: .standard())
    #expect(GoldenScreen.difference(canvas.styledText, "text-area") == nil)
    _ = text.update("ctrl-home")
    text.draw(on: &canvas, in: canvas.bounds, theme: .standard())
    #expect(canvas.cursor == Point(x: 0, y: 1))
  }

  @Test("a text that is almost full says so")
  func almostFull() {
    let text = TextArea(target: "Feedback", text: "123456789", limit: 10)
    var canvas = Canvas(size: Size(width: 40, height: 3))
    text.draw(on: &canvas, in: canvas.bounds, theme: .standard())
    #expect(canvas.plainText.hasPrefix("Feedback                      9/10 bytes\n"))
  }

  @Test("random keys and pastes: undoing everything gives the first text back, redoing the last")
  func fuzz() {
    let seed = Seeded.seed
    var random = Seeded(seed: seed)
    let keys: [Key] = [
      "left", "right", "up", "down", "home", "end", "ctrl-left", "ctrl-right", "pgup", "pgdn", "ctrl-home", "ctrl-end",
      "backspace", "del", "ctrl-w", "ctrl-u", "ctrl-k", "enter", "space", "a", "b", "漢", "ctrl-z", "ctrl-y", "tab",
      Key.character("\u{301}"), Key.character("\u{200D}"), Key.character("👩"),
    ]
    for _ in 0..<60 {
      let original = String(oddNames.shuffled(using: &random).prefix(2).joined(separator: "\n"))
      let size = Size(width: Int.random(in: 0...14, using: &random), height: Int.random(in: 0...6, using: &random))
      var area = TextArea(target: "Feedback", text: original, limit: 400, viewport: size)
      let first = area.text
      for _ in 0..<Int.random(in: 0...60, using: &random) {
        if Int.random(in: 0...9, using: &random) == 0 {
          let bytes = (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) }
          _ = area.paste(String(decoding: bytes, as: UTF8.self))
        } else {
          _ = area.update(keys.randomElement(using: &random) ?? "a")
        }
        #expect(area.text.utf8.count <= max(400, first.utf8.count), "OSCE_SEED=\(seed)")
        #expect(area.history.bytes == area.text.utf8.count, "OSCE_SEED=\(seed)")
        var canvas = Canvas(size: Size(width: 16, height: 8))
        area.draw(on: &canvas, in: Rect(x: 1, y: 1, width: size.width, height: size.height), theme: .standard())
      }
      let last = area.text
      var steps = 0
      while area.update("ctrl-z") == .edited { steps += 1 }
      #expect(area.text == first, "OSCE_SEED=\(seed)")
      for _ in 0..<steps { _ = area.update("ctrl-y") }
      #expect(area.text == last, "OSCE_SEED=\(seed)")
    }
  }
}
