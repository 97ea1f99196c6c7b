import ArgumentParser
import CircuitModel
import ExamStore
import Glibc
import Rig
import SeededNumbers

/// The terminal program itself: marks are typed at a pseudo-terminal and the program is killed at a random moment.
struct KilledScreens: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "screens", abstract: "kill -9 while marks are typed: every mark that was drawn is in the store.")

  @Option(help: "How many kills.") var rounds = 500
  @Option(help: "Repeats a run; 0: a fresh seed.") var seed: UInt64 = 0
  @Option(help: "A library that makes the program's commits late: the test passes only if it finds a lost mark.")
  var lateCommits: String?
  @OptionGroup var measuring: MeasuringOptions

  func run() throws {
    let seed = seed == 0 ? UInt64.random(in: 1...(.max)) : seed
    print("screens: seed \(seed)")
    var random = Seeded(seed: seed)
    let station = try MarkingStation(in: measuring.folder)
    defer { station.scratch.remove() }
    let preloaded = lateCommits.map { ["LD_PRELOAD": $0] } ?? [:]
    var drawn = DrawnMarks()
    for round in 1...rounds {
      let session = try station.open(measuring.osce, environment: preloaded)
      drawn.look(at: session.screen)
      session.onOutput = { drawn.look(at: $0) }
      type(at: session, &random)
      session.child.signal(SIGKILL)
      while session.pump(quiet: 1000) {}
      session.child.wait()
      let audit = try StoreAudit(station.path)
      let faults = audit.problems + drawn.missing(in: audit, items: station.items)
      if lateCommits != nil, !faults.isEmpty {
        print("screens: round \(round), as it must be with commits that come late: \(faults[0])")
        return
      }
      try report("screens, seed \(seed), round \(round)", faults)
      if round % 100 == 0 { print("screens: \(round) rounds, \(drawn.count) marks drawn") }
    }
    if lateCommits != nil { throw RigError("screens: commits that come late were not found out") }
    print("screens: \(rounds) kills, \(drawn.count) marks drawn, every one in the store, chain and integrity ok")
  }

  /// Types marks at a random pace for a random time.
  private func type(at session: TerminalSession, _ random: inout Seeded) {
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      session.typeMark(&random)
      session.pump(until: now() + Int64.random(in: 0...45_000_000, using: &random))
    }
  }
}
