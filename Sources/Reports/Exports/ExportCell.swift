import CircuitModel
import ExamStore
import Journal
import Timer

/// One value of an exported row.
public enum ExportCell: Equatable, Sendable {
  /// No value: an empty cell, null in JSON.
  case empty
  /// Text as it is stored.
  case text(String)
  /// A whole number.
  case integer(Int64)
  /// A number with up to six decimals.
  case mark(MarkValue)
  /// Any number, in the shortest form that reads back as the same one.
  case real(Double)
  /// True or false.
  case bool(Bool)
  /// An instant, in UTC.
  case time(Instant)

  static func optional(_ text: String?) -> ExportCell { text.map { .text($0) } ?? .empty }
  static func number(_ value: (some BinaryInteger)?) -> ExportCell { value.map { .integer(Int64($0)) } ?? .empty }
  static func real(_ value: Double?) -> ExportCell { value.map { .real($0) } ?? .empty }
  static func flag(_ value: Bool?) -> ExportCell { value.map { .bool($0) } ?? .empty }
  /// A length of time in seconds, exact to the millisecond.
  static func seconds(milliseconds: Int64?) -> ExportCell {
    guard let milliseconds else { return .empty }
    let (scaled, isTooLong) = milliseconds.multipliedReportingOverflow(by: Scaled.unit / 1000)
    return isTooLong ? .empty : .mark(MarkValue(scaled: scaled))
  }
  static func instant(_ value: Instant?) -> ExportCell { value.map { .time($0) } ?? .empty }
}
