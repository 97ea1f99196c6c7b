import GRDB
import Terminal
import TerminalTesting
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// A store whose machine was started anew in the middle of a run, with a wall clock that cannot be right.
@MainActor @Suite("Screens while the time is in doubt")
struct ClockDoubtScreenTests {
  private func doubtful() throws -> Rehearsed {
    let play = try Rehearsed()
    try play.startClock()
    try play.store.write(.program) { transaction in
      let last = transaction.clock.now.milliseconds
      try transaction.db.execute(
        sql: "UPDATE bootClock SET lastRecord = ?, anchoredAt = ?", arguments: [last, last + 10_800_000])
    }
    return play
  }

  private let line = "system clock may be wrong: 3:00:00 ahead of the last saved change"

  @Test("wall, desk and assessors say so until somebody has answered")
  func said() throws {
    let play = try doubtful()
    var wall = Rehearsal(
      WallProgram(
        play.store, circuits: try play.store.read { try Circuit.all(at: play.store.clock.now, $0) }, theme: .standard(),
        options: .init()
      ) { play.clocks.loop }, size: Size(width: 80, height: 24))
    _ = try play.store.dataVersion()
    wall.send(.deadline(play.clocks.loop))
    #expect(wall.screen.contains(line))
    try play.sit("nokafor", at: "CHEST").pass(seconds: 1)
    #expect(play.screen.contains(line))
  }

  @Test("at the desk T asks which time is right; every terminal of the machine then follows")
  func asked() throws {
    let play = try doubtful()
    let other = try play.atSameStore()
    let desk = try play.desk().pass(seconds: 1).press("T")
    #expect(desk.screen.contains("Which time is right?") && desk.screen.contains("keep exam time"))
    desk.press("t").type("10:42:00\n")
    #expect(desk.screen.contains("becomes 2026-12-07 10:42:00"))
    desk.press(.enter)
    #expect(desk.message.contains("a reason is required"))
    desk.type("the hall's clock\n")
    #expect(LocalTime.reading(of: desk.store.clock.now).minute == "10:42")
    #expect(!desk.screen.contains(line))
    other.pass(seconds: 1)
    #expect(LocalTime.reading(of: other.store.clock.now).minute == "10:42" && other.store.clock.doubt == nil)
    #expect(play.press("T").message.contains("needs no confirmation"))
  }

  @Test("at the desk only the pause is taken until somebody has answered, and the other keys say which key asks")
  func onlyPaused() throws {
    let play = try doubtful()
    let desk = try play.desk().pass(seconds: 1)
    for key in ["S", "r", "+", "X", "J"] as [Key] {
      desk.press(key)
      #expect(desk.message == "first say which time is right: T asks" && desk.context.overlay == nil, "\(key.name)")
    }
    // Undoing a start asks for the circuit's name: letters are typed there, and ctrl-p pauses all the same.
    desk.press("z").press("ctrl-p")
    #expect(desk.lines[1].hasPrefix(" PAUSED "))
    desk.press(.escape, "r")
    #expect(desk.message == "first say which time is right: T asks")
  }

  @Test("what the answer ends or skips is said before it is given")
  func effects() throws {
    let play = try doubtful()
    play.clocks.stepWall(10_800_000)
    let desk = try play.desk().pass(seconds: 1).press("T", "m")
    #expect(desk.flat.contains("Blue circuit 2026-12-07 09:00 goes from rotation 1 to reading 2, waiting."))
    desk.press(.escape, "T", "l")
    #expect(desk.flat.contains("becomes the last record's") && !desk.flat.contains("goes from"))
  }

  @Test("an answer that would end something else by the time of its Enter is asked anew, with the reason kept")
  func changedEffects() throws {
    let play = try doubtful()
    play.clocks.stepWall(10_800_000)
    let desk = try play.desk().pass(seconds: 1).press("T", "m").type("by the hall")
    #expect(desk.flat.contains("goes from rotation 1 to"))
    desk.pass(seconds: 480)
    desk.type("'s clock\n")
    #expect(desk.flat.contains("THE CLOCK HAS MOVED ON; nothing changed."))
    #expect(desk.flat.contains("by the hall's clock") && !desk.flat.contains("goes from rotation 1"))
    #expect(desk.store.clock.doubt != nil)
    desk.press(.enter)
    #expect(desk.store.clock.doubt == nil && desk.message.hasPrefix("the exam's time is"))
  }
}
