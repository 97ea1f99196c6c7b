import Glibc
import RowStream

/// Reads a stream of rows and passes its cells on.
struct TableReader {
  private var bytes: [UInt8] = []
  /// How many of `bytes` are passed on.
  private var used = 0

  private static let chunk = 1 << 18

  /// - Throws: `WorkbookFailure` if the stream ends before its end mark, or is none, or the workbook cannot be written.
  mutating func read(_ descriptor: Int32, into workbook: Workbook) throws(WorkbookFailure) {
    while true {
      guard try fill(descriptor) else {
        throw WorkbookFailure(reason: "the tables ended too early; the workbook was not written")
      }
      if try pass(on: workbook) { return }
    }
  }

  /// Takes in more bytes behind those that are not passed on yet; false at the end of input.
  private mutating func fill(_ descriptor: Int32) throws(WorkbookFailure) -> Bool {
    bytes.removeFirst(used)
    used = 0
    let kept = bytes.count
    bytes += [UInt8](repeating: 0, count: TableReader.chunk)
    var count = 0
    repeat {
      count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress! + kept, TableReader.chunk) }
    } while count < 0 && errno == EINTR
    bytes.removeLast(TableReader.chunk - max(0, count))
    if count < 0 { throw WorkbookFailure(reason: "cannot read the tables: \(String(cString: strerror(errno)))") }
    return count > 0
  }

  /// Passes on every cell that is whole.
  /// - Returns: whether the end mark came.
  private mutating func pass(on workbook: Workbook) throws(WorkbookFailure) -> Bool {
    var index = 0
    defer { used = index }
    let count = bytes.count
    while index < count {
      switch bytes[index] {
      case RowStream.end: return true
      case RowStream.rowEnd: try workbook.endRow()
      case RowStream.empty: workbook.skip()
      case RowStream.yes: try workbook.write(true)
      case RowStream.no: try workbook.write(false)
      case let kind where kind == RowStream.text || kind == RowStream.number || kind == RowStream.table:
        guard let zero = bytes[(index + 1)...].firstIndex(of: 0) else { return false }
        let length = zero - index - 1
        let start = index + 1
        switch kind {
        case RowStream.text:
          try withCells { (base: UnsafePointer<UInt8>) throws(WorkbookFailure) in
            try workbook.write(text: base + start, length: length)
          }
        case RowStream.number:
          try withCells { (base: UnsafePointer<UInt8>) throws(WorkbookFailure) in
            try workbook.write(number: base + start, length: length)
          }
        default: try workbook.begin(String(decoding: bytes[start..<zero], as: UTF8.self))
        }
        index = zero
      default: throw WorkbookFailure(reason: "standard input holds no tables of osce")
      }
      index += 1
    }
    return false
  }

  private func withCells(
    _ body: (UnsafePointer<UInt8>) throws(WorkbookFailure) -> Void
  ) throws(WorkbookFailure) {
    try bytes.withUnsafeBufferPointer { (buffer) throws(WorkbookFailure) in
      guard let base = buffer.baseAddress else { return }
      try body(base)
    }
  }
}
