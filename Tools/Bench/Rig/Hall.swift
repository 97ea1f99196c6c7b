import CRig
import CircuitModel
import GRDB
import Glibc
import Timer

/// A hall of terminals on one store: mark sheets and walls, all clocks started at one instant.
public final class Hall {
  /// The store's path.
  public let store: String
  /// The terminals: the mark sheets first, then the walls.
  public let terminals: [TerminalSession]
  /// How many of them are walls.
  public let walls: Int
  /// The instant at which every clock's current phase began, in milliseconds of the exam's clock.
  public let began: Int64
  /// Milliseconds from CLOCK_BOOTTIME to the exam's clock.
  public let offset: Int64

  /// What the clocks go through.
  public enum Schedule: Equatable, Sendable {
    /// One rotation that lasts a day; the walls are silent.
    case day
    /// Rounds of phases, each of so many seconds; the walls ring.
    case short(reading: Int, rotation: Int, changeover: Int, rounds: Int)
  }

  /// Stations that are marked: five circuits of ten.
  private static let circuits = 5

  /// - Parameters:
  ///   - count: how many terminals; one in twenty is a wall.
  ///   - osce: the program.
  ///   - walls: how many of them are walls; nil: one in twenty.
  ///   - schedule: one rotation of a day, or rounds of seconds with bells on the walls.
  /// - Throws: `RigError` if a terminal does not come up, and what the store throws.
  public init(
    _ count: Int, walls wanted: Int? = nil, store: String, osce: String, schedule: Schedule = .day
  ) throws {
    self.store = store
    let exam = BenchExam(candidates: 50 * 10, circuits: Hall.circuits)
    let made = try exam.load(into: store)
    let begin = Instant(milliseconds: made.clock.now.milliseconds - 10_000)
    let when = exam.session(1)
    var actions: [ClockAction] = [.start, .skip, .extend(seconds: 80_000)]
    if case .short(let reading, let rotation, let changeover, let rounds) = schedule {
      actions = [.start, .rounds(rounds)]
      try made.write(.program) { transaction in
        for row in try Int.fetchAll(transaction.db, sql: "SELECT dsid FROM circuitStationDuration") {
          let seconds = Int64([reading, rotation, changeover][row % 10])
          try transaction.set(
            "CircuitStationDuration", String(row),
            ["duration": .integer(seconds / 60), "seconds": .integer(seconds % 60)])
        }
      }
    }
    for (index, action) in actions.enumerated() {
      try made.write(.program) { transaction in
        for circuit in 1...Hall.circuits {
          try ClockLog.append(
            action, to: Session(circuit: circuit, date: when.date, startTime: when.startTime),
            at: Instant(milliseconds: begin.milliseconds + Int64(index) * 1000), in: transaction)
        }
      }
    }
    began = begin.milliseconds + 1000
    offset = made.clock.offset
    made.close()
    walls = wanted ?? count / 20
    var open: [TerminalSession] = []
    for number in 0..<(count - walls) {
      let (circuit, station) = (number / 10 % Hall.circuits + 1, number % 10 + 1)
      open.append(try exam.openTerminal(osce, store: store, circuit: circuit, station: station))
    }
    for number in 0..<walls {
      let wall = try TerminalSession(
        osce,
        ["wall", "--bell", schedule == .day ? "none" : "audible", "--store", store, "C\(number % Hall.circuits + 1)"],
        rows: 8, columns: 60)
      try wall.wait("the wall") { $0.shows(" OF ") }
      open.append(wall)
    }
    terminals = open
    for terminal in terminals { terminal.pump(quiet: 0) }
  }

  /// Ends all terminals.
  public func close() { for terminal in terminals { terminal.child.signal(SIGKILL) } }

  /// What the countdown of a terminal shows: the end of a mark sheet's first line; of a wall all but its last line,
  /// which has the time of day.
  public func countdown(_ terminal: Int, _ screen: ScreenText) -> String {
    let lines = screen.lines
    if terminal < terminals.count - walls { return String(lines[0].split(separator: " ").last ?? "") }
    return lines.dropLast().joined(separator: "\n")
  }

  /// Whether a terminal says that its clock is paused.
  public func isPaused(_ terminal: Int, _ screen: ScreenText) -> Bool { screen.shows("PAUSED") }

  /// A reader of all terminals that only stamps and keeps.
  public func watch() -> OpaquePointer { rig_watch_start(terminals.map(\.child.descriptor), Int32(terminals.count)) }
}
