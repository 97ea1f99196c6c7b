import CNcurses.System
import Glibc

/// The terminal as a device: raw modes, reads and writes that never wait.
@MainActor
final class TerminalDevice {
  let descriptor: Int32
  private let original: termios
  /// Flags to give back, if the descriptor is the one that the shell uses too.
  private let sharedFlags: Int32?

  /// Opens the terminal of standard input again, so that non-blocking mode does not reach the shell.
  init() throws(TerminalError) {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { throw .notATerminal }
    var fresh = Self.open(ttyname(STDIN_FILENO))
    if fresh < 0 { fresh = "/dev/tty".withCString { Self.open($0) } }
    if fresh >= 0 {
      descriptor = fresh
      sharedFlags = nil
    } else {
      descriptor = STDIN_FILENO
      let flags = fcntl(STDIN_FILENO, F_GETFL)
      sharedFlags = flags
      _ = fcntl(STDIN_FILENO, F_SETFL, flags | O_NONBLOCK)
    }
    var modes = termios()
    if tcgetattr(descriptor, &modes) != 0 { throw .system("its modes cannot be read", code: errno) }
    original = modes
  }

  private static func open(_ path: UnsafePointer<CChar>?) -> Int32 {
    guard let path else { return -1 }
    return Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
  }

  /// Every key becomes a byte to read: no echo, no line editing, no signals, no flow control, no literal-next; output
  /// is sent as it is.
  func enterRawMode(reset: [UInt8]) {
    var modes = original
    modes.c_iflag &= ~tcflag_t(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON | IXOFF | IXANY)
    modes.c_oflag &= ~tcflag_t(OPOST)
    modes.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
    modes.c_cflag = modes.c_cflag & ~tcflag_t(CSIZE | PARENB) | tcflag_t(CS8)
    withUnsafeMutablePointer(to: &modes.c_cc) {
      $0.withMemoryRebound(to: cc_t.self, capacity: Int(NCCS)) {
        $0[Int(VMIN)] = 1
        $0[Int(VTIME)] = 0
      }
    }
    var shell = original
    osce_guard_arm(descriptor, &shell, reset, reset.count)
    tcsetattr(descriptor, TCSANOW, &modes)
  }

  /// Whether the terminal is this process's to write to and to set: false where it goes on in the background of a shell.
  var isInForeground: Bool { osce_in_background(descriptor) == 0 }

  func leaveRawMode() {
    var shell = original
    // From the background it would stop this process, and the modes are the shell's.
    if isInForeground { tcsetattr(descriptor, TCSANOW, &shell) }
    osce_guard_disarm()
  }

  func close() {
    if let sharedFlags {
      _ = fcntl(descriptor, F_SETFL, sharedFlags)
    } else {
      Glibc.close(descriptor)
    }
  }

  /// Sends as many bytes as the terminal takes now.
  /// - Returns: the number sent; all of them if the terminal is gone, since nobody will read the rest.
  func send(_ bytes: ArraySlice<UInt8>) -> Int {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.dropFirst(sent).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        sent += count
      } else if errno == EINTR {
        continue
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        return sent
      } else {
        return bytes.count
      }
    }
    return sent
  }

  /// Sends bytes and waits for the terminal to take them, at most `milliseconds`.
  func send(_ bytes: [UInt8], within milliseconds: Int64) {
    let end = MonotonicClock.now + milliseconds
    var rest = bytes[...]
    while true {
      rest = rest.dropFirst(send(rest))
      let left = end - MonotonicClock.now
      if rest.isEmpty || left <= 0 { return }
      var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&polled, 1, Int32(left))
    }
  }

  /// The terminal's size; 80x24 if it does not know.
  var size: Size {
    var rows: Int32 = 24
    var columns: Int32 = 80
    _ = osce_terminal_size(descriptor, &rows, &columns)
    return Size(width: min(1_000, Int(columns)), height: min(1_000, Int(rows)))
  }
}

/// Why the terminal cannot be used. The description is one line for the user.
public enum TerminalError: Error, Equatable, CustomStringConvertible {
  /// Input or output is a file or a pipe.
  case notATerminal
  /// `TERM` is not set.
  case noType
  /// The terminal type is unknown here, or cannot place a cursor.
  case unusableType(String)
  /// The system refused something; its error number.
  case system(String, code: Int32)

  /// One line: what happened and what to do.
  public var description: String {
    switch self {
    case .notATerminal:
      "this needs a terminal: input or output is a file or a pipe (over ssh, use ssh -t)"
    case .noType:
      "TERM is not set, so the kind of terminal is unknown; try TERM=xterm-256color"
    case .unusableType(let type):
      "the terminal type \(SafeText(type).truncated(to: 40).plain) cannot be used here; try TERM=xterm-256color"
    case .system(let what, let code):
      "the terminal cannot be used: \(what) (system error \(code))"
    }
  }
}
