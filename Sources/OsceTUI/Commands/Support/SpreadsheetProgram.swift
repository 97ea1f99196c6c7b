import ExamStore
import Glibc
import RowStream

/// The program that makes a workbook of tables; it runs while they are written, and writes the file that it is given.
final class SpreadsheetProgram {
  private static let program = CompanionProgram(name: "osce-xlsx", builtBy: "script/xlsx")

  private let process: pid_t
  /// Closed where the stream ends.
  private var tables: OpenFile?
  private let said: OpenFile

  /// Starts it.
  /// - Parameter file: what it writes.
  /// - Throws: `StoreError` if it is not installed or cannot be started.
  init(writing file: AtomicFile) throws {
    guard let path = Self.program.path else { throw Self.program.missing }
    let input = try Pipe()
    let errors = try Pipe()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input.reading.descriptor, 0)
    posix_spawn_file_actions_adddup2(&actions, file.descriptor, 1)
    posix_spawn_file_actions_adddup2(&actions, errors.writing.descriptor, 2)
    let arguments = [strdup(path), nil]
    defer { arguments.forEach { free($0) } }
    var process = pid_t()
    let code = posix_spawn(&process, path, &actions, nil, arguments, environ)
    guard code == 0 else { throw StoreError("cannot run \(path): \(String(cString: strerror(code)))") }
    self.process = process
    tables = .some(input.writing)
    said = errors.reading
  }

  /// Writes bytes of a stream of rows.
  /// - Throws: `StoreError` with what the program said, if it does not take them.
  func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(tables?.descriptor ?? -1, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        _ = try end()
        throw StoreError("osce-xlsx ended before the tables did")
      }
    }
  }

  /// Ends the stream and waits for the workbook.
  /// - Returns: what a person should know of it, a line each.
  /// - Throws: `StoreError` if there is no workbook.
  func finish() throws -> [String] {
    try write([RowStream.end])
    return try end()
  }

  private func end() throws -> [String] {
    tables = nil
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = chunk.withUnsafeMutableBytes { read(said.descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { break }
      bytes += chunk[..<count]
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    guard status == 0 else {
      throw StoreError(lines.first ?? "osce-xlsx ended by a fault; the workbook was not written")
    }
    return lines
  }

  private struct Pipe: ~Copyable {
    let reading: OpenFile
    let writing: OpenFile

    init() throws {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0, let reading = OpenFile(ends[0]), let writing = OpenFile(ends[1]) else {
        throw StoreError("cannot make a pipe: \(String(cString: strerror(errno)))")
      }
      for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      self.reading = reading
      self.writing = writing
    }
  }
}
