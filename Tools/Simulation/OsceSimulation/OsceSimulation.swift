import ArgumentParser
import Foundation
import SeededNumbers
import Simulation

/// Runs many histories of stores and their hub, each decided by its seed.
@main struct OsceSimulation: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "osce-simulation",
    abstract: "Simulates stores, their hub and everything that can go wrong between them.")

  @Option(help: "How many histories.") var histories = 1000
  @Option(help: "The seed of the first; the others follow from it.") var seed: UInt64?
  @Option(help: "How many steps a history has before it becomes quiet.") var steps = 220
  @Option(help: "A mistake that is made on purpose, such as dropDedupe.") var sabotage: String?
  @Flag(help: "Makes every mistake in turn, and says whether its check sees it.") var sabotages = false
  @Flag(help: "Says what happened in each.") var trace = false
  @Flag(help: "Leaves the files of the last history in /dev/shm.") var keep = false
  @Option(help: "Ends after so many histories that broke something.") var findings = 1

  func run() async throws {
    let mistake = try sabotage.map { name -> Sabotage in
      guard let sabotage = Sabotage(rawValue: name) else {
        throw ValidationError("--sabotage: one of \(Sabotage.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      return sabotage
    }
    let first = seed ?? Seeded.seed
    print("seed \(first)")
    fflush(nil)
    if sabotages { return try await sabotageAll(from: first) }
    let slot = try await Slot()
    defer { if !keep { slot.remove() } }
    let start = ContinuousClock.now
    var (counts, found) = (History.Counts(), 0)
    for number in 0..<histories {
      let seed = first &+ UInt64(number)
      let history = try await History.run(seed: seed, in: slot, sabotage: mistake, steps: steps, isTraced: trace)
      counts.add(history.counts)
      if trace { print(history.trace.joined(separator: "\n")) }
      if let finding = history.finding {
        print("FAULT \(finding), --histories 1 --seed \(seed)")
        found += 1
        if found >= findings { break }
      }
      // What was found is seen at once where a file takes it, too.
      fflush(nil)
      if (number + 1).isMultiple(of: 1000) { print("\(number + 1) histories, \(found) faults") }
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    for (event, count) in counts.events.sorted(by: { $0.key < $1.key }) { print("  \(count) × \(event)") }
    print("\(found == 0 ? "all" : "not all") sound, \(Int(seconds)) s")
    if found > 0 { throw ExitCode(1) }
  }

  /// Each mistake has to be seen by the check that is there for it.
  private func sabotageAll(from first: UInt64) async throws {
    let slot = try await Slot()
    defer { slot.remove() }
    var isSeen = true
    for mistake in Sabotage.allCases {
      var line = "\(mistake.rawValue): NOT SEEN in \(histories) histories"
      var others: [Invariant: Int] = [:]
      for number in 0..<histories {
        let seed = first &+ UInt64(number)
        let history = try await History.run(seed: seed, in: slot, sabotage: mistake, steps: steps)
        guard let finding = history.finding else { continue }
        let isRight = finding.invariant == mistake.expected
        line = "\(mistake.rawValue): \(isRight ? "seen" : "NOT SEEN AS \(mistake.expected.rawValue)") "
        line += "after \(number + 1) histories: \(finding.description.prefix(160)), --seed \(seed)"
        if isRight { break }
        others[finding.invariant, default: 0] += 1
      }
      for (other, count) in others.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        line += "; before that \(other.rawValue) \(count) times"
      }
      if line.contains("NOT SEEN") { isSeen = false }
      print(line)
      fflush(nil)
    }
    if !isSeen { throw ExitCode(1) }
  }
}
