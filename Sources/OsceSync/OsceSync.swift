import ArgumentParser
import CircuitModel
import Console
import Sync

/// The one uploader of a store: `osce` starts it, and `osce enrol` and `osce sync` run it.
@main struct OsceSync: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "osce-sync", abstract: "Exchanges an exam's store with its hub.", version: ProgramVersion.text,
    subcommands: [EnrolCommand.self, RunCommand.self, NowCommand.self])

  static func main() async { await runProgram("osce", text: text) }

  private static func text(for error: any Error) -> String? {
    switch error {
    case let error as HubError: "the hub says: \(error.message)"
    case let failure as TransportFailure: SyncTrouble.lost(failure).text
    default: nil
    }
  }
}
