import Terminal
import TerminalTesting
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// A run that was set for later begins at its instant on every screen, though nothing is saved then.
@MainActor @Suite("Runs that are set for later")
struct ScheduledRunTests {
  /// Every screen looks at the clock as it does in life: several times a second.
  private func pass(_ seconds: Int64, _ screens: [Rehearsed]) {
    for _ in 0..<(seconds * 5) {
      screens[0].clocks.pass(200)
      for screen in screens { screen.send(.deadline(screen.clocks.loop)) }
    }
  }

  private func set(_ action: ClockAction, _ start: String = "09:00", in seconds: Int64, _ play: Rehearsed) throws {
    let session = try play.session("CHEST", "Blue circuit", start).session
    try play.store.write(.program) {
      _ = try ClockLog.append(action, to: session, at: play.store.clock.now + seconds * 1000, in: $0)
    }
  }

  @Test("a re-run: stations and desk have its clock, and the desk's pause stops it")
  func rerun() throws {
    let station = try Rehearsed()
    try station.startClock()
    try station.sit("nokafor", at: "CHEST").press(.enter)
    try station.clock(.stop)
    let desk = try station.atSameStore().desk("psharma")
    pass(1, [station, desk])
    try set(.rerun(rounds: 1), in: 8, station)
    pass(5, [station, desk])
    #expect(station.lines[0].contains("FINISHED") && desk.lines[0].contains("FINISHED"))
    pass(4, [station, desk])
    #expect(station.lines[0].contains("RE-RUN ROUND 1 of 1  READING"), "\(station.lines[0])")
    #expect(desk.lines[0].contains("RE-RUN ROUND 1 of 1  READING"), "\(desk.lines[0])")
    desk.press("p")
    #expect(desk.lines[22].hasPrefix("PAUSED Blue circuit. Reason:"))
    pass(1, [station, desk])
    #expect(station.lines[0].contains("RE-RUN ROUND 1 of 1  PAUSED READING"))
  }

  @Test("the afternoon: a desk that was left at the morning's end goes on with it, and so does the wall")
  func afternoon() throws {
    let desk = try Rehearsed()
    try desk.startClock()
    try desk.clock(.stop)
    try desk.desk()
    try set(.start, "13:30", in: 8, desk)
    let now = desk.store.clock.now
    let circuits = try desk.store.read { try Circuit.all(at: now, $0) }
    var wall = Rehearsal(
      WallProgram(desk.store, circuits: circuits, theme: .standard(), options: .init()) { desk.clocks.loop },
      size: Size(width: 80, height: 24))
    pass(5, [desk])
    #expect(desk.lines[0].contains("FINISHED"))
    pass(4, [desk])
    #expect(desk.lines[0].contains("ROUND 1 of 8  READING"), "\(desk.lines[0])")
    wall.send(.deadline(desk.clocks.loop))
    #expect(wall.screen.contains("ROUND 1 of 8"), "\(wall.screen)")
  }

  @Test("a second session that begins beside one that is on is on the wall at its instant, and the desk says so")
  func beside() throws {
    let desk = try Rehearsed()
    try desk.startClock()
    try desk.desk()
    try set(.start, "13:30", in: 8, desk)
    let now = desk.store.clock.now
    let circuits = try desk.store.read { try Circuit.all(at: now, $0) }
    let wall = WallProgram(desk.store, circuits: circuits, theme: .standard(), options: .init()) { desk.clocks.loop }
    var shown = Rehearsal(wall, size: Size(width: 200, height: 60))
    // The wall has just looked which sessions are on, and would look again in ten seconds.
    pass(7, [desk])
    shown.send(.deadline(desk.clocks.loop))
    #expect(!shown.screen.contains("Blue circuit 13:30"))
    pass(2, [desk])
    shown.send(.deadline(desk.clocks.loop))
    #expect(shown.screen.contains("Blue circuit 13:30"), "\(shown.screen)")
    #expect(desk.message.contains("13:30 has also started"))
  }

  @Test("the start of a re-run calls back whom its queue needs and who was let go, and the desk says so first")
  func callsBack() throws {
    let desk = try Rehearsed()
    try desk.startClock()
    try desk.desk()
    let station = try desk.atSameStore().sit("nokafor", at: "CHEST").press(.enter)
    desk.pass(seconds: 1).press("3", .enter).type("done\n").press("6", "m", "1").type("kit failed\n")
    station.pass(seconds: 1)
    #expect(station.screen.contains("YOU MAY GO"))
    desk.pass(seconds: 1).press("X").type("end\n").press("7", "b")
    #expect(desk.text.contains("recalls released stations CHEST"))
    desk.pass(seconds: 1).press(.enter)
    station.pass(seconds: 1)
    #expect(!station.screen.contains("YOU MAY GO") && station.message.contains("please stay"))
  }

  @Test("in a re-run > goes from any sheet to whom its round asks for; once it is over < and > know everybody again")
  func forwardInRerun() throws {
    let station = try Rehearsed()
    try station.startClock()
    try station.sit("nokafor", at: "CHEST").press(.enter)
    let timetable = try station.session("CHEST").timetable
    let entries = try station.store.read { try Roster.entries(timetable: timetable, seat: .lead, in: $0) }
    let late = try #require(entries.first { $0.candidate?.number == "30107" })
    _ = try station.store.write(.program) { try RerunQueue.add(entry: late.key, reason: "bus", $0) }
    try station.clock(.stop)
    try set(.rerun(rounds: 1), in: 2, station)
    pass(5, [station])
    #expect(station.message.contains("round 1: > goes to 30107"), "\(station.message)")
    pass(65, [station])
    #expect(station.lines[0].contains("RE-RUN ROUND 1 of 1  STATION"))
    station.press("<")
    #expect(station.message == "no candidate before this one in the re-run; q goes to the roster")
    station.press(">")
    #expect(station.sheetScreen.entry?.candidate?.number == "30107")
    station.press("<")
    #expect(station.message == "no other candidate in the re-run; q goes to the roster")
    try station.clock(.stop)
    pass(1, [station])
    station.press("<")
    #expect(station.sheetScreen.entry?.candidate?.number == "30108")
  }
}
