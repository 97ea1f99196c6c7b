import CircuitModel
import ExamStore
import Glibc
import Reports

/// Where a command takes a passcode from.
enum PasscodeSource {
  /// The passcode in the file that `OSCE_PASSCODE_FILE` names, or one typed at the terminal, which does not show it.
  /// - Throws: `StoreError` if there is neither.
  static func passcode(of member: StaffMember, environment: [String: String]) throws -> String {
    if let path = environment["OSCE_PASSCODE_FILE"], !path.isEmpty { return try firstLine(of: path) }
    return try ask("Passcode of \(PlainText.cell(member.username)): ")
  }

  private static func firstLine(of path: String) throws -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw StoreError("cannot read the passcode file \(path): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    return line(from: descriptor)
  }

  private static func ask(_ prompt: String) throws -> String {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else {
      throw StoreError("a passcode is needed: put it into a file and name that with OSCE_PASSCODE_FILE")
    }
    defer { close(terminal) }
    var before = termios()
    guard tcgetattr(terminal, &before) == 0 else { throw StoreError("the terminal cannot hide a passcode") }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(terminal, TCSAFLUSH, &silent)
    defer {
      tcsetattr(terminal, TCSAFLUSH, &before)
      Output(descriptor: terminal).text("\n")
    }
    Output(descriptor: terminal).text(prompt)
    return line(from: terminal)
  }

  /// The first line, at most 4096 bytes, without its line ending.
  private static func line(from descriptor: Int32) -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < 4096, read(descriptor, &byte, 1) == 1, byte != 0x0A { bytes.append(byte) }
    if bytes.last == 0x0D { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
