import ArgumentParser
import Foundation
import Glibc
import Rig

/// Every process of a hall killed in the middle of a round, and two pauses in one instant.
struct Restart: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restart",
    abstract: "Every process killed in mid-round: the clock stands right, no bell; two pauses in one instant: one.")

  @OptionGroup var measuring: MeasuringOptions

  func run() throws {
    let hall = try ClockWalls(in: measuring.folder, osce: measuring.osce)
    defer { hall.scratch.remove() }
    var faults: [String] = []
    let first = [try hall.wall(), try hall.wall()]
    for wall in first { try wall.wait("the wall") { $0.shows("NOT STARTED") } }
    try hall.give("start")
    let begin = now()
    ClockWalls.pump(first, until: begin + 30_000_000_000)
    // Both are killed as they stand; then there is no process of the exam left.
    for wall in first { wall.child.signal(SIGKILL) }
    for wall in first { wall.child.wait() }
    let walls = [try hall.wall(), try hall.wall()]
    for wall in walls { try wall.wait("the wall") { $0.shows("STATION") } }
    let sheets = [try hall.sheet(station: 1), try hall.sheet(station: 2)]
    let again = walls + sheets
    // Rotation 1 lasts from 20 to 80 seconds; its only warning comes at 50. The start was given before `begin`.
    ClockWalls.pump(again, until: begin + 40_500_000_000)
    let digits = sheets.map { String($0.screen.lines[0].split(separator: " ").last ?? "") }
    if digits != ["00:40", "00:40"] { faults.append("40.5 s after the start the sheets show \(digits)") }
    if walls.contains(where: { $0.bells > 0 }) { faults.append("a bell rang late") }

    let at = ISO8601DateFormatter().string(from: Date())
    let pauses = [
      try hall.clock("pause", "--at", at, "--passage", "2", "--reason", "one"),
      try hall.clock("pause", "--at", at, "--passage", "2", "--reason", "two"),
    ]
    let codes = pauses.map { child in
      _ = child.remainingLines()
      return child.wait()
    }
    ClockWalls.pump(again, until: now() + 1_000_000_000)
    for wall in again where !wall.screen.shows("PAUSED") { faults.append("a wall does not show the pause") }
    if ClockWalls.text(walls[0]) != ClockWalls.text(walls[1]) { faults.append("the walls differ") }
    let log = try hall.clock("log", "--json")
    let document = try JSONSerialization.jsonObject(with: Data(log.remainingLines().joined().utf8)) as? [String: Any]
    log.wait()
    let events = document?["events"] as? [[String: Any]] ?? []
    let applied = events.count { $0["kind"] as? String == "pause" && $0["applied"] as? Bool == true }
    if applied != 1 { faults.append("\(applied) pauses were applied; exit codes \(codes)") }
    for wall in again { wall.child.signal(SIGKILL) }
    try report("restart", faults)
    print(
      "restart: every process killed 30 s into a round; 10 s later new sheets show 00:40 and new walls rang nothing; two "
        + "pauses in one instant ended with \(codes[0]) and \(codes[1]), one applied, all screens agree")
  }
}
