import ArgumentParser
import CRig

/// Marks as a terminal does; started by the other commands.
public struct Worker: ParsableCommand {
  /// A command that no help lists.
  public static let configuration = CommandConfiguration(commandName: "worker", shouldDisplay: false)

  @Argument var arguments: [String]

  /// As the command line says.
  public init() {}

  /// Marks until its plan is carried out.
  public func run() throws {
    guard let plan = MarkingProcess.Plan(arguments: ["worker"] + arguments) else { throw ExitCode(64) }
    try MainActor.assumeIsolated { try MarkingProcess.run(plan) }
  }
}

extension ParsableCommand {
  /// Runs the program and prints line by line also into a file: a long run is watched while it goes on.
  public static func runPrintingByLines() {
    rig_print_by_lines()
    main(nil)
  }
}
