import CircuitModel
import ExamStore
import GRDB
import Timer

/// Turns an export's rows into bytes.
public enum ExportWriter {
  /// How many bytes are gathered before they are written.
  private static let chunk = 1 << 16

  /// Writes a whole export.
  /// - Parameter write: takes the next bytes.
  /// - Throws: what `write` throws, and `StoreError` if the store cannot be read.
  public static func write(
    _ export: Export, in db: Database, at now: Instant, to write: ([UInt8]) throws -> Void
  ) throws {
    let encoder: any ExportEncoder = export.format == .json ? JSONRows(export.columns) : CSVRows(export.columns)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(chunk + 4096)
    encoder.begin(&bytes)
    var isFirst = true
    try export.forEachRow(in: db, at: now) { cells in
      encoder.row(cells, isFirst: isFirst, &bytes)
      isFirst = false
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
