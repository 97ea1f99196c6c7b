import Foundation
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("JSON as commands print it") struct JSONDocumentTests {
  @Test("every text comes back as it was, and none can steer a terminal") func escapes() throws {
    let text = "a\"b\\c\n\t\u{0}\u{1B}[31m\u{85}\u{9B}\u{202E}x\u{2066}é\u{1F600}\u{FEFF}"
    let json = JSONDocument.array([.text(text)]).text
    #expect(json.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
    #expect(
      !json.unicodeScalars.contains { (0x202A...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value) })
    #expect(try JSONDecoder().decode([String].self, from: Data(json.utf8)) == [text])
  }

  @Test("members keep their order, numbers their digits") func order() {
    let document = JSONDocument.object([
      ("b", .mark(MarkValue(scaled: 1_500_000))), ("a", .integer(-3)), ("c", .null), ("d", .bool(true)),
    ])
    #expect(document.text == #"{"b":1.5,"a":-3,"c":null,"d":true}"#)
  }
}
