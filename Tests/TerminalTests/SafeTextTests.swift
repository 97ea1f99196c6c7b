import CNcurses.System
import Characters
import SeededNumbers
import Testing

@testable import Terminal

@Suite("Safe text")
struct SafeTextTests {
  init() { useUTF8() }

  @Test("control characters become visible and reach the terminal as printable cells only", arguments: oddNames)
  func harmless(_ name: String) {
    for encoding in [TerminalEncoding.utf8, .ascii] {
      for scalar in SafeText(name, encoding: encoding).plain.unicodeScalars {
        #expect(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value))
        #expect(!(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value))
        #expect(encoding == .utf8 || scalar.isASCII)
      }
    }
  }

  @Test("an escape sequence shows as text")
  func escape() {
    #expect(SafeText("\u{1B}[2J").plain == "␛[2J")
    #expect(SafeText("\u{1B}[2J", encoding: .ascii).plain == "?[2J")
    #expect(SafeText("\u{9B}2J").plain == "\u{FFFD}2J")
    #expect(SafeText("a\u{7F}b\tc").plain == "a␡b c")
  }

  @Test("the signs between the words of a line show as ASCII where nothing else can be shown, and no letter does")
  func signs() {
    #expect(
      SafeText("absent at 6 stations · Mx In Vig, 8 – 9 … R²", encoding: .ascii).plain
        == "absent at 6 stations . Mx In Vig, 8 - 9 ~ R2")
    #expect(SafeText("Zoë", encoding: .ascii).plain == "Zo?")
    #expect(ASCIIForm.of("Zoë · ✓ Zoe\u{308} 王…\u{A0}x\n") == "Zo? . v Zoe ??~ x\n")
    #expect(ASCIIForm.of("王\u{3000}가│") == "??  ???")
  }

  @Test("bidi controls and zero-width characters vanish")
  func invisible() {
    #expect(SafeText("a\u{202E}b\u{2066}c\u{200B}d\u{200F}e\u{FEFF}f\u{AD}g").plain == "abcdefg")
    #expect(SafeText("✓\u{FE0F}").width == SafeText("✓").width)
  }

  @Test("a cell keeps at most four combining marks")
  func marks() {
    let text = SafeText("e" + String(repeating: "\u{301}", count: 9) + "x")
    #expect(text.plain == "e\u{301}\u{301}\u{301}\u{301}x")
    #expect(text.width == 2)
  }

  @Test("a mark without a character before it stands on a circle")
  func loneMark() {
    #expect(SafeText("\u{301}a").plain == "◌\u{301}a")
  }

  @Test("the width of every cell is the one libc gives")
  func widthAgrees() {
    for value in UInt32(0x20)...0x2FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = SafeText(String(Character(scalar)))
      let expected = Int(osce_character_width(value))
      if text.isEmpty || text.glyphs[0].scalar != value { continue }
      #expect(text.width == expected, "U+\(String(value, radix: 16))")
    }
  }

  @Test("a letter and a name are as wide on paper and in lists as on a screen")
  func widthOnPaper() {
    for value in UInt32(0x20)...0x2FFFF {
      guard let scalar = Unicode.Scalar(value), Character(scalar).isLetter, UnsafeCharacter(scalar) == nil else {
        continue
      }
      let columns = Int(osce_character_width(value))
      if columns < 0 || scalar.properties.generalCategory == .spacingMark { continue }
      #expect(ColumnWidth.of(scalar) == columns, "U+\(String(value, radix: 16))")
    }
    for name in oddNames {
      let text = SafeText(name)
      #expect(ColumnWidth.of(text.plain) == text.width, "\(name.debugDescription)")
    }
  }

  @Test("wide characters count two columns and are never cut in half")
  func wide() {
    let text: SafeText = "漢字x"
    #expect(text.width == 5)
    #expect(text.slice(1..<4).plain == " 字")
    #expect(text.slice(0..<3).plain == "漢 ")
    #expect(text.truncated(to: 4).plain == "漢 …")
    #expect(text.truncated(to: 5).plain == "漢字x")
  }

  @Test("truncation says that something is missing and keeps within its columns")
  func truncation() {
    #expect(SafeText("Abdominal examination").truncated(to: 10).plain == "Abdominal…")
    #expect(SafeText("Abdominal", encoding: .ascii).truncated(to: 4, encoding: .ascii).plain == "Abd~")
    #expect(SafeText("Abdominal").truncated(to: 0).isEmpty)
    #expect(SafeText("Abdominal").truncated(to: 1).plain == "…")
    for name in oddNames {
      for columns in 0...12 {
        let text = SafeText(name)
        #expect(text.truncated(to: columns).width <= columns)
        #expect(text.padded(to: columns, .centre).width == columns)
        #expect(text.padded(to: columns, .centre).glyphs.reduce(0) { $0 + Int($1.width) } == columns)
      }
    }
  }

  @Test("padding puts a text left, right or in the middle")
  func padding() {
    #expect(SafeText("ab").padded(to: 5).plain == "ab   ")
    #expect(SafeText("ab").padded(to: 5, .right).plain == "   ab")
    #expect(SafeText("ab").padded(to: 5, .centre).plain == " ab  ")
  }

  @Test("a text of many megabytes is cut at its limit")
  func limit() {
    let text = SafeText(String(repeating: "é", count: 100_000))
    #expect(text.glyphs.count == SafeText.byteLimit / 2)
  }

  @Test("lines break at spaces, long words are cut, and no line is too wide")
  func wrap() {
    #expect(SafeText.wrap("the quick brown fox", to: 9).map(\.plain) == ["the quick", "brown fox"])
    #expect(SafeText.wrap("the quick brown fox", to: 10).map(\.plain) == ["the quick", "brown fox"])
    #expect(SafeText.wrap("abcdefghij kl", to: 4).map(\.plain) == ["abcd", "efgh", "ij", "kl"])
    #expect(SafeText.wrap("a\n\nb\r\nc", to: 4).map(\.plain) == ["a", "", "b", "c"])
    #expect(SafeText.wrap("漢字漢", to: 3).map(\.plain) == ["漢", "字", "漢"])
    #expect(SafeText.wrap("", to: 5).map(\.plain) == [""])
    for name in oddNames {
      for columns in 2...9 {
        #expect(SafeText.wrap(name + " " + name, to: columns).allSatisfy { $0.width <= columns })
      }
    }
  }

  @Test("no word is lost by wrapping")
  func wrapKeepsWords() {
    let seed = Seeded.seed
    var random = Seeded(seed: seed)
    for _ in 0..<200 {
      let words = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        String(repeating: "x", count: Int.random(in: 1...9, using: &random))
      }
      let columns = Int.random(in: 1...20, using: &random)
      let lines = SafeText.wrap(words.joined(separator: " "), to: columns).map(\.plain)
      #expect(
        lines.joined().filter { $0 != " " } == words.joined(), "OSCE_SEED=\(seed) \(words) in \(columns)")
    }
  }
}
