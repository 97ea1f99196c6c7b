import Characters
import CircuitModel
import ExamStore
import Timer

/// A JSON document as commands print it: members in the order given, on one line.
///
/// Text keeps every character; unsafe ones are written as `\u` escapes, so that a document shown on a terminal cannot
/// steer it.
public enum JSONDocument: Sendable {
  /// No value.
  case null
  /// True or false.
  case bool(Bool)
  /// A whole number.
  case integer(Int64)
  /// A number with up to six decimals.
  case mark(MarkValue)
  /// Any number, in the shortest form that reads back as the same one.
  case real(Double)
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

  /// Any number, or null.
  public static func real(_ value: Double?) -> JSONDocument { value.map { .real($0) } ?? .null }

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
    case .real(let value): bytes += ShortestNumber.text(value).utf8
    case .text(let value): JSONString.append(value, .shown, to: &bytes)
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
        JSONString.append(member.0, .shown, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.1.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }
}
