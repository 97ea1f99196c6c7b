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
