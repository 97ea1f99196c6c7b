/// A row of a CSV file.
struct CSVRow {
  /// The line on which the row begins.
  let line: Int
  let cells: [String]
}

/// Reads RFC 4180: quoted cells, doubled quotes, line ends inside quotes, `\n` or `\r\n` between rows; `\r` alone in a
/// file that has no other line end, as spreadsheets write it for old Macintoshes.
///
/// Blank rows, and rows whose first cell starts with `#`, are passed over.
enum CSVReader {
  static func read(_ source: SourceFile, problems: ProblemList) -> [CSVRow] {
    var rows: [CSVRow] = []
    var cells: [String] = []
    var cell: [UInt8] = []
    var line = 1
    var rowLine = 1
    var quoteLine = 0
    var wasQuoted = false
    var bytes = Array(source.text.utf8)
    if !bytes.contains(0x0A) { for place in bytes.indices where bytes[place] == 0x0D { bytes[place] = 0x0A } }
    let separator = separator(of: source, problems)
    var index = 0

    func endCell() {
      cells.append(String(decoding: cell, as: UTF8.self).trimmed)
      cell.removeAll(keepingCapacity: true)
      wasQuoted = false
    }
    func endRow() {
      endCell()
      if !cells.allSatisfy(\.isEmpty), cells[0].first != "#" { rows.append(CSVRow(line: rowLine, cells: cells)) }
      cells = []
      rowLine = line
    }

    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if quoteLine > 0 {
        if byte == 0x22, index < bytes.count, bytes[index] == 0x22 {
          cell.append(0x22)
          index += 1
        } else if byte == 0x22 {
          quoteLine = 0
          wasQuoted = true
        } else {
          if byte == 0x0A { line += 1 }
          cell.append(byte)
        }
        continue
      }
      switch byte {
      case 0x22 where cell.allSatisfy({ $0 == 0x20 }) && !wasQuoted:
        cell.removeAll(keepingCapacity: true)
        quoteLine = line
      case separator: endCell()
      case 0x0A:
        line += 1
        endRow()
      case 0x0D where index == bytes.count || bytes[index] == 0x0A: break
      default:
        if wasQuoted, byte != 0x20, byte != 0x09 {
          problems.error(
            Place(file: source.name, line: line), "text after a closing quote; double a quote that belongs to the text")
          return rows
        }
        if !wasQuoted { cell.append(byte) }
      }
    }
    if quoteLine > 0 {
      problems.error(Place(file: source.name, line: quoteLine), "a quote is opened here and never closed")
      return rows
    }
    if !cells.isEmpty || !cell.isEmpty || wasQuoted { endRow() }
    return rows
  }
}

extension CSVReader {
  /// What stands between the cells: a comma, or what Excel writes where a comma is the decimal sign.
  private static func separator(of source: SourceFile, _ problems: ProblemList) -> UInt8 {
    let lines = source.text.utf8.split(separator: 0x0A)
    guard let place = lines.firstIndex(where: { $0.first != 0x23 && $0.contains { $0 > 0x20 } }) else { return 0x2C }
    let heading = lines[place]
    guard !heading.contains(0x2C), heading.contains(0x3B) else { return 0x2C }
    problems.warning(
      Place(file: source.name, line: place + 1), "read with ';' between the cells, as Excel writes it in Europe")
    return 0x3B
  }
}

/// A CSV file with a heading, read by column name.
struct CSVTable {
  struct Row {
    let place: Place
    fileprivate let values: [String: String]

    /// The cell under a heading; empty if the file has no such column.
    subscript(_ column: String) -> String { values[column] ?? "" }
  }

  let rows: [Row]

  /// Reads the heading and the rows, and reports unknown, doubled and missing columns and rows of the wrong length.
  init?(_ source: SourceFile, columns: [String], needed: [String], problems: ProblemList) {
    let found = CSVReader.read(source, problems: problems)
    let start = Place(file: source.name, line: found.first?.line ?? 1)
    guard let heading = found.first else {
      problems.error(start, "the file is empty; its first line names the columns")
      return nil
    }
    let known = Dictionary(columns.map { (Fields.folded($0), $0) }, uniquingKeysWith: { first, _ in first })
    var names: [String?] = []
    for cell in heading.cells {
      let name = known[Fields.folded(cell)]
      if name == nil {
        problems.error(
          start, "unknown column \(Visible.quoted(cell))" + NearestName.hint(for: cell, among: columns))
      } else if names.contains(name) {
        problems.error(start, "duplicate column \(Visible.quoted(cell))")
      }
      names.append(name)
    }
    let missing = needed.filter { !names.contains($0) }
    for name in missing { problems.error(start, "column \(Visible.quoted(name)) is missing") }
    guard missing.isEmpty else { return nil }
    rows = found.dropFirst().compactMap { row in
      let place = Place(file: source.name, line: row.line)
      guard row.cells.count <= names.count else {
        problems.error(
          place, "\(row.cells.count) cells, but the heading has \(names.count); quote a text that holds a comma")
        return nil
      }
      var values: [String: String] = [:]
      for (name, cell) in zip(names, row.cells) {
        if let name { values[name] = cell }
      }
      return Row(place: place, values: values)
    }
  }
}
