import Journal
import SeededNumbers
import Testing

@Suite("Canonical JSON")
struct CanonicalJSONTests {
  private func decode(_ text: String) throws -> CanonicalJSON.Node {
    try CanonicalJSON.decode(Array(text.utf8))
  }

  @Test("keys are written in the order of their bytes, whatever order they came in")
  func keyOrder() {
    let keys = ["b", "a", "", "Z", "é", "𐀀", "ﬀ"]
    let members = keys.map { CanonicalJSON.Member($0, .null) }
    let text = String(decoding: CanonicalJSON.encode(.object(members)), as: UTF8.self)
    #expect(text == #"{"":null,"Z":null,"a":null,"b":null,"é":null,"ﬀ":null,"𐀀":null}"#)
  }

  @Test("only what must be escaped is, in its shortest form")
  func escapes() {
    let text = CanonicalJSON.encode(.text("\u{0}\u{8}\t\n\u{B}\u{C}\r\u{1F}\"\\/\u{7F}é"))
    #expect(String(decoding: text, as: UTF8.self) == #""\u0000\b\t\n\u000b\f\r\u001f\"\\/"# + "\u{7F}é\"")
  }

  @Test(
    "what is not canonical is refused",
    arguments: [
      "", " ", "nul", "null ", " null", "[1, 2]", "[1,]", "[,1]", "[1", "{", "{}x", "{\"a\":1,}", "{\"a\"}",
      "{\"a\" :1}",
      "{\"b\":1,\"a\":2}", "{\"a\":1,\"a\":1}", "{a:1}", "{1:1}", "01", "-0", "00", "-", "+1", "1.0", "1e3", "1E3",
      "0.5",
      "9223372036854775808", "-9223372036854775809", "99999999999999999999999", "\"", "\"\\", "\"\\/\"", "\"\\u0041\"",
      "\"\\u000a\"", "\"\\u001F\"", "\"\\ud83d\\ude00\"", "\"\\u00\"", "\"\\u+01f\"", "\"\\x\"", "\"\n\"", "True",
      "NaN", "'a'", "[1]]", "\u{FEFF}null",
    ])
  func refused(text: String) {
    #expect(throws: CanonicalJSON.Problem.self) { try decode(text) }
  }

  @Test("bytes that are not UTF-8 are refused: overlong forms, surrogates, stray and cut sequences")
  func encoding() {
    for bytes: [UInt8] in [
      [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0x80], [0xE2, 0x82], [0xF5, 0x80, 0x80, 0x80], [0xFF],
    ] {
      #expect(throws: CanonicalJSON.Problem.self) { try CanonicalJSON.decode([0x22] + bytes + [0x22]) }
    }
  }

  @Test("size and depth have limits")
  func limits() throws {
    let deep = Array((String(repeating: "[", count: 17) + String(repeating: "]", count: 17)).utf8)
    #expect(throws: CanonicalJSON.Problem(kind: .tooDeep, offset: 16)) { try CanonicalJSON.decode(deep) }
    _ = try CanonicalJSON.decode(Array(deep.dropFirst().dropLast()))
    let endless = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
    #expect(throws: CanonicalJSON.Problem.self) { try CanonicalJSON.decode(endless) }
    #expect(throws: CanonicalJSON.Problem(kind: .tooLong, offset: 3)) {
      try CanonicalJSON.decode(Array("null".utf8), limits: CanonicalJSON.Limits(bytes: 3))
    }
  }

  @Test("the largest integers are exact")
  func integers() throws {
    for integer in [Int64.min, -1, 0, 1, 1 << 53 + 1, .max] {
      #expect(try decode(String(integer)) == .integer(integer))
    }
  }

  @Test("any value comes back as it was, and any change of its bytes is another value or none")
  func roundTrip() throws {
    for seed in Seeded.seeds(60) {
      var generator = Seeded(seed: seed)
      let bytes = CanonicalJSON.encode(Self.node(depth: 0, using: &generator))
      let node = try CanonicalJSON.decode(bytes)
      #expect(CanonicalJSON.encode(node) == bytes, "seed \(seed)")
      for _ in 0..<40 {
        var changed = bytes
        let place = Int.random(in: 0..<changed.count, using: &generator)
        changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        if let other = try? CanonicalJSON.decode(changed) {
          #expect(CanonicalJSON.encode(other) == changed, "seed \(seed)")
        }
      }
    }
  }

  private static func node(depth: Int, using generator: inout Seeded) -> CanonicalJSON.Node {
    switch Int.random(in: 0..<(depth < 4 ? 7 : 4), using: &generator) {
    case 0: return .null
    case 1: return .bool(.random(using: &generator))
    case 2: return .integer(Int64(bitPattern: generator.next()) >> Int64.random(in: 0..<63, using: &generator))
    case 3: return .text(text(using: &generator))
    case 4:
      return .array(
        (0..<Int.random(in: 0..<4, using: &generator)).map { _ in node(depth: depth + 1, using: &generator) })
    default:
      var members: [CanonicalJSON.Member] = []
      for _ in 0..<Int.random(in: 0..<6, using: &generator) {
        let key = text(using: &generator)
        guard !members.contains(where: { $0.key.utf8.elementsEqual(key.utf8) }) else { continue }
        members.append(CanonicalJSON.Member(key, node(depth: depth + 1, using: &generator)))
      }
      return .object(members)
    }
  }

  private static func text(using generator: inout Seeded) -> String {
    let ranges: [ClosedRange<UInt32>] = [0...0x7F, 0x80...0x7FF, 0x800...0xD7FF, 0xE000...0xFFFF, 0x10000...0x10FFFF]
    var text = ""
    for _ in 0..<Int.random(in: 0..<8, using: &generator) {
      let range = ranges[Int.random(in: 0..<ranges.count, using: &generator)]
      if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) { text.unicodeScalars.append(scalar) }
    }
    return text
  }
}
