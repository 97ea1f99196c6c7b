import Terminal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// Slips at the desk, mended at the desk with keys alone: the clock comes back to the exact second.
@MainActor @Suite("Recovery at the desk")
struct DeskRecoveryTests {
  /// A desk over Blue, in its rotation, and Green, beside it.
  private func desk() throws -> Rehearsed {
    let play = try Rehearsed()
    try play.startClock()
    try play.startClock("Green circuit", seconds: 68)
    return try play.desk()
  }

  /// What a circuit's clock shows: phase, round and the time left.
  private func clock(_ play: Rehearsed, _ circuit: String = "Blue circuit") throws -> [String] {
    let session = try play.session("CHEST", circuit).session
    let now = play.store.clock.now
    let state = try play.store.read { try Run.current(of: session, at: now, in: $0)?.state(at: now) }
    return [
      state?.status.rawValue ?? "", state?.phase?.type.name ?? "", "\(state?.round ?? 0)",
      PhaseText.digits(state?.remainingMs ?? 0),
    ]
  }

  /// What a clock shows after some keys and a while, held against one that nobody touched.
  private func expectAsUntouched(
    _ circuit: String = "Blue circuit", after seconds: Int64 = 20, at place: SourceLocation = #_sourceLocation,
    _ play: (Rehearsed) throws -> Void
  ) throws {
    let (mended, untouched) = (try desk(), try desk())
    try play(mended)
    mended.pass(seconds: seconds)
    untouched.clocks.pass(mended.store.clock.now - untouched.store.clock.now)
    let (now, meant) = (try clock(mended, circuit), try clock(untouched, circuit))
    #expect(now == meant, "\(mended.message)", sourceLocation: place)
  }

  @Test("the wrong circuit was paused: z, and it has lost nothing")
  func wrongCircuitPaused() throws {
    try expectAsUntouched {
      $0.press("p").type("wrong one\n").pass(seconds: 40).press("z").type("meant Green\n")
    }
    try expectAsUntouched("Green circuit") {
      $0.press("f2", "p", .escape).pass(seconds: 40).press("z").type("meant Blue\n")
    }
  }

  @Test("everything was paused by mistake: z, and no circuit has lost anything")
  func allPaused() throws {
    for circuit in ["Blue circuit", "Green circuit"] {
      try expectAsUntouched(circuit) { $0.press("P", .escape).pass(seconds: 25).press("z").type("slip\n") }
    }
  }

  @Test("a phase was skipped: z, and the rotation goes on where it would be")
  func skipped() throws {
    try expectAsUntouched { $0.press("S").type("slip\n").pass(seconds: 30).press("z").type("back\n") }
  }

  @Test("the session was stopped: z, and it goes on where it would be")
  func stopped() throws {
    try expectAsUntouched { $0.press("X").type("slip\n").pass(seconds: 30).press("z").type("back\n") }
  }

  @Test("start pressed twice starts once")
  func startedTwice() throws {
    let play = try Rehearsed().desk()
    play.press("s", "s", .enter).pass(seconds: 5).press("s", .enter)
    #expect(try play.log().map(\.text) == ["start"])
  }

  @Test("a start is undone only by whoever types the circuit's name; Z brings it back to the exact second")
  func startUndone() throws {
    try expectAsUntouched("Green circuit", after: 5) { play in
      play.press("f2", "+", .enter).pass(seconds: 1).press("z").type("slip\n").pass(seconds: 1)
      play.press("z")
      #expect(play.text.contains("UNDO start of") && play.text.contains("WIPES the clock of Green circuit"))
      play.type("yes\n")
      #expect(play.screen.contains("nothing was undone: that is not Green circuit"))
      let kept = try clock(play, "Green circuit")[0]
      #expect(kept == "running")
      play.press("ctrl-u").type("green circuit\n").type("wrong day\n").pass(seconds: 60)
      let wiped = try clock(play, "Green circuit")[0]
      #expect(wiped == "notStarted")
      play.press("Z")
      #expect(play.text.contains("DO AGAIN start of 08:58:52"))
      play.press(.enter)
    }
  }

  @Test("undoing the start of all circuits names each whose clock it wipes, and no single name is enough")
  func startOfAllUndone() throws {
    let play = try Rehearsed().desk().press("A", "s", .enter).pass(seconds: 5).press("z")
    #expect(
      play.text.contains("WIPES the clocks of Blue circuit, Green circuit: they stand as not started"),
      "\(play.screen)")
    play.type("Blue circuit\n")
    #expect(play.message == "nothing was undone: that is not all 2", "\(play.screen)")
    play.press("ctrl-u").type("all 2\n").type("wrong day\n")
    #expect(play.lines[0].contains("NOT STARTED") && play.message == "UNDO: Blue circuit, Green circuit")
    play.pass(seconds: 1).press("Z", .enter)
    #expect(play.lines[0].contains("ROUND 1 of 8  READING  ▐ 00:54 ▌"), "\(play.screen)")
  }

  @Test("what was undone can be done again, and that undone once more")
  func redo() throws {
    let play = try desk().press("S").type("flood\n").pass(seconds: 5)
    let skipped = try clock(play)
    play.press("z").type("no\n").press("Z", .enter)
    #expect(try clock(play)[1] == skipped[1])
    play.pass(seconds: 1).press("Z")
    #expect(play.message == "nothing was undone that could be done again")
    play.press("z").type("no\n")
    #expect(try clock(play)[1] == "rotation")
  }

  @Test("an action is offered before another only where it can be undone before it, and else the line says so")
  func onlyAfter() throws {
    let play = try Rehearsed.runningDesk()
    play.press("P", .escape).pass(seconds: 1).press("r", .enter).pass(seconds: 1).press("z")
    #expect(play.text.contains("UNDO resume of") && !play.text.contains("Tab:"), "\(play.screen)")
    play.press(.tab)
    #expect(
      play.screen.contains("what was done to these clocks before can be undone only after this")
        && play.text.contains("UNDO resume of"), "\(play.screen)")
  }

  @Test("what is done again is named by what it is, and the key that undoes it")
  func redoNames() throws {
    let play = try desk().press("6", "a", "a", .enter, "z", .enter)
    #expect(play.message.hasSuffix("; Z does it again"))
    play.press("Z")
    #expect(play.text.contains("DO AGAIN 30101 Abara: absent at"), "\(play.screen)")
    play.press(.enter)
    #expect(play.message.hasPrefix("done again: 30101 Abara: absent at") && play.message.hasSuffix("; z undoes it"))
  }

  @Test("z takes back what another desk did, and names it with its time and its author")
  func others() throws {
    let play = try desk()
    try play.atSameStore().desk("psharma").press("f2", "p").type("wrong one\n")
    play.pass(seconds: 1).press("z")
    let name = try play.member("psharma").name
    #expect(play.text.contains("UNDO pause of 09:00:") && play.text.contains("by \(name)?"))
    #expect(play.text.contains("Green circuit: then ROTATION 1 runs"))
    play.type("not Green\n")
    #expect(try clock(play, "Green circuit")[0] == "running")
  }

  @Test("z takes back an absence, and Z records it again")
  func absence() throws {
    let play = try desk().press("6", "a", "a", .enter)
    func absent() throws -> Int {
      try play.count("SELECT count(*) FROM timetableAttendanceLog WHERE present = 0")
    }
    #expect(try absent() == 8)
    play.press("z")
    #expect(play.text.contains("UNDO 30101") && play.text.contains("absent at 8 stations of 09:00:"))
    #expect(play.text.contains("goes back to what it was before"))
    play.press(.enter)
    #expect(try absent() == 0)
    play.press("Z", .enter)
    #expect(try absent() == 8)
  }

  @Test("z takes back a swap and a late arrival, the queue of the re-run with it")
  func swapAndLate() throws {
    let play = try desk()
    func places() throws -> Int { try play.count("SELECT count(*) FROM slotTable WHERE places <> '[]'") }
    play.press("6", "w").type("30108\n").press(.enter).type("ill\n")
    #expect(try places() == 1)
    play.press("z")
    #expect(play.text.contains("UNDO Blue circuit: swap of two candidates"))
    play.press(.enter)
    #expect(try places() == 0)
    play.press("Z", .enter)
    #expect(try places() == 1)
    play.press("z", .enter)
    #expect(try places() == 0)
    // In the second round somebody comes who has missed the first.
    play.pass(seconds: 620).press("s", .enter).pass(seconds: 70).press("6", "a", "t", .enter)
    func queued() throws -> Int { try play.count("SELECT count(*) FROM rerunEntry WHERE status = 'queued'") }
    #expect(try queued() == 1, "\(play.screen)")
    play.press("z", .enter)
    #expect(try queued() == 0)
  }

  @Test("z takes a message down, and Z puts it up again")
  func message() throws {
    let play = try desk().press("8", "n").type("Hold the doors\n")
    func shown() throws -> Int {
      try play.store.read { try HallMessages.shown(circuit: nil, station: nil, in: $0) }.count
    }
    #expect(try shown() == 1)
    play.press("z")
    #expect(play.text.contains("message to Blue circuit \"Hold the doors\""))
    play.press(.enter)
    #expect(try shown() == 0)
    play.press("Z", .enter)
    #expect(try shown() == 1)
  }

  @Test("z takes an extra candidate off the rosters and the queue again, Z and a second try bring them back")
  func extraCandidate() throws {
    let play = try desk()
    func entries() throws -> Int {
      try play.count(
        "SELECT count(*) FROM timetableAttendanceLog e JOIN user u ON u.dsid = e.studentID "
          + "WHERE u.studentNumber = '30998' AND e.dsDeleted = 0")
    }
    func queued() throws -> Int {
      try play.count("SELECT count(*) FROM rerunEntry WHERE status = 'queued' AND dsDeleted = 0")
    }
    play.press("6", "n").type("30998 Ada Lovelace\n").press(.enter)
    #expect(try entries() == 7 && queued() == 7)
    play.press("z")
    #expect(play.text.contains("UNDO 30998 Lovelace: extra candidate at 7 stations"), "\(play.text)")
    #expect(play.text.contains("comes off the rosters and the re-run queue"))
    play.press(.enter)
    #expect(try [entries(), queued()] == [0, 0], "\(play.message)")
    play.press("Z", .enter)
    #expect(try [entries(), queued()] == [7, 7], "\(play.message)")
    play.press("z", .enter)
    #expect(try [entries(), queued()] == [0, 0], "\(play.message)")
    play.press("n").type("30998 Ada Lovelace\n").press(.enter)
    #expect(try [entries(), queued()] == [7, 7], "\(play.message)")
    play.press("z", .enter)
    #expect(try [entries(), queued()] == [0, 0], "\(play.message)")
  }

  @Test("z takes back extra time that was given on the day, and names it")
  func extraTimeOfTheDay() throws {
    let play = try desk().press("6", "x").type("2\n").type("told at the door\n")
    func seconds() throws -> Int {
      try play.count("SELECT extraStationSeconds FROM user WHERE studentNumber = '30101'")
    }
    #expect(try seconds() == 120)
    play.press("z")
    #expect(play.text.contains("30101") && play.text.contains("extra time"), "\(play.text)")
    play.press(.enter)
    #expect(try seconds() == 0, "\(play.message)")
    play.press("Z", .enter)
    #expect(try seconds() == 120, "\(play.message)")
  }

  @Test("z opens a help call again that was resolved by mistake, and takes an answer back")
  func helpCall() throws {
    let play = try desk()
    let chest = try play.session("CHEST")
    try play.store.write(.program) { _ = try HelpCalls.request("simulated patient unwell", at: chest, in: $0) }
    play.pass(seconds: 1).press("2", .enter, "d")
    func status() throws -> [HelpCall.Status] { try play.store.read { try HelpCalls.all(in: $0).map(\.status) } }
    #expect(try status() == [.resolved], "\(play.message)")
    play.press("z")
    #expect(play.text.contains("UNDO Blue CHEST: help call resolved"), "\(play.text)")
    play.press(.enter)
    #expect(try status() == [.responding], "\(play.message)")
    play.press("z", .enter)
    #expect(try status() == [.requested], "\(play.message)")
  }

  @Test(
    "after an undo the line over every page says what was undone and why it had been done, and the key that does it again"
  )
  func undoneLine() throws {
    let play = try desk().press("S").type("oops\n").pass(seconds: 5).press("z").type("slip\n").pass(seconds: 1)
    #expect(play.lines[3].contains("undone: Blue circuit: skip of 09:00:") && play.lines[3].contains("(oops)"))
    #expect(play.lines[3].hasSuffix("Z does it again"), "\(play.lines[3])")
    play.press("Z", .enter).pass(seconds: 1)
    #expect(play.lines[3].hasSuffix("z undoes"), "\(play.lines[3])")
    play.press("6", "a", "a", .enter).press("z", .enter).pass(seconds: 1)
    #expect(play.lines[3].contains("undone: 30101 Abara: absent at 7 stations"), "\(play.lines[3])")
  }

  @Test("z reaches the first action of the day, and says there that none is earlier, the question still open")
  func farBack() throws {
    let play = try desk().press("8")
    for number in 1...12 { play.press("n").type("message \(number)\n") }
    play.press("z")
    for _ in 1...11 { play.press(.tab) }
    #expect(play.text.contains("UNDO message to Blue circuit \"message 1\""), "\(play.screen)")
    // Before the messages somebody has started two clocks.
    for _ in 1...4 { play.press(.tab) }
    #expect(play.screen.contains("none is earlier") && play.screen.contains("To wipe it type"), "\(play.screen)")
  }
}
