import ExamStore
import Glibc
import Synchronization

/// One line on standard error that says how far a command has come, where a person looks on.
final class ProgressLine: Sendable {
  private let isShown = Mutex(false)

  /// What tells it; silent where standard error is no terminal.
  var progress: CheckProgress {
    guard isatty(STDERR_FILENO) == 1, Output.capture == nil else { return .silent }
    return CheckProgress { [self] what, count in
      isShown.withLock { $0 = true }
      Output.failure.text("\rosce: checked \(count) \(what)   ")
    }
  }

  /// Takes the line away.
  func end() {
    let wasShown = isShown.withLock { isShown in
      defer { isShown = false }
      return isShown
    }
    if wasShown { Output.failure.text("\r" + String(repeating: " ", count: 40) + "\r") }
  }
}
