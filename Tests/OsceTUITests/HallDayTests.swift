import CircuitModel
import ExamStore
import Foundation
import GRDB
import Reports
import Terminal
import Testing
import Timer

@testable import OsceTUI

/// A day of the year 3 exam on which not everybody comes as planned.
@Suite("A day with changes", .serialized)
struct HallDayTests {
  private let blue = Session(circuit: 1, date: "2026-12-07", startTime: "09:00")
  private let green = Session(circuit: 2, date: "2026-12-07", startTime: "09:00")

  /// The key of a candidate.
  private static func student(_ number: String, _ store: ExamStore) throws -> Int {
    try store.read {
      try #require(try Int.fetchOne($0, sql: "SELECT dsid FROM user WHERE studentNumber = ?", arguments: [number]))
    }
  }

  /// Marks the first item of a candidate's sheet in a round.
  private func mark(_ student: Int, round: Int, _ session: Session, _ store: ExamStore) throws {
    let board = try store.read { try HallBoard.read(session, in: $0) }
    let entry = try #require(
      board.stations.flatMap { board.entries(station: $0.timetable, round: round) }
        .first { $0.candidate?.id == student })
    let key = try store.write(.program) { try Attendance.passIdentityStep(entry: entry, seat: .lead, in: $0)[0] }
    let sheet = try store.read { try #require(try Sheet.read(key, in: $0)) }
    _ = try store.write(.program) { try Marking($0).mark(sheet.items[0], level: sheet.items[0].template.levels[0]) }
  }

  @Test("status, missing and the exports agree after a late candidate, a swap after marks and an extra candidate")
  func agree() throws {
    let exam = try CommandRunner()
    try exam.withStore { store in
      let (ada, bob) = (try Self.student("30101", store), try Self.student("30104", store))
      try mark(ada, round: 1, blue, store)
      #expect(throws: SlotSwapRefusal.self) {
        try store.write(.program) { try SlotChanges.swap(ada, bob, from: 1, in: blue, $0) }
      }
      _ = try store.write(.program) { try SlotChanges.swap(ada, bob, from: 2, in: blue, $0) }
      let late = try Self.student("30112", store)
      let arrival = try store.write(.program) { try HallAttendance.late(late, joining: 3, in: green, $0) }
      // Round 1 was the rest station.
      #expect(arrival.missed.map(\.round) == [2])
      let free = try store.read { ExtraCandidates.freeSlots(try HallBoard.read(green, in: $0), from: 3) }
      #expect(free == [4])
      let extra = Newcomer.new(number: "=99", forename: "Zoë\u{1B}[2J", surname: "O'Extra")
      _ = try store.write(.program) { try ExtraCandidates.add(extra, slot: 4, from: 3, in: green, $0) }
    }
    // The stations missed by the late and the extra candidate are not expected until they come to the re-run.
    let expected = 30 * 7 + 16 - 1 + 6
    let total = exam.run("status", "--json").object["total"] as? [String: Any] ?? [:]
    #expect(total["expected"] as? Int == expected)
    #expect(total["started"] as? Int == 1 && total["unexpected"] as? Int == 0 && total["held"] as? Int == 1)
    let all = exam.run("missing", "--json").object["missing"] as? [[String: Any]] ?? []
    let missing = all.filter { $0["kind"] as? String != "rerun" }
    #expect(all.count > missing.count)
    #expect(missing.count { $0["kind"] as? String == "sheet" } == expected - 1)

    struct Place: Hashable {
      let timetable: Int
      let round: Int
      let number: String

      init(_ row: [String: Any]) {
        timetable = row["timetable"] as? Int ?? 0
        round = row["round"] as? Int ?? 0
        number = row["student_number"] as? String ?? ""
      }
    }
    let attendance = exam.run("export", "attendance", "--format", "json").list
    let here = attendance.filter { $0["station"] as? String != "REST" && $0["present"] as? Bool != false }
    let marks = exam.run("export", "marks", "--format", "json").list
    #expect(Set(marks.map(Place.init)) == Set(here.map(Place.init)) && here.count == 30 * 7 - 1 + 6)
    #expect(Set(missing.map(Place.init)) == Set(here.map(Place.init)))
    let stations = attendance.filter { $0["student_number"] as? String == "30101" }
      .sorted { ($0["round"] as? Int ?? 0) < ($1["round"] as? Int ?? 0) }.map { $0["station"] as? String ?? "" }
    #expect(stations == ["CHEST", "REST", "RESUS", "NEWS", "DENTAL", "CHEST", "ABDO", "CONSENT"])
    let held = marks.filter { $0["value"] is Double || $0["value"] is Int }
    #expect(
      held.map { Place($0) } == [Place(["timetable": held[0]["timetable"]!, "round": 1, "student_number": "30101"])])
    #expect(attendance.count { $0["additional"] as? Bool == true } == 7)
    #expect(attendance.filter { !($0["late_at"] is NSNull) }.map { $0["round"] as? Int } == [3])
    #expect(exam.run("doctor").output.hasPrefix("sound"))
    #expect(!exam.run("plan").output.contains("\u{1B}"))
  }

  @Test("a re-run is begun from the command line, and a finished session's start says so") func command() throws {
    let exam = try CommandRunner()
    let name = ["--session", "2026-12-07 09:00"]
    func clock(_ words: String...) -> CommandRunner.Result {
      CommandRunner.run(["clock", "BLUE"] + words + name + ["--store", exam.store])
    }
    #expect(clock("rerun").code == 64 && clock("rerun", "x").code == 64)
    #expect(clock("rerun", "2", "--at", "2026-12-07T09:00:00Z").failure.contains("has not been run"))
    #expect(clock("start", "--at", "2026-12-07T09:00:00Z").code == 0)
    #expect(clock("rerun", "2", "--at", "2026-12-07T09:10:00Z").failure.contains("a session is still running"))
    #expect(clock("stop", "--at", "2026-12-07T10:00:00Z").code == 0)
    #expect(
      clock("start", "--at", "2026-12-07T10:01:00Z").failure.contains(
        "begin a re-run"))
    try exam.withStore { store in
      let ada = try Self.student("30101", store)
      let choices = try store.read { try RerunQueue.choices(ada, in: blue, $0) }
      try store.write(.program) { transaction in
        let items = try choices.prefix(3).map {
          try RerunQueue.add(entry: $0.entry.key, reason: "no power", transaction)
        }
        try RerunQueue.withdraw(items[0], transaction)
      }
    }
    #expect(clock("rerun", "1", "--at", "2026-12-07T10:05:00Z").failure.contains("the queue needs 2 rounds"))
    #expect(clock("rerun", "2", "--at", "2026-12-07T10:05:00Z").code == 0)
    try exam.withStore { store in
      let queue = try store.read { try RerunQueue.items(blue, in: $0) }
      #expect(queue.filter { $0.status == .queued }.map(\.place) == [1, 2])
    }
    let status = clock("status", "--at", "2026-12-07T10:06:30Z", "--json").object
    #expect(status["state"] as? String == "running" && status["rounds"] as? Int == 2)
    #expect(clock("status", "--at", "2026-12-07T10:06:30Z").output.contains(" running, re-run, round 1 of 2"))
    let events = clock("log", "--json").object["events"] as? [[String: Any]] ?? []
    #expect(events.map { $0["kind"] as? String } == ["start", "stop", "start"])
    let phases = exam.run("export", "clock", "--at", "2026-12-07T10:06:30Z", "--format", "json").list
    #expect(Set(phases.filter { $0["run"] as? Int == 1 }.map { $0["rerun"] as? Bool }) == [false])
    #expect(phases.filter { $0["run"] as? Int == 2 }.map { $0["rerun"] as? Bool } == [true, true])
    #expect(exam.run("export", "clock").output.contains(",extended_seconds,ending,rerun\r\n"))
    #expect(exam.run("doctor").output.hasPrefix("sound"))
  }

  @Test("a re-run that nobody is queued for begins, and says so") func rerunOfNobody() throws {
    let exam = try CommandRunner()
    func clock(_ words: String...) -> CommandRunner.Result {
      CommandRunner.run(["clock", "BLUE"] + words + ["--session", "2026-12-07 09:00", "--store", exam.store])
    }
    #expect(clock("start", "--at", "2026-12-07T09:00:00Z").code == 0)
    #expect(clock("stop", "--at", "2026-12-07T10:00:00Z").code == 0)
    let begun = clock("rerun", "1", "--at", "2026-12-07T10:05:00Z")
    #expect(begun.code == 0)
    #expect(begun.failure.contains("nothing in the re-run queue is due; nobody comes to it"))
  }

  @Test("a circuit that is deleted while its clock runs is still under osce clock") func deleted() throws {
    let exam = try CommandRunner()
    func clock(_ words: [String]) -> CommandRunner.Result {
      CommandRunner.run(["clock", "BLUE"] + words + ["--store", exam.store])
    }
    #expect(clock(["start", "--at", "2026-12-07T09:00:00Z", "--session", "2026-12-07 09:00"]).code == 0)
    try exam.withStore { store in _ = try store.write(.program) { try $0.delete("ClinicGroup", "1") } }
    #expect(clock(["pause", "--at", "2026-12-07T09:05:00Z"]).code == 0)
    let all = exam.run("clock", "all", "status", "--at", "2026-12-07T09:06:00Z", "--json").list
    #expect(all.contains { $0["circuit"] as? Int == 1 && $0["state"] as? String == "paused" })
    #expect(clock(["stop", "--at", "2026-12-07T09:07:00Z"]).code == 0)
    #expect(exam.run("clock", "1", "log").output.contains("stop"))
  }

  @MainActor @Test("during a re-run the assessor sees whose turn it is by the queue, and can mark who was absent")
  func screens() throws {
    let play = try Rehearsed()
    let late = try Self.student("30101", play.store)
    try play.startClock()
    try play.store.write(.program) { transaction in
      _ = try HallAttendance.late(late, joining: 3, in: blue, transaction)
      let now = play.store.clock.now
      try ClockLog.append(.stop, to: blue, at: now + 1000, in: transaction)
    }
    play.pass(seconds: 10)
    try play.store.write(.program) {
      _ = try ClockLog.append(.rerun(rounds: 2), to: blue, at: play.store.clock.now, in: $0)
    }
    play.pass(seconds: 70)
    try play.sit("nokafor", at: "CHEST")
    #expect(play.lines[0].contains("RE-RUN ROUND 1 of 2  STATION"))
    #expect(play.lines[1].hasPrefix(" IN THE ROOM  30101"))
    play.press(.enter)
    #expect(play.sheetScreen.entry?.isPresent == true && play.message == "identity checked; candidate present")
    play.type("q")
    #expect(play.lines.contains { $0.contains("IN THE ROOM") && $0.contains("30101") })
    #expect(play.lines.contains { $0.contains("2") && $0.contains("- empty slot -") })
    #expect(play.lines.contains { $0.contains("30108") && !$0.contains("next") })
  }
}
