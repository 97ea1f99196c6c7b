import CircuitModel
import ExamStore
import RowStream

/// Rows as the program takes them that writes spreadsheets: see `RowStream`.
struct StreamedRows: ExportEncoder {
  private let name: String
  private let columns: [String]

  /// - Parameter name: what the table is called.
  init(_ name: String, _ columns: [String]) {
    self.name = name
    self.columns = columns
  }

  func begin(_ bytes: inout [UInt8]) {
    StreamedRows.append(name, as: RowStream.table, &bytes)
    row(columns.map { .text($0) }, isFirst: true, &bytes)
  }

  func row(_ cells: [ExportCell], isFirst: Bool, _ bytes: inout [UInt8]) {
    for cell in cells {
      switch cell {
      case .empty: bytes.append(RowStream.empty)
      case .text(let text): StreamedRows.append(text, as: RowStream.text, &bytes)
      case .integer(let number): StreamedRows.number(&bytes) { $0.append(number: number) }
      case .mark(let mark): StreamedRows.number(&bytes) { $0.append(mark: mark) }
      case .real(let number): StreamedRows.number(&bytes) { ShortestNumber.append(number, to: &$0) }
      case .bool(let bool): bytes.append(bool ? RowStream.yes : RowStream.no)
      case .time(let instant):
        bytes.append(RowStream.text)
        Timestamp.append(instant, to: &bytes)
        bytes.append(0)
      }
    }
    bytes.append(RowStream.rowEnd)
  }

  func end(_ bytes: inout [UInt8]) {}

  private static func number(_ bytes: inout [UInt8], _ digits: (inout [UInt8]) -> Void) {
    bytes.append(RowStream.number)
    digits(&bytes)
    bytes.append(0)
  }

  /// A zero byte would end the text; no spreadsheet holds one.
  private static func append(_ text: String, as kind: UInt8, _ bytes: inout [UInt8]) {
    bytes.append(kind)
    let first = bytes.count
    bytes.append(text: text)
    if bytes[first...].contains(0) {
      bytes.removeSubrange(first...)
      bytes.append(text: text.replacing("\0", with: "\u{FFFD}"))
    }
    bytes.append(0)
  }
}
