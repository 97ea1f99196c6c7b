import ArgumentParser
import ExamStore
import Foundation

/// `--store` and `--wait`, taken by every command that opens a store.
package struct StoreOptions: ParsableArguments {
  @Option(name: .long, help: "The exam's store (default: OSCE_STORE, else $XDG_DATA_HOME/osce/exam.sqlite).")
  package var store: String?

  @Option(name: .long, help: StoreWait.help)
  package var wait: Int?

  package init() {}

  package func validate() throws {
    // For an empty path another store would stand for the one that was to be named.
    if store?.isEmpty == true { throw ValidationError("--store takes the path of a store; got nothing") }
    try StoreWait.check(wait)
  }

  /// Where the store lies.
  package func location() throws -> StoreLocation {
    try StoreLocation.chosen(option: store, environment: ProcessInfo.processInfo.environment)
  }
}
