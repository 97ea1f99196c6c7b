import CZlib

/// Packs bytes as they come, in gzip's frame (RFC 1952) without name and time: the same bytes give the same file.
public final class GzipWriter {
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private let write: ([UInt8]) throws -> Void

  /// - Parameter write: takes what is packed.
  public init(_ write: @escaping ([UInt8]) throws -> Void) throws {
    self.write = write
    stream.initialize(to: z_stream())
    guard osce_deflate_begin(stream) == Z_OK else { throw GzipFault.engine }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Packs more bytes.
  public func add(_ bytes: [UInt8]) throws { try run(bytes, Z_NO_FLUSH) }

  /// Packs what is left, and the end.
  public func finish() throws { try run([], Z_FINISH) }

  private func run(_ bytes: [UInt8], _ flush: Int32) throws {
    var bytes = bytes
    try bytes.withUnsafeMutableBufferPointer { input in
      stream.pointee.next_in = input.baseAddress
      stream.pointee.avail_in = UInt32(input.count)
      var isFull = true
      while isFull {
        let (code, count) = buffer.withUnsafeMutableBufferPointer { output -> (Int32, Int) in
          stream.pointee.next_out = output.baseAddress
          stream.pointee.avail_out = UInt32(output.count)
          let code = deflate(stream, flush)
          return (code, output.count - Int(stream.pointee.avail_out))
        }
        guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else {
          throw GzipFault.engine
        }
        if count > 0 { try write(Array(buffer[..<count])) }
        isFull = stream.pointee.avail_out == 0
      }
    }
  }
}

/// Why bytes cannot be unpacked.
public enum GzipFault: Error, Equatable {
  /// They are not gzip's, or were changed.
  case damaged
  /// They end too early, or something follows the end.
  case cut
  /// They unpack to more than is allowed.
  case tooLarge
  /// The system's zlib does not work.
  case engine
}

/// Unpacks gzip's bytes piece by piece and stops at the limit, so that a small file cannot fill memory or disk.
public enum GzipReader {
  /// The most that a byte may unpack to; the journal's texts stay far below.
  static let greatestRatio = 200
  /// The most that a whole file may unpack to.
  public static let greatestLength = 1 << 30
  /// What the first pieces may unpack to, when nothing can be said of the ratio yet.
  fileprivate static let slack = 1 << 16

  /// Calls `take` with each piece.
  /// - Parameter limit: the most that all may unpack to, in bytes.
  /// - Throws: `GzipFault`, and what `take` throws.
  public static func inflate(
    _ bytes: [UInt8], limit: Int = greatestLength, _ take: (UnsafeBufferPointer<UInt8>) throws -> Void
  ) throws {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    guard osce_inflate_begin(stream) == Z_OK else { throw GzipFault.engine }
    defer { inflateEnd(stream) }
    var bytes = bytes
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var total = 0
    try bytes.withUnsafeMutableBufferPointer { input in
      stream.pointee.next_in = input.baseAddress
      stream.pointee.avail_in = UInt32(input.count)
      var code = Z_OK
      while code != Z_STREAM_END {
        let count = try buffer.withUnsafeMutableBufferPointer { output -> Int in
          stream.pointee.next_out = output.baseAddress
          stream.pointee.avail_out = UInt32(output.count)
          code = CZlib.inflate(stream, Z_NO_FLUSH)
          let count = output.count - Int(stream.pointee.avail_out)
          switch code {
          case Z_OK, Z_STREAM_END: break
          case Z_BUF_ERROR: throw GzipFault.cut
          default: throw GzipFault.damaged
          }
          total += count
          let consumed = input.count - Int(stream.pointee.avail_in)
          guard total <= limit, total <= greatestRatio * consumed + slack else { throw GzipFault.tooLarge }
          try take(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(output)[..<count]))
          return count
        }
        if count == 0, code == Z_OK, stream.pointee.avail_in == 0 { throw GzipFault.cut }
      }
      if stream.pointee.avail_in != 0 { throw GzipFault.cut }
    }
  }
}

/// Packs and unpacks what is in memory whole.
public enum Gzip {
  /// The bytes, packed.
  public static func pack(_ bytes: [UInt8]) throws -> [UInt8] {
    var packed: [UInt8] = []
    let writer = try GzipWriter { packed += $0 }
    try writer.add(bytes)
    try writer.finish()
    return packed
  }

  /// The bytes, packed; nil where they pack so well that a reader would take them for a bomb: they travel as they are.
  public static func packForReader(_ bytes: [UInt8]) throws -> [UInt8]? {
    let packed = try pack(bytes)
    // So little no reader refuses.
    if bytes.count <= GzipReader.slack { return packed }
    do { try GzipReader.inflate(packed) { _ in } } catch GzipFault.tooLarge { return nil }
    return packed
  }

  /// The bytes, unpacked.
  /// - Parameter limit: the most that they may unpack to.
  /// - Throws: `GzipFault`.
  public static func unpack(_ bytes: [UInt8], limit: Int) throws -> [UInt8] {
    var unpacked: [UInt8] = []
    try GzipReader.inflate(bytes, limit: limit) { unpacked.append(contentsOf: $0) }
    return unpacked
  }
}
