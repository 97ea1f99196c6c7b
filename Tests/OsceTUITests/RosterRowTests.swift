import Terminal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// What a row of the roster says of candidates beside the plan.
@MainActor @Suite("Rows of the roster")
struct RosterRowTests {
  private func row(_ play: Rehearsed, _ number: String) throws -> String {
    try #require(play.lines.first { $0.contains(number) })
  }

  @Test("after the end nobody without a round comes next, and who is queued for the re-run is said to be")
  func afterTheEnd() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST").press("q")
    let timetable = try play.session("CHEST").timetable
    _ = try play.elsewhere("psharma") {
      try AdditionalCandidate.add(number: "30777", names: ["Comer"], timetable: timetable, round: nil, in: $0)
    }
    let all = try play.store.read { try Roster.entries(timetable: timetable, seat: .lead, in: $0) }
    let first = try #require(all.first { $0.candidate?.number == "30101" })
    try play.elsewhere("psharma") {
      try Attendance.record(false, for: first, in: $0)
      _ = try RerunQueue.add(entry: first.key, reason: "late", $0)
    }
    try play.clock(.stop)
    play.press("G", "g")
    #expect(play.lines[0].contains("FINISHED"))
    #expect(try !row(play, "30777").contains("next"))
    #expect(try row(play, "30101").contains("re-run 1"))
  }

  @Test("a round whose station was out of order is to come in the re-run: nobody is in the room, nothing is to finish")
  func outOfOrder() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST").press("q")
    #expect(try row(play, "30101").contains("IN THE ROOM"), "\(play.screen)")
    let desk = try play.atSameStore().desk("psharma")
    desk.press("O").type("no power\n")
    play.pass(seconds: 1)
    let line = try row(play, "30101")
    #expect(line.contains("re-run 1") && line.contains("to come") && !line.contains("IN THE ROOM"), "\(play.screen)")
    // The round is over, and nothing of it is to be finished.
    play.pass(seconds: 480)
    #expect(play.lines[1].contains("0 signed · 0 to finish · "), "\(play.screen)")
    #expect(try row(play, "30101").contains("to come"), "\(play.screen)")
    #expect(MissingScreen(play.context, try play.session("CHEST"), .lead, entry: nil).isEmpty)
  }

  @Test("who is absent and queued is to come, and counts as due")
  func absentAndQueued() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST").press("q")
    let entry = try first(play)
    try play.elsewhere("psharma") { try Attendance.record(false, for: entry, in: $0) }
    play.pass(seconds: 1)
    #expect(
      try row(play, "30101").contains("- none due") && play.lines[1].contains("0 to finish · 7 due"), "\(play.screen)")
    try play.elsewhere("psharma") { _ = try RerunQueue.add(entry: entry.key, reason: "late", $0) }
    play.pass(seconds: 1)
    #expect(
      try row(play, "30101").contains("to come") && play.lines[1].contains("0 to finish · 8 due"), "\(play.screen)")
  }

  @Test("who is excused is shown so, is not due, and no list of what is missing has them")
  func excused() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST").press("q")
    play.pass(seconds: 480)
    #expect(
      try row(play, "30101").contains("no sheet") && play.lines[1].contains("1 to finish · 7 due"), "\(play.screen)")
    let session = try play.session("CHEST")
    #expect(!MissingScreen(play.context, session, .lead, entry: nil).isEmpty)
    try play.excuse("30101", at: "CHEST")
    play.pass(seconds: 1)
    #expect(
      try row(play, "30101").contains("- excused") && play.lines[1].contains("0 to finish · 7 due"), "\(play.screen)")
    #expect(MissingScreen(play.context, session, .lead, entry: nil).isEmpty)
  }

  @Test("a sheet that is ruled out is shown so, is not due, and no list of what is missing has it")
  func ruledOut() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST").press("q")
    play.pass(seconds: 480)
    try play.ruleOut("30101", at: "CHEST")
    play.pass(seconds: 1)
    #expect(
      try row(play, "30101").contains("- ruled out") && play.lines[1].contains("0 to finish · 7 due"), "\(play.screen)")
    #expect(MissingScreen(play.context, try play.session("CHEST"), .lead, entry: nil).isEmpty)
  }

  /// The entry of the first round at the station.
  private func first(_ play: Rehearsed) throws -> RosterEntry {
    let timetable = try play.session("CHEST").timetable
    let all = try play.store.read { try Roster.entries(timetable: timetable, seat: .lead, in: $0) }
    return try #require(all.first { $0.candidate?.number == "30101" })
  }

  @Test("who has extra time after the end of the session is still in the room")
  func extraTimeAfterTheEnd() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST").press("q")
    try play.clock(.rounds(1))
    try play.elsewhere("psharma") { transaction in
      let student = try Int.fetchOne(transaction.db, sql: "SELECT dsid FROM user WHERE studentNumber = '30101'")!
      _ = try transaction.set("Student", "\(student)", ["extraStationSeconds": .integer(120)])
    }
    play.pass(seconds: 60 + 480 + 60 - 75 + 5)
    #expect(play.lines[0].contains("FINISHED"), "\(play.screen)")
    #expect(try row(play, "30101").contains("IN THE ROOM"), "\(play.screen)")
    play.pass(seconds: 60)
    #expect(try !row(play, "30101").contains("IN THE ROOM"))
  }

  @Test(
    "extra time stands before the name, and all adjustments of the focused candidate under the table",
    arguments: [(80, 24), (60, 20)])
  func adjustments(width: Int, height: Int) throws {
    let play = try Rehearsed((width, height))
    try play.startClock()
    try play.sit("nokafor", at: "CHEST").press("q")
    #expect(try row(play, "30107").contains("30107  +2:00 Ms"), "\(play.screen)")
    #expect(play.flat.contains("Adjustments of 30101 Ms Chidinma Abara: none"), "\(play.screen)")
    play.press("j", "j")
    let all = "Adjustments of 30107 Ms Maja Eriksson: reading +15 seconds, station +2 minutes, 25 per cent"
    #expect(play.flat.contains(all), "\(play.screen)")
    play.press("g")
    #expect(!play.flat.contains("Adjustments of"), "\(play.screen)")
  }

  @Test("a large terminal says in each row who signed and when, the adjustments and the comments, and no concern")
  func large() throws {
    let play = try Rehearsed((160, 43)).mark("nokafor", at: "CHEST")
    let entry = try first(play)
    for (text, isConcern) in [("calm throughout", false), ("smelled of alcohol", true)] {
      _ = try play.elsewhere("nokafor") {
        try Comments.add(text, to: .candidate(entry.key), isConcern: isConcern, in: $0)
      }
    }
    try play.signAll(as: "nokafor")
    play.pass(seconds: 1).press("q")
    let heading = try #require(play.lines.first { $0.contains("Candidate") })
    let signed = try row(play, "30101")
    #expect(heading.contains("Signed") && heading.contains("Adjustments"), "\(play.screen)")
    #expect(signed.contains("09:00  Dr Ngozi Okafor") && signed.contains("calm throughout"), "\(play.screen)")
    #expect(!play.screen.contains("smelled") && signed.contains("Ms Chidinma Abara"), "\(play.screen)")
    #expect(try row(play, "30107").contains("reading +15 seconds"), "\(play.screen)")
    play.resize(80, 24)
    #expect(!play.screen.contains("calm throughout") && !play.screen.contains("Signed"), "\(play.screen)")
  }

  @Test("help on the way and a coming resume take no figure from the line over the roster")
  func heading() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.press("!", "a")
    let desk = try play.atSameStore().desk("psharma")
    desk.press("p").type("spill\n").press("@").type("+2\n").press(.enter)
    play.pass(seconds: 1).press("q")
    try #require(play.context.screen is RosterScreen, "\(play.screen)")
    let line = play.lines[1]
    #expect(line.contains("HELP") && line.contains("  0 signed · ") && line.contains(" due RESUMES 09:0"), "\(line)")
  }

  @Test("who has no round comes last on the list of what is missing and on that of whose sheet it is")
  func withoutRoundLast() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    let timetable = try play.session("CHEST").timetable
    _ = try play.elsewhere("psharma") {
      try AdditionalCandidate.add(number: "30777", names: ["Comer"], timetable: timetable, round: nil, in: $0)
    }
    play.type("1").press("M", "m")
    let numbers = play.lines.compactMap { line in line.split(separator: " ").first { $0.hasPrefix("30") } }
    #expect(numbers.dropFirst().last == "30777")
  }
}
