import ArgumentParser
import Console
import ExamStore
import Glibc

/// `osce-sync run`: exchanges until it is ended.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Exchange with the hub until SIGTERM; one at a time for a store.")

  @Flag(name: .long, help: "End once the process that started this one has ended, and everything is sent.")
  var beside = false

  @Option(
    name: .long,
    help: ArgumentHelp("With --beside: the process that started this one; it may have ended.", valueName: "pid"))
  var starter: Int32?

  @OptionGroup var options: StoreOptions

  func run() async throws {
    let starter = beside ? starter ?? getppid() : nil
    let store = try options.open()
    // From here on nobody waits for it: what is not exchanged now is later.
    StoreLock.patience.withLock { $0 = nil }
    guard let turn = try UploaderTurn(of: store.location) else {
      return Output.standard.line("another osce-sync exchanges this store already")
    }
    defer { withExtendedLifetime(turn) {} }
    let end = EndSignal()
    while try await Uploader(store).run(beside: starter, until: end.wait) == .otherPlace {}
    store.close()
  }
}
