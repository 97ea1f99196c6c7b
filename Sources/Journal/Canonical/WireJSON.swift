/// JSON as others write it: white space, any escapes, members in any order. Every number is an integer of 64 bits, and
/// no object has a key twice.
///
/// What is exchanged is read by this; what is hashed, by `CanonicalJSON` alone.
public enum WireJSON {
  /// The value of a document. Members of objects stay in their order.
  ///
  /// - Throws: `WireFault.Kind.malformed` with the place of what is wrong.
  public static func decode(
    _ bytes: some Collection<UInt8>, limits: CanonicalJSON.Limits = CanonicalJSON.Limits()
  ) throws(WireFault) -> CanonicalJSON.Node {
    guard bytes.count <= limits.bytes else { throw WireFault(.tooLarge(limit: limits.bytes)) }
    var reader = WireReader(Array(bytes), depthLimit: limits.depth)
    return try reader.readAll()
  }
}

extension CanonicalJSON.Node {
  /// What stands under a key of an object; nil where it has none, or this is no object.
  public subscript(key: String) -> CanonicalJSON.Node? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
  }

  /// The text that this is; nil for anything else.
  public var text: String? { if case .text(let text) = self { text } else { nil } }

  /// The integer that this is; nil for anything else.
  public var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
}

/// Goes through a document from its first byte to its last.
private struct WireReader {
  private enum Step {
    case key(String)
    case index(Int)
  }

  private let bytes: [UInt8]
  private let depthLimit: Int
  private var position = 0
  /// The way from the document's root to where the reader is.
  private var path: [Step] = []

  init(_ bytes: [UInt8], depthLimit: Int) {
    self.bytes = bytes
    self.depthLimit = depthLimit
  }

  mutating func readAll() throws(WireFault) -> CanonicalJSON.Node {
    let node = try readNode()
    guard next() == nil else { throw malformed() }
    return node
  }

  private mutating func readNode() throws(WireFault) -> CanonicalJSON.Node {
    guard let first = next() else { throw malformed() }
    switch first {
    case UInt8(ascii: "{"): return try readObject()
    case UInt8(ascii: "["): return try readArray()
    case UInt8(ascii: "\""): return .text(try readText())
    case UInt8(ascii: "n"): return try readWord("null", .null)
    case UInt8(ascii: "t"): return try readWord("true", .bool(true))
    case UInt8(ascii: "f"): return try readWord("false", .bool(false))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .integer(try readInteger())
    default: throw malformed()
    }
  }

  private mutating func readObject() throws(WireFault) -> CanonicalJSON.Node {
    guard path.count < depthLimit else { throw malformed() }
    var members: [CanonicalJSON.Member] = []
    position += 1
    if skip(UInt8(ascii: "}")) { return .object([]) }
    repeat {
      guard next() == UInt8(ascii: "\"") else { throw malformed() }
      let key = try readText()
      guard skip(UInt8(ascii: ":")) else { throw malformed() }
      path.append(.key(key))
      members.append(CanonicalJSON.Member(key, try readNode()))
      path.removeLast()
    } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "}")) else { throw malformed() }
    try refuseRepeats(members)
    return .object(members)
  }

  private mutating func readArray() throws(WireFault) -> CanonicalJSON.Node {
    guard path.count < depthLimit else { throw malformed() }
    var nodes: [CanonicalJSON.Node] = []
    position += 1
    if skip(UInt8(ascii: "]")) { return .array([]) }
    repeat {
      path.append(.index(nodes.count))
      nodes.append(try readNode())
      path.removeLast()
    } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "]")) else { throw malformed() }
    return .array(nodes)
  }

  /// Two keys are one if their characters are: texts that only look alike are two.
  private mutating func refuseRepeats(_ members: [CanonicalJSON.Member]) throws(WireFault) {
    if zip(members, members.dropFirst()).allSatisfy({ $0.key.precedesInUTF8($1.key) }) { return }
    let keys = members.map(\.key).sorted { $0.precedesInUTF8($1) }
    guard let twice = zip(keys, keys.dropFirst()).first(where: { !$0.precedesInUTF8($1) }) else { return }
    path.append(.key(twice.0))
    throw malformed()
  }

  private mutating func readWord(
    _ word: StaticString, _ node: CanonicalJSON.Node
  ) throws(WireFault) -> CanonicalJSON.Node {
    let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard bytes[position...].starts(with: letters) else { throw malformed() }
    position += letters.count
    return node
  }

  private mutating func readInteger() throws(WireFault) -> Int64 {
    let start = position
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    let firstDigit = position
    while position < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[position] { position += 1 }
    let digits = bytes[firstDigit..<position]
    guard digits.first != UInt8(ascii: "0") || digits.count == 1,
      let integer = Int64(String(decoding: bytes[start..<position], as: UTF8.self))
    else { throw malformed() }
    switch position < bytes.count ? bytes[position] : 0 {
    case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): throw malformed()
    default: return integer
    }
  }

  // MARK: Texts

  private mutating func readText() throws(WireFault) -> String {
    position += 1
    var plain: [UInt8] = []
    var start = position
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        plain.append(contentsOf: bytes[start..<position])
        position += 1
        // What an escape stands for is a whole character: what is around it is valid, or not, with it as without it.
        guard let text = plain.withUnsafeBufferPointer({ String(exactly: $0) }) else { throw malformed() }
        return text
      case UInt8(ascii: "\\"):
        plain.append(contentsOf: bytes[start..<position])
        position += 1
        try readEscape(into: &plain)
        start = position
      case 0..<0x20: throw malformed()
      default: position += 1
      }
    }
    throw malformed()
  }

  private mutating func readEscape(into plain: inout [UInt8]) throws(WireFault) {
    guard position < bytes.count else { throw malformed() }
    let letter = bytes[position]
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain.append(letter)
    case UInt8(ascii: "b"): plain.append(0x08)
    case UInt8(ascii: "t"): plain.append(0x09)
    case UInt8(ascii: "n"): plain.append(0x0A)
    case UInt8(ascii: "f"): plain.append(0x0C)
    case UInt8(ascii: "r"): plain.append(0x0D)
    case UInt8(ascii: "u"):
      var code = UInt32(try readUnit())
      if UTF16.isLeadSurrogate(UInt16(code)) {
        guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
          bytes[position + 1] == UInt8(ascii: "u")
        else { throw malformed() }
        position += 2
        let second = try readUnit()
        guard UTF16.isTrailSurrogate(second) else { throw malformed() }
        code = 0x10000 + (code & 0x3FF) << 10 + UInt32(second & 0x3FF)
      }
      guard let scalar = Unicode.Scalar(code) else { throw malformed() }
      plain.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
    default: throw malformed()
    }
  }

  private mutating func readUnit() throws(WireFault) -> UInt16 {
    guard position + 4 <= bytes.count else { throw malformed() }
    var unit: UInt16 = 0
    for byte in bytes[position..<position + 4] {
      guard let digit = Hexadecimal.value(of: byte) else { throw malformed() }
      unit = unit << 4 | UInt16(digit)
    }
    position += 4
    return unit
  }

  // MARK: Between values

  /// The next byte that is no white space; nil at the end.
  private mutating func next() -> UInt8? {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): position += 1
      default: return bytes[position]
      }
    }
    return nil
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard next() == byte else { return false }
    position += 1
    return true
  }

  private func malformed() -> WireFault {
    var pointer = WirePointer()
    for step in path {
      switch step {
      case .key(let key): pointer.go(to: key)
      case .index(let index): pointer.go(to: String(index))
      }
    }
    return WireFault(.malformed, at: pointer.text)
  }
}
