import Console
import ExamStore
import Reports

/// A file of tables, itself written or by the program that makes workbooks.
enum TableFile {
  /// Writes the whole file.
  /// - Parameters:
  ///   - line: says how far it is.
  ///   - tables: writes the tables' bytes in the format.
  static func write(
    to file: AtomicFile, _ format: ExportFormat, _ line: ProgressLine,
    _ tables: (_ write: ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    defer { line.end() }
    if format == .xlsx {
      let program = try SpreadsheetProgram(writing: file)
      try tables(program.write)
      line.say("packing the workbook")
      let notes = try program.finish()
      line.end()
      for note in notes { Output.failure.text("osce: \(note)\n") }
    } else {
      try tables(file.write)
    }
    try file.finish()
  }
}
