import CRig
import Glibc

/// A process that the rig started.
public final class Child: @unchecked Sendable {
  /// The process number.
  public let process: Int32
  /// The terminal's master side, or the reading end of its standard output.
  public private(set) var descriptor: Int32
  private var ending: Int32?
  private var unread: [UInt8] = []
  /// Whether its output has ended.
  public private(set) var isAtEnd = false

  /// Starts a program on a new pseudo-terminal.
  /// - Throws: `RigError` if that fails.
  public init(
    onTerminal path: String, _ arguments: [String], environment: [String: String], rows: Int = 24, columns: Int = 80
  ) throws {
    let child = Child.withVectors(path, arguments, environment) {
      rig_start_on_terminal(path, $0, $1, Int32(rows), Int32(columns))
    }
    guard child.pid > 0 else { throw RigError("cannot start \(path): \(String(cString: strerror(errno)))") }
    (process, descriptor) = (child.pid, child.descriptor)
  }

  /// Starts a program with its standard output on a pipe.
  /// - Throws: `RigError` if that fails.
  public init(onPipe path: String, _ arguments: [String], environment: [String: String] = Child.environment) throws {
    let child = Child.withVectors(path, arguments, environment) { rig_start_on_pipe(path, $0, $1) }
    guard child.pid > 0 else { throw RigError("cannot start \(path): \(String(cString: strerror(errno)))") }
    (process, descriptor) = (child.pid, child.descriptor)
  }

  deinit {
    if ending == nil {
      kill(process, SIGKILL)
      _ = rig_wait(process)
    }
    if descriptor >= 0 { close(descriptor) }
  }

  /// Closes its terminal, as a line that breaks does.
  public func hangUp() {
    close(descriptor)
    descriptor = -1
  }

  /// This process's own environment.
  public static var environment: [String: String] {
    var values: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2 { values[String(pair[0])] = String(pair[1]) }
      entry += 1
    }
    return values
  }

  /// Sends a signal.
  public func signal(_ number: Int32) { if ending == nil { kill(process, number) } }

  /// Waits for its end.
  /// - Returns: the exit code, or 128 and the number of the signal that ended it.
  @discardableResult public func wait() -> Int32 {
    if let ending { return ending }
    let code = rig_wait(process)
    ending = code
    return code
  }

  /// Takes all of its output, waits for its end and says what it used.
  /// - Returns: the exit code, lines of output, microseconds of processor time, and the most memory in kilobytes.
  public func finish() -> (code: Int32, lines: Int, processor: Int64, peak: Int64) {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var lines = 0
    while true {
      let count = rig_read(descriptor, &bytes, bytes.count, -1)
      if count <= 0 { break }
      lines += bytes[0..<count].count { $0 == 10 }
    }
    isAtEnd = true
    var use = rig_use()
    let code = rig_wait_used(process, &use)
    ending = code
    return (code, lines, use.processor, use.peak)
  }

  /// Whether it still runs.
  public var isRunning: Bool {
    if ending != nil { return false }
    let code = rig_poll(process)
    if code >= 0 { ending = code }
    return code < 0
  }

  /// Reads what is there, waiting at most that long.
  /// - Returns: the bytes, none if the time is over; nil once the other side is gone.
  public func read(within milliseconds: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = rig_read(descriptor, &bytes, bytes.count, Int32(milliseconds))
    if count < 0 { isAtEnd = true }
    return count < 0 ? nil : Array(bytes[0..<count])
  }

  /// The next line of its output without the newline; nil at the end of output or when the time is over.
  public func line(within milliseconds: Int = 60_000) -> String? {
    while true {
      if let end = unread.firstIndex(of: 10) {
        let line = String(decoding: unread[..<end], as: UTF8.self)
        unread.removeFirst(end + 1)
        return line
      }
      guard let bytes = read(within: milliseconds), !bytes.isEmpty else { return nil }
      unread += bytes
    }
  }

  /// All whole lines that are left until its output ends.
  public func remainingLines() -> [String] {
    var lines: [String] = []
    while let line = line(within: -1) { lines.append(line) }
    return lines
  }

  /// Types bytes at its terminal.
  public func type(_ bytes: [UInt8]) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + written, bytes.count - written) }
      if count <= 0 { return }
      written += count
    }
  }

  /// Types text at its terminal.
  public func type(_ text: String) { type(Array(text.utf8)) }

  private static func withVectors(
    _ path: String, _ arguments: [String], _ environment: [String: String],
    _ start: (UnsafePointer<UnsafeMutablePointer<CChar>?>, UnsafePointer<UnsafeMutablePointer<CChar>?>) -> rig_child
  ) -> rig_child {
    var argument = ([path] + arguments).map { strdup($0) } + [nil]
    var variable = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer {
      argument.forEach { free($0) }
      variable.forEach { free($0) }
    }
    return start(&argument, &variable)
  }
}
