import Characters

/// What stands on paper: a head, and blocks below it. One page begins on a new sheet, however long it is.
public struct PaperPage: Equatable, Sendable {
  /// The heading, repeated where the page goes on overleaf.
  public let title: String
  /// Whose page it is and where it belongs, a line each, repeated with the title: sheets of paper come apart.
  public var head: [String]
  /// What is under it.
  public let blocks: [PaperBlock]

  /// Makes one from its parts.
  public init(_ title: String, head: [String] = [], _ blocks: [PaperBlock]) {
    (self.title, self.head, self.blocks) = (title, head, blocks)
  }
}

/// A part of a page that is not torn apart.
public enum PaperBlock: Equatable, Sendable {
  /// A heading within the page.
  case heading(String)
  /// A paragraph.
  case line(String)
  /// What is emphasised because it must not be overlooked.
  case warning(String)
  /// Something to tick: its number, its text, and a box a choice.
  case item(number: String, text: String, boxes: [String])
  /// A line to write on, with what is to be written.
  case blank(String)
  /// Rows under headings. Numbers of columns agree.
  case table([String], [[String]])
}

/// Writes pages as text: at most 80 columns and 60 lines a sheet of paper.
public struct PaperText {
  private static let width = 80
  private static let height = 60
  /// What stands between two sheets of paper.
  private let separator: String
  private var isFirst = true

  /// - Parameter breaksPages: whether a form feed begins each sheet; otherwise a line of dashes parts them.
  public init(breaksPages: Bool) {
    separator = breaksPages ? "\u{0C}" : "\n" + String(repeating: "-", count: PaperText.width) + "\n\n"
  }

  /// The bytes of a page.
  public mutating func page(_ page: PaperPage) -> [UInt8] {
    var sheets: [[String]] = []
    var lines: [String] = []
    func begin(_ title: String) {
      lines = ([title] + page.head).flatMap { TextLines.wrapped(PaperText.safe($0), indent: 0) } + [""]
    }
    begin(page.title)
    let room = PaperText.height - lines.count - 1
    var isEmpty = true
    func add(_ block: [String], under columns: [String] = []) {
      if lines.count + block.count > PaperText.height && !isEmpty {
        sheets.append(lines)
        begin("\(page.title) (page \(sheets.count + 1))")
        lines += columns
        isEmpty = true
      }
      lines += block
      isEmpty = false
    }
    // A heading stays with what is under it.
    var heading: [String] = []
    for block in page.blocks {
      switch block {
      case .heading: heading += PaperText.lines(of: block)
      case .table(let head, let rows):
        let table = PaperText.table([head] + rows)
        let columns = table[0]
        // The names of the columns stay with the first row, and stand again above the rows that go on overleaf.
        add(heading + [""] + columns + table.dropFirst().prefix(1).joined())
        heading = []
        for row in table.dropFirst(2) { add(row, under: columns) }
      case .line, .warning, .item, .blank:
        let whole = heading + PaperText.lines(of: block)
        heading = []
        // A block longer than a sheet of paper is torn apart after all.
        for start in stride(from: 0, to: whole.count, by: room) {
          add(Array(whole[start..<min(start + room, whole.count)]))
        }
      }
    }
    if !heading.isEmpty { add(heading) }
    sheets.append(lines)
    let text = sheets.map { $0.joined(separator: "\n") + "\n" }.joined(separator: separator)
    defer { isFirst = false }
    return Array(((isFirst ? "" : separator) + text).utf8)
  }

  /// The bytes of lines on sheets of paper, a form feed between two, each filled up to its foot.
  /// - Parameter foot: what stands there of a sheet by its number and how many there are; equally many lines of each.
  static func sheets(of lines: [String], foot: (_ number: Int, _ count: Int) -> [String]) -> [UInt8] {
    let room = height - foot(1, 1).count - 1
    var sheets: [ArraySlice<String>] = []
    var rest = lines[...]
    while !rest.isEmpty {
      var sheet = rest.prefix(room)
      // A heading goes overleaf with what is under it.
      if sheet.count < rest.count, sheet.dropLast().last == "" { sheet.removeLast() }
      rest = rest.dropFirst(sheet.count).drop(while: \.isEmpty)
      sheets.append(sheet)
    }
    let texts = sheets.enumerated().map { index, sheet in
      let space = Array(repeating: "", count: room - sheet.count + 1)
      return (sheet + space + foot(index + 1, sheets.count)).joined(separator: "\n") + "\n"
    }
    return Array(texts.joined(separator: "\u{0C}").utf8)
  }

  private static func lines(of block: PaperBlock) -> [String] {
    switch block {
    case .heading(let text): return ["", safe(text).uppercased()].flatMap { TextLines.wrapped($0, indent: 0) }
    case .line(let text): return TextLines.wrapped(safe(text), indent: 0)
    case .warning(let text): return TextLines.wrapped("!! " + safe(text), indent: 3)
    case .blank(let text):
      let label = safe(text)
      let columns = ColumnWidth.of(label)
      if columns > width - 24 {
        return TextLines.wrapped(label, indent: 0) + ["", String(repeating: "_", count: width)]
      }
      return ["", label + " " + String(repeating: "_", count: max(8, width - columns - 1))]
    case .item(let number, let text, let boxes):
      let indent = ColumnWidth.of(safe(number)) + 2
      return TextLines.wrapped("\(safe(number))  \(safe(text))", indent: indent) + boxLines(boxes, indent: indent)
    case .table(let head, let rows): return table([head] + rows).flatMap { $0 }
    }
  }

  /// Boxes in a line where they fit, else one below the other.
  private static func boxLines(_ boxes: [String], indent: Int) -> [String] {
    if boxes.isEmpty { return [] }
    let texts = boxes.map { "[ ] " + safe($0) }
    let margin = String(repeating: " ", count: indent)
    let one = margin + texts.joined(separator: "   ")
    return ColumnWidth.of(one) <= width ? [one] : texts.flatMap { TextLines.wrapped(margin + $0, indent: indent + 4) }
  }

  /// Columns that line up; the widest is narrowed until all fit, its cells wrapped.
  private static func table(_ rows: [[String]]) -> [[String]] {
    let cells = rows.map { $0.map(safe) }
    let count = cells.map(\.count).max() ?? 0
    var widths = (0..<count).map { column in
      cells.map { column < $0.count ? ColumnWidth.of($0[column]) : 0 }.max() ?? 0
    }
    func total() -> Int { widths.reduce(0, +) + 2 * max(0, count - 1) }
    while total() > width, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }), widths[widest] > 6 {
      widths[widest] -= 1
    }
    return cells.map { row in
      let parts = row.enumerated().map { TextLines.broken($0.element, widths[$0.offset]) }
      return (0..<max(1, parts.map(\.count).max() ?? 1)).map { line in
        var text = ""
        for (column, part) in parts.enumerated() {
          let cell = line < part.count ? part[line] : ""
          text += cell
          if column < parts.count - 1 {
            text += String(repeating: " ", count: max(0, widths[column] - ColumnWidth.of(cell)) + 2)
          }
        }
        while text.last == " " { text.removeLast() }
        return text
      }
    }
  }

  private static func safe(_ text: String) -> String { VisibleText.of(text, dropsJoiners: true) }
}
