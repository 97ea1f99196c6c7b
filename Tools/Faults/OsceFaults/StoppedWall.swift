import ArgumentParser
import Glibc
import Rig

/// A wall that is stopped over announcements and goes on.
struct StoppedWall: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stopped",
    abstract: "A wall stopped over warnings and a phase's end: right at once when it goes on, and nothing rung late.")

  @Option(help: "How long it is stopped, in seconds; 30 passes one announcement, 120 passes six.") var seconds = 120
  @OptionGroup var measuring: MeasuringOptions

  func run() throws {
    let hall = try ClockWalls(in: measuring.folder, osce: measuring.osce)
    defer { hall.scratch.remove() }
    let (control, stopped) = (try hall.wall(), try hall.wall())
    let walls = [control, stopped]
    for wall in walls { try wall.wait("the wall") { $0.shows("NOT STARTED") } }
    try hall.give("start")
    let begin = now()
    ClockWalls.pump(walls, until: begin + 5_000_000_000)
    var faults: [String] = []
    if control.bells == 0 || control.bells != stopped.bells {
      faults.append("the start rang \(control.bells) and \(stopped.bells) times")
    }
    stopped.child.signal(SIGSTOP)
    let (before, heard) = (stopped.bells, control.bells)
    ClockWalls.pump([control], until: begin + Int64(5 + seconds) * 1_000_000_000)
    let missed = control.bells - heard
    if missed == 0 { faults.append("nothing was announced meanwhile, so this proves nothing") }
    stopped.child.signal(SIGCONT)
    let goesOn = now()
    var (right, bellAt): (Int64?, Int64?)
    while now() < goesOn + 3_000_000_000 {
      for wall in walls { wall.pump(quiet: 0) }
      if stopped.bells != before, bellAt == nil { bellAt = now() - goesOn }
      if right == nil, ClockWalls.digits(control) == ClockWalls.digits(stopped) { right = now() - goesOn }
      usleep(1000)
    }
    if let bellAt { faults.append("a bell rang \(bellAt / 1_000_000) ms after it went on") }
    if right.map({ $0 > 500_000_000 }) ?? true {
      faults.append("the wall was not right half a second after it went on:\n" + ClockWalls.text(stopped))
    }
    for wall in walls { wall.child.signal(SIGKILL) }
    try report("stopped", faults)
    print(
      "stopped: \(seconds) s over \(missed) beats of the bell; right \((right ?? 0) / 1_000_000) ms after it went on, "
        + "none rung late")
  }
}
