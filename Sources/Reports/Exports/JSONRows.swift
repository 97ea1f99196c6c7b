import CircuitModel
import ExamStore

/// An array of objects whose members are named as the columns; what has no value is null.
struct JSONRows: ExportEncoder {
  private let columns: [String]

  init(_ columns: [String]) { self.columns = columns }

  func begin(_ bytes: inout [UInt8]) { bytes += "[".utf8 }

  func row(_ cells: [ExportCell], isFirst: Bool, _ bytes: inout [UInt8]) {
    bytes += (isFirst ? "\n" : ",\n").utf8
    JSONDocument.object(zip(columns, cells).map { ($0, JSONDocument($1)) }).write(to: &bytes)
  }

  func end(_ bytes: inout [UInt8]) { bytes += "\n]\n".utf8 }
}

extension JSONDocument {
  fileprivate init(_ cell: ExportCell) {
    switch cell {
    case .empty: self = .null
    case .text(let text): self = .text(text)
    case .integer(let number): self = .integer(number)
    case .mark(let mark): self = .mark(mark)
    case .bool(let bool): self = .bool(bool)
    case .time(let instant): self = .text(Timestamp.text(instant))
    }
  }
}
