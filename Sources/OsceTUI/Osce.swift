import ArgumentParser
import Characters
import CircuitModel
import Console
import ExamStore
import Glibc
import Reports
import Terminal

/// The program's commands.
@main struct Osce: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "osce", abstract: "Runs Objective Structured Clinical Examinations from a terminal.",
    version: ProgramVersion.text,
    groupedSubcommands: [
      CommandGroup(name: "Marking", subcommands: [MarkCommand.self, DemoCommand.self]),
      CommandGroup(name: "Exam", subcommands: [NewCommand.self, CheckCommand.self, ImportCommand.self]),
      CommandGroup(
        name: "Clock",
        subcommands: [ClockCommand.self, WallCommand.self, PlanCommand.self]),
      CommandGroup(
        name: "Overview",
        subcommands: [
          StatusCommand.self, MissingCommand.self, OutboxCommand.self, DifferencesCommand.self, JournalCommand.self,
          ExportCommand.self, DossierCommand.self, PrintCommand.self,
        ]),
      CommandGroup(
        name: "Exam lead",
        subcommands: [
          LeadCommand.self, ResultsCommand.self, RuleCommand.self, CloseCommand.self, ReportCommand.self,
          FeedbackCommand.self,
          VerifyCommand.self,
        ]),
      CommandGroup(name: "Hub", subcommands: [EnrolCommand.self, SyncCommand.self]),
      CommandGroup(
        name: "Store",
        subcommands: [DoctorCommand.self, BackupCommand.self, RestoreCommand.self, SchemaCommand.self]),
      CommandGroup(name: "Documentation", subcommands: [DocsCommand.self]),
    ])

  @OptionGroup var clock: QuietClockOption
  @OptionGroup var store: StoreOptions

  /// Without a command: sign in, then the right screen.
  func run() throws {
    let store = try store.open()
    let code = try MainActor.assumeIsolated {
      try AssessorTerminal.run(store, .signIn, hasQuietClock: clock.isQuiet)
    }
    throw ExitCode(code)
  }

  static func main() {
    ProgramStart.prepare()
    SmallHeap.use()
    TerminalEncoding.adoptUserLocale()
    let code = run(ProcessArguments.own)
    UnreadableValues.warning.map { Output.failure.line("osce: \($0)") }
    Glibc.exit(Output.finalCode(code, of: "osce"))
  }

  /// Reads one command line.
  static func command(of arguments: [String]) throws -> any ParsableCommand {
    try parseAsRoot(CommandArguments.arranged(arguments))
  }

  /// Reads and runs one command line.
  /// - Parameter read: how it is read.
  /// - Returns: 0: done; 1: a failure, told in one line on standard error; 64: a usage mistake.
  static func run(
    _ arguments: [String], read: ([String]) throws -> any ParsableCommand = { try command(of: $0) }
  ) -> Int32 {
    if let refusal = untyped(arguments) ?? CommandText.refusal(of: arguments) ?? helpRefusal(of: arguments) {
      Output.failure.line("osce: " + refusal)
      return ExitCode.validationFailure.rawValue
    }
    do {
      var command = try read(arguments)
      try command.run()
      return 0
    } catch {
      return end(error, of: "osce", text: text)
    }
  }

  /// Why a command line is not even read: what nobody types must neither be recorded nor shown.
  private static func untyped(_ arguments: [String]) -> String? {
    for (index, argument) in arguments.enumerated() {
      guard let scalar = TypedText.refused(in: argument) else { continue }
      return
        "argument \(index + 1) holds the control character \(scalar.codePoint): type it as plain text on one line; "
        + "nothing was done"
    }
    return nil
  }

  private static func text(for error: any Error) -> String? {
    switch error {
    case let error as StoreError: error.description
    case let error as any RuleRefusal: "\(error)"
    default: nil
    }
  }
}
