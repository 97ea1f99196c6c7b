import ArgumentParser
import CircuitModel
import Console
import ExamStore
import Reports

/// The hub's commands.
@main struct OsceHub: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "osce-hub", abstract: "The hub at which the terminals of an exam meet.", version: ProgramVersion.text,
    subcommands: [
      ServeCommand.self, ImportCommand.self, CodeCommand.self, ExamsCommand.self, DevicesCommand.self,
      RevokeCommand.self, QuarantinedCommand.self, AdmitCommand.self, ExportCommand.self, RestoreCommand.self,
      FillCommand.self, DoctorCommand.self, AuditCommand.self, SubjectExportCommand.self, RetainCommand.self,
      EraseCommand.self,
    ])

  static func main() async { await runProgram("osce-hub", text: text) }

  /// What a rule refuses, in the words of `Reports`.
  private static func text(for error: any Error) -> String? { (error as? any RuleRefusal).map { "\($0)" } }
}
