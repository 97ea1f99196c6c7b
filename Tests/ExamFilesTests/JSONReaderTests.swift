import Catalogue
import Testing

@testable import ExamFiles

@Suite("Reading JSON")
struct JSONReaderTests {
  @Test(
    "what is read is written back",
    arguments: [
      "null", "[1,-2,0.5,true,false]", #"{"a":{"b":[]},"c":"x\"\\\u000ay"}"#, #""王 \u0001""#, "9223372036854775807",
    ])
  func roundTrip(_ text: String) throws {
    #expect(JSONText.of(try JSONReader.read(text)) == text)
  }

  @Test("escapes and surrogate pairs stand for their characters")
  func escapes() throws {
    guard case .text(let text) = try JSONReader.read(#""\ud83d\ude00\u00e9\/\t""#).content else {
      Issue.record("not a text")
      return
    }
    #expect(text == "😀é/\t")
  }

  @Test(
    "what is not JSON is refused with line and column",
    arguments: [
      ("{\n  \"a\": 1,\n}", 3, 1), ("[1 2]", 1, 4), ("tru", 1, 1), ("01", 1, 1), ("1.", 1, 1), ("\"\\x\"", 1, 2),
      ("\"\\ud800\"", 1, 2), ("[\n\"a\nb\"]", 2, 3), ("{\"a\":1,\"a\":2}", 1, 8), ("1 2", 1, 3), ("", 1, 1),
      ("-", 1, 1), ("\"a\\u0000b\"", 1, 1),
      ("[王 1]", 1, 2), ("\"é\" x", 1, 5), ("1e999", 1, 1),
    ])
  func refused(_ text: String, _ line: Int, _ column: Int) {
    do {
      _ = try JSONReader.read(text)
      Issue.record("was read")
    } catch {
      #expect(error.line == line)
      #expect(error.column == column)
    }
  }
}
