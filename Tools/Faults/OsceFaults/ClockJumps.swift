import ArgumentParser
import Glibc
import Rig

/// A wall whose machine's wall clock is set, while nothing else changes.
struct ClockJumps: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jumps",
    abstract: "The wall clock set by hours, days and decades (libfaketime): the countdown and the bells stay.")

  @Option(help: "The library.") var faketime = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"
  @OptionGroup var measuring: MeasuringOptions

  /// What the wall clock is set to, in the library's words, and in a person's.
  private static let settings = [
    ("+3600", "an hour ahead"), ("-3600", "an hour back"), ("+86400", "a day ahead"), ("-86400", "a day back"),
    ("@1970-01-02 00:00:00", "1970"), ("@2038-01-19 03:14:00", "2038"), ("+0", "right again"),
  ]

  func run() throws {
    guard access(faketime, R_OK) == 0 else { throw RigError("\(faketime) is not there: apt-get install libfaketime") }
    let hall = try ClockWalls(in: measuring.folder, osce: measuring.osce)
    defer { hall.scratch.remove() }
    let file = hall.scratch.file("faketime")
    try Files.write(Array("+0".utf8), to: file)
    let control = try hall.wall()
    let faked = try hall.wall([
      "LD_PRELOAD": faketime, "FAKETIME_TIMESTAMP_FILE": file, "FAKETIME_NO_CACHE": "1",
      "FAKETIME_DONT_FAKE_MONOTONIC": "1", "HOME": hall.scratch.path,
    ])
    let walls = [control, faked]
    for wall in walls { try wall.wait("the wall") { $0.shows("NOT STARTED") } }
    try hall.give("start")
    let begin = now()
    var faults: [String] = []
    var shown: Set<String> = []
    for (index, setting) in ClockJumps.settings.enumerated() {
      try Files.write(Array(setting.0.utf8), to: file)
      // Ten seconds each, over a phase's beginning and a warning; looked at in the middle of a second.
      for second in 1...10 {
        ClockWalls.pump(walls, until: begin + Int64(index * 10 + second) * 1_000_000_000 - 300_000_000)
        if second < 3 { continue }
        if ClockWalls.digits(control) != ClockWalls.digits(faked) {
          faults.append(
            "\(setting.1): the wall shows\n\(ClockWalls.digits(faked))\ninstead of\n\(ClockWalls.digits(control))")
          break
        }
      }
      shown.insert(String(faked.screen.lines.last?.split(separator: " ").last?.prefix(2) ?? ""))
    }
    if control.bells != faked.bells { faults.append("it rang \(faked.bells) times, the other wall \(control.bells)") }
    if shown.count < 2 { faults.append("its time of day never changed, so nothing was set") }
    for wall in walls { wall.child.signal(SIGKILL) }
    try report("jumps", faults)
    print(
      "jumps: \(ClockJumps.settings.map(\.1).joined(separator: ", ")): countdown and phase as on the wall beside it, "
        + "\(control.bells) beats of the bell on each")
  }
}
