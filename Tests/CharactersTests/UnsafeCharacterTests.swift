import Foundation
import Testing

@testable import Characters

@Suite("Unsafe characters")
struct UnsafeCharacterTests {
  private static var scalars: some Sequence<Unicode.Scalar> {
    (UInt32(0)...0x10FFFF).lazy.compactMap { Unicode.Scalar($0) }
  }

  @Test("the list is that of its Unicode properties, over all characters")
  func properties() {
    for scalar in Self.scalars {
      let properties = scalar.properties
      let isOfCategory: Bool =
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
      let isUnsafe = isOfCategory || properties.isDefaultIgnorableCodePoint
      if isUnsafe != (UnsafeCharacter(scalar) != nil) { Issue.record("U+\(String(scalar.value, radix: 16))") }
    }
  }

  @Test("a text that was made visible holds none of them, and says which it held")
  func visible() {
    for scalar in Self.scalars {
      let text = VisibleText.of("a\(scalar)b")
      let isClean = text.unicodeScalars.allSatisfy { UnsafeCharacter($0) == nil }
      if !isClean || (UnsafeCharacter(scalar) != nil) != (text.unicodeScalars.count > 3) {
        Issue.record("U+\(String(scalar.value, radix: 16))")
      }
    }
    #expect(VisibleText.of("a\u{1B}[2J\nb", keepsLines: true) == "a\\u{1b}[2J\nb")
    #expect(VisibleText.of("abcdef", limit: 3) == "abc…" && VisibleText.of("abc", limit: 3) == "abc")
  }

  @Test("a text shows nothing that holds blanks and what cannot be seen alone")
  func nothing() {
    for text in ["", " ", "\u{200B}", "\u{3164}", "\u{2800}\u{3000}\u{A0}", "\u{1B}\u{202E}"] {
      #expect(UnsafeCharacter.showsNothing(text))
    }
    for text in ["a", "\u{200B}王", "\u{301}", "-"] { #expect(!UnsafeCharacter.showsNothing(text)) }
  }

  @Test("names are spelt with joiners and selectors: they are left out for people, and nothing else is")
  func joiners() {
    for (name, shown) in [
      ("علی\u{200C}رضا", "علیرضا"), ("ප්\u{200D}රියංකා", "ප්රියංකා"), ("👩\u{200D}⚕\u{FE0F}", "👩⚕"), ("\u{200B}a", "\\u{200b}a"),
      ("\u{202E}a\u{1B}", "\\u{202e}a\\u{1b}"),
    ] {
      #expect(Array(VisibleText.of(name, dropsJoiners: true).unicodeScalars) == Array(shown.unicodeScalars))
    }
    #expect(VisibleText.of("a\u{200D}b") == "a\\u{200d}b")
    let flood = "e" + String(repeating: "\u{301}\u{200D}", count: 9)
    let seen = VisibleText.of(flood, dropsJoiners: true)
    #expect(seen == "e" + String(repeating: "\u{301}", count: CombiningMarks.limit) + "\\u{301…}")
  }

  @Test("a flood of combining marks is cut to what a screen shows, and says so; in JSON every mark is still there")
  func flood() throws {
    for mark in ["\u{301}", "\u{20DD}", "\u{11A8}", "\u{E31}", "\u{1D165}"].map({ Unicode.Scalar($0)! }) {
      let flood = "e" + String(repeating: String(mark), count: 5_000) + "x"
      let shown = VisibleText.of(flood)
      let code = String(mark.value, radix: 16)
      #expect(shown == "e" + String(repeating: String(mark), count: CombiningMarks.limit) + "\\u{\(code)…}x")
      let text = JSONString.quoted(flood, .shown)
      #expect(text.unicodeScalars.count { $0 == mark } == CombiningMarks.limit)
      let read = try JSONDecoder().decode([String].self, from: Data("[\(text)]".utf8))
      #expect(read[0].unicodeScalars.elementsEqual(flood.unicodeScalars))
    }
    let written = "Việt Nam, e\u{301}\u{323}, क्षि, ที่"
    #expect(VisibleText.of(written) == written)
  }

  @Test("a JSON string is read as the text that it was, and one to be shown holds none of them")
  func json() throws {
    let all = String(String.UnicodeScalarView(Self.scalars))
    for escaping in [JSONString.Escaping.stored, .shown] {
      let text = JSONString.quoted(all, escaping)
      let read = try JSONDecoder().decode([String].self, from: Data("[\(text)]".utf8))
      #expect(read.first?.unicodeScalars.elementsEqual(all.unicodeScalars) == true)
      if escaping == .shown { #expect(text.unicodeScalars.allSatisfy { UnsafeCharacter($0) == nil }) }
    }
    #expect(JSONString.quoted("a\n\u{7F}\u{E0041}\"\\", .stored) == #""a\u000a"# + "\u{7F}\u{E0041}" + #"\"\\""#)
    #expect(JSONString.quoted("a\n\u{7F}\u{E0041}\"\\", .shown) == #""a\n\u007f\udb40\udc41\"\\""#)
  }
}
