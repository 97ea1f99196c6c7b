import Terminal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// The invigilator's hand on the clocks.
@MainActor @Suite("The desk's clock keys")
struct DeskControlTests {
  @Test("p pauses at the key's own instant, without a question, and keeps the reason that is asked for after")
  func pause() throws {
    let play = try Rehearsed.runningDesk()
    let pressed = play.store.clock.now + -300
    play.send(.key(KeyEvent("p", at: play.clocks.loop - 300)))
    let event = try #require(try play.log().last)
    #expect(event.event.kind.name == "pause")
    #expect(event.event.at == pressed)
    #expect(play.lines[1].hasPrefix(" PAUSED "))
    #expect(play.lines[22].hasPrefix("PAUSED Blue circuit. Reason:"))
    play.type("fire alarm\n")
    #expect(try play.log().last?.event.reason == "fire alarm")
    #expect(try play.log().last?.event.staff == "nokafor")
  }

  @Test("where the exam lead has a passcode, clocks are run at the desk by a lead or an invigilator who has one")
  func guarded() throws {
    let play = try Rehearsed.runningDesk()
    let hash = try Passcode.hash("2468", rounds: 16)
    let members = try ["cdubois", "wbarker"].map { try play.member($0) }
    func give(_ member: StaffMember) throws {
      try play.store.write(.program) { try $0.set("Staff", String(member.id), ["passcodeHash": .text(hash)]) }
    }
    try give(members[0])
    for username in ["nokafor", "wbarker"] {
      let other = try play.atSameStore().desk(username).press("p")
      let why = username == "nokafor" ? "may not do this" : "has no passcode"
      #expect(other.screen.contains("NOT PAUSED") && other.screen.contains(why), "\(other.screen)")
      other.press(.escape).press("S")
      #expect(other.message.contains(why), "\(other.message)")
      other.press("H")
      #expect(other.screen.contains("NOT TAKEN OVER") && other.screen.contains(why), "\(other.screen)")
    }
    #expect(try play.log().count == 1)
    try give(members[1])
    try play.atSameStore().desk("wbarker").press("p")
    #expect(try play.log().last?.event.kind.name == "pause")
  }

  @Test("without a hub a run is not taken over, and nothing is asked first") func takenWithoutHub() throws {
    let play = try Rehearsed.runningDesk().press("H")
    #expect(play.screen.contains("NOT TAKEN OVER"), "\(play.screen)")
    #expect(!play.screen.contains("this machine then moves the clock"))
  }

  @Test("a pause whose reason is left out stays a pause")
  func noReason() throws {
    let play = try Rehearsed.runningDesk().press("p", .escape)
    #expect(play.lines[1].hasPrefix(" PAUSED "))
    #expect(try play.log().last?.event.reason == nil)
  }

  @Test("skip says what will happen, asks for a reason, and does nothing on Esc")
  func skip() throws {
    let play = try Rehearsed.runningDesk().press("S")
    #expect(play.screen.contains("SKIP the rest of this phase?"))
    #expect(play.screen.contains("Blue circuit: then CHANGEOVER 1 runs with 01:00"))
    #expect(play.screen.contains("moves from 10:18:45 to 10:11:00"))
    play.press(.enter)
    #expect(play.message.contains("a reason is required"))
    #expect(try play.log().count == 1)
    play.press(.escape)
    #expect(try play.log().count == 1)
    play.press("S").type("bell was late\n")
    #expect(try play.log().last?.text == "skip")
    #expect(try play.log().last?.event.reason == "bell was late")
    #expect(play.lines[0].contains("ROUND 1 of 8  CHANGEOVER"))
  }

  @Test("what would by now be done to another phase is asked anew, with the reason kept, so two presses skip once")
  func passage() throws {
    let play = try Rehearsed.runningDesk().press("S").type("one")
    let other = try play.atSameStore().desk("psharma").press("S").type("two\n")
    #expect(try other.log().count == 2)
    play.pass(seconds: 1).press(.enter)
    #expect(try play.log().count == 2)
    #expect(play.screen.contains("THE CLOCK HAS MOVED ON; nothing changed."))
    #expect(play.screen.contains("then READING 2 waits to be started"))
    #expect(play.lines[23].hasPrefix("Reason: one"))
    play.press(.enter)
    #expect(try play.log().filter { $0.isApplied == true }.count == 3)
  }

  @Test("30 seconds less that would by now end the phase are asked about again")
  func shortened() throws {
    let play = try Rehearsed.runningDesk()
    // 440 of the 480 seconds of the rotation have run when it is asked for, 455 when Enter is pressed.
    play.pass(seconds: 425).press("-")
    #expect(play.screen.contains("then ROTATION 1 runs with 00:10"))
    play.pass(seconds: 15).press(.enter)
    #expect(try play.log().count == 1)
    #expect(play.screen.contains("THE CLOCK HAS MOVED ON") && play.screen.contains("then CHANGEOVER 1 runs"))
    play.press(.escape)
    #expect(try play.log().count == 1)
    play.press("-").type("bell was late\n")
    #expect(play.lines[0].contains("ROUND 1 of 8  CHANGEOVER"))
  }

  @Test("seconds that pass while a line is read change nothing that was said, and ask nothing again")
  func reading() throws {
    let play = try Rehearsed.runningDesk().press("+").pass(seconds: 20).press(.enter)
    #expect(try play.log().last?.text == "extend 30")
  }

  @Test("an undo asks again if another event is the last one by then")
  func staleUndo() throws {
    let play = try Rehearsed.runningDesk().press("+", .enter).pass(seconds: 1).press("z").type("wrong")
    try play.atSameStore().clock(.pause)
    play.pass(seconds: 1).press(.enter)
    #expect(play.screen.contains("UNDO pause of"))
    #expect(try play.log().count == 3)
    play.press(.enter)
    #expect(try play.log().first { $0.text == "pause" }?.isApplied == false)
  }

  @Test("what fits nowhere is said at once and asks nothing")
  func fitsNowhere() throws {
    let play = try Rehearsed.runningDesk().press("J").type("400\n")
    #expect(play.message.contains("there is no phase 400"))
    play.press("x")
    #expect(try play.log().count == 1)
  }

  @Test("+ and - give and take half a minute; e any number of seconds, and nothing but a number")
  func extend() throws {
    let play = try Rehearsed.runningDesk().press("+", .enter)
    #expect(try play.log().last?.text == "extend 30")
    play.pass(seconds: 1).press("-", .enter)
    #expect(try play.log().last?.text == "extend -30")
    play.pass(seconds: 1).press("e").type("1:30\n").press(.enter)
    #expect(try play.log().last?.text == "extend 90")
    play.press("e").type("soon\n")
    #expect(play.message == "enter minutes:seconds or seconds, as 1:30 or 90, not \"soon\"")
    #expect(try play.log().count == 4)
  }

  @Test("z names the last event, who gave it and what taking it out does; it takes one event out at a time")
  func undo() throws {
    let play = try Rehearsed.runningDesk().press("p", .escape).pass(seconds: 60).press("z")
    #expect(play.screen.contains("UNDO pause of 09:00:0"))
    #expect(play.screen.contains("by Dr Ngozi Okafor?"))
    play.type("false alarm\n")
    #expect(play.lines[0].contains("ROUND 1 of 8  STATION"))
    #expect(play.lines[0].contains("PAUSED") == false)
    #expect(try play.log().first { $0.text == "pause" }?.isApplied == false)
    play.press("z")
    #expect(play.screen.contains("UNDO start of ") && play.lines[22].hasPrefix("To wipe it type Blue circuit:"))
  }

  @Test("the undo of a later round's start says that the round waits to be started, and nothing of a resume")
  func undoLaterStart() throws {
    let play = try Rehearsed.runningDesk().pass(seconds: 530).press("s", .enter).pass(seconds: 1).press("z")
    #expect(play.text.contains("UNDO start of"), "\(play.screen)")
    #expect(play.text.contains("then READING 2 waits to be started"), "\(play.screen)")
    #expect(!play.text.contains("until resumed"))
  }

  @Test(
    "with A the keys act on every circuit: one event each, at one instant; a circuit where it does not fit is named")
  func all() throws {
    let play = try Rehearsed.runningDesk()
    try play.startClock("Green circuit", seconds: 70)
    play.send(.resumed).press("A", "p", .escape)
    let (blue, green) = (try play.log("Blue circuit").last, try play.log("Green circuit").last)
    #expect(blue?.text == "pause" && green?.text == "pause")
    #expect(blue?.event.at == green?.event.at)
    play.pass(seconds: 1).press("r", .enter).pass(seconds: 1)
    #expect(try play.log("Green circuit").last?.text == "pause")
    play.press("A", "p", .escape)
    #expect(play.message == "PAUSE: Blue circuit; already paused: Green circuit")
    #expect(try play.log("Blue circuit").last?.text == "pause")
  }

  @Test("z takes out at every circuit what one key did to all, after a line that names each and what will happen")
  func undoAll() throws {
    let play = try Rehearsed.runningDesk()
    try play.startClock("Green circuit", seconds: 70)
    play.send(.resumed).press("P", .escape).pass(seconds: 30).press("z")
    #expect(play.text.contains("UNDO pause of 09:00:0"))
    #expect(play.text.contains("by Dr Ngozi Okafor?"))
    #expect(play.text.contains("Blue circuit: then ROTATION 1 runs"))
    #expect(play.text.contains("Green circuit: then ROTATION 1 runs"))
    play.type("false alarm\n")
    for circuit in ["Blue circuit", "Green circuit"] {
      let log = try play.log(circuit)
      #expect(log.first { $0.text == "pause" }?.isApplied == false)
      #expect(log.last?.event.reason == "false alarm")
    }
    #expect(try play.log("Blue circuit").last?.event.at == play.log("Green circuit").last?.event.at)
    #expect(play.message == "UNDO: Blue circuit, Green circuit")
  }

  @Test("z leaves alone, and names, a circuit to which something else was done since")
  func undoSome() throws {
    let play = try Rehearsed.runningDesk()
    try play.startClock("Green circuit", seconds: 70)
    play.send(.resumed).press("P", .escape).pass(seconds: 1).press("r", .enter).pass(seconds: 1).press("z", .tab)
    #expect(play.text.contains("UNDO pause of"))
    #expect(play.text.contains("Blue circuit: left alone, its last is resume of 09:00:"))
    play.type("not yet\n")
    #expect(try play.log("Green circuit").first { $0.text == "pause" }?.isApplied == false)
    #expect(try play.log().first { $0.text == "pause" }?.isApplied == true)
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
    #expect(play.screen.contains("(in progress)"))
    play.press(.escape, "p")
    #expect(play.screen.contains("Which session of Blue circuit?"))
    #expect(play.message.contains("2 sessions running"))
    #expect(try play.log().count == 1)
    play.press("o", "2", "p", .escape)
    #expect(try play.store.read { try ClockLogEntry.all(of: afternoon, in: $0) }.last?.text == "pause")
    #expect(try play.log().count == 1)
  }

  /// A desk over Blue, whose morning and afternoon are both open, and Green.
  private func undecided() throws -> (play: Rehearsed, afternoon: Session) {
    let play = try Rehearsed()
    try play.startClock()
    try play.startClock("Green circuit")
    let afternoon = try play.session("CHEST", "Blue circuit", "13:30").session
    try play.store.write(.program) {
      _ = try ClockLog.append(.start, to: afternoon, at: play.store.clock.now + -5000, in: $0)
    }
    return (try play.desk().press(.escape), afternoon)
  }

  private func last(_ session: Session, _ play: Rehearsed) throws -> String? {
    try play.store.read { try ClockLogEntry.all(of: session, in: $0) }.last?.text
  }

  @Test("in an alarm p for all stops both sessions of a circuit where nobody has said which is meant, and r both")
  func alarm() throws {
    let (play, afternoon) = try undecided()
    play.press("A", "p")
    #expect(try play.log().last?.text == "pause" && last(afternoon, play) == "pause")
    #expect(try play.log("Green circuit").last?.text == "pause")
    #expect(play.message == "PAUSE: Blue circuit 2026-12-07 09:00, Blue circuit 2026-12-07 13:30, Green circuit")
    #expect(play.lines[22].hasPrefix("PAUSED 3 clocks. Reason:"))
    play.type("fire\n").pass(seconds: 1).press("A", "r")
    #expect(play.text.contains("Blue circuit 2026-12-07 13:30: then READING 1 runs"))
    play.press(.enter)
    #expect(try play.log().last?.text == "resume" && last(afternoon, play) == "resume")
    play.pass(seconds: 1).press("A", "+")
    #expect(play.screen.contains("Blue circuit: left out, 2 runs are open"))
    play.press(.enter)
    #expect(try play.log().last?.text == "resume" && play.log("Green circuit").last?.text == "extend 30")
    // What was done to both together is undone at both; it names its events, so nobody need say which session is meant.
    play.pass(seconds: 1).press("z").type("too long\n").pass(seconds: 1).press("z").type("not yet\n")
    #expect(try play.log().first { $0.text == "resume" }?.isApplied == false)
    #expect(
      try play.store.read { try ClockLogEntry.all(of: afternoon, in: $0) }.map(\.isApplied) == [
        true, true, false, true,
      ])
  }

  @Test("the question which session is meant has a key that stops both")
  func alarmWhileAsked() throws {
    let (play, afternoon) = try undecided()
    play.press("p", "p", .escape)
    #expect(try play.log().last?.text == "pause" && last(afternoon, play) == "pause")
    #expect(try play.log("Green circuit").last?.text == "start")
  }

  @Test("Tab onto a circuit that is undecided asks at once; what is confirmed then names its session")
  func undecidedByTab() throws {
    let (play, _) = try undecided()
    play.press(.tab)
    #expect(!play.screen.contains("Which session"))
    play.press(.tab)
    #expect(play.screen.contains("Which session of Blue circuit?"))
    play.press("2", "S")
    #expect(play.screen.contains("Blue circuit 2026-12-07 13:30: then"))
  }

  @Test("s after the end says that nothing is queued, or which key begins the re-run")
  func startAfterTheEnd() throws {
    let play = try Rehearsed.runningDesk()
    try play.clock(.stop)
    play.press("s")
    #expect(play.message == "the session is over; nothing is queued for a re-run")
    let place = try play.session("CHEST")
    let entry = try play.store.read { try Roster.entries(timetable: place.timetable, seat: .lead, in: $0) }[0]
    try play.store.write(.program) { _ = try RerunQueue.add(entry: entry.key, reason: "no power", $0) }
    play.pass(seconds: 6).press("s")
    #expect(play.message == "the session is over; b on page 7 begins the re-run", "\(play.screen)")
  }

  @Test("keys that do not fit say why, and stop, jump and rounds ask first")
  func others() throws {
    let play = try Rehearsed.runningDesk().press("s").pass(seconds: 1)
    #expect(play.message == "the clock is already running")
    play.press("J").type("4\n").type("wrong room\n")
    #expect(try play.log().last?.text == "jump 4")
    play.pass(seconds: 1).press("N").type("9\n").press(.enter)
    #expect(try play.log().last?.text == "rounds 9")
    play.pass(seconds: 1).press("R", .enter)
    #expect(try play.log().last?.text == "restart")
    play.pass(seconds: 1).press("X").type("power cut\n")
    #expect(play.lines[0].contains("FINISHED"))
    #expect(try play.log().last?.event.reason == "power cut")
  }
}
