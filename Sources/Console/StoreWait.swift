import ArgumentParser
import ExamStore

/// `--wait`, taken by every command that opens a store or a hub's database.
///
/// A group of options of its own inside another would be looked through so often by the parser's checks of a debug
/// build that every command took twice as long there.
package enum StoreWait {
  package static let help: ArgumentHelp =
    "How many seconds to wait for the store where another process holds it (default: 20)."

  /// - Throws: `ValidationError` if nobody can wait as long.
  package static func check(_ wait: Int?) throws {
    guard let wait, !StoreLock.possiblePatience.contains(wait) else { return }
    throw ValidationError("--wait takes whole seconds from 0 to \(StoreLock.possiblePatience.upperBound); got \(wait)")
  }

  /// Makes this process wait for locks as long as is asked for.
  package static func limit(to wait: Int?) { StoreLock.patience.withLock { $0 = wait ?? StoreLock.usualPatience } }

  /// The same option for another program that this one goes on as.
  package static func arguments(_ wait: Int?) -> [String] { wait.map { ["--wait", String($0)] } ?? [] }
}
