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
