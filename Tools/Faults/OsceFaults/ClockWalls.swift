import CRig
import CircuitModel
import ExamStore
import GRDB
import Glibc
import Rig
import Timer

/// A circuit with phases of seconds and walls that show it.
struct ClockWalls {
  let scratch: ScratchFolder
  let path: String
  let osce: String
  /// The circuit's code.
  static let circuit = "C1"

  /// Reading, rotation and changeover of 20, 60 and 10 seconds: announcements at 0, 20, 50, 80 and 90 seconds of each
  /// round of 90.
  init(in folder: String, osce: String) throws {
    scratch = try ScratchFolder(in: folder)
    path = scratch.file("store.sqlite")
    self.osce = osce
    let exam = BenchExam(candidates: 10, circuits: 1)
    let store = try exam.load(into: path)
    let seconds = [20, 60, 10]
    try store.write(.program) { transaction in
      for row in try Int.fetchAll(transaction.db, sql: "SELECT dsid FROM circuitStationDuration") {
        let length = seconds[row % 10]
        try transaction.set(
          Stored.CircuitStationDuration.self, row, [.duration(length / 60), .seconds(length % 60)])
      }
    }
    store.close()
  }

  /// A wall of eight rows: names, phase and digits, and the time of day in its last line.
  func wall(_ environment: [String: String] = [:]) throws -> TerminalSession {
    try TerminalSession(
      osce, ["wall", ClockWalls.circuit, "--store", path], environment: environment, rows: 8, columns: 60)
  }

  /// A mark sheet of the circuit.
  func sheet(station: Int) throws -> TerminalSession {
    try BenchExam(candidates: 10, circuits: 1).openTerminal(osce, store: path, station: station)
  }

  /// Runs `osce clock`.
  func clock(_ arguments: String...) throws -> Child {
    try Child(onPipe: osce, ["clock", ClockWalls.circuit] + arguments + ["--store", path])
  }

  /// Gives a clock event.
  /// - Throws: `RigError` if it is refused.
  func give(_ arguments: String...) throws {
    let child = try Child(onPipe: osce, ["clock", ClockWalls.circuit] + arguments + ["--store", path])
    _ = child.remainingLines()
    guard child.wait() == 0 else { throw RigError("osce clock \(arguments.joined(separator: " ")) was refused") }
  }

  /// What a wall says without its last line, which has the time of day, and without what it says of this machine.
  static func text(_ session: TerminalSession) -> String {
    session.screen.lines.dropLast().filter { !$0.contains("missed announcement") && !$0.contains("system clock") }
      .joined(separator: "\n")
  }

  /// The rows of a wall that hold phase and digits.
  static func digits(_ session: TerminalSession) -> String { session.screen.lines[0...5].joined(separator: "\n") }

  /// Takes in what several walls write, up to a time of the monotonic clock in nanoseconds.
  static func pump(_ walls: [TerminalSession], until instant: Int64) {
    while now() < instant { for wall in walls { wall.pump(quiet: 0); usleep(2000) } }
  }
}
