import CircuitModel
import Console
import ExamStore
import Glibc
import Reports

/// Where a command takes a passcode from.
enum PasscodeSource {
  /// The variables that name the file of who acts, and of who acts with them.
  static let variable = "OSCE_PASSCODE_FILE"
  static let secondVariable = "OSCE_SECOND_PASSCODE_FILE"

  /// The passcode in the file that a variable names, or one typed at the terminal, which does not show it.
  /// - Parameter silence: for how long a pipe may be silent, in milliseconds.
  /// - Throws: `StoreError` if there is neither.
  static func passcode(
    of member: StaffMember, environment: [String: String], variable: String = variable,
    silence: Int32 = longestSilence
  ) throws -> String {
    if let path = environment[variable], !path.isEmpty { return try firstLine(of: path, silence: silence) }
    let name = PlainText.cell(member.username)
    return try HiddenLine.ask(
      "Passcode of \(name): ",
      otherwise: "the passcode of \(name) is needed: put it into a file and name that with \(variable)")
  }

  /// A program that asks a password store answers sooner.
  static let longestSilence: Int32 = 10_000
  private static let longest = 4096

  /// The first line of a file or a pipe, at most 4096 bytes, without its line ending and what some editors put before a
  /// text.
  private static func firstLine(of path: String, silence: Int32) throws -> String {
    // Not blocking: a FIFO that nobody writes to must not stop the program for ever.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw StoreError("cannot read the passcode file \(path): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, [S_IFREG, S_IFIFO].contains(status.st_mode & S_IFMT) else {
      throw StoreError("the passcode file \(path) is neither a file nor a pipe")
    }
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < longest {
      let count = read(descriptor, &byte, 1)
      if count == 1 {
        if byte == 0x0A { break }
        bytes.append(byte)
      } else if count == 0 && (status.st_mode & S_IFMT == S_IFREG || !bytes.isEmpty) {
        break
      } else {
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, silence) > 0 else {
          throw StoreError("nothing was written to the passcode file \(path) for \(silence / 1000) s")
        }
        // Who wrote has gone, with nothing written.
        if ready.revents & Int16(POLLIN) == 0 { break }
      }
    }
    if bytes.last == 0x0D { bytes.removeLast() }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
