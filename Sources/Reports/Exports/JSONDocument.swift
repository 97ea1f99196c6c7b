import CircuitModel
import ExamStore
import Timer

/// A JSON document as commands print it: members in the order given, on one line.
///
/// Text keeps every character; control characters, C1 codes and bidi controls are written as `\u` escapes, so that a
/// document shown on a terminal cannot steer it.
public enum JSONDocument: Sendable {
  /// No value.
  case null
  /// True or false.
  case bool(Bool)
  /// A whole number.
  case integer(Int64)
  /// A number with up to six decimals.
  case mark(MarkValue)
  /// A text.
  case text(String)
  /// A list.
  case array([JSONDocument])
  /// Members by name.
  case object([(String, JSONDocument)])

  /// A whole number, or null.
  public static func number(_ value: (some BinaryInteger)?) -> JSONDocument {
    value.map { .integer(Int64($0)) } ?? .null
  }

  /// A text, or null.
  public static func optional(_ value: String?) -> JSONDocument { value.map { .text($0) } ?? .null }

  /// True, false or null.
  public static func flag(_ value: Bool?) -> JSONDocument { value.map { .bool($0) } ?? .null }

  /// An instant in UTC, or null.
  public static func time(_ value: Instant?) -> JSONDocument { value.map { .text(Timestamp.text($0)) } ?? .null }

  /// The document on one line, without a line feed at its end.
  public var text: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the document's bytes.
  public func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let value): bytes += String(value).utf8
    case .mark(let value): bytes += value.description.utf8
    case .text(let value): JSONDocument.quote(value, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        JSONDocument.quote(member.0, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.1.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  static func quote(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    let isWritten = text.utf8.withContiguousStorageIfAvailable { utf8 in
      guard utf8.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }) else { return false }
      bytes.append(contentsOf: utf8)
      return true
    }
    if isWritten != true { for scalar in text.unicodeScalars { quote(scalar, to: &bytes) } }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func quote(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    switch scalar.value {
    case 0x22: bytes += "\\\"".utf8
    case 0x5C: bytes += "\\\\".utf8
    case 0x0A: bytes += "\\n".utf8
    case 0x0D: bytes += "\\r".utf8
    case 0x09: bytes += "\\t".utf8
    case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
      let digits = String(scalar.value, radix: 16)
      bytes += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
    default: bytes += Array(String(scalar).utf8)
    }
  }
}
