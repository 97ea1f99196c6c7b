import Characters
import Testing

@Suite("Words in a text") struct HasWordsTests {
  @Test("blanks alone, of whatever kind, are no words", arguments: ["", " ", "\t\n", "\u{A0}\u{3000}"])
  func blanks(_ text: String) { #expect(!text.hasWords) }

  @Test("anything else is, whatever stands around it", arguments: [" a ", "\n.", "山本"])
  func words(_ text: String) { #expect(text.hasWords) }
}
