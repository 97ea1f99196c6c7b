import ArgumentParser
import CRig
import Glibc
import Rig

/// From a pause that has been given to the last terminal that shows it.
struct Ink: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ink", abstract: "From osce clock … pause returning to every terminal showing it.")

  @Option(help: "How many terminals; one in twenty is a wall, the others are mark sheets.") var terminals = 200
  @Option(help: "How often a pause and a resume are given.") var rounds = 30
  @OptionGroup var measuring: MeasuringOptions

  func run() throws {
    let scratch = try ScratchFolder(in: measuring.folder)
    defer { scratch.remove() }
    let osce = measuring.osce
    let hall = try Hall(terminals, store: scratch.file("store.sqlite"), osce: osce)
    defer { hall.close() }
    rig_sleep_until(rig_now() + 5_000_000_000)
    for terminal in hall.terminals { terminal.pump(quiet: 0) }
    var screens = hall.terminals.map(\.screen)
    var (all, last) = (Timings(), Timings())
    var missing = 0
    var hadPriority = true
    for number in 0..<(2 * rounds) {
      let isPause = number % 2 == 0
      let watch = hall.watch()
      // Not in step with the seconds or the polls.
      rig_sleep_until(rig_now() + Int64.random(in: 500_000_000...1_500_000_000))
      let command = try Child(
        onPipe: osce, ["clock", "all", isPause ? "pause" : "resume", "--store", hall.store])
      guard command.wait() == 0 else { throw RigError("osce clock was refused") }
      let returned = rig_boot_now()
      rig_sleep_until(rig_now() + 1_500_000_000)
      let watched = Watched(ending: watch)
      hadPriority = hadPriority && watched.hadPriority
      var first: [Int: Int64] = [:]
      watched.replay(&screens) { terminal, stamp, screen in
        if first[terminal] == nil, hall.isPaused(terminal, screen) == isPause, stamp > returned - 1_000_000_000 {
          first[terminal] = max(0, stamp - returned)
        }
      }
      watched.free()
      // A resume is seen with the first change after it; only the pause is a change of words everywhere.
      if !isPause { continue }
      missing += hall.terminals.count - first.count
      for time in first.values { all.add(time) }
      if let slowest = first.values.max() { last.add(slowest) }
    }
    print("\(hall.terminals.count) terminals (\(hall.walls) walls), \(rounds) pauses, from the command's return")
    print("  the last terminal  \(last.line)")
    print("  every terminal     \(all.line)")
    print("  not seen: \(missing); the reader \(hadPriority ? "with" : "WITHOUT") real-time priority")
  }
}
