import Characters
import ExamStore

/// An array of objects whose members are named as the columns; what has no value is null.
struct JSONRows: ExportEncoder {
  /// The columns' names with what goes before and after each in an object.
  private let names: [[UInt8]]
  /// The same with no value behind them, as half of the cells are.
  private let empty: [[UInt8]]

  init(_ columns: [String]) {
    names = columns.enumerated().map { index, name in
      var bytes: [UInt8] = [index == 0 ? UInt8(ascii: "{") : UInt8(ascii: ",")]
      JSONString.append(name, .shown, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      return bytes
    }
    empty = names.map { $0 + "null".utf8 }
  }

  func begin(_ bytes: inout [UInt8]) { bytes.append(UInt8(ascii: "[")) }

  func row(_ cells: [ExportCell], isFirst: Bool, _ bytes: inout [UInt8]) {
    bytes.append(text: isFirst ? "\n" : ",\n")
    for (index, cell) in cells.enumerated() {
      if case .empty = cell {
        bytes.append(contentsOf: empty[index])
        continue
      }
      bytes.append(contentsOf: names[index])
      switch cell {
      case .empty: break
      case .text(let text): JSONString.append(text, .shown, to: &bytes)
      case .integer(let number): bytes.append(number: number)
      case .mark(let mark): bytes.append(mark: mark)
      case .real(let number): ShortestNumber.append(number, to: &bytes)
      case .bool(let bool): bytes.append(text: bool ? "true" : "false")
      case .time(let instant):
        bytes.append(UInt8(ascii: "\""))
        Timestamp.append(instant, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
      }
    }
    bytes.append(UInt8(ascii: "}"))
  }

  func end(_ bytes: inout [UInt8]) { bytes.append(text: "\n]\n") }
}
