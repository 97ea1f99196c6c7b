import ArgumentParser
import CRig
import Glibc
import Rig

/// How closely many terminals show the same second.
struct Spread: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "spread", abstract: "How far apart and how late the digits of many terminals flip.")

  @Option(help: "How many terminals; one in twenty is a wall, the others are mark sheets.") var terminals = 200
  @Option(help: "Seconds of watching.") var seconds = 600
  @Option(help: "How many of the mark sheets save five marks a second each meanwhile.") var marking = 0
  @Option(help: "A file for the raw data: second, terminal, lateness in microseconds, a line each.") var raw: String?
  @Option(help: "The program; by default osce beside this one.") var program: String?
  @Option(help: "A folder on a local disk.") var folder = "/var/tmp"

  func run() throws {
    let scratch = try ScratchFolder(in: folder)
    defer { scratch.remove() }
    let hall = try Hall(
      terminals, store: scratch.file("store.sqlite"), osce: program ?? ProcessFacts.ownFolder + "/osce")
    defer { hall.close() }
    rig_sleep_until(rig_now() + 5_000_000_000)
    for terminal in hall.terminals { terminal.pump(quiet: 0) }
    var screens = hall.terminals.map(\.screen)
    let watch = hall.watch()
    keep(hall)
    let watched = Watched(ending: watch)
    defer { watched.free() }
    report(hall, watched, &screens)
  }

  /// Lets the time pass, and types marks where some are to be saved: five a second at each terminal, never in step.
  private func keep(_ hall: Hall) {
    let end = rig_now() + Int64(seconds) * 1_000_000_000
    guard marking > 0 else { return rig_sleep_until(end) }
    var pressed = Array(repeating: 0, count: marking)
    let interval = 200_000_000 / Int64(marking)
    var due = rig_now()
    var next = 0
    while due < end {
      rig_sleep_until(due)
      due += interval
      let number = pressed[next]
      // Up to the last item that takes a digit, then back to the first; each time round with the other level.
      let place = number % (BenchExam.markedItems + 1)
      let key = place == BenchExam.markedItems ? "g" : number / (BenchExam.markedItems + 1) % 2 == 0 ? "1" : "0"
      hall.terminals[next].child.type(key == "g" ? "gj" : key)
      pressed[next] += 1
      next = (next + 1) % marking
    }
  }

  private func report(_ hall: Hall, _ watched: Watched, _ screens: inout [ScreenText]) {
    var shown = screens.enumerated().map { hall.countdown($0, $1) }
    var flips: [Int64: [Int: Int64]] = [:]
    watched.replay(&screens) { terminal, stamp, screen in
      let now = hall.countdown(terminal, screen)
      if now == shown[terminal] { return }
      shown[terminal] = now
      // Nanoseconds since the phase began, on the exam's clock: digits change at whole seconds of it.
      let since = stamp + (hall.offset - hall.began) * 1_000_000
      let second = (since + 100_000_000) / 1_000_000_000
      let late = since - second * 1_000_000_000
      // A change that comes in two pieces has happened with the second.
      flips[second, default: [:]][terminal] = max(flips[second]?[terminal] ?? .min, late)
    }
    let inner = flips.keys.sorted().dropFirst().dropLast()
    var (lateness, spread) = (Timings(), Timings())
    var missing = 0
    var lines: [UInt8] = []
    for second in inner {
      guard let all = flips[second] else { continue }
      missing += hall.terminals.count - all.count
      for (terminal, late) in all.sorted(by: { $0.key < $1.key }) {
        lateness.add(late)
        if raw != nil { lines += Array("\(second) \(terminal) \(late / 1000)\n".utf8) }
      }
      if let first = all.values.min(), let last = all.values.max() { spread.add(last - first) }
    }
    if let raw { try? Files.write(lines, to: raw) }
    let load = marking > 0 ? ", \(marking) of them saving five marks a second each" : ", idle"
    print("\(hall.terminals.count) terminals (\(hall.walls) walls)\(load): \(inner.count) flips in \(seconds) s")
    print("  spread of a flip    \(spread.line)")
    print("  lateness of a flip  \(lateness.line)")
    print("  flips not seen at a terminal: \(missing) of \(inner.count * hall.terminals.count)")
    print(
      "  the reader: \(watched.hadPriority ? "real-time priority" : "NO real-time priority"), "
        + "longest batch \(decimal(Double(watched.worstBatch) / 1e6, 1)) ms, \(watched.count) pieces")
  }
}
