import ArgumentParser
import Console
import ExamStore

/// `osce-sync now`: one exchange, then the end.
struct NowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "now", abstract: "Exchange with the hub now, then end.")

  @OptionGroup var options: StoreOptions

  func run() async throws {
    let store = try options.open()
    defer { store.close() }
    let (isExchanged, trouble) = try await Uploader.exchangeNow(store)
    if isExchanged { return Output.standard.line("everything is exchanged") }
    throw try CommandFailure(
      trouble ?? store.read { try SyncState.read($0)?.trouble } ?? "not everything is exchanged yet: osce sync --watch")
  }
}
