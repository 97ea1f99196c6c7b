import ArgumentParser
import CircuitModel
import Console
import ExamStore
import Glibc
import Reports

/// `osce mark`: opens a station session directly.
struct MarkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mark", abstract: "Mark at a station: opens the sheet last worked on, else the current round's.")

  @Option(name: .long, help: "The station session's number; osce plan lists them.")
  var timetable: Int

  @OptionGroup var acting: ActingStaff
  @OptionGroup var clock: QuietClockOption
  @OptionGroup var options: StoreOptions

  func validate() throws {
    if acting.username == nil { throw nobody }
  }

  private var nobody: ValidationError { ValidationError("name the assessor with --staff USERNAME") }

  func run() throws {
    let store = try options.open()
    guard let member = try acting.member(in: store, toSit: true) else { throw nobody }
    let code = try MainActor.assumeIsolated {
      try AssessorTerminal.run(store, .mark(member, timetable: timetable), hasQuietClock: clock.isQuiet)
    }
    throw ExitCode(code)
  }
}
