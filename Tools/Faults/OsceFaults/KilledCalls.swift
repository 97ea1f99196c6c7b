import ArgumentParser
import Rig

/// A save that is killed at each of its system calls in turn, in the store alone and in the terminal program.
struct KilledCalls: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calls", abstract: "kill -9 at every system call of one save, by strace.")

  @Option(help: "Only every nth call.") var every = 1
  @OptionGroup var measuring: MeasuringOptions

  func run() throws {
    try killSaves()
    try killScreens()
  }

  // MARK: The store alone

  /// The save that is killed comes after so many others: by then the thread that writes has made more calls of each kind
  /// than the other made while it opened the store, so that counting them leads to that save.
  private static let before = 20

  private func killSaves() throws {
    let saves = Self.before + 2
    let traced = try PreparedStore(in: measuring.folder, sheets: 1)
    let trace = try SystemCalls.trace(traced, saves: saves)
    traced.scratch.remove()
    let points = SystemCalls.points(
      after: { $0.isWrite(of: "drawn ") }, number: Self.before, until: { $0.isWrite(of: "drawn ") }, in: trace)
    let meant = points.filter(\.isFirst)
    guard !meant.isEmpty else { throw RigError("the trace shows no save") }
    var (inside, elsewhere) = (0, 0)
    for point in thinned(meant) {
      let store = try PreparedStore(in: measuring.folder, sheets: 1)
      defer { store.scratch.remove() }
      let (drawn, code) = try SystemCalls.kill(store, at: point, saves: saves)
      // Keys are made by chance, so a tree of the store may have split a page more or less by then: a neighbour of that
      // save is as good.
      if code != 0, abs(drawn.count - Self.before) <= 1 { inside += 1 } else { elsewhere += 1 }
      let audit = try StoreAudit(store.path)
      try report("calls, at \(point)", audit.problems + audit.missing(drawn))
    }
    print(
      "calls: one save makes \(points.count) system calls, \(meant.count) of them told apart by counting; killed at "
        + "\(inside) of those, and \(elsewhere) times elsewhere; every mark told of is there, chain and integrity ok")
    if inside < elsewhere { throw RigError("calls: too few kills met the save that was meant") }
  }

  // MARK: The terminal program

  private func killScreens() throws {
    let program = measuring.osce
    let points = try SystemCalls.points(
      after: { $0.isRead(of: "1") }, until: { $0.isRead(of: "0") }, in: traceScreen(program))
    guard !points.isEmpty else { throw RigError("the trace shows no key") }
    var (killed, drawnMarks) = (0, 0)
    for point in thinned(points) {
      let station = try MarkingStation(in: measuring.folder)
      defer { station.scratch.remove() }
      var drawn = DrawnMarks()
      if try type(at: station, program, SystemCalls.killer(at: point), &drawn) { killed += 1 }
      drawnMarks += drawn.count
      let audit = try StoreAudit(station.path)
      try report(
        "calls on the screen, at \(point)", audit.problems + drawn.missing(in: audit, items: station.items))
    }
    print(
      "calls: one key on the screen makes \(points.count) system calls in all threads; \(killed) kills, \(drawnMarks) "
        + "marks drawn, every one in the store, chain and integrity ok")
  }

  private func traceScreen(_ program: String) throws -> [SystemCalls.Call] {
    let station = try MarkingStation(in: measuring.folder)
    defer { station.scratch.remove() }
    let file = station.scratch.file("trace")
    var drawn = DrawnMarks()
    _ = try type(at: station, program, ["/usr/bin/strace", "-f", "-o", file], &drawn)
    return try SystemCalls.calls(file)
  }

  /// Opens the sheet through a launcher, types two marks and ends the program.
  /// - Returns: whether it died on the way.
  private func type(
    at station: MarkingStation, _ program: String, _ launcher: [String], _ drawn: inout DrawnMarks
  ) throws -> Bool {
    let session: TerminalSession
    do { session = try station.open(program, through: launcher) } catch { return true }
    var seen = drawn
    session.onOutput = { seen.look(at: $0) }
    session.pump(quiet: 30)
    session.child.type("1")
    session.pump(until: now() + 150_000_000)
    session.child.type("0")
    session.pump(until: now() + 150_000_000)
    let died = !session.child.isRunning
    if !died {
      session.child.type("Q")
      session.pump(until: now() + 100_000_000)
      session.child.type("\r")
      session.pump(until: now() + 200_000_000)
    }
    session.child.signal(15)
    while session.pump(quiet: 1000) {}
    session.child.wait()
    drawn = seen
    return died
  }

  private func thinned(_ points: [SystemCalls.Point]) -> [SystemCalls.Point] {
    points.enumerated().filter { $0.offset % max(1, every) == 0 }.map(\.element)
  }
}
