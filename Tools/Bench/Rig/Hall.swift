import CRig
import CircuitModel
import ExamStore
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
  /// The instant at which the rotation of a day ends, in milliseconds of the exam's clock.
  public let end: Int64
  /// Milliseconds from CLOCK_BOOTTIME to the exam's clock.
  public let offset: Int64

  /// What the clocks go through.
  public enum Schedule: Equatable, Sendable {
    /// One rotation that lasts a day; the walls are silent.
    case day
    /// Rounds of ten minutes, as in an exam; the walls ring.
    case rounds(Int)
  }

  /// Stations that are marked: five circuits of ten.
  private static let circuits = 5
  /// Seconds by which the rotation of a day is longer than planned.
  private static let added: Int64 = 80_000

  /// - Parameters:
  ///   - count: how many terminals; one in twenty is a wall.
  ///   - osce: the program.
  ///   - walls: how many of them are walls; nil: one in twenty.
  ///   - schedule: one rotation of a day, or rounds with bells on the walls.
  ///   - environment: added to that of every terminal.
  /// - Throws: `RigError` if a terminal does not come up, and what the store throws.
  public init(
    _ count: Int, walls wanted: Int? = nil, store: String, osce: String, schedule: Schedule = .day,
    environment: [String: String] = [:]
  ) throws {
    self.store = store
    let exam = BenchExam(candidates: 50 * 10, circuits: Hall.circuits)
    let made = try exam.load(into: store)
    let begin = Instant(milliseconds: made.clock.now.milliseconds - 10_000)
    let when = exam.session(1)
    let actions: [ClockAction] =
      switch schedule {
      case .day: [.start, .skip, .extend(seconds: Hall.added)]
      case .rounds(let count): [.start, .rounds(count)]
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
    // The skip comes a second after the start.
    end = begin.milliseconds + 1000 + (Int64(BenchExam.rotationSeconds) + Hall.added) * 1000
    offset = made.clock.offset
    made.close()
    walls = wanted ?? count / 20
    var open: [TerminalSession] = []
    for number in 0..<(count - walls) {
      let (circuit, station) = (number / 10 % Hall.circuits + 1, number % 10 + 1)
      open.append(
        try exam.openTerminal(osce, store: store, circuit: circuit, station: station, environment: environment))
    }
    for number in 0..<walls {
      let wall = try TerminalSession(
        osce,
        ["wall", "--bell", schedule == .day ? "none" : "audible", "--store", store, "C\(number % Hall.circuits + 1)"],
        environment: environment, rows: 10, columns: 60)
      try wall.wait("the wall") { $0.shows("ROUND 1 of ") }
      open.append(wall)
    }
    terminals = open
    for terminal in terminals { terminal.pump(quiet: 0) }
  }

  /// Ends all terminals.
  public func close() { for terminal in terminals { terminal.child.signal(SIGKILL) } }

  /// Whether a terminal is a wall.
  public func isWall(_ terminal: Int) -> Bool { terminal >= terminals.count - walls }

  /// The second that a terminal shows as left; nil if it cannot be read.
  public func secondsLeft(_ terminal: Int, _ screen: ScreenText, _ reader: CountdownReader) -> Int64? {
    isWall(terminal)
      ? reader.seconds(onWall: screen) : CountdownReader.seconds(CountdownReader.text(onSheet: screen))
  }

  /// Learns the walls' digits: looks at all terminals in the middle of seconds, until every digit was there.
  /// - Throws: `RigError` if the walls do not show what the mark sheets show.
  public func learnDigits() throws -> CountdownReader {
    var reader = CountdownReader()
    guard walls > 0 else { return reader }
    for _ in 0..<30 where reader.learnt.count < 10 {
      // Digits change at whole seconds before the end.
      let into = (rig_boot_now() / 1_000_000 + offset - end).quotientAndRemainder(dividingBy: 1000).remainder
      rig_sleep_until(rig_now() + (1500 - (into + 1000) % 1000) * 1_000_000)
      for terminal in terminals { terminal.pump(quiet: 0) }
      let text = CountdownReader.text(onSheet: terminals[0].screen)
      for wall in terminals.suffix(walls) { try reader.learn(wall: wall.screen, shows: text) }
    }
    guard reader.learnt.count == 10 else {
      throw RigError("only \(reader.learnt.sorted()) of the walls' digits were seen")
    }
    return reader
  }

  /// Whether a terminal says that its clock is paused.
  public func isPaused(_ terminal: Int, _ screen: ScreenText) -> Bool { screen.shows("PAUSED") }

  /// A reader of all terminals that only stamps and keeps.
  public func watch() -> OpaquePointer { rig_watch_start(terminals.map(\.child.descriptor), Int32(terminals.count)) }
}
