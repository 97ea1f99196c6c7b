import Console
import ExamStore
import Glibc
import Synchronization

/// A line that is typed at the terminal and not shown. Whatever ends or stops the program meanwhile, the terminal shows
/// afterwards what is typed.
enum HiddenLine {
  private enum Answer {
    case line(String)
    case signal(Int32)
  }

  /// The signals that a person gives a program, or that tell it that the person has gone.
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
  private static let longest = 4096

  /// Asks for a line, at most 4096 bytes, without its line ending.
  /// - Throws: `StoreError` if there is no terminal, or it cannot hide what is typed.
  static func ask(_ prompt: String, otherwise: String) throws -> String {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else { throw StoreError(otherwise) }
    defer { close(terminal) }
    while true {
      switch try answer(to: prompt, at: terminal) {
      case .line(let line): return line
      // All is as it was: it takes its course now. One that was stopped goes on here, and asks again.
      case .signal(let number): raise(number)
      }
    }
  }

  private static func answer(to prompt: String, at terminal: Int32) throws -> Answer {
    var before = termios()
    guard tcgetattr(terminal, &before) == 0 else { throw StoreError("the terminal cannot hide a passcode") }
    let caught = try CaughtSignals(signals)
    defer { caught.end() }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(terminal, TCSAFLUSH, &silent)
    defer {
      tcsetattr(terminal, TCSAFLUSH, &before)
      Output(descriptor: terminal).text("\n")
    }
    Output(descriptor: terminal).text(prompt)
    return line(from: terminal, or: caught)
  }

  private static func line(from terminal: Int32, or caught: CaughtSignals) -> Answer {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < longest {
      var ready = [terminal, caught.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      if poll(&ready, 2, -1) < 0 { continue }
      if ready[1].revents != 0, read(caught.descriptor, &byte, 1) == 1 { return .signal(Int32(byte)) }
      if ready[0].revents == 0 { continue }
      guard read(terminal, &byte, 1) == 1, byte != 0x0A else { break }
      bytes.append(byte)
    }
    if bytes.last == 0x0D { bytes.removeLast() }
    return .line(String(decoding: bytes, as: UTF8.self))
  }
}

/// Signals as bytes of a pipe, from one moment to another; whichever thread the kernel gives them to.
private final class CaughtSignals {
  /// Where they are read.
  let descriptor: Int32
  private let writing: Int32
  private var before: [(number: Int32, action: sigaction)] = []

  /// The end of the pipe that the handler writes to.
  private static let target = Atomic<Int32>(-1)

  init(_ numbers: [Int32]) throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw StoreError("cannot wait for the terminal") }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (descriptor, writing) = (ends[0], ends[1])
    Self.target.store(writing, ordering: .sequentiallyConsistent)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      let kept = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = write(CaughtSignals.target.load(ordering: .sequentiallyConsistent), &byte, 1)
      errno = kept
    }
    for number in numbers {
      var earlier = sigaction()
      sigaction(number, nil, &earlier)
      // What the program was started to ignore stays so.
      if unsafeBitCast(earlier.__sigaction_handler.sa_handler, to: Int.self) == 1 { continue }
      sigaction(number, &action, nil)
      before.append((number, earlier))
    }
  }

  /// Gives the signals back.
  func end() {
    for signal in before {
      var action = signal.action
      sigaction(signal.number, &action, nil)
    }
    close(descriptor)
    close(writing)
  }
}
