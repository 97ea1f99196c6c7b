import ArgumentParser
import CircuitModel
import Console
import ExamStore
import Reports
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

  @Option(name: .long, help: "Session to show, \"DATE START\" (default: the current one).")
  var session: String?

  @Flag(name: .long, help: "Open the invigilator's desk; asks you to sign in.")
  var desk = false

  @OptionGroup var acting: ActingStaff
  @OptionGroup var store: StoreOptions

  func validate() throws {
    try SessionOption.check(session)
    if desk, pages {
      throw ValidationError("--pages is for the public wall; at the desk Tab goes from circuit to circuit")
    }
    if !desk, acting.staff != nil {
      throw ValidationError("--staff is for the desk: osce wall --desk --staff USERNAME")
    }
  }

  func run() throws {
    let store = try store.open()
    defer { store.close() }
    if desk {
      let member = try acting.member(in: store, toSit: true)
      let beginning = try beginning(in: store)
      throw ExitCode(try MainActor.assumeIsolated { try DeskTerminal.run(store, beginning, as: member) })
    }
    let chosen = try chosenCircuits(in: store)
    try sessions(of: chosen, in: store)
    throw ExitCode(
      try MainActor.assumeIsolated {
        try WallTerminal.run(store, chosen, bell: bell, pages: pages, session: session)
      })
  }

  private func beginning(in store: ExamStore) throws -> DeskScreen.Setup {
    let chosen = try chosenCircuits(in: store)
    return DeskScreen.Setup(circuits: chosen, sessions: try sessions(of: chosen, in: store), bell: bell)
  }

  /// The session that is named of each circuit; none where no name is given.
  /// - Throws: `StoreError` if a circuit has no such session.
  @discardableResult private func sessions(of circuits: [Circuit], in store: ExamStore) throws -> [Session] {
    guard let name = session else { return [] }
    let now = store.clock.now
    return try store.read { db in try circuits.map { try Session.choose(of: $0, named: name, at: now, in: db) } }
  }

  /// The circuits that are named; all of them if none is.
  private func chosenCircuits(in store: ExamStore) throws -> [Circuit] {
    let now = store.clock.now
    return try store.read { db in
      try circuits.isEmpty ? Circuit.all(at: now, db) : circuits.map { try Circuit.find($0, at: now, in: db) }
    }
  }
}
