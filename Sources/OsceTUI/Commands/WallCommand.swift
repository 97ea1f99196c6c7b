import ArgumentParser
import CircuitModel
import Terminal

/// `osce wall`: the clock that everybody reads.
struct WallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wall", abstract: "Show the clock in big digits, for everybody in the room.",
    discussion: "Shows no names. Rings the terminal's bell at starts, warnings and ends unless told otherwise.")

  /// Whether the wall is heard.
  enum Bell: String, ExpressibleByArgument, CaseIterable {
    case none, audible
  }

  @Argument(help: "Circuits by number, code or name; all of them if none is named.")
  var circuits: [String] = []

  @Option(name: .long, help: "The terminal's bell: audible or none.")
  var bell: Bell = .audible

  @Flag(name: .long, help: "The invigilator's own desk, signed in, instead of the public clock.")
  var desk = false

  @OptionGroup var acting: ActingStaff
  @OptionGroup var store: StoreOptions

  func run() throws {
    let store = try store.open()
    defer { store.close() }
    if desk {
      let member = try acting.member(in: store)
      throw ExitCode(
        try MainActor.assumeIsolated {
          try DeskTerminal.run(store, circuits: WallCommand.circuits(circuits, in: store), as: member)
        })
    }
    throw ExitCode(try MainActor.assumeIsolated { try WallCommand.show(store, named: circuits, bell: bell) })
  }

  /// Shows circuits until the wall is left.
  /// - Returns: the exit code.
  @MainActor static func show(_ store: ExamStore, named circuits: [String], bell: Bell) throws -> Int32 {
    let chosen = try WallCommand.circuits(circuits, in: store)
    return try TerminalRun.run(store) { theme in
      WallProgram(store, circuits: chosen, theme: theme, ringsBell: bell == .audible)
    }
  }

  /// The circuits that are named; all of them if none is.
  static func circuits(_ names: [String], in store: ExamStore) throws -> [Circuit] {
    try store.read { db in try names.isEmpty ? Circuit.all(db) : names.map { try Circuit.find($0, in: db) } }
  }
}
