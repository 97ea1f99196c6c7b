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
  @Option(
    help: "A file for the raw data: terminal, second left that it came to show, lateness in microseconds, a line each.")
  var raw: String?
  @OptionGroup var measuring: MeasuringOptions

  func run() throws {
    let scratch = try ScratchFolder(in: measuring.folder)
    defer { scratch.remove() }
    let hall = try Hall(
      terminals, store: scratch.file("store.sqlite"), osce: measuring.osce)
    defer { hall.close() }
    rig_sleep_until(rig_now() + 5_000_000_000)
    let reader = try hall.learnDigits()
    for terminal in hall.terminals { terminal.pump(quiet: 0) }
    var screens = hall.terminals.map(\.screen)
    let watch = hall.watch()
    keep(hall)
    let watched = Watched(ending: watch)
    defer { watched.free() }
    report(hall, watched, &screens, reader)
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

  private func report(_ hall: Hall, _ watched: Watched, _ screens: inout [ScreenText], _ reader: CountdownReader) {
    var shown = screens.enumerated().map { hall.secondsLeft($0, $1, reader) }
    var flips: [Int64: [Int: Int64]] = [:]
    var strange = 0
    watched.replay(&screens) { terminal, stamp, screen in
      // A picture that cannot be read is one in the middle of a change.
      guard let now = hall.secondsLeft(terminal, screen, reader), now != shown[terminal] else { return }
      shown[terminal] = now
      // What a second's digits say, not the second in which they came, tells when they were due.
      let late = stamp + (hall.offset - (hall.end - now * 1000)) * 1_000_000
      if abs(late) > 60_000_000_000 { strange += 1 }
      if flips[now]?[terminal] == nil { flips[now, default: [:]][terminal] = late }
    }
    // Time left goes down: the first and the last second may be halves.
    let inner = Array(flips.keys.sorted(by: >).dropFirst().dropLast())
    let seconds = inner.isEmpty ? 0 : Int(inner[0] - inner[inner.count - 1]) + 1
    var (lateness, spread) = (Timings(), Timings())
    var minutes: [Timings] = []
    var seen = 0
    var lines: [UInt8] = []
    for (place, left) in inner.enumerated() {
      guard let all = flips[left] else { continue }
      seen += all.count
      if minutes.count <= place / 60 { minutes.append(Timings()) }
      for (terminal, late) in all.sorted(by: { $0.key < $1.key }) {
        lateness.add(late)
        minutes[place / 60].add(late)
        if raw != nil { lines += Array("\(terminal) \(left) \(late / 1000)\n".utf8) }
      }
      if let first = all.values.min(), let last = all.values.max() { spread.add(last - first) }
    }
    if let raw { try? Files.write(lines, to: raw) }
    let load = marking > 0 ? ", \(marking) of them saving five marks a second each" : ", idle"
    print("\(hall.terminals.count) terminals (\(hall.walls) walls)\(load): \(seconds) seconds left went by")
    print("  spread of a flip    \(spread.line)")
    print("  lateness of a flip  \(lateness.line)")
    print(
      "  lateness p99 by minute, ms: "
        + minutes.map { decimal($0.microseconds(at: 0.99) / 1000, 1) }.joined(separator: " "))
    print(
      "  flips not seen: \(seconds * hall.terminals.count - seen) of \(seconds * hall.terminals.count); misread: \(strange)"
    )
    print(
      "  the reader: \(watched.hadPriority ? "real-time priority" : "NO real-time priority"), "
        + "longest batch \(decimal(Double(watched.worstBatch) / 1e6, 1)) ms, \(watched.count) pieces")
  }
}
