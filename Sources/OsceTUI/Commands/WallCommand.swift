import ArgumentParser
import CircuitModel
import Terminal

/// `osce wall`: the clock that everybody reads.
struct WallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wall", abstract: "Show the clock in big digits, for everybody in the room.",
    discussion: "Shows no names. Rings the terminal's bell at starts, warnings and ends unless told otherwise.")

  @Argument(help: "Circuits by number, code or name; all of them if none is named.")
  var circuits: [String] = []

  @Option(
    name: .long, help: "The bell: audible (the default), visual (the screen is reversed once) or none.")
  var bell: Bell?

  @Flag(name: .long, help: "One circuit a page, changed by key, instead of all side by side.")
  var pages = false

  @Option(name: .long, help: "Show this session, \"DATE START\", instead of the one that is meant.")
  var session: String?

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
    throw ExitCode(
      try MainActor.assumeIsolated {
        try WallCommand.show(store, named: circuits, bell: bell, pages: pages, session: session)
      })
  }

  /// Shows circuits until the wall is left.
  /// - Returns: the exit code.
  @MainActor static func show(
    _ store: ExamStore, named circuits: [String], bell: Bell? = nil, pages: Bool = false, session: String? = nil
  ) throws -> Int32 {
    let chosen = try WallCommand.circuits(circuits, in: store)
    if let session {
      let now = store.clock.now
      try store.read { db in
        for circuit in chosen { _ = try Session.choose(of: circuit, named: session, at: now, in: db) }
      }
    }
    return try TerminalRun.run(store) { theme in
      let configuration = Configuration.current
      return WallProgram(
        store, circuits: chosen, theme: theme,
        options: .init(
          bell: bell ?? configuration.bell ?? .audible, hasPages: pages, session: session, configuration: configuration)
      )
    }
  }

  /// The circuits that are named; all of them if none is.
  static func circuits(_ names: [String], in store: ExamStore) throws -> [Circuit] {
    try store.read { db in try names.isEmpty ? Circuit.all(db) : names.map { try Circuit.find($0, in: db) } }
  }
}
