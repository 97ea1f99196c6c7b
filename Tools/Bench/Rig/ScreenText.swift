import CRig

/// What a terminal shows, as text: enough of a VT100 and xterm to follow a program that draws with curses.
///
/// A combining mark stays with the letter before it, a wide letter takes two cells. Colours and other attributes are
/// passed over.
public struct ScreenText: Sendable {
  /// Rows and columns.
  public let rows: Int, columns: Int
  /// The cursor's row and column, from 0.
  public private(set) var row = 0, column = 0
  /// How often the bell rang; a control string that ends with the same byte rings nothing.
  public private(set) var bells = 0
  /// What stands in each cell: a letter with its marks; nothing in the second cell of a wide letter.
  private var cells: [[String]]
  private var saved = (row: 0, column: 0)
  private var region: ClosedRange<Int>
  private var last: UnicodeScalar = " "
  private var mode = Mode.text
  private var parameters = ""
  private var unfinished: [UInt8] = []

  private enum Mode { case text, escape, control, string, stringEnd, charset }

  /// A blank screen.
  public init(rows: Int = 24, columns: Int = 80) {
    self.rows = rows
    self.columns = columns
    region = 0...(rows - 1)
    cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
  }

  /// The lines without trailing blanks.
  public var lines: [String] {
    cells.map { line in
      let end = line.lastIndex { $0 != " " }.map { $0 + 1 } ?? 0
      return line[..<end].joined()
    }
  }

  /// Whether a line holds this text.
  public func shows(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

  /// Takes output in.
  public mutating func feed(_ bytes: [UInt8]) {
    for byte in bytes { feed(byte) }
  }

  // MARK: Bytes

  private mutating func feed(_ byte: UInt8) {
    switch mode {
    case .text: text(byte)
    case .escape: escape(byte)
    case .control:
      if byte >= 0x40 && byte <= 0x7E {
        mode = .text
        control(byte)
      } else {
        parameters.append(Character(UnicodeScalar(byte)))
      }
    case .string:
      if byte == 7 { mode = .text } else if byte == 0x1B { mode = .stringEnd }
    case .stringEnd, .charset: mode = .text
    }
  }

  private mutating func text(_ byte: UInt8) {
    switch byte {
    case 0x1B: mode = .escape
    case 7: bells += 1
    case 8: column = max(0, column - 1)
    case 9: column = min(columns - 1, (column / 8 + 1) * 8)
    case 10, 11, 12: lineFeed()
    case 13: column = 0
    case 0..<0x20, 0x7F: break
    case 0x20..<0x80: put(UnicodeScalar(byte))
    default:
      unfinished.append(byte)
      let length = unfinished[0] >= 0xF0 ? 4 : unfinished[0] >= 0xE0 ? 3 : 2
      if unfinished.count >= length {
        put(String(decoding: unfinished, as: UTF8.self).unicodeScalars.first ?? "?")
        unfinished = []
      }
    }
  }

  private mutating func escape(_ byte: UInt8) {
    mode = .text
    switch byte {
    case UInt8(ascii: "["):
      parameters = ""
      mode = .control
    case UInt8(ascii: "]"), UInt8(ascii: "P"): mode = .string
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "#"): mode = .charset
    case UInt8(ascii: "7"): saved = (row, column)
    case UInt8(ascii: "8"): (row, column) = saved
    case UInt8(ascii: "D"): lineFeed()
    case UInt8(ascii: "M"): if row == region.lowerBound { scroll(region, by: -1) } else { row = max(0, row - 1) }
    default: break
    }
  }

  // MARK: Control sequences

  private mutating func control(_ final: UInt8) {
    if parameters.first == "?" || parameters.first == ">" { return }
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    let first = numbers.first ?? 0
    let count = max(1, first)
    switch final {
    case UInt8(ascii: "A"): row = max(0, row - count)
    case UInt8(ascii: "B"): row = min(rows - 1, row + count)
    case UInt8(ascii: "C"): column = min(columns - 1, column + count)
    case UInt8(ascii: "D"): column = max(0, column - count)
    case UInt8(ascii: "G"), UInt8(ascii: "`"): column = min(columns, count) - 1
    case UInt8(ascii: "d"): row = min(rows, count) - 1
    case UInt8(ascii: "H"), UInt8(ascii: "f"):
      row = min(rows, count) - 1
      column = min(columns, max(1, numbers.count > 1 ? numbers[1] : 1)) - 1
    case UInt8(ascii: "J"): eraseScreen(first)
    case UInt8(ascii: "K"): eraseLine(first)
    case UInt8(ascii: "X"): blank(column..<min(columns, column + count))
    case UInt8(ascii: "L"): scroll(row...region.upperBound, by: -count)
    case UInt8(ascii: "M"): scroll(row...region.upperBound, by: count)
    case UInt8(ascii: "S"): scroll(region, by: count)
    case UInt8(ascii: "T"): scroll(region, by: -count)
    case UInt8(ascii: "P"):
      let moved = Array(cells[row].dropFirst(min(columns, column + count)))
      cells[row].replaceSubrange(column..., with: moved + Array(repeating: " ", count: columns - column - moved.count))
    case UInt8(ascii: "@"):
      let rest = Array(repeating: " ", count: count) + cells[row][column...]
      cells[row].replaceSubrange(column..., with: rest.prefix(columns - column))
    case UInt8(ascii: "b"): for _ in 0..<count { put(last) }
    case UInt8(ascii: "r"):
      let bottom = numbers.count > 1 && numbers[1] > 0 ? numbers[1] : rows
      if count < bottom { region = (count - 1)...(min(rows, bottom) - 1) }
      (row, column) = (0, 0)
    default: break
    }
  }

  private mutating func put(_ scalar: UnicodeScalar) {
    let width = scalar.isASCII ? 1 : Int(rig_character_width(scalar.value))
    if width <= 0 {
      addMark(scalar)
      return
    }
    if column + width > columns {
      column = 0
      lineFeed()
    }
    for index in column..<(column + width) { clear(index) }
    cells[row][column] = String(Character(scalar))
    if width == 2 { cells[row][column + 1] = "" }
    last = scalar
    column += width
  }

  /// Puts a mark on the letter before the cursor.
  private mutating func addMark(_ mark: UnicodeScalar) {
    guard let letter = cells[row][..<column].lastIndex(where: { !$0.isEmpty }) else { return }
    cells[row][letter].unicodeScalars.append(mark)
  }

  /// Empties a cell, and the other half of a wide letter with it.
  private mutating func clear(_ index: Int) {
    if cells[row][index].isEmpty, index > 0 { cells[row][index - 1] = " " }
    if index + 1 < columns, cells[row][index + 1].isEmpty { cells[row][index + 1] = " " }
    cells[row][index] = " "
  }

  private mutating func lineFeed() {
    if row == region.upperBound { scroll(region, by: 1) } else { row = min(rows - 1, row + 1) }
  }

  private mutating func scroll(_ lines: ClosedRange<Int>, by count: Int) {
    let empty = Array(repeating: " ", count: columns)
    for _ in 0..<min(abs(count), lines.count) {
      if count > 0 {
        cells.remove(at: lines.lowerBound)
        cells.insert(empty, at: lines.upperBound)
      } else {
        cells.remove(at: lines.upperBound)
        cells.insert(empty, at: lines.lowerBound)
      }
    }
  }

  private mutating func eraseLine(_ part: Int) {
    switch part {
    case 0: blank(min(column, columns)..<columns)
    case 1: blank(0..<min(columns, column + 1))
    default: blank(0..<columns)
    }
  }

  private mutating func eraseScreen(_ part: Int) {
    let empty = Array(repeating: " ", count: columns)
    switch part {
    case 0:
      eraseLine(0)
      for line in (row + 1)..<max(row + 1, rows) { cells[line] = empty }
    case 1:
      eraseLine(1)
      for line in 0..<row { cells[line] = empty }
    default: cells = Array(repeating: empty, count: rows)
    }
  }

  private mutating func blank(_ range: Range<Int>) {
    for index in range { clear(index) }
  }
}
