import ArgumentParser
import Glibc
import Rig
import SeededNumbers

/// Processes that save without pause and are killed at a random moment.
struct KilledSaves: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "saves", abstract: "kill -9 at random moments of the saves: every mark that was told of is there.")

  @Option(help: "How many kills.") var rounds = 100
  @Option(help: "Repeats a run; 0: a fresh seed.") var seed: UInt64 = 0
  @Option(help: "Processes that save at the same time; all are killed.") var processes = 3
  @OptionGroup var place: FolderOption

  func run() throws {
    let seed = seed == 0 ? UInt64.random(in: 1...(.max)) : seed
    print("saves: seed \(seed)")
    var random = Seeded(seed: seed)
    let store = try PreparedStore(in: place.folder, sheets: processes)
    defer { store.scratch.remove() }
    var drawn: [MarkingProcess.Drawn] = []
    for round in 1...rounds {
      let children = try (0..<processes).map {
        try Child(onPipe: ProcessFacts.ownPath, store.arguments(sheet: $0, rate: 0, count: 100_000))
      }
      for child in children { _ = child.line() }
      usleep(useconds_t.random(in: 0...40_000, using: &random))
      for child in children.shuffled(using: &random) { child.signal(SIGKILL) }
      for child in children {
        drawn += child.remainingLines().compactMap { MarkingProcess.Drawn(line: $0) }
        child.wait()
      }
      let audit = try StoreAudit(store.path)
      try report("saves, seed \(seed), round \(round)", audit.problems + audit.missing(drawn))
    }
    print("saves: \(rounds) rounds, \(drawn.count) marks told of, every one there, chain and integrity ok")
  }
}
