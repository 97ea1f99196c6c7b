import Characters
import ExamStore
import GRDB
import Timer

/// Turns an export's rows into bytes.
public enum ExportWriter {
  /// How many bytes are gathered before they are written.
  private static let chunk = 1 << 16

  /// Writes a whole export.
  /// - Parameters:
  ///   - progress: is told how many rows are written.
  ///   - write: takes the next bytes.
  /// - Throws: what `write` throws, and `StoreError` if the store cannot be read.
  public static func write(
    _ export: Export, in db: Database, at now: Instant, progress: CheckProgress = .silent,
    to write: ([UInt8]) throws -> Void
  ) throws {
    let encoder: any ExportEncoder =
      switch export.format {
      case .json: JSONRows(export.columns)
      case .csv: CSVRows(export.columns)
      case .xlsx: StreamedRows(export.kind.rawValue, export.columns)
      }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(chunk + 4096)
    encoder.begin(&bytes)
    var count = 0
    try export.forEachRow(in: db, at: now) { cells in
      encoder.row(cells, isFirst: count == 0, &bytes)
      count += 1
      progress.report("rows of \(export.kind.rawValue)", count)
      if bytes.count >= chunk {
        try write(bytes)
        bytes.removeAll(keepingCapacity: true)
      }
    }
    encoder.end(&bytes)
    try write(bytes)
  }

  /// Writes a table that is small enough to be held.
  static func write(_ rows: [[ExportCell]], _ encoder: any ExportEncoder, to write: ([UInt8]) throws -> Void) throws {
    var bytes: [UInt8] = []
    encoder.begin(&bytes)
    for (index, cells) in rows.enumerated() {
      encoder.row(cells, isFirst: index == 0, &bytes)
      if bytes.count >= chunk {
        try write(bytes)
        bytes.removeAll(keepingCapacity: true)
      }
    }
    encoder.end(&bytes)
    try write(bytes)
  }
}

/// One way of writing rows.
protocol ExportEncoder {
  func begin(_ bytes: inout [UInt8])
  func row(_ cells: [ExportCell], isFirst: Bool, _ bytes: inout [UInt8])
  func end(_ bytes: inout [UInt8])
}

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
