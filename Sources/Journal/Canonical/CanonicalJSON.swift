/// JSON with exactly one way to write each value, so that its bytes can be hashed.
///
/// Keys in the order of their UTF-8 bytes, integers of 64 bits and no other numbers, no white space, UTF-8 as it is;
/// escapes only for `"`, `\` and the control characters below U+0020 (`\b \t \n \f \r`, the others `\u00xx` in
/// lowercase). It is the part of RFC 8785 that has no fractions, with keys ordered by UTF-8 instead of UTF-16.
public enum CanonicalJSON {
  /// One JSON value.
  public enum Node: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// An integer.
    case integer(Int64)
    /// A text.
    case text(String)
    /// A list, in its order.
    case array([Node])
    /// Members; any order will do for writing, reading gives them sorted.
    case object([Member])
  }

  /// A key and its value.
  public struct Member: Hashable, Sendable {
    /// The key.
    public let key: String
    /// What stands under it.
    public let value: Node

    /// Pairs a key with a value.
    public init(_ key: String, _ value: Node) {
      self.key = key
      self.value = value
    }
  }

  /// How large and how deep a text may be to be read.
  public struct Limits: Sendable {
    /// Bytes of the whole text.
    public let bytes: Int
    /// Arrays and objects inside each other.
    public let depth: Int

    /// Limits for a text.
    public init(bytes: Int = 4 * 1024 * 1024, depth: Int = 16) {
      self.bytes = bytes
      self.depth = depth
    }
  }

  /// Why a text is not canonical JSON, and at which byte (from 0) that shows.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Kind: String, Hashable, Sendable {
      case tooLong = "the text is longer than allowed"
      case tooDeep = "the text is nested deeper than allowed"
      case endsEarly = "the text ends too early"
      case unexpected = "an unexpected byte"
      case numberForm = "a number that is not an integer in its only form"
      case numberRange = "an integer beyond 64 bits"
      case control = "a control character that is not escaped"
      case escape = "an escape other than the canonical one"
      case encoding = "bytes that are not UTF-8"
      case keyOrder = "keys twice or out of order"
      case trailing = "bytes after the end"
    }

    /// What is wrong.
    public let kind: Kind
    /// The byte at which it shows, from 0.
    public let offset: Int

    /// Names a problem and its place.
    public init(kind: Kind, offset: Int) {
      self.kind = kind
      self.offset = offset
    }

    /// One line.
    public var description: String { "\(kind.rawValue) at byte \(offset)" }
  }

  /// The bytes of a value. Of two members with one key the bytes would not be canonical: give each key once.
  public static func encode(_ node: Node) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512)
    write(node, to: &bytes)
    return bytes
  }

  /// The value of canonical bytes; what it accepts, `encode` writes back byte for byte.
  ///
  /// - Throws: the first problem found.
  public static func decode(_ bytes: [UInt8], limits: Limits = Limits()) throws(Problem) -> Node {
    try bytes.withUnsafeBufferPointer { (bytes) throws(Problem) in try decode(bytes, limits: limits) }
  }

  static func decode(_ bytes: UnsafeBufferPointer<UInt8>, limits: Limits = Limits()) throws(Problem) -> Node {
    guard bytes.count <= limits.bytes else { throw Problem(kind: .tooLong, offset: limits.bytes) }
    var reader = CanonicalReader(bytes, depthLimit: limits.depth)
    return try reader.readAll()
  }

  /// Appends a value's canonical bytes.
  package static func write(_ node: Node, to bytes: inout [UInt8]) {
    switch node {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let bool): bytes.append(contentsOf: (bool ? "true" : "false").utf8)
    case .integer(let integer): write(integer, to: &bytes)
    case .text(let text): write(text, to: &bytes)
    case .array(let nodes):
      bytes.append(UInt8(ascii: "["))
      for (index, node) in nodes.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        write(node, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in sorted(members).enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        write(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        write(member.value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func sorted(_ members: [Member]) -> [Member] {
    let inOrder = zip(members, members.dropFirst()).allSatisfy { $0.key.precedesInUTF8($1.key) }
    return inOrder ? members : members.sorted { $0.key.precedesInUTF8($1.key) }
  }

  /// Appends a number's digits.
  static func write(_ number: Int64, to bytes: inout [UInt8]) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    let first = bytes.count
    var rest = number.magnitude
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    bytes[first...].reverse()
  }

  /// Appends a text with its quotes.
  package static func write(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { write($0, to: &bytes) }
  }

  /// Appends a text, given as its bytes, with its quotes.
  static func write(utf8 text: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    text.withUnsafeBufferPointer { write($0, to: &bytes) }
  }

  private static func write(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    let isPlain = text.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    if isPlain {
      bytes.append(contentsOf: text)
      return bytes.append(UInt8(ascii: "\""))
    }
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20:
        bytes.append(UInt8(ascii: "\\"))
        if let letter = shortEscape(of: byte) {
          bytes.append(letter)
        } else {
          bytes.append(contentsOf: "u00".utf8)
          bytes.append(Hexadecimal.digit(byte >> 4))
          bytes.append(Hexadecimal.digit(byte & 0xF))
        }
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// The letter after the backslash for the control characters that have one.
  static func shortEscape(of control: UInt8) -> UInt8? {
    switch control {
    case 0x08: UInt8(ascii: "b")
    case 0x09: UInt8(ascii: "t")
    case 0x0A: UInt8(ascii: "n")
    case 0x0C: UInt8(ascii: "f")
    case 0x0D: UInt8(ascii: "r")
    default: nil
    }
  }
}

extension String {
  func precedesInUTF8(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}
