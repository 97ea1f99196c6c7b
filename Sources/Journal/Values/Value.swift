import Glibc

/// The value of a field as the journal carries it.
///
/// There are no fractions: a number with decimals travels as an integer scaled by a million (`Scaled`), a date as
/// milliseconds since 1970-01-01T00:00:00Z. What an integer means is the catalogue's to say.
public enum Value: Sendable {
  /// No value: the field is empty.
  case null
  /// Yes or no.
  case bool(Bool)
  /// A whole number, a scaled number, or a time in milliseconds.
  case integer(Int64)
  /// A text, compared byte by byte.
  case text(String)
}

extension Value: Hashable {
  /// Equal in kind and content. Texts are equal when their UTF-8 bytes are: two spellings of one accented letter
  /// are two values, as they have two hashes.
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.text(let left), .text(let right)): left.hasBytes(of: right)
    default: false
    }
  }

  /// Feeds the kind and the content, a text by its UTF-8 bytes.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let bool): hasher.combine(bool)
    case .integer(let integer): hasher.combine(integer)
    case .text(let text): hasher.combineBytes(of: text)
    }
  }
}

extension String {
  /// Whether the UTF-8 bytes of both are the same.
  func hasBytes(of other: String) -> Bool {
    if utf8.count != other.utf8.count { return false }
    let isSame = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in
        left.isEmpty || memcmp(left.baseAddress!, right.baseAddress!, left.count) == 0
      }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}

extension Hasher {
  /// Feeds the UTF-8 bytes of a text and an end mark, so that neighbouring texts cannot run together.
  mutating func combineBytes(of text: String) {
    var text = text
    text.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
    combine(UInt8(0xFF))
  }
}

/// Numbers with up to six decimals as integers, scaled by a million.
public enum Scaled {
  /// Units of the scaled integer in one.
  public static let unit: Int64 = 1_000_000

  /// The largest scaled integer.
  public static let greatest: Int64 = 4_000_000_000 * unit

  /// The scaled integer of a number; nil for infinities, for what is not a number, for numbers that six decimals do
  /// not write exactly, and for those beyond ±4 000 000 000, above which a `Double` soon cannot tell millionths apart.
  public static func encode(_ number: Double) -> Int64? {
    guard number.magnitude <= 4_000_000_000 else { return nil }
    let scaled = Int64((number * Double(unit)).rounded())
    return decode(scaled) == number ? scaled : nil
  }

  /// The number nearest to a scaled integer.
  public static func decode(_ scaled: Int64) -> Double {
    Double(scaled) / Double(unit)
  }
}
