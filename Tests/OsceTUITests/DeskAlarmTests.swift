import Terminal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// What the desk does in a hurry: stopping the clock whatever is on the screen, and what two people do at once.
@MainActor @Suite("The desk in an alarm")
struct DeskAlarmTests {
  private func desk() throws -> Rehearsed {
    let play = try Rehearsed()
    try play.startClock()
    return try play.desk()
  }

  private func last(_ play: Rehearsed, _ circuit: String = "Blue circuit") throws -> String? {
    try play.log(circuit).last?.words
  }

  @Test("p pauses through help, a question and a line to be confirmed, of which nothing is done")
  func throughWhatIsRead() throws {
    for key: Key in ["?", "Q", "+", "o"] {
      let play = try desk().press(key)
      #expect(play.context.overlay != nil)
      play.press("p")
      #expect(try last(play) == "pause" && play.log().count == 2)
      #expect(play.lines[22].hasPrefix("PAUSED Blue circuit. Why:"))
    }
  }

  @Test("where a line is typed p is a letter and Ctrl-P pauses; where nothing lies over the desk it does too")
  func throughWhatIsTyped() throws {
    for key: Key in ["S", "e", ":"] {
      let play = try desk().press(key, "p")
      play.resize(60, 16)
      play.press("p")
      #expect(try last(play) == "start")
      play.resize(80, 24)
      play.press("ctrl-p")
      #expect(try last(play) == "pause" && play.log().count == 2)
      #expect(play.lines[22].hasPrefix("PAUSED Blue circuit. Why:"))
    }
    #expect(try last(try desk().press("ctrl-p")) == "pause")
  }

  @Test("the question why one circuit was paused keeps nobody from pausing the next; what is typed in it is not left")
  func nextWhileAsked() throws {
    let play = try desk()
    try play.startClock("Green circuit")
    play.send(.resumed).press("p", "f", .tab)
    #expect(play.lines[22].hasPrefix("PAUSED Blue circuit. Why: f"))
    play.press("backspace", .tab, "p")
    #expect(try last(play, "Green circuit") == "pause")
    #expect(play.lines[22].hasPrefix("PAUSED Green circuit. Why:"))
  }

  @Test("what still runs after a pause of all is named first, with why, and in the question")
  func missed() throws {
    let play = try desk()
    play.press("A", "p")
    #expect(play.message.hasPrefix("NOT PAUSED: Green circuit (not started); PAUSE: Blue circuit"))
    #expect(play.lines[22].hasPrefix("PAUSED 1 of 2 clocks, NOT Green circuit. Why:"))
  }

  @Test("a pause of all circuits also calls off what was set for later, and its reason is kept there too")
  func callsOff() throws {
    let play = try desk()
    let session = try play.session("CHEST", "Green circuit").session
    try play.store.write(.program) {
      _ = try ClockLog.append(.start, to: session, at: play.store.clock.now + 60_000, in: $0)
    }
    let afternoon = try play.session("CHEST", "Blue circuit", "13:30").session
    try play.store.write(.program) {
      _ = try ClockLog.append(.start, to: afternoon, at: play.store.clock.now + 600_000, in: $0)
    }
    play.send(.resumed).press("A", "p")
    #expect(play.words.contains("PAUSED 1 of 3 clocks, NOT Green circuit, Blue circuit 13:30. Why:"))
    #expect(play.words.contains("CALLED OFF: Green circuit start at 09:0"))
    #expect(play.words.contains(", Blue circuit 13:30 start at 09:1"))
    #expect(try play.read { try ClockLog.scheduled(of: afternoon, at: play.store.clock.now, in: $0) }.isEmpty)
    play.type("fire alarm\n").pass(seconds: 120)
    let log = try play.store.read { try ClockLogEntry.all(of: session, asOf: play.store.clock.now, in: $0) }
    #expect(log.map(\.event.kind.name) == ["annul", "start"] || log.map(\.event.kind.name) == ["start", "annul"])
    #expect(log.contains { $0.event.reason == "fire alarm" })
    #expect(log.allSatisfy { !$0.event.kind.isStart || $0.isApplied == false })
  }

  @Test("what two invigilators give at once is given twice only after the second has been asked again")
  func twice() throws {
    let play = try desk().press("+")
    let other = try play.atSameStore().desk("psharma").press("+", .enter)
    #expect(try other.log().count == 2)
    play.pass(seconds: 1).press(.enter)
    #expect(play.screen.contains("THIS IS NOT WHAT IT WAS, nothing was done."))
    #expect(try play.log().count == 2)
  }

  @Test("a start names its session, and an earlier one of the day that nobody began")
  func start() throws {
    let play = try Rehearsed().desk().press("s")
    #expect(play.screen.contains("Blue circuit 2026-12-07 09:00: then READING 1"))
    play.press(.escape)
    #expect(!play.screen.contains("never started"))
    play.pass(seconds: 4 * 3600).press("o", "2", "s")
    let words = play.screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("2026-12-07 13:30") && words.contains("the 09:00 session was never started"), "\(words)")
  }

  @Test("time taken away that ends the phase is titled so and needs a reason")
  func endsPhase() throws {
    let play = try desk().pass(seconds: 460).press("-")
    #expect(play.screen.contains("SHORTEN by 30 seconds, which ends this phase?"))
    play.press(.enter)
    #expect(try play.log().count == 1 && play.message.contains("a reason is needed"))
    play.type("bell was late\n")
    #expect(try play.log().last?.event.reason == "bell was late")
    #expect(play.lines[0].contains("CHANGEOVER 1 of 8"))
  }

  @Test("p at a clock that will go on by itself says when, and what calls it off; z offers what was given last")
  func goesOn() throws {
    let play = try desk()
    try play.clock(.pause)
    let session = try play.session("CHEST").session
    try play.store.write(.program) {
      _ = try ClockLog.append(.resume, to: session, at: play.store.clock.now + 60_000, in: $0)
    }
    play.send(.resumed).pass(seconds: 1).press("p")
    #expect(play.lines[22].hasPrefix("PAUSED ALREADY at 09:00:0"))
    #expect(play.words.contains("it goes on at 09:01:0"))
    #expect(play.words.contains(": z takes that back, after what was given since"))
    play.press(.escape)
    #expect(play.screen.contains("WAITING") == false)
    play.press("S").type("slip\n").press("z")
    #expect(play.screen.contains("UNDO skip of 09:00:0") && !play.screen.contains("CALL OFF"))
    play.type("a slip\n").press("z")
    #expect(play.screen.contains("CALL OFF resume of 09:01:0"))
    #expect(play.words.contains("stands still") && play.words.contains("until somebody lets it go on"))
    #expect(!play.words.contains("the end moves"))
    play.type("not yet\n").pass(seconds: 120)
    #expect(play.lines[1].hasPrefix(" PAUSED "))
  }

  @Test("whoever pauses a clock that stands already is asked why too: what is typed is never a command")
  func pausedAlready() throws {
    let play = try desk()
    let other = try play.atSameStore().desk("psharma")
    other.press("p").type("fire alarm\n")
    play.pass(seconds: 1).press("p")
    #expect(play.lines[22].hasPrefix("PAUSED ALREADY at 09:00:0"))
    #expect(play.lines[22].contains("by psharma (fire alarm). Why:"))
    play.type("real fire\n")
    #expect(try play.log().map(\.words) == ["start", "pause"])
    #expect(try play.log().last?.event.reason == "fire alarm; real fire")
    #expect(play.lines[1].hasPrefix(" PAUSED "))
  }

  @Test("two who say at once why they paused are both kept")
  func reasonsOfTwo() throws {
    let play = try desk()
    let other = try play.atSameStore().desk("psharma")
    other.press("p")
    play.pass(seconds: 1).press("p")
    other.type("fire alarm\n")
    play.type("smoke at A4\n")
    #expect(try play.log().last?.event.reason == "fire alarm; smoke at A4")
  }

  @Test("p where no clock runs is answered by a box, which takes no letter for a command")
  func nothingRuns() throws {
    let play = try Rehearsed().desk().press("p")
    #expect(play.screen.contains("NOT PAUSED") && play.screen.contains("Blue circuit: not started"))
    play.type("start fire\n")
    #expect(try play.log().isEmpty)
    play.press(.escape)
    #expect(play.context.overlay == nil)
  }

  @Test("what is typed before the pause is on the disk is the beginning of its reason")
  func typedMeanwhile() throws {
    let play = try desk()
    (play.isHeld, play.pace) = (true, 200)
    play.press("p").type("rx").press(.backspace).type("e").press(.enter)
    play.isHeld = false
    play.settle()
    #expect(try play.log().map(\.words) == ["start", "pause"])
    #expect(play.lines[22].hasPrefix("PAUSED Blue circuit. Why: re"))
    play.type("al\n")
    #expect(try play.log().last?.event.reason == "real")
  }
}
