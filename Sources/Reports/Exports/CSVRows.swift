import CircuitModel
import ExamStore

/// Comma-separated values after RFC 4180: lines end in CR LF, cells that need it are quoted.
///
/// A cell of text that a spreadsheet would take for a formula (it begins with `=`, `+`, `-`, `@`, a tab or a line break
/// and is not a number) gets an apostrophe in front.
struct CSVRows: ExportEncoder {
  private let columns: [String]

  init(_ columns: [String]) { self.columns = columns }

  func begin(_ bytes: inout [UInt8]) {
    bytes += columns.joined(separator: ",").utf8
    bytes += "\r\n".utf8
  }

  func row(_ cells: [ExportCell], isFirst: Bool, _ bytes: inout [UInt8]) {
    for (index, cell) in cells.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      switch cell {
      case .empty: break
      case .integer(let number): bytes.append(number: number)
      case .mark(let mark): bytes.append(mark: mark)
      case .real(let number): ShortestNumber.append(number, to: &bytes)
      case .bool(let bool): bytes.append(text: bool ? "true" : "false")
      case .time(let instant): Timestamp.append(instant, to: &bytes)
      case .text(let text): CSVRows.text(text, &bytes)
      }
    }
    bytes.append(0x0D)
    bytes.append(0x0A)
  }

  func end(_ bytes: inout [UInt8]) {}

  private static func text(_ text: String, _ bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { utf8 in
      let isGuarded = looksLikeFormula(utf8)
      let isQuoted = utf8.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == 0x0D || $0 == 0x0A }
      if isQuoted { bytes.append(UInt8(ascii: "\"")) }
      if isGuarded { bytes.append(UInt8(ascii: "'")) }
      if isQuoted {
        for byte in utf8 {
          if byte == UInt8(ascii: "\"") { bytes.append(byte) }
          bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
      } else {
        bytes.append(contentsOf: utf8)
      }
    }
  }

  /// The first character decides; a line break counts as a tab does, for a spreadsheet that trims the cell.
  private static func looksLikeFormula(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    switch utf8.first {
    case UInt8(ascii: "="), UInt8(ascii: "@"), 0x09, 0x0A, 0x0D: true
    case UInt8(ascii: "+"), UInt8(ascii: "-"): !isNumber(utf8.dropFirst())
    default: false
    }
  }

  /// Digits with at most one point among them.
  private static func isNumber(_ utf8: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    var digits = 0
    var points = 0
    for byte in utf8 {
      if (0x30...0x39).contains(byte) {
        digits += 1
      } else if byte == UInt8(ascii: ".") {
        points += 1
      } else {
        return false
      }
    }
    return digits > 0 && points <= 1
  }
}
