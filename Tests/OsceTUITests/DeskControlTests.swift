import Terminal
import Testing
import Timer

@testable import CircuitModel
@testable import OsceTUI

/// The invigilator's hand on the clocks.
@MainActor @Suite("The desk's clock keys")
struct DeskControlTests {
  private func desk() throws -> Rehearsed {
    let play = try Rehearsed()
    try play.startClock()
    return try play.desk()
  }

  @Test("p pauses at the key's own instant, without a question, and keeps the reason that is asked for after")
  func pause() throws {
    let play = try desk()
    let pressed = play.store.clock.now + -300
    play.send(.key(KeyEvent("p", at: play.clocks.loop - 300)))
    let event = try #require(try play.log().last)
    #expect(event.event.kind.name == "pause")
    #expect(event.event.at == pressed)
    #expect(play.lines[1].hasPrefix(" PAUSED "))
    #expect(play.lines[22].hasPrefix("PAUSED Blue circuit. Why:"))
    play.type("fire alarm\n")
    #expect(try play.log().last?.event.reason == "fire alarm")
    #expect(try play.log().last?.event.staff == "nokafor")
  }

  @Test("a pause whose reason is left out stays a pause")
  func noReason() throws {
    let play = try desk().press("p", .escape)
    #expect(play.lines[1].hasPrefix(" PAUSED "))
    #expect(try play.log().last?.event.reason == nil)
  }

  @Test("skip says what will happen, asks for a reason, and does nothing on Esc")
  func skip() throws {
    let play = try desk().press("S")
    #expect(play.screen.contains("SKIP the rest of this phase?"))
    #expect(play.screen.contains("CHANGEOVER 1 runs with 01:00 left"))
    #expect(play.screen.contains("moves from 10:18:45 to 10:11:00"))
    play.press(.enter)
    #expect(play.message.contains("a reason is asked for"))
    #expect(try play.log().count == 1)
    play.press(.escape)
    #expect(try play.log().count == 1)
    play.press("S").type("bell was late\n")
    #expect(try play.log().last?.words == "skip")
    #expect(try play.log().last?.event.reason == "bell was late")
    #expect(play.lines[0].contains("CHANGEOVER 1 of 8"))
  }

  @Test("an action meant for a phase that has ended meanwhile is refused, so two presses skip once")
  func passage() throws {
    let play = try desk().press("S").type("one")
    let other = try play.atSameStore().desk("psharma").press("S").type("two\n")
    #expect(try other.log().count == 2)
    play.pass(seconds: 1).press(.enter)
    #expect(try play.log().filter { $0.isApplied == true }.count == 2)
    #expect(play.message.contains("Blue circuit: skip does not fit"))
  }

  @Test("+ and - give and take half a minute; e any number of seconds, and nothing but a number")
  func extend() throws {
    let play = try desk().press("+", .enter)
    #expect(try play.log().last?.words == "extend 30")
    play.pass(seconds: 1).press("-", .enter)
    #expect(try play.log().last?.words == "extend -30")
    play.pass(seconds: 1).press("e").type("90\n").press(.enter)
    #expect(try play.log().last?.words == "extend 90")
    play.press("e").type("soon\n")
    #expect(play.message == "a whole number was asked for; got \"soon\"")
    #expect(try play.log().count == 4)
  }

  @Test("z names the last event, who gave it and what taking it out does; it takes one event out at a time")
  func undo() throws {
    let play = try desk().press("p", .escape).pass(seconds: 60).press("z")
    #expect(play.screen.contains("UNDO pause of 09:00:0"))
    #expect(play.screen.contains("by nokafor?"))
    play.type("false alarm\n")
    #expect(play.lines[0].contains("ROTATION 1 of 8"))
    #expect(play.lines[0].contains("PAUSED") == false)
    #expect(try play.log().first { $0.words == "pause" }?.isApplied == false)
    play.press("z")
    #expect(play.screen.contains("UNDO start of "))
  }

  @Test(
    "with A the keys act on every circuit: one event each, at one instant; a circuit where it does not fit is named")
  func all() throws {
    let play = try desk()
    try play.startClock("Green circuit", seconds: 70)
    play.send(.resumed).press("A", "p", .escape)
    let (blue, green) = (try play.log("Blue circuit").last, try play.log("Green circuit").last)
    #expect(blue?.words == "pause" && green?.words == "pause")
    #expect(blue?.event.at == green?.event.at)
    play.pass(seconds: 1).press("A", "r", .enter).pass(seconds: 1)
    #expect(try play.log("Green circuit").last?.words == "pause")
    play.press("A", "p", .escape)
    #expect(play.message.contains("Green circuit: pause does not fit"))
    #expect(try play.log("Blue circuit").last?.words == "pause")
  }

  @Test("where two sessions of a circuit are open the desk asks, and no key moves a clock until it is told")
  func twoRuns() throws {
    let play = try Rehearsed()
    try play.startClock()
    let afternoon = try play.session("CHEST", "Blue circuit", "13:30").session
    try play.store.write(.program) {
      _ = try ClockLog.append(.start, to: afternoon, at: play.store.clock.now + -5000, in: $0)
    }
    try play.desk()
    #expect(play.screen.contains("Which session of Blue circuit?"))
    #expect(play.screen.contains("(its clock is open)"))
    play.press(.escape, "p")
    #expect(play.message.contains("2 runs open"))
    #expect(try play.log().count == 1)
    play.press("o", "2", "p", .escape)
    #expect(try play.store.read { try ClockLogEntry.all(of: afternoon, in: $0) }.last?.words == "pause")
    #expect(try play.log().count == 1)
  }

  @Test("keys that do not fit say why, and stop, jump and rounds ask first")
  func others() throws {
    let play = try desk().press("s").pass(seconds: 1)
    #expect(play.message == "the clock has been started")
    play.press("J").type("4\n").type("wrong room\n")
    #expect(try play.log().last?.words == "jump 4")
    play.pass(seconds: 1).press("N").type("9\n").press(.enter)
    #expect(try play.log().last?.words == "rounds 9")
    play.pass(seconds: 1).press("R", .enter)
    #expect(try play.log().last?.words == "restart")
    play.pass(seconds: 1).press("X").type("power cut\n")
    #expect(play.lines[0].contains("FINISHED"))
    #expect(try play.log().last?.event.reason == "power cut")
  }
}
