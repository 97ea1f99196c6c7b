@preconcurrency import Dispatch
import Glibc
import Synchronization

/// Whether the process was asked to end, by SIGTERM, SIGINT or SIGHUP. One for the life of the process: a second
/// listener of a signal would hear nothing.
final class EndSignal: Sendable {
  private let isHeard = Atomic<Bool>(false)
  private let sources: [any DispatchSourceSignal]

  /// Listens from now on.
  init() {
    let numbers = [SIGTERM, SIGINT, SIGHUP]
    for number in numbers { signal(number, SIG_IGN) }
    sources = numbers.map { DispatchSource.makeSignalSource(signal: $0, queue: .global()) }
    for source in sources {
      source.setEventHandler { [weak self] in self?.isHeard.store(true, ordering: .relaxed) }
      source.resume()
    }
  }

  /// Waits until it was asked, or the task is cancelled.
  func wait() async {
    while !Task.isCancelled, !isHeard.load(ordering: .relaxed) { try? await Task.sleep(for: .milliseconds(50)) }
  }
}
