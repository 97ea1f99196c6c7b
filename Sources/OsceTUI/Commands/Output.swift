import CircuitModel
import ExamStore
import Glibc
import Reports
import Synchronization

/// The reader of a pipe has gone: the rest of the output is wanted by nobody.
struct OutputClosed: Error {}

/// Standard output and standard error, written whole: the only way to either.
///
/// No unsafe character leaves here to a terminal, no matter who asks: text for people never holds one, and data holds
/// one only on its way into a file or a pipe.
struct Output {
  /// Takes what would go to standard output and standard error: for tests, which share both with others.
  final class Capture: Sendable {
    private let written = Mutex<[Int32: [UInt8]]>([:])

    /// What was written to a descriptor.
    func text(of descriptor: Int32) -> String {
      written.withLock { String(decoding: $0[descriptor] ?? [], as: UTF8.self) }
    }

    fileprivate func take(_ bytes: [UInt8], for descriptor: Int32) {
      written.withLock { $0[descriptor, default: []] += bytes }
    }
  }

  @TaskLocal static var capture: Capture?

  /// Standard output.
  static let standard = Output(descriptor: 1)
  /// Standard error.
  static let failure = Output(descriptor: 2)

  let descriptor: Int32

  /// Whether a person sees it as it is written.
  var isTerminal: Bool { Output.capture == nil && isatty(descriptor) == 1 }

  /// Writes text for people, in lines; a failure is not told, because nobody is left to tell.
  func text(_ text: String) { try? write(Array(PlainText.lines(text).utf8)) }

  /// Writes data for programs as it is; to a terminal as text for people.
  /// - Returns: whether it was written as it is, but for the line ends of CSV.
  /// - Throws: `OutputClosed` if the reader has gone, `StoreError` if the disk is full or the like.
  @discardableResult func data(_ bytes: [UInt8]) throws -> Bool {
    guard isTerminal else {
      try write(bytes)
      return true
    }
    let shown = PlainText.shown(bytes)
    try write(shown.bytes)
    return shown.isExact
  }

  /// Writes over the line that the cursor is in.
  fileprivate func overwrite(_ line: String) { try? write(Array(("\r" + PlainText.cell(line)).utf8)) }

  private func write(_ bytes: [UInt8]) throws {
    if let capture = Output.capture {
      capture.take(bytes, for: descriptor)
      return
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EPIPE {
        throw OutputClosed()
      } else if errno == EAGAIN {
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&ready, 1, -1)
      } else if errno != EINTR {
        throw StoreError("cannot write the output: \(String(cString: strerror(errno)))")
      }
    }
  }

  /// Writes a JSON document and a line feed.
  func json(_ document: JSONDocument) throws { try data(Array((document.text + "\n").utf8)) }
}

/// One line on standard error that says how far a command has come, where a person looks on.
final class ProgressLine: Sendable {
  private let isShown = Mutex(false)
  private let done: String

  /// - Parameter done: what is done to what is counted.
  init(_ done: String = "checked") { self.done = done }

  private var isSeen: Bool { isatty(STDERR_FILENO) == 1 && Output.capture == nil }

  /// What counts on it; silent where standard error is no terminal.
  var progress: CheckProgress {
    isSeen ? CheckProgress { [self] what, count in say("\(done) \(count) \(what)") } : .silent
  }

  /// Says what goes on, where it cannot be counted.
  func say(_ line: String) {
    guard isSeen else { return }
    isShown.withLock { $0 = true }
    let text = "osce: \(line)"
    Output.failure.overwrite(text + String(repeating: " ", count: max(0, ProgressLine.width - text.count)))
  }

  private static let width = 50

  /// Takes the line away.
  func end() {
    let wasShown = isShown.withLock { isShown in
      defer { isShown = false }
      return isShown
    }
    if wasShown {
      Output.failure.overwrite(String(repeating: " ", count: ProgressLine.width))
      Output.failure.overwrite("")
    }
  }
}
