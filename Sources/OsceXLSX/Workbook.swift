import CXLSXWriter
import Glibc

/// A workbook that is written row by row: a sheet a table, its header bold and frozen, numbers as numbers.
final class Workbook {
  /// What a person should know of what was written: a line each.
  private(set) var notes: [String] = []
  private let book: UnsafeMutablePointer<lxw_workbook>
  private let bold: UnsafeMutablePointer<lxw_format>?
  private var sheet: UnsafeMutablePointer<lxw_worksheet>?
  private var name = ""
  /// The sheets of the table at hand, from 1.
  private var part = 1
  private var row: lxw_row_t = 0
  private var column: lxw_col_t = 0
  /// The header's texts, for a table that needs another sheet.
  private var header: [String] = []
  private var widths: [Int] = []
  private var cut = 0

  /// The most rows of a sheet, its header among them.
  private static let mostRows: lxw_row_t = 1_048_576
  /// The most characters of a cell, counted as UTF-16 counts them.
  private static let longest = 32_767
  /// The most digits of a whole number that every spreadsheet keeps.
  private static let mostDigits = 15
  private static let widestColumn = 50

  /// - Throws: `WorkbookFailure` if the library has no memory.
  init(path: String) throws(WorkbookFailure) {
    var options = lxw_workbook_options()
    // Each row goes to a file without a name as soon as the next one begins: memory does not grow with the exam.
    options.constant_memory = UInt8(LXW_TRUE.rawValue)
    guard let book = workbook_new_opt(path, &options) else { throw WorkbookFailure(reason: "no memory for a workbook") }
    self.book = book
    bold = workbook_add_format(book)
    format_set_bold(bold)
  }

  /// Begins a table.
  func begin(_ name: String) throws(WorkbookFailure) {
    finishSheet()
    self.name = name
    part = 1
    header = []
    try addSheet()
  }

  /// A cell without a value.
  func skip() { column += 1 }

  /// Writes a truth value.
  func write(_ flag: Bool) throws(WorkbookFailure) {
    try check(worksheet_write_boolean(sheet, row, column, flag ? 1 : 0, nil))
    column += 1
  }

  /// Writes a number; a whole one that a spreadsheet would round, as a long key, is written as text.
  func write(number: UnsafePointer<UInt8>, length: Int) throws(WorkbookFailure) {
    let bytes = UnsafeBufferPointer(start: number, count: length)
    let digits = bytes.count { (0x30...0x39).contains($0) }
    let isWhole = bytes.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
    if isWhole && digits > Workbook.mostDigits { return try write(text: number, length: length) }
    let value = number.withMemoryRebound(to: CChar.self, capacity: length + 1) { strtod($0, nil) }
    try check(worksheet_write_number(sheet, row, column, value, nil))
    noteWidth(length)
    column += 1
  }

  /// Writes a text as text, whatever it begins with.
  func write(text: UnsafePointer<UInt8>, length: Int) throws(WorkbookFailure) {
    if row == 0 { header.append(String(decoding: UnsafeBufferPointer(start: text, count: length), as: UTF8.self)) }
    let style = row == 0 ? bold : nil
    if length > Workbook.longest, let shorter = shortened(UnsafeBufferPointer(start: text, count: length)) {
      cut += 1
      try check(worksheet_write_string(sheet, row, column, shorter, style))
    } else if length > 0 {
      try check(
        text.withMemoryRebound(to: CChar.self, capacity: length + 1) {
          worksheet_write_string(sheet, row, column, $0, style)
        })
    }
    noteWidth(length)
    column += 1
  }

  /// Ends a row; a table with more rows than a sheet holds goes on in another one.
  func endRow() throws(WorkbookFailure) {
    row += 1
    column = 0
    guard row == Workbook.mostRows else { return }
    finishSheet()
    part += 1
    try addSheet()
    let names = header
    for name in names { try write(header: name) }
    row = 1
    column = 0
  }

  /// Writes what is left to write.
  /// - Throws: `WorkbookFailure` if the file could not be written.
  func close() throws(WorkbookFailure) {
    finishSheet()
    try check(workbook_close(book))
    if cut > 0 {
      notes.append(
        "\(cut) \(cut == 1 ? "text was" : "texts were") cut to \(Workbook.longest) characters, which is what a cell holds; "
          + "CSV and JSON have all of them")
    }
  }

  // MARK: Sheets

  private func addSheet() throws(WorkbookFailure) {
    sheet = workbook_add_worksheet(book, part == 1 ? name : "\(name) \(part)")
    guard sheet != nil else { throw WorkbookFailure(reason: "no sheet can be called \(name)") }
    row = 0
    column = 0
    widths = []
    worksheet_freeze_panes(sheet, 1, 0)
  }

  private func finishSheet() {
    guard let sheet else { return }
    for (column, width) in widths.enumerated() {
      let width = Double(min(width, Workbook.widestColumn) + 2)
      worksheet_set_column(sheet, lxw_col_t(column), lxw_col_t(column), width, nil)
    }
    if !header.isEmpty && row > 0 { worksheet_autofilter(sheet, 0, 0, row - 1, lxw_col_t(header.count - 1)) }
    self.sheet = nil
  }

  private func write(header name: String) throws(WorkbookFailure) {
    try check(worksheet_write_string(sheet, 0, column, name, bold))
    noteWidth(name.utf8.count)
    column += 1
  }

  /// The first rows decide how wide a column is.
  private func noteWidth(_ width: Int) {
    guard row < 200 else { return }
    while widths.count <= column { widths.append(0) }
    widths[Int(column)] = max(widths[Int(column)], width)
  }

  /// As much of a text as a cell holds; nil if that is all of it.
  private func shortened(_ text: UnsafeBufferPointer<UInt8>) -> String? {
    let whole = String(decoding: text, as: UTF8.self)
    guard whole.utf16.count > Workbook.longest else { return nil }
    var shorter = whole
    while shorter.utf16.count > Workbook.longest - 1 {
      shorter = String(shorter.unicodeScalars.prefix(shorter.unicodeScalars.count * 9 / 10))
    }
    return shorter + "…"
  }

  private func check(_ error: lxw_error) throws(WorkbookFailure) {
    guard error != LXW_NO_ERROR else { return }
    throw WorkbookFailure(reason: "cannot write the workbook: \(String(cString: lxw_strerror(error)))")
  }
}
