import ArgumentParser
import ExamStore

/// `--wait`, taken by every command that opens a store or a hub's database.
package struct WaitOption: ParsableArguments {
  @Option(name: .long, help: "How many seconds to wait for the store where another process holds it (default: 20).")
  package var wait: Int?

  package init() {}

  package func validate() throws {
    guard let wait, !StoreLock.possiblePatience.contains(wait) else { return }
    throw ValidationError("--wait takes whole seconds from 0 to \(StoreLock.possiblePatience.upperBound); got \(wait)")
  }

  /// Makes this process wait for locks as long as is asked for.
  package func limit() { StoreLock.patience.withLock { $0 = wait ?? StoreLock.usualPatience } }

  /// The same option for another program that this one goes on as.
  package var arguments: [String] { wait.map { ["--wait", String($0)] } ?? [] }
}
