import Characters
import ExamStore
import Glibc
import Synchronization

/// The reader of a pipe has gone: the rest of the output is wanted by nobody.
package struct OutputClosed: Error {}

/// Standard output and standard error, written whole: the only way to either, for every program.
///
/// No unsafe character leaves here to a terminal, no matter who asks: text for people never holds one, and data holds
/// one only on its way into a file or a pipe. A terminal whose locale is not UTF-8 is sent ASCII alone.
package struct Output: Sendable {
  /// Takes what would go to standard output and standard error: for tests, which share both with others.
  package final class Capture: Sendable {
    private let written = Mutex<[Int32: [UInt8]]>([:])

    package init() {}

    /// What was written to a descriptor.
    package func text(of descriptor: Int32) -> String {
      written.withLock { String(decoding: $0[descriptor] ?? [], as: UTF8.self) }
    }

    fileprivate func take(_ bytes: [UInt8], for descriptor: Int32) {
      written.withLock { $0[descriptor, default: []] += bytes }
    }
  }

  @TaskLocal package static var capture: Capture?

  /// Why text on standard output was first not written.
  private static let lost = Mutex<String?>(nil)

  /// Opens the null device at each of the three standard descriptors that is closed: the next file that is opened, the
  /// store's lock perhaps, would else take its place and what is written for people. Writing there still fails.
  package static func holdDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      _ = open("/dev/null", O_RDONLY)
    }
  }

  /// The exit code of a program that has written everything: a failure, told in one line, where text on standard output
  /// was lost.
  /// - Parameters:
  ///   - code: what its command ended with.
  ///   - program: stands before the line.
  package static func finalCode(_ code: Int32, of program: String) -> Int32 {
    guard let lost = lost.withLock({ $0 }) else { return code }
    failure.line("\(program): \(lost)" + (code == 0 ? "; the command itself was done" : ""))
    return code == 0 ? 1 : code
  }

  /// Standard output.
  package static let standard = Output(descriptor: 1)
  /// Standard error.
  package static let failure = Output(descriptor: 2)

  private let descriptor: Int32

  /// What is open at a descriptor.
  package init(descriptor: Int32) { self.descriptor = descriptor }

  /// Whether a person sees it as it is written.
  package var isTerminal: Bool { Output.capture == nil && isatty(descriptor) == 1 }

  /// How many columns a person sees; nil where it is no terminal, and lines are as long as they are.
  package var columns: Int? {
    guard isTerminal else { return nil }
    var size = winsize()
    return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : TextLines.width
  }

  /// Writes text for people, in lines; `finalCode` tells of a failure on standard output.
  package func text(_ text: String) { tell(Array(PlainText.lines(text).utf8)) }

  /// Writes lines for people, which end in a line feed; each is made safe for itself.
  package func lines(_ lines: [String]) { text(lines.map { PlainText.cell($0) + "\n" }.joined()) }

  /// Writes a line for people.
  package func line(_ line: String) { lines([line]) }

  /// Whether the user's locale says that a terminal takes UTF-8. Of a locale that is not installed its name says so.
  private static let takesUTF8: Bool = {
    guard let locale = newlocale(LC_CTYPE_MASK, "", nil) else { return UserLocale.namesUTF8 }
    defer { freelocale(locale) }
    return nl_langinfo_l(nl_item(CODESET), locale).map { UserLocale.isUTF8(String(cString: $0)[...]) } ?? false
  }()

  /// Whether it is a terminal to which a byte of a letter may be a command.
  private var takesASCIIAlone: Bool { isTerminal && !Output.takesUTF8 }

  /// Writes lines as light blocks on dark, whatever the terminal's colours are: the only codes that leave here. Where
  /// there are no blocks nothing is drawn.
  package func drawing(_ lines: [String]) {
    if takesASCIIAlone { return }
    let (begin, end) = isTerminal ? ("\u{1B}[40;97m", "\u{1B}[0m") : ("", "")
    tell(Array(lines.map { begin + PlainText.cell($0) + end + "\n" }.joined().utf8))
  }

  /// Writes data for programs as it is; to a terminal as text for people.
  /// - Returns: whether it was written as it is, but for the line ends of CSV.
  /// - Throws: `OutputClosed` if the reader has gone, `StoreError` if the disk is full or the like.
  @discardableResult package func data(_ bytes: [UInt8]) throws -> Bool {
    guard isTerminal else {
      try write(bytes)
      return true
    }
    let shown = PlainText.shown(bytes)
    try write(shown.bytes)
    return shown.isExact && (!takesASCIIAlone || shown.bytes.allSatisfy { $0 < 0x80 })
  }

  /// Writes a document for programs, and a line feed; what it tells of may be done, so a failure on standard output is
  /// left to `finalCode`, as with text.
  /// - Throws: `OutputClosed` if the reader has gone.
  package func document(_ bytes: [UInt8]) throws {
    try keepingLoss { try data(bytes + [UInt8(ascii: "\n")]) }
  }

  /// Writes over the line that the cursor is in.
  fileprivate func overwrite(_ line: String) { try? write(Array(("\r" + PlainText.cell(line)).utf8)) }

  private func tell(_ bytes: [UInt8]) {
    // The reader has gone, or it is standard error: nobody is left to tell.
    try? keepingLoss { try write(bytes) }
  }

  /// Keeps for `finalCode` why standard output has not taken what was written.
  private func keepingLoss(_ write: () throws -> Void) throws {
    do { try write() } catch let failure as StoreError where descriptor == STDOUT_FILENO {
      Output.lost.withLock { $0 = $0 ?? failure.description }
    }
  }

  private func write(_ bytes: [UInt8]) throws {
    if let capture = Output.capture {
      capture.take(bytes, for: descriptor)
      return
    }
    let sent = takesASCIIAlone ? Array(ASCIIForm.of(String(decoding: bytes, as: UTF8.self)).utf8) : bytes
    var rest = sent[...]
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
}

/// One line on standard error that says how far a command has come, where a person looks on.
package final class ProgressLine: Sendable {
  private let isShown = Mutex(false)
  private let done: String
  private let program: String

  /// - Parameters:
  ///   - done: what is done to what is counted.
  ///   - program: who says it.
  package init(_ done: String = "checked", of program: String = "osce") { (self.done, self.program) = (done, program) }

  private var isSeen: Bool { isatty(STDERR_FILENO) == 1 && Output.capture == nil }

  /// What counts on it; silent where standard error is no terminal.
  package var progress: CheckProgress {
    isSeen ? CheckProgress { [self] what, count in say("\(done) \(count) \(what)") } : .silent
  }

  /// Says what goes on, where it cannot be counted.
  package func say(_ line: String) {
    guard isSeen else { return }
    isShown.withLock { $0 = true }
    ProgressLine.show("\(program): \(line)")
  }

  private static let width = 50

  /// Writes over what was said before. A line in the last column would not be one line any more.
  private static func show(_ text: String) {
    let room = max(1, (Output.failure.columns ?? TextLines.width) - 1)
    let shown = TextLines.broken(PlainText.cell(text), room)[0]
    Output.failure.overwrite(shown + String(repeating: " ", count: max(0, min(width, room) - ColumnWidth.of(shown))))
  }

  /// Takes the line away.
  package func end() {
    let wasShown = isShown.withLock { isShown in
      defer { isShown = false }
      return isShown
    }
    if wasShown {
      ProgressLine.show("")
      Output.failure.overwrite("")
    }
  }
}
