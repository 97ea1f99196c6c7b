import ExamStore
import Journal

/// A mark: a number of up to six decimals, kept exactly, in millionths.
public struct MarkValue: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Millionths.
  public let scaled: Int64

  /// - Parameter scaled: millionths.
  public init(scaled: Int64) { self.scaled = scaled }

  /// A mark as it is stored in millionths, held within what a mark can be: no arithmetic on it overflows.
  init(stored scaled: Int64) { self.scaled = min(max(scaled, -Scaled.greatest), Scaled.greatest) }

  /// - Returns: nil if the number has no exact form with six decimals.
  public init?(_ number: Double) {
    guard let scaled = Scaled.encode(number) else { return nil }
    self.scaled = scaled
  }

  /// The whole number it is, or nil.
  public var whole: Int64? { scaled % Scaled.unit == 0 ? scaled / Scaled.unit : nil }

  /// The nearest floating point number.
  public var number: Double { Scaled.decode(scaled) }

  /// Orders by number.
  public static func < (left: MarkValue, right: MarkValue) -> Bool { left.scaled < right.scaled }

  /// The shortest decimal form: `4`, `0.5`, `-1.25`.
  public var description: String {
    let magnitude = scaled.magnitude
    let unit = Scaled.unit.magnitude
    var text = (scaled < 0 ? "-" : "") + String(magnitude / unit)
    var fraction = magnitude % unit
    guard fraction > 0 else { return text }
    var digits = unit / 10
    text += "."
    while fraction > 0 {
      text += String(fraction / digits)
      fraction %= digits
      digits /= 10
    }
    return text
  }
}

extension MarkValue: FieldContent {
  /// The mark in millionths.
  package var journalled: Value { .integer(scaled) }
}
