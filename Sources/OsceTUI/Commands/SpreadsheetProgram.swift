import ExamStore
import Glibc
import RowStream

/// The program that makes a workbook of tables; it runs while they are written, and writes the file that it is given.
final class SpreadsheetProgram {
  private static let program = CompanionProgram(name: "osce-xlsx", builtBy: "script/xlsx")

  private let process: pid_t
  private var tables: Int32
  private let said: Int32

  /// Starts it.
  /// - Parameter file: what it writes.
  /// - Throws: `StoreError` if it is not installed or cannot be started.
  init(writing file: AtomicFile) throws {
    guard let path = Self.program.path else { throw Self.program.missing }
    var (input, words): ((Int32, Int32), (Int32, Int32)) = ((-1, -1), (-1, -1))
    try Self.pipe(&input)
    try Self.pipe(&words)
    defer {
      close(input.0)
      close(words.1)
    }
    tables = input.1
    said = words.0
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input.0, 0)
    posix_spawn_file_actions_adddup2(&actions, file.descriptor, 1)
    posix_spawn_file_actions_adddup2(&actions, words.1, 2)
    let arguments = [strdup(path), nil]
    defer { arguments.forEach { free($0) } }
    var process = pid_t()
    let code = posix_spawn(&process, path, &actions, nil, arguments, environ)
    self.process = process
    guard code == 0 else {
      close(tables)
      close(said)
      throw StoreError("cannot run \(path): \(String(cString: strerror(code)))")
    }
  }

  deinit {
    if tables >= 0 { close(tables) }
    close(said)
  }

  /// Writes bytes of a stream of rows.
  /// - Throws: `StoreError` with what the program said, if it does not take them.
  func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(tables, $0.baseAddress, $0.count) }
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
    close(tables)
    tables = -1
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = chunk.withUnsafeMutableBytes { read(said, $0.baseAddress, $0.count) }
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

  private static func pipe(_ ends: inout (Int32, Int32)) throws {
    var both: [Int32] = [-1, -1]
    guard Glibc.pipe(&both) == 0 else {
      throw StoreError("cannot make a pipe: \(String(cString: strerror(errno)))")
    }
    for descriptor in both { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    ends = (both[0], both[1])
  }
}
