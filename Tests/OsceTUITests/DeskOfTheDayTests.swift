import Terminal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// What else the day asks of the desk: times to come, extra time, somebody who is late, a station that fails, cover.
@MainActor @Suite("The day at the desk")
struct DeskOfTheDayTests {
  private func desk() throws -> Rehearsed {
    let play = try Rehearsed()
    try play.startClock()
    return try play.desk()
  }

  @Test("@ starts at a time to come, and lets a paused clock go on at one; another time of day is refused in place")
  func later() throws {
    let play = try Rehearsed().desk().press("@").type("soon\n")
    #expect(play.screen.contains("a time to come was asked for"))
    play.press("ctrl-u").type("+2\n")
    #expect(play.words.contains("START AT 09:02:00?"))
    play.press(.enter).pass(seconds: 60)
    #expect(play.lines[0].contains("NOT STARTED") && play.words.contains("STARTS IN 01:00"))
    play.pass(seconds: 61)
    #expect(play.lines[0].contains("READING 1 of 8"))
    play.press("p", .escape).press("@").type("09:10\n")
    #expect(play.words.contains("RESUME AT 09:10:00?"))
    play.press(.enter).pass(seconds: 420)
    #expect(play.lines[0].contains("PAUSED"))
    play.pass(seconds: 60)
    #expect(!play.lines[0].contains("PAUSED"))
  }

  @Test("extra time is given on the day, in minutes or percent, and z takes nothing else back with it")
  func extraTime() throws {
    let play = try desk().press("6", "x").type("25%\n")
    #expect(play.words.contains("2 minutes more at each station and 15 seconds more of reading"))
    play.type("told at the door\n")
    #expect(try play.count("SELECT extraStationSeconds FROM user WHERE studentNumber = '30101'") == 120)
    play.press("1")
    #expect(play.lines[6].contains("stop at +2"))
    play.press("x").type("0\n").type("a mistake\n")
    #expect(try play.count("SELECT extraStationSeconds FROM user WHERE studentNumber = '30101'") == 0)
  }

  @Test("after the bell the desk counts a candidate with extra time down as the assessor's screen does")
  func stopsIn() throws {
    let play = try desk().press("x").type("2\n").type("told at the door\n")
    play.pass(seconds: 465 + 8)
    #expect(play.lines[6].contains("STOPS IN 01:52"), "\(play.screen)")
  }

  @Test("who comes within the last seconds of a round is offered the next one")
  func lateInTheLastSeconds() throws {
    let play = try desk().press("6", "a")
    #expect(!play.screen.contains("joins in round 2"))
    play.press(.escape).pass(seconds: 420).press("a")
    #expect(play.screen.contains("late: joins in round 1") && play.screen.contains("late: joins in round 2"))
    play.press("T", .enter)
    #expect(play.message.contains("30101 joins in round 2; 1 missed station waits"))
  }

  @Test("a station that is out of order this round is an incident, and its candidate is queued for the re-run")
  func outOfOrder() throws {
    let play = try desk().press("O")
    #expect(play.words.contains("CHEST is OUT OF ORDER in round 1") && play.words.contains("30101"))
    play.type("no power\n")
    #expect(play.screen.contains("Re-run 1") && play.words.contains("RE-RUN 1 queued."))
    #expect(try play.count("SELECT count(*) FROM stationIncident WHERE dsDeleted = 0") == 1)
    play.press("z", .enter)
    #expect(try play.count("SELECT count(*) FROM rerunEntry WHERE status = 'queued'") == 0)
    #expect(try play.count("SELECT count(*) FROM stationIncident WHERE dsDeleted = 0") == 0)
  }

  @Test("cover is given at the desk by a surname, and z takes it back")
  func cover() throws {
    let play = try desk().press("c").type("nobodyatall\n")
    #expect(play.screen.contains("nobody of the staff is called nobodyatall"))
    play.press("ctrl-u").type("psharma\n").type("ill\n")
    #expect(try play.session("CHEST").lead?.role == .cover)
    play.press("z")
    #expect(play.words.contains("UNDO CHEST: cover by"))
    play.press(.enter)
    #expect(try play.session("CHEST").lead?.role == .assessor)
  }

  @Test("a message can go to one station alone, from its line or by its code")
  func oneStation() throws {
    let play = try desk().press("8", "t").type("abdo\n").type("Two minutes, please\n")
    let abdo = try play.session("ABDO").station
    #expect(try play.store.read { try HallMessages.shown(circuit: nil, station: nil, in: $0) }.map(\.station) == [abdo])
  }
}
