import GRDB
import Terminal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// The desk on a day that does not go by its plan: changeovers, the end, the re-run, and what is said before it is done.
@MainActor @Suite("The desk's day")
struct DeskDayTests {
  /// The morning's first circuit at its desk, in a phase (reading, rotation, changeover, again for each round).
  private func desk(phase: Int, passed seconds: Int64 = 0, _ size: (Int, Int) = (80, 24)) throws -> Rehearsed {
    let play = try Rehearsed(size)
    try play.startClock()
    if phase > 1 { try play.clock(.jump(index: phase)) }
    return try play.pass(seconds: seconds).desk()
  }

  private func presence(_ play: Rehearsed, _ number: String) throws -> [Bool?] {
    let session = try play.session("CHEST").session
    let board = try play.store.read { try HallBoard.read(session, in: $0) }
    return board.placed.filter { $0.entry.candidate?.number == number }.map(\.entry.isPresent)
  }

  @Test("somebody who comes late in a changeover joins the next round, and in the reading before it that one")
  func lateInAChangeover() throws {
    let play = try desk(phase: 6).press("6", "a")
    #expect(play.screen.contains("late: joins in round 3"))
    play.press("t")
    #expect(play.screen.contains("LATE: joins in round 3 at CONSENT"))
    play.type("bus was late\n")
    #expect(try presence(play, "30101") == [false, false, true, nil, nil, nil, nil, nil])
    let why = try play.store.read {
      try String.fetchAll(
        $0, sql: "SELECT DISTINCT \(Fixture.reason) AS why FROM operation WHERE why IS NOT NULL")
    }
    #expect(why.contains("bus was late"))
    // The next phase is the reading of round 3.
    play.pass(seconds: 65).press("j", "a")
    #expect(play.screen.contains("late: joins in round 3"))
  }

  @Test("lateness is taken back after a line that says what comes back with it")
  func notLate() throws {
    let play = try desk(phase: 8).press("6", "a", "t", .enter, "a", "l")
    #expect(play.screen.contains("NOT LATE: no longer absent at CHEST, ABDO"))
    play.press(.enter)
    #expect(try presence(play, "30101").allSatisfy { $0 == nil })
    play.press("7")
    #expect(play.screen.contains("taken out"))
  }

  @Test("what was asked in one round and answered in the next is refused with the reason")
  func answeredLate() throws {
    let play = try desk(phase: 8).press("6", "a", "t").pass(seconds: 8 * 60 + 5).press(.enter)
    #expect(play.message.contains("the clock has gone past round 3"))
    #expect(try presence(play, "30101").allSatisfy { $0 == nil })
    let here = try desk(phase: 8).press("6", "a", "a", .enter)
    let absent = try presence(here, "30101")
    here.press("a", "h").pass(seconds: 8 * 60 + 5).press(.enter)
    #expect(here.message.contains("the clock has gone past round 3"))
    #expect(try presence(here, "30101") == absent && absent.contains(false))
  }

  @Test("somebody who did not come at all is absent in the rounds before too, but not where an assessor saw them")
  func didNotCome() throws {
    let play = try desk(phase: 8)
    let abdomen = try play.session("ABDO").timetable
    let entry = try #require(
      try play.store.read { db in
        try Roster.entries(timetable: abdomen, seat: .lead, in: db)
          .first { $0.candidate?.number == "30101" }
      })
    _ = try play.store.write(.program) { try Attendance.passIdentityStep(entry: entry, seat: .lead, in: $0) }
    play.send(.resumed).press("6", "a", "n")
    #expect(play.screen.contains("DENTAL; seen at ABDO,"))
    play.press(.enter)
    #expect(try presence(play, "30101") == [false, true, false, false, false, false, false, false])
    play.press("a", "n", .enter)
    #expect(play.message == "30101: nothing changed")
  }

  @Test(
    "after the end nobody joins late or changes places, an extra candidate goes to the re-run, and the line says why")
  func over() throws {
    let play = try desk(phase: 8).pass(seconds: 1).press("X").type("end\n").press("6", "a")
    #expect(play.box.contains("Nobody joins late: the session's rounds are over"))
    #expect(!play.screen.contains("late: joins") && play.screen.contains("did not attend"))
    play.press(.escape, "w")
    #expect(play.message.contains("the session's rounds are over"))
    play.press("n").type("30998 Ada Lovelace\n")
    #expect(play.screen.contains("the session's rounds are over"))
    play.press(.enter)
    #expect(play.message == "queued for the re-run: 7 stations")
    // Whoever is examined in the re-run alone was never expected before it.
    play.press("G", .enter)
    #expect(play.screen.contains("Candidate 30998, Ada Lovelace") && play.text.contains("not held so far."))
    #expect(!play.text.contains("absent"))
    play.press(.escape, "1")
    // It was stopped in the rotation of the third round.
    #expect(play.lines[5].contains("Last: round 3") && play.lines[5].contains("Next: re-run 1"))
  }

  @Test("a missed station is queued by hand and taken out again, and the re-run shows the hall by its queue")
  func rerun() throws {
    let play = try desk(phase: 8).press("6", "m")
    #expect(play.screen.contains("CHEST, round 1: no marks"))
    play.press("1").type("kit failed\n")
    #expect(play.message == "30101: at CHEST, in the re-run queue")
    #expect(play.lines[6].contains("re-run: C") && play.text.contains(" re-run: CHEST"))
    play.press("m", "1").type("done there\n")
    #expect(play.message == "removed from the re-run queue")
    play.press("7")
    #expect(play.lines[6].contains("taken out"))
    play.press("x")
    #expect(play.message.contains("Enter queues it again"))
    play.press(.enter).type("after all\n").press("n").type("30102\n").press("2").type("fainted\n")
    #expect(play.lines[7].contains("30102"))
    play.pass(seconds: 1).press("X").type("end\n").press("7", "b")
    #expect(play.screen.contains("Start the re-run now: 1 round "))
    play.pass(seconds: 1).press(.enter).pass(seconds: 70).press("1")
    #expect(play.lines[0].contains("RE-RUN ROUND 1 of 1  STATION"))
    #expect(play.lines[5].contains("Now: re-run 1") && play.lines[5].contains("Then nobody"))
    #expect(play.lines[6].contains("30101 Abara") && !play.lines[6].contains("ABSENT"))
    #expect(play.lines[7].contains("- empty slot -"))
    #expect(play.lines[8].contains("30102"))
    play.press("3")
    #expect(play.screen.contains("re-run 1 30101: no sheet"))
    play.press("6")
    #expect(play.lines[6].contains("CHEST"))
    play.press("a")
    #expect(play.text.contains("Nobody joins late: a re-run is"))
  }

  @Test("a queued station that is signed by then is not counted as queued any more, and its row says signed")
  func signedInTheQueue() throws {
    let play = try desk(phase: 8).press("6", "m", "1").type("kit failed\n")
    #expect(play.screen.contains("Re-run:1") && play.text.contains("re-run: CHEST"), "\(play.screen)")
    let timetable = try play.session("CHEST").timetable
    let entry = try #require(
      try play.read { try Roster.entries(timetable: timetable, seat: .lead, in: $0) }
        .first { $0.candidate?.number == "30101" })
    let sheets = try play.store.write(.program) {
      try Attendance.passIdentityStep(entry: entry, seat: .lead, in: $0)
    }
    play.pass(seconds: 1)
    #expect(play.screen.contains("Re-run:1"))
    // Signing changes a sheet alone.
    try play.store.write(.program) {
      for key in sheets { try Signing.sign(try #require(try Sheet.read(key, in: $0.db)), in: $0) }
    }
    play.pass(seconds: 1)
    #expect(!play.screen.contains("Re-run:1"), "\(play.screen)")
    play.press("7")
    #expect(play.lines[6].contains("30101") && play.lines[6].contains("signed"), "\(play.screen)")
    play.press("1")
    #expect(!play.text.contains("RE-RUN 1 queued"))
    play.press("6")
    #expect(!play.text.contains("re-run: CHEST"))
  }

  @Test("who is excused is not counted as queued, and the row in the queue says why")
  func excusedInTheQueue() throws {
    let play = try desk(phase: 8).press("6", "m", "1").type("kit failed\n")
    #expect(play.screen.contains("Re-run:1"), "\(play.screen)")
    try play.excuse("30101", at: "CHEST")
    for _ in 1...2 { play.pass(seconds: 6) }
    play.press("7")
    #expect(play.lines[6].contains("30101") && play.lines[6].contains("excused"), "\(play.screen)")
    #expect(!play.screen.contains("Re-run:1"), "\(play.screen)")
    play.press("1")
    #expect(!play.text.contains("RE-RUN 1 queued"), "\(play.screen)")
  }

  @Test(
    "a re-run's question is worked out again on Enter: what was queued or begun meanwhile is said, and nothing is done")
  func rerunMeanwhile() throws {
    let play = try desk(phase: 8).press("6", "m", "1").type("kit failed\n")
    let other = try play.atSameStore().desk("psharma")
    play.pass(seconds: 1).press("X").type("end\n").press("7", "b")
    #expect(play.screen.contains("Start the re-run now: 1 round "))
    #expect(play.text.contains("Blue circuit: then READING 1 runs with 01:00 left"))
    other.send(.resumed).press("6", "m", "2").type("fainted\n")
    play.pass(seconds: 1).press(.enter)
    #expect(play.screen.contains("THE CLOCK HAS MOVED ON; nothing changed."))
    #expect(play.screen.contains("Start the re-run now: 2 rounds"))
    #expect(try play.log().last?.text == "stop")
    other.pass(seconds: 1).press("7", "b", .enter)
    #expect(try play.log().last?.text == "start")
    play.pass(seconds: 1).press(.enter)
    #expect(play.message.contains("a session is still running"))
    #expect(try play.log().count { $0.text == "start" } == 2)
  }

  @Test("an incident that is reported later carries the time that is said, and belongs to the round of that time")
  func incidentBefore() throws {
    let play = try desk(phase: 1).pass(seconds: 600).press("i", "k").type("09:01\n30\ntorch dead\n")
    #expect(play.message == "reported at CHEST, 09:01:00: kit failed")
    play.press("4")
    #expect(play.lines[6].contains("09:01:00") && play.lines[6].contains("00:30"))
    play.press("t").type("09:02\n")
    #expect(play.lines[6].contains("09:02:00"))
    play.press("t").type("20:00\n")
    #expect(play.message.contains("at most twelve hours"))
    play.press(.escape, "n").type("nowhere\n")
    #expect(play.message.contains("there is no station nowhere here"))
    play.press("ctrl-u").type("rx\n").press("o").type("2\n\nnoise\n")
    #expect(play.screen.contains("RX"))
    let session = try play.session("RX").session
    let incidents = try play.store.read { try Incidents.all(of: session, in: $0) }
    #expect(incidents.count == 2)
  }

  @Test("the call that nobody has answered stands first, the oldest of them first; settled ones can be listed")
  func helpOrder() throws {
    let play = try desk(phase: 1)
    for code in ["CHEST", "ABDO", "RX"] {
      let station = try play.session(code)
      try play.store.write(.program) { _ = try HelpCalls.request("please come", at: station, in: $0) }
      play.pass(seconds: 10)
    }
    play.press("2", .enter)
    #expect(play.lines[6].contains("ABDO") && play.lines[7].contains("RX") && play.lines[8].contains("CHEST"))
    play.press("d")
    #expect(!play.screen.contains("resolved,"))
    play.press("h")
    #expect(play.lines[8].contains("resolved, Okafor"))
    #expect(play.screen.contains("2 Help:2"))
  }

  @Test("a call that comes in while another is chosen takes no key that was meant for that one")
  func helpFocus() throws {
    let play = try desk(phase: 1)
    func call(_ code: String) throws {
      let station = try play.session(code)
      try play.store.write(.program) { _ = try HelpCalls.request("please come", at: station, in: $0) }
      play.pass(seconds: 10)
    }
    try call("CHEST")
    play.press("2", .enter)
    try call("ABDO")
    #expect(play.lines[6].contains("ABDO"))
    play.press("d")
    let calls = try play.store.read { try HelpCalls.all(in: $0) }
    #expect(calls.map(\.stationCode) == ["CHEST", "ABDO"] && calls.map(\.status) == [.resolved, .requested])
  }

  @Test("of a locked exam the desk says so before it asks to undo, or whether somebody is absent, or who covers")
  func locked() throws {
    let play = try desk(phase: 2)
    try play.lockExam()
    for keys in [["z"], ["6", "a", "a"], ["w"], ["1", "c"]] as [[Key]] {
      for key in keys { play.press(key) }
      #expect(play.context.overlay == nil && play.message.contains("the exam is locked since"), "\(play.screen)")
    }
  }

  @Test("of a locked exam the desk says so in the heading, and offers and asks nothing that would be refused")
  func lockedKeys() throws {
    let play = try desk(phase: 2)
    #expect(play.lines[23].contains("a attendance"))
    try play.lockExam()
    play.pass(seconds: 1)
    #expect(play.lines[1].hasPrefix(" LOCKED "), "\(play.screen)")
    #expect(!play.lines[23].contains("a attendance") && !play.lines[23].contains("i incident"))
    for keys in [["1", "i"], ["m"], ["x"], ["O"], ["S"], ["6", "n"], ["x"], ["3", .enter], ["4", "n"], ["7", "n"]]
      as [[Key]]
    {
      for key in keys { play.press(key) }
      #expect(play.context.overlay == nil && play.message.contains("the exam is locked since"), "\(play.screen)")
    }
    // Help goes on.
    play.press("1", "t")
    #expect(play.context.overlay != nil)
  }

  @Test("what was done with a candidate is not asked to be undone, or done again, once the exam is locked")
  func lockedUndo() throws {
    let play = try desk(phase: 6).press("6", "a", "t", .enter)
    try play.lockExam()
    play.press("z")
    #expect(play.context.overlay == nil && play.message.contains("the exam is locked since"), "\(play.screen)")
  }

  @Test("extra time belongs to no session: it can be given while one circuit is locked")
  func extraTimeWhilePartIsLocked() throws {
    let play = try desk(phase: 2)
    try play.lockExam(.init(circuit: "Blue circuit"))
    play.pass(seconds: 1).press("6", "a")
    #expect(play.context.overlay == nil && play.message.contains("circuit is locked since"), "\(play.screen)")
    play.press("x")
    #expect(play.context.overlay != nil, "\(play.screen)")
  }

  @Test("what is locked is passed over when something is undone, and said once nothing else is left")
  func lockedIsPassedOver() throws {
    let play = try Rehearsed()
    for circuit in ["Blue circuit", "Green circuit"] {
      try play.startClock(circuit)
      try play.clock(.jump(index: 6), circuit)
    }
    try play.desk().press("6", "a", "t", .enter).press("f2", "a", "t", .enter)
    #expect(try presence(play, "30101").contains(false))
    try play.lockExam(.init(circuit: "Green circuit"))
    play.press("z", .enter)
    #expect(try presence(play, "30101").allSatisfy { $0 == nil }, "\(play.screen)")
    try play.lockExam(.init(circuit: "Blue circuit"))
    play.press("z")
    #expect(play.context.overlay == nil && play.message.contains("circuit is locked since"), "\(play.screen)")
  }

  @Test("a station that is still needed is let go only with a reason, though all is complete so far")
  func stillNeeded() throws {
    let play = try desk(phase: 1).press("6", "a", "n")
    play.press(.escape, "a", "a", .enter, "3")
    #expect(play.lines[6].contains("to come, next round 2"))
    play.press(.enter)
    #expect(play.screen.contains("CHEST is still needed: round 2 30108"))
    play.press(.enter)
    #expect(play.message.contains("a reason is required"))
  }
}
