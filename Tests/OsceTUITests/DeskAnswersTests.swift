import Terminal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// What the desk makes of an answer that it cannot take, and how long what it said stands there.
@MainActor @Suite("Answers at the desk")
struct DeskAnswersTests {
  @Test("an answer that is refused leaves the question open with what was typed, so that letters are no keys")
  func refused() throws {
    let play = try Rehearsed.runningDesk().press("i", "k").type("ECG leads\n")
    #expect(play.lines[22].hasPrefix("When (Enter: now") && play.lines[22].contains("ECG leads"))
    #expect(play.screen.contains("write a time of day such as 09:12"))
    play.type(" p")
    #expect(try play.log().count == 1)
    #expect(play.lines[22].contains("ECG leads p") && !play.screen.contains("write a time of day"))
    play.press("ctrl-u").type("5\n")
    #expect(play.lines[22].hasPrefix("Seconds lost"))
    play.type("many\n")
    #expect(play.lines[22].contains("many") && play.screen.contains("whole seconds are asked for"))
    play.press(.escape)
    #expect(play.message.isEmpty && play.context.overlay == nil)
    play.press("e").type("12x\n")
    #expect(play.lines[22].contains("12x") && play.screen.contains("enter minutes:seconds or seconds, as 1:30"))
    play.press("backspace", .enter)
    #expect(play.screen.contains("EXTEND by 12 s?"))
    play.press(.escape, "N").type("0\n")
    #expect(play.screen.contains("enter rounds from 1 to 10000, not \"0\""), "\(play.screen)")
  }

  @Test("an end that moves by an hour over a change of the clocks does not stay, though it reads the same")
  func clockChange() throws {
    LocalTime.use(zone: "Europe/London")
    // 25 October 2026: 01:32:15 in summer time, and an hour later again.
    let first = Instant(milliseconds: 1_792_888_335_000)
    func text(_ ms: Int64) -> String { ClockPreview.Ending.moves(from: first, to: first + ms, isFreed: false).text }
    #expect(text(3_600_000) == "end moves by 1 h to 01:32:15")
    #expect(text(60_000) == "end moves from 01:32:15 to 01:33:15")
    #expect(text(200) == "end stays at 01:32:15")
  }

  @Test("what is found out only later is said of the question too: nobody of that number, no such phase")
  func refusedLater() throws {
    let play = try Rehearsed.runningDesk().press("6", "w").type("999\n")
    #expect(play.lines[22].contains("999") && play.screen.contains("there is no candidate 999"))
    play.press(.escape, "J").type("99\n")
    #expect(play.lines[22].contains("99") && play.screen.contains("there is no phase 99"))
  }

  @Test("Enter on a reason that is needed says so where it is written")
  func needed() throws {
    let play = try Rehearsed.runningDesk().press("S", .enter)
    #expect(play.lines[22].hasPrefix("a reason is required"))
    #expect(play.lines[23].hasPrefix("Reason: "))
    play.type("x")
    #expect(!play.screen.contains("a reason is required"))
  }

  @Test("a line goes after some seconds, with another page, and under a form; what went wrong stays")
  func expiry() throws {
    let play = try Rehearsed.runningDesk().press("+", .enter)
    #expect(play.message == "EXTEND by 30 s: Blue circuit")
    play.pass(seconds: 9)
    #expect(!play.message.isEmpty)
    play.pass(seconds: 2)
    #expect(play.message.isEmpty)
    play.press("+", .enter, "2")
    #expect(play.message.isEmpty)
    play.context.showMessage("EXTEND")
    play.press("1", .enter)
    #expect(play.message.isEmpty)
    play.press(.escape)
    play.context.showError(StoreError("the disk is full"))
    play.pass(seconds: 300)
    #expect(play.message == "the disk is full")
  }

  @Test(
    "a message to a station says that it is that station's alone, how much of it fits, and cuts nothing without a word")
  func tell() throws {
    let play = try Rehearsed.runningDesk().press("t")
    #expect(play.lines[22].hasPrefix("To station CHEST alone:"))
    #expect(play.lines[21].contains("69 characters left on the line"))
    play.type(String(repeating: "x", count: 71))
    #expect(play.lines[21].contains("2 past the end of a line of 80"))
    play.send(.paste(String(repeating: "y", count: 200)))
    #expect(play.lines[21].contains("only 200 characters are taken: the rest was left out"))
  }

  @Test("what fits at no clock is a refusal that names them once, not a question")
  func noQuestion() throws {
    let play = try Rehearsed.runningDesk()
    try play.startClock("Green circuit")
    play.send(.resumed).press("A", "s")
    #expect(play.context.overlay == nil)
    #expect(play.message == "NOT DONE, START: nothing to start: the clock is running (Blue circuit, Green circuit)")
  }

  @Test("what happens to several clocks alike is said once with their names")
  func alike() throws {
    let play = try Rehearsed()
    play.context.push(DeskTerminal.signIn(play.context))
    play.send(.resized(Size(width: 80, height: 24))).press(.enter, "A", "s")
    #expect(
      play.text.contains("START? Blue circuit, Green circuit 2026-12-07 09:00: then READING 1"), "\(play.screen)")
    #expect(play.text.components(separatedBy: "then READING 1").count == 2)
  }

  @Test("while a paused clock waits for the answer, the end that is said moves on with it")
  func resume() throws {
    let play = try Rehearsed.runningDesk().press("p", .escape).pass(seconds: 1).press("r")
    #expect(play.screen.contains("10:18:46"))
    play.pass(seconds: 7)
    #expect(play.screen.contains("10:18:53"))
    play.press(.enter)
    #expect(try play.log().last?.text == "resume")
  }

  @Test("J lists the phases by their numbers, and takes a rotation's")
  func jump() throws {
    let play = try Rehearsed.runningDesk().press("J")
    #expect(play.screen.contains("1 READING 1, 2 ROTATION 1 (now), 3 CHANGEOVER 1"))
    #expect(play.screen.contains("23 ROTATION 8"))
    play.type("r8")
    #expect(play.lines[21].hasPrefix("23 ROTATION 8"))
    play.press(.enter)
    #expect(play.screen.contains("JUMP to phase 23?") && play.screen.contains("ROTATION 8 runs"))
  }

  @Test("who is no invigilator is told so, and goes on by a key that is kept")
  func role() throws {
    let play = try Rehearsed()
    DeskTerminal.openDesk(try play.member("nokafor"), in: play.context)
    play.settle()
    #expect(play.context.screen == nil)
    play.press(.enter)
    #expect(play.screen.contains("Hall"))
    #expect(
      try play.count("SELECT count(*) FROM operation WHERE \(Fixture.reason) = 'at the desk though an assessor'") > 0)
  }

  @Test("in a store with a hub nobody opens the desk of whom the hub takes no clock, and osce clock says the same")
  func hubRole() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.store.enrol()
    DeskTerminal.openDesk(try play.member("nokafor"), in: play.context)
    play.settle()
    #expect(play.context.screen == nil && play.context.overlay == nil)
    let said = "the hub takes no clock of \(try play.member("nokafor").name), assessor: sign in as invigilator or lead"
    #expect(play.message == said)
    let acting = try ActingStaff.parse(["--staff", "nokafor"])
    let refusal = #expect(throws: GuardRefusal.self) { try acting.author(for: .clocks, in: play.store) }
    #expect(refusal?.description == said)
    for username in ["wbarker", "cdubois", "kmensah"] {
      let member = try play.member(username)
      try play.store.read { try member.checkHubTakesClocks($0) }
    }
  }

  @Test("the list of who sits down at the desk begins at an invigilator")
  func preselected() throws {
    let play = try Rehearsed()
    play.context.push(DeskTerminal.signIn(play.context))
    play.send(.resized(Size(width: 80, height: 24))).press(.enter)
    #expect(play.context.overlay == nil && play.screen.contains("Hall"))
  }

  @Test("another session that begins leaves the desk at the one it looks after, and is told; A and p stop both")
  func second() throws {
    let play = try Rehearsed.runningDesk()
    let afternoon = try play.session("CHEST", "Blue circuit", "13:30").session
    let start = play.store.clock.now + Int64(-5000)
    try play.store.write(.program) {
      _ = try ClockLog.append(.start, to: afternoon, at: start, in: $0)
    }
    play.pass(seconds: 1)
    #expect(play.message == "Blue circuit 2026-12-07 13:30 has also started; o switches to it")
    #expect(play.lines[0].contains("ROUND 1 of 8  STATION"))
    play.press("A", "p")
    #expect(try play.log().last?.text == "pause")
    #expect(try play.store.read { try ClockLogEntry.all(of: afternoon, in: $0) }.last?.text == "pause")
  }

  @Test("a station that is let go reads so on its assessor's screen, and that it is called back")
  func letGo() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    let other = try play.atSameStore().desk("psharma").press("3", .enter).type("unwell\n")
    play.pass(seconds: 1)
    #expect(play.message.contains("released by the invigilator at 09:0") && play.lines[1].contains("YOU MAY GO"))
    other.press(.enter)
    play.pass(seconds: 1)
    #expect(play.message.contains("recalled by the invigilator") && !play.lines[1].contains("YOU MAY GO"))
  }

  @Test("go or no-go says which in its first line, and Enter reads out every name of a line")
  func ready() throws {
    let play = try Rehearsed.runningDesk().press("9")
    #expect(play.lines[6].contains("NO GO: clock"))
    play.press("j", "j", "j")
    #expect(!play.screen.contains("Blue circuit RESUS"))
    play.press(.enter)
    let stations = try play.store.read { try StationSession.all(in: $0) }.filter {
      $0.circuit.name == "Blue circuit" && !$0.isRest && $0.session.startTime == "09:00"
    }
    #expect(stations.allSatisfy { play.screen.contains("Blue circuit \($0.stationCode)") })
  }
}
