/// Reads canonical JSON and nothing but canonical JSON.
struct CanonicalReader {
  private let bytes: [UInt8]
  private let depthLimit: Int
  private var position = 0

  init(bytes: [UInt8], depthLimit: Int) {
    self.bytes = bytes
    self.depthLimit = depthLimit
  }

  mutating func readAll() throws(CanonicalJSON.Problem) -> CanonicalJSON.Node {
    let node = try readNode(depth: 0)
    guard position == bytes.count else { throw problem(.trailing) }
    return node
  }

  private mutating func readNode(depth: Int) throws(CanonicalJSON.Problem) -> CanonicalJSON.Node {
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
    case UInt8(ascii: "["): return try readArray(depth: depth + 1)
    case UInt8(ascii: "{"): return try readObject(depth: depth + 1)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .integer(try readInteger())
    default: throw problem(.unexpected)
    }
  }

  private mutating func readArray(depth: Int) throws(CanonicalJSON.Problem) -> CanonicalJSON.Node {
    guard depth <= depthLimit else { throw problem(.tooDeep) }
    try expect("[")
    var nodes: [CanonicalJSON.Node] = []
    guard try peek() != UInt8(ascii: "]") else {
      position += 1
      return .array(nodes)
    }
    repeat { nodes.append(try readNode(depth: depth)) } while try goesOn(until: UInt8(ascii: "]"))
    return .array(nodes)
  }

  private mutating func readObject(depth: Int) throws(CanonicalJSON.Problem) -> CanonicalJSON.Node {
    guard depth <= depthLimit else { throw problem(.tooDeep) }
    try expect("{")
    var members: [CanonicalJSON.Member] = []
    guard try peek() != UInt8(ascii: "}") else {
      position += 1
      return .object(members)
    }
    repeat {
      let start = position
      let key = try readText()
      if let last = members.last, !last.key.precedesInUTF8(key) { throw problem(.keyOrder, at: start) }
      try expect(":")
      members.append(CanonicalJSON.Member(key, try readNode(depth: depth)))
    } while try goesOn(until: UInt8(ascii: "}"))
    return .object(members)
  }

  private mutating func goesOn(until end: UInt8) throws(CanonicalJSON.Problem) -> Bool {
    let byte = try peek()
    guard byte == UInt8(ascii: ",") || byte == end else { throw problem(.unexpected) }
    position += 1
    return byte != end
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
    if position < bytes.count, [".", "e", "E"].contains(UnicodeScalar(bytes[position])) {
      throw problem(.numberForm, at: start)
    }
    return value
  }

  private static func decimalDigit(_ byte: UInt8) -> Int64? {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? Int64(byte - UInt8(ascii: "0")) : nil
  }

  private mutating func readText() throws(CanonicalJSON.Problem) -> String {
    let start = position
    guard try peek() == UInt8(ascii: "\"") else { throw problem(.unexpected) }
    position += 1
    let contentStart = position
    var unescaped: [UInt8]?
    while true {
      let byte = try peek()
      switch byte {
      case UInt8(ascii: "\""):
        let text = unescaped.map { String(validating: $0, as: UTF8.self) }
        guard let text = text ?? String(validating: bytes[contentStart..<position], as: UTF8.self) else {
          throw problem(.encoding, at: start)
        }
        position += 1
        return text
      case UInt8(ascii: "\\"):
        if unescaped == nil { unescaped = Array(bytes[contentStart..<position]) }
        unescaped?.append(try readEscape())
      case 0..<0x20: throw problem(.control)
      default:
        unescaped?.append(byte)
        position += 1
      }
    }
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
}
