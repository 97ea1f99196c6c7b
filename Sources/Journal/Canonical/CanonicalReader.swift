/// Reads canonical JSON and nothing but canonical JSON.
///
/// It lies over bytes that its user holds, and must not outlive them.
struct CanonicalReader {
  /// A text where it lies: known to be valid and in its only form, not copied.
  struct Text {
    /// Its bytes without the quotes.
    let content: Range<Int>
    let hasEscapes: Bool
    let isASCII: Bool
  }

  /// A value that holds no others.
  enum Scalar {
    case null
    case bool(Bool)
    case integer(Int64)
    case text(Text)
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private let depthLimit: Int
  private var position = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, depthLimit: Int = CanonicalJSON.Limits().depth) {
    self.bytes = bytes
    self.depthLimit = depthLimit
  }

  mutating func readAll() throws(CanonicalJSON.Problem) -> CanonicalJSON.Node {
    let node = try readNode(depth: 0)
    try expectEnd()
    return node
  }

  private mutating func readNode(depth: Int) throws(CanonicalJSON.Problem) -> CanonicalJSON.Node {
    switch try peek() {
    case UInt8(ascii: "["): return try readArray(depth: depth + 1)
    case UInt8(ascii: "{"): return try readObject(depth: depth + 1)
    default:
      return switch try readScalar() {
      case .null: .null
      case .bool(let bool): .bool(bool)
      case .integer(let integer): .integer(integer)
      case .text(let text): .text(string(text))
      }
    }
  }

  private mutating func readArray(depth: Int) throws(CanonicalJSON.Problem) -> CanonicalJSON.Node {
    guard depth <= depthLimit else { throw problem(.tooDeep) }
    var nodes: [CanonicalJSON.Node] = []
    var isOpen = try begins("[", end: UInt8(ascii: "]"))
    while isOpen {
      nodes.append(try readNode(depth: depth))
      isOpen = try goesOn(until: UInt8(ascii: "]"))
    }
    return .array(nodes)
  }

  private mutating func readObject(depth: Int) throws(CanonicalJSON.Problem) -> CanonicalJSON.Node {
    guard depth <= depthLimit else { throw problem(.tooDeep) }
    var members: [CanonicalJSON.Member] = []
    var last: Text?
    var isOpen = try begins("{", end: UInt8(ascii: "}"))
    while isOpen {
      let key = try readKey(after: last)
      last = key
      members.append(CanonicalJSON.Member(string(key), try readNode(depth: depth)))
      isOpen = try goesOn(until: UInt8(ascii: "}"))
    }
    return .object(members)
  }

  // MARK: Parts

  /// Goes into a list or an object.
  /// - Returns: whether anything is in it; else it is left behind.
  mutating func begins(_ start: StaticString, end: UInt8) throws(CanonicalJSON.Problem) -> Bool {
    try expect(start)
    guard try peek() == end else { return true }
    position += 1
    return false
  }

  /// Goes past what stands behind a member.
  /// - Returns: whether another follows.
  mutating func goesOn(until end: UInt8) throws(CanonicalJSON.Problem) -> Bool {
    let byte = try peek()
    guard byte == UInt8(ascii: ",") || byte == end else { throw problem(.unexpected) }
    position += 1
    return byte != end
  }

  /// Reads a key and its colon.
  mutating func readKey(after last: Text?) throws(CanonicalJSON.Problem) -> Text {
    let start = position
    let key = try readText()
    if let last, !precedes(last, key) { throw problem(.keyOrder, at: start) }
    try expect(":")
    return key
  }

  mutating func readScalar() throws(CanonicalJSON.Problem) -> Scalar {
    switch try peek() {
    case UInt8(ascii: "n"):
      try expect("null")
      return .null
    case UInt8(ascii: "t"):
      try expect("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try expect("false")
      return .bool(false)
    case UInt8(ascii: "\""): return .text(try readText())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .integer(try readInteger())
    default: throw problem(.unexpected)
    }
  }

  mutating func expectEnd() throws(CanonicalJSON.Problem) {
    guard position == bytes.count else { throw problem(.trailing) }
  }

  private mutating func readInteger() throws(CanonicalJSON.Problem) -> Int64 {
    let start = position
    let isNegative = bytes[position] == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let firstDigit = position
    var value: Int64 = 0
    while position < bytes.count, let digit = Self.decimalDigit(bytes[position]) {
      let (product, productOverflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, sumOverflow) = product.addingReportingOverflow(isNegative ? -digit : digit)
      guard !productOverflow, !sumOverflow else { throw problem(.numberRange, at: start) }
      value = sum
      position += 1
    }
    let count = position - firstDigit
    let startsWithZero = count > 0 && bytes[firstDigit] == UInt8(ascii: "0")
    guard count > 0, !startsWithZero || (count == 1 && !isNegative) else { throw problem(.numberForm, at: start) }
    if position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): throw problem(.numberForm, at: start)
      default: break
      }
    }
    return value
  }

  private static func decimalDigit(_ byte: UInt8) -> Int64? {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? Int64(byte - UInt8(ascii: "0")) : nil
  }

  mutating func readText() throws(CanonicalJSON.Problem) -> Text {
    let start = position
    guard try peek() == UInt8(ascii: "\"") else { throw problem(.unexpected) }
    position += 1
    let contentStart = position
    var hasEscapes = false
    var all: UInt8 = 0
    while true {
      let byte = try peek()
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        _ = try readEscape()
      } else if byte < 0x20 {
        throw problem(.control)
      } else {
        all |= byte
        position += 1
      }
    }
    let text = Text(content: contentStart..<position, hasEscapes: hasEscapes, isASCII: all < 0x80)
    // An escape is ASCII, and stands for ASCII: what is around it is valid, or not, with it as without it.
    if !text.isASCII, String(exactly: slice(text)) == nil { throw problem(.encoding, at: start) }
    position += 1
    return text
  }

  private mutating func readEscape() throws(CanonicalJSON.Problem) -> UInt8 {
    let start = position
    position += 1
    let letter = try peek()
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): return letter
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "u"):
      guard position + 4 <= bytes.count else { throw problem(.endsEarly, at: bytes.count) }
      let digits = bytes[position..<position + 4]
      position += 4
      guard let code = UInt16(String(decoding: digits, as: UTF8.self), radix: 16), code < 0x20 else {
        throw problem(.escape, at: start)
      }
      let control = UInt8(code)
      let written = Array("00".utf8) + [Hexadecimal.digit(control >> 4), Hexadecimal.digit(control & 0xF)]
      guard CanonicalJSON.shortEscape(of: control) == nil, digits.elementsEqual(written) else {
        throw problem(.escape, at: start)
      }
      return control
    default: throw problem(.escape, at: start)
    }
  }

  private func peek() throws(CanonicalJSON.Problem) -> UInt8 {
    guard position < bytes.count else { throw problem(.endsEarly) }
    return bytes[position]
  }

  private mutating func expect(_ word: StaticString) throws(CanonicalJSON.Problem) {
    for index in 0..<word.utf8CodeUnitCount {
      guard try peek() == word.utf8Start[index] else { throw problem(.unexpected) }
      position += 1
    }
  }

  private func problem(_ kind: CanonicalJSON.Problem.Kind, at offset: Int? = nil) -> CanonicalJSON.Problem {
    CanonicalJSON.Problem(kind: kind, offset: offset ?? position)
  }

  // MARK: What a text says

  /// The bytes of a text as they lie, escapes and all.
  func slice(_ text: Text) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes[text.content]) }

  func string(_ text: Text) -> String {
    text.hasEscapes ? String(decoding: unescaped(text), as: UTF8.self) : String(decoding: slice(text), as: UTF8.self)
  }

  /// Whether a text is this one.
  func says(_ text: Text, _ word: StaticString) -> Bool {
    !text.hasEscapes
      && slice(text).elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  func unescaped(_ text: Text) -> [UInt8] {
    var reader = self
    reader.position = text.content.lowerBound
    var plain: [UInt8] = []
    while reader.position < text.content.upperBound {
      let byte = bytes[reader.position]
      if byte == UInt8(ascii: "\\"), let said = try? reader.readEscape() {
        plain.append(said)
      } else {
        plain.append(byte)
        reader.position += 1
      }
    }
    return plain
  }

  private func precedes(_ left: Text, _ right: Text) -> Bool {
    if left.hasEscapes || right.hasEscapes { return unescaped(left).lexicographicallyPrecedes(unescaped(right)) }
    return slice(left).lexicographicallyPrecedes(slice(right))
  }
}

extension String {
  /// The text of some bytes; nil where they are no UTF-8.
  package init?(exactly bytes: UnsafeBufferPointer<UInt8>) {
    // Bytes that are no characters are replaced while they are decoded, and so are not the same any more. This takes a
    // fraction of the time that `String(validating:)` does.
    var text = String(decoding: bytes, as: UTF8.self)
    let isSame = text.withUTF8 { $0.count == bytes.count && $0.elementsEqual(bytes) }
    guard isSame else { return nil }
    self = text
  }
}
