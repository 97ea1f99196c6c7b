import Characters

/// A value of a JSON document with the line it stands on.
package struct JSONTree: Sendable {
  /// What a value is.
  package enum Content: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without point or exponent that fits in 64 bits.
    case integer(Int64)
    /// Any other number, always finite.
    case double(Double)
    /// A text.
    case text(String)
    /// A list.
    case list([JSONTree])
    /// An object; no key comes twice.
    case object([Entry])
  }

  /// A member of an object.
  package struct Entry: Sendable {
    /// Its key.
    package let key: String
    /// The line of its key.
    package let line: Int
    /// Its value.
    package let value: JSONTree
  }

  /// From 1.
  package let line: Int
  /// What it is.
  package let content: Content

  /// How a message names the kind of value that was found.
  package var kind: String {
    switch content {
    case .null: "null"
    case .bool: "a boolean"
    case .integer: "a whole number"
    case .double: "a number with a fraction"
    case .text: "a text"
    case .list: "a list"
    case .object: "an object"
    }
  }
}

/// Why a text is not JSON.
package struct JSONFault: Error {
  /// From 1.
  package let line: Int
  /// From 1, in characters of the line as UTF-8 decodes them.
  package let column: Int
  /// What is wrong there.
  package let reason: String
}

/// Reads RFC 8259 strictly, keeping the line of every value; Foundation's readers keep none.
package struct JSONReader {
  private static let depthLimit = 64

  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  private var lineStart = 0

  private init(_ text: String) { bytes = Array(text.utf8) }

  /// The one value of the text.
  ///
  /// - Throws: `JSONFault` with line and column.
  package static func read(_ text: String) throws(JSONFault) -> JSONTree {
    var reader = JSONReader(text)
    reader.skipSpace()
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.index == reader.bytes.count else { throw reader.fault("unexpected text after the end") }
    return value
  }

  private func fault(_ reason: String, at position: Int? = nil) -> JSONFault {
    let end = min(position ?? index, bytes.count)
    // Continuation bytes are no characters of their own.
    let column = 1 + bytes[min(lineStart, end)..<end].count { $0 & 0xC0 != 0x80 }
    return JSONFault(line: line, column: column, reason: reason)
  }

  private mutating func skipSpace() {
    while index < bytes.count {
      switch bytes[index] {
      case 0x0A:
        index += 1
        line += 1
        lineStart = index
      case 0x20, 0x09, 0x0D: index += 1
      default: return
      }
    }
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func value(depth: Int) throws(JSONFault) -> JSONTree {
    guard depth <= Self.depthLimit else { throw fault("nested too deeply") }
    let start = line
    guard let byte = next else { throw fault("the document ends too early") }
    switch byte {
    case UInt8(ascii: "{"): return JSONTree(line: start, content: .object(try object(depth)))
    case UInt8(ascii: "["): return JSONTree(line: start, content: .list(try list(depth)))
    case UInt8(ascii: "\""): return JSONTree(line: start, content: .text(try text()))
    case UInt8(ascii: "-"), 0x30...0x39: return JSONTree(line: start, content: try number())
    default:
      for (word, content) in [("true", JSONTree.Content.bool(true)), ("false", .bool(false)), ("null", .null)]
      where bytes[index...].starts(with: word.utf8) {
        index += word.utf8.count
        return JSONTree(line: start, content: content)
      }
      throw fault("expected a value")
    }
  }

  private mutating func object(_ depth: Int) throws(JSONFault) -> [JSONTree.Entry] {
    index += 1
    var entries: [JSONTree.Entry] = []
    var seen: Set<String> = []
    skipSpace()
    if next == UInt8(ascii: "}") {
      index += 1
      return entries
    }
    while true {
      skipSpace()
      let (start, position) = (line, index)
      guard next == UInt8(ascii: "\"") else { throw fault("a key in double quotes is expected here") }
      let key = try text()
      guard seen.insert(key).inserted else {
        throw fault("key '\(VisibleText.of(key, limit: 80))' is written twice in one object", at: position)
      }
      skipSpace()
      guard next == UInt8(ascii: ":") else { throw fault("':' is expected here") }
      index += 1
      skipSpace()
      entries.append(.init(key: key, line: start, value: try value(depth: depth + 1)))
      skipSpace()
      if try ends(with: "}") { return entries }
    }
  }

  private mutating func list(_ depth: Int) throws(JSONFault) -> [JSONTree] {
    index += 1
    var items: [JSONTree] = []
    skipSpace()
    if next == UInt8(ascii: "]") {
      index += 1
      return items
    }
    while true {
      skipSpace()
      items.append(try value(depth: depth + 1))
      skipSpace()
      if try ends(with: "]") { return items }
    }
  }

  private mutating func ends(with closing: Unicode.Scalar) throws(JSONFault) -> Bool {
    guard let byte = next else { throw fault("the document ends too early: '\(closing)' is missing") }
    guard byte == UInt8(ascii: closing) || byte == UInt8(ascii: ",") else {
      throw fault("',' or '\(closing)' is expected here")
    }
    index += 1
    return byte != UInt8(ascii: ",")
  }

  private mutating func number() throws(JSONFault) -> JSONTree.Content {
    let start = index
    if next == UInt8(ascii: "-") { index += 1 }
    let first = next
    let whole = digits()
    guard whole > 0, whole == 1 || first != UInt8(ascii: "0") else { throw fault("this is not a number", at: start) }
    var isWhole = true
    if next == UInt8(ascii: ".") {
      isWhole = false
      index += 1
      guard digits() > 0 else { throw fault("this is not a number", at: start) }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      isWhole = false
      index += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
      guard digits() > 0 else { throw fault("this is not a number", at: start) }
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if isWhole, let number = Int64(text) { return .integer(number) }
    guard let number = Double(text), number.isFinite else { throw fault("this number is too large", at: start) }
    return .double(number)
  }

  private mutating func digits() -> Int {
    let start = index
    while let byte = next, 0x30...0x39 ~= byte { index += 1 }
    return index - start
  }

  private mutating func text() throws(JSONFault) -> String {
    let start = index
    index += 1
    var found: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        if found.contains(0) { throw fault("a text holds a zero character, which cannot be stored", at: start) }
        return String(decoding: found, as: UTF8.self)
      case UInt8(ascii: "\\"):
        index += 1
        try escape(into: &found)
      case 0x00..<0x20: throw fault("a control character must be escaped in a text")
      default:
        found.append(byte)
        index += 1
      }
    }
    throw fault("string has no closing quote", at: start)
  }

  private mutating func escape(into found: inout [UInt8]) throws(JSONFault) {
    guard let byte = next else { throw fault("the document ends too early") }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): found.append(byte)
    case UInt8(ascii: "b"): found.append(0x08)
    case UInt8(ascii: "f"): found.append(0x0C)
    case UInt8(ascii: "n"): found.append(0x0A)
    case UInt8(ascii: "r"): found.append(0x0D)
    case UInt8(ascii: "t"): found.append(0x09)
    case UInt8(ascii: "u"):
      var code = UInt32(try hexadecimal())
      if 0xD800...0xDBFF ~= code, bytes[index...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
        index += 2
        let low = UInt32(try hexadecimal())
        guard 0xDC00...0xDFFF ~= low else { throw fault("half of a surrogate pair", at: index - 6) }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw fault("half of a surrogate pair", at: index - 6) }
      found.append(contentsOf: String(Character(scalar)).utf8)
    default: throw fault("unknown escape in a text", at: index - 2)
    }
  }

  private mutating func hexadecimal() throws(JSONFault) -> UInt16 {
    guard index + 4 <= bytes.count, bytes[index..<(index + 4)].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let code = UInt16(String(decoding: bytes[index..<(index + 4)], as: UTF8.self), radix: 16)
    else { throw fault("four hexadecimal digits are expected here") }
    index += 4
    return code
  }
}
