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

/// What can be exported.
public enum ExportKind: String, CaseIterable, Sendable {
  /// One row per item of every expected sheet.
  case marks
  /// One row per roster entry.
  case attendance
  /// One row per comment, of every level.
  case comments
  /// One row per sign-in.
  case signins
  /// One row per phase that a clock passed through.
  case clock
  /// One row per event of a clock.
  case events
  /// One row per field of every operation.
  case journal
  /// One row per ruling of the exam lead.
  case rulings
  /// One row per call for help.
  case help
  /// One row per incident, and per pause or wait of a clock.
  case incidents
  /// One row per answer that took the place of another one.
  case changes
}

/// How an export is written.
public enum ExportFormat: String, CaseIterable, Sendable {
  /// Comma-separated values: RFC 4180, UTF-8, with a header.
  case csv
  /// An array of objects with the header's names.
  case json
  /// A spreadsheet: as bytes a table of `RowStream`, from which another program makes a workbook.
  case xlsx
}
