import CNcurses.System
import Glibc

/// Wakes the event loop from any thread.
public final class Waker: Sendable {
  let descriptor: Int32

  /// A waker of its own; fails only if the process has no descriptors left.
  public init() throws(TerminalError) {
    descriptor = osce_event_descriptor()
    if descriptor < 0 { throw .system("no event descriptor", code: errno) }
  }

  deinit { close(descriptor) }

  /// Makes the loop deliver `.woken`. Many calls before it does are one. Never waits.
  public func wake() {
    var one: UInt64 = 1
    _ = write(descriptor, &one, 8)
  }

  func clear() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
  }
}
