import CNcurses.System
import Glibc

/// Signals of this process as bytes on a pipe that the event loop polls.
@MainActor
final class ProcessSignals {
  let descriptor: Int32
  private let writing: Int32

  init() throws(TerminalError) {
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) != 0 { throw .system("no pipe", code: errno) }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    descriptor = ends[0]
    writing = ends[1]
    osce_signals_install(writing)
  }

  func close() {
    osce_signals_remove()
    Glibc.close(descriptor)
    Glibc.close(writing)
  }

  /// Waits for a signal, at most so many milliseconds.
  func wait(_ milliseconds: Int32) {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&polled, 1, milliseconds)
  }

  /// Signals that came since the last call, in order.
  func take() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? bytes[..<count].map(Int32.init) : []
  }

  /// True if a shell with job control started this process and can continue it after a stop. A process in the group of
  /// its session's leader (a script, a forced ssh command) would stay stopped for ever.
  static var hasJobControl: Bool { getpgrp() != getsid(0) }
}
