import Glibc

/// Which process a number means: the kernel gives the number of one that has ended to another.
package enum ProcessStart {
  /// When a process was started: the identity of the machine's start and the clock ticks since, as one word each.
  /// - Returns: nil if there is no such process, or the kernel does not say.
  package static func text(of process: Int32) -> String? {
    guard let status = readSmallFile("/proc/\(process)/stat", limit: 4096),
      // The command's name stands in brackets and may hold brackets and blanks itself.
      let name = status.lastIndex(of: ")")
    else { return nil }
    let fields = status[name...].split(separator: " ")
    // Field 22 of the line; the name is field 2.
    guard fields.count > 20 else { return nil }
    return "\(SystemClock.live.bootID()) \(fields[20])"
  }

  /// Whether a process is there, whoever owns it, and is the one that was started then.
  /// - Parameter start: as `text` gave it; nil where it was not recorded, so that the number alone tells.
  package static func isAlive(_ process: Int32, startedAt start: String?) -> Bool {
    guard kill(process, 0) == 0 || errno == EPERM else { return false }
    guard let start, let now = text(of: process) else { return true }
    return start == now
  }
}
