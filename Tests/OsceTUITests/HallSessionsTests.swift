import Foundation
import GRDB
import Journal
import Terminal
import TerminalTesting
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// A session over midnight, two sessions a day, and circuits of different lengths side by side: at the desk, on the wall,
/// and by the commands, which read the same store.
@MainActor @Suite("Sessions of a hall")
struct HallSessionsTests {
  /// The year 3 exam whose clocks run by themselves: ten minutes a round, in the Green circuit seven.
  private func exam(start: String = "09:00") throws -> Rehearsed {
    let exam = try Rehearsed()
    try exam.store.write(.program) { transaction in
      let phases = try Row.fetchAll(
        transaction.db, sql: "SELECT dsid, clinicGroupID, durationType FROM circuitStationDuration")
      let green = try Circuit.find("GREEN", at: transaction.clock.now, in: transaction.db).id
      for phase in phases {
        var fields: [String: Value] = ["manualStart": .integer(0)]
        if phase[1] == green, phase[2] == "rotation" { fields["duration"] = .integer(5) }
        try transaction.set("CircuitStationDuration", String(phase[0] as Int), fields)
      }
      if start != "09:00" {
        for key in try Int.fetchAll(transaction.db, sql: "SELECT dsid FROM timetable WHERE startTime = '09:00'") {
          try transaction.set("Timetable", String(key), ["startTime": .text(start)])
        }
      }
    }
    return exam
  }

  /// Lets the clocks of the exam show a local time of 7 December; from 24:00 on the next day's.
  private func pass(_ exam: Rehearsed, to hour: Int64, _ minute: Int64, _ second: Int64 = 0) {
    let wanted = Rehearsed.start + ((hour - 9) * 3600 + minute * 60 + second) * 1000
    exam.clocks.pass(wanted - exam.store.clock.now.milliseconds)
    exam.send(.deadline(exam.clocks.loop))
  }

  private func start(_ exam: Rehearsed, _ circuit: String, _ start: String) throws {
    let session = try exam.session("CHEST", circuit, start).session
    try exam.store.write(.program) { _ = try ClockLog.append(.start, to: session, at: exam.store.clock.now, in: $0) }
    exam.send(.resumed)
  }

  private func wall(_ exam: Rehearsed) throws -> Rehearsal<WallProgram> {
    let now = exam.store.clock.now
    let circuits = try exam.store.read { try Circuit.all(at: now, $0) }
    return Rehearsal(
      WallProgram(exam.store, circuits: circuits, theme: .standard(), options: .init()) { exam.clocks.loop },
      size: Size(width: 80, height: 24))
  }

  private func run(_ exam: Rehearsed, _ words: String...) -> CommandRunner.Result {
    CommandRunner.run(words + ["--store", exam.store.location.path])
  }

  private func status(_ exam: Rehearsed, _ words: String...) -> [String] {
    let result = CommandRunner.run(["clock"] + words + ["--json", "--store", exam.store.location.path])
    let all = result.json as? [[String: Any]] ?? [result.object]
    return all.map { one in
      let phase = (one["phase"] as? [String: Any])?["type"] as? String ?? "-"
      return
        "\(one["session"] ?? "") \(one["state"] ?? "") \(phase) \(one["round"] as? Int ?? 0) of \(one["rounds"] ?? 0)"
    }
  }

  // MARK: Over midnight

  @Test("a session over midnight is the one that is meant on both days, with its rounds, its times and its end")
  func overMidnight() throws {
    let exam = try exam(start: "23:30")
    pass(exam, to: 23, 30)
    try start(exam, "Blue circuit", "23:30")
    pass(exam, to: 24, 15)
    try exam.desk()
    #expect(exam.lines[0].contains("ROUND 5 of 8  STATION"))
    #expect(exam.lines[1].contains("2026-12-07 23:30   ends 00:50"))
    #expect(exam.screen.contains("Now: round 5") && exam.screen.contains("Next: round 6"))
    let panel = try wall(exam).program.picture.panels[0]
    #expect(panel.said == "STATION ROUND 5 of 8" && panel.end == "Session ends 00:50, on time")
    #expect(try wall(exam).program.picture.time == "00:15")
  }

  @Test("its times stand in the order in which they were, and a pause after midnight moves the end")
  func timesOverMidnight() throws {
    let exam = try exam(start: "23:30")
    pass(exam, to: 23, 30)
    try start(exam, "Blue circuit", "23:30")
    pass(exam, to: 24, 15)
    try exam.desk().press("p").type("fire alarm\n")
    pass(exam, to: 24, 17)
    exam.press("r", .enter, "5")
    let session = try exam.session("CHEST", "Blue circuit", "23:30").session
    let now = exam.store.clock.now
    let lines = try exam.store.read { try SessionTimeline.read(session, at: now, in: $0) }.lines
    #expect(lines.map(\.at) == lines.map(\.at).sorted())
    #expect(lines[0].text.hasPrefix("START READING") && exam.lines[6].contains("00:17:0"))
    #expect(lines.contains { $0.text.contains("ROTATION 3 23:51:00 to 23:59:00") })
    #expect(lines.contains { $0.text.contains("CHANGEOVER 3 23:59:00 to 00:00:00") })
    #expect(try wall(exam).program.picture.panels[0].end == "Session ends 00:52, 2 min behind")
    #expect(exam.lines[1].contains("ends 00:52, 2 min behind"))
  }

  @Test("status and export name it by the day on which it began, with instants of both days")
  func commandsOverMidnight() throws {
    let exam = try exam(start: "23:30")
    pass(exam, to: 23, 30)
    try start(exam, "Blue circuit", "23:30")
    pass(exam, to: 24, 55)
    #expect(
      status(exam, "BLUE", "status", "--at", "2026-12-07T23:59:30Z", "--at", "2026-12-08T00:15:00Z") == [
        "2026-12-07 23:30 running changeover 3 of 8", "2026-12-07 23:30 running rotation 5 of 8",
      ])
    let rows = run(exam, "export", "clock", "--format", "json", "--at", "2026-12-08T00:55:00Z").list
    #expect(rows.count == 24)
    #expect(Set(rows.map { "\($0["date"] ?? "") \($0["start"] ?? "")" }) == ["2026-12-07 23:30"])
    let changeover = rows[8]
    #expect(changeover["started"] as? String == "2026-12-07T23:59:00.000Z")
    #expect(changeover["ended"] as? String == "2026-12-08T00:00:00.000Z")
    #expect(rows[23]["planned_end"] as? String == "2026-12-08T00:50:00.000Z")
    #expect(rows.allSatisfy { $0["rerun"] as? Bool == false })
    try exam.desk()
    #expect(exam.screen.contains("Last: round 8"))
  }

  // MARK: Two sessions a day

  @Test("after the morning the desk that is opened is the afternoon's, with its own candidates and its own times")
  func twoSessions() throws {
    let exam = try exam()
    try start(exam, "Blue circuit", "09:00")
    pass(exam, to: 10, 25)
    let morning = try exam.session("CHEST", "Blue circuit", "09:00")
    let afternoon = try exam.session("CHEST", "Blue circuit", "13:30")
    try exam.desk()
    #expect(exam.lines[1].contains("2026-12-07 13:30") && exam.screen.contains("First: round 1"))
    func first(_ place: StationSession) throws -> String {
      try exam.store.read { db in
        try Roster.entries(timetable: place.timetable, seat: .lead, in: db).first { $0.round == 1 }?.candidate?.number
      } ?? ""
    }
    #expect(try exam.screen.contains(first(afternoon)) && !exam.screen.contains(first(morning)))
    #expect(try wall(exam).program.picture.panels[0].word == "FINISHED")
    pass(exam, to: 13, 30)
    #expect(try wall(exam).program.picture.panels[0].said == "NOT STARTED 8 ROUNDS")
    exam.press("s")
    #expect(exam.screen.contains("Blue circuit 2026-12-07 13:30: then READING 1 runs"))
    exam.press(.enter)
    pass(exam, to: 13, 42)
    #expect(exam.screen.contains("Now: round 2"))
    #expect(try wall(exam).program.picture.panels[0].said == "STATION ROUND 2 of 8")
    exam.press("5")
    #expect(exam.lines[6].contains("13:4"), "\(exam.screen)")
    #expect(exam.screen.contains("13:30:0") && !exam.screen.contains("09:00"))
  }

  @Test("status is of the session that is on, or of the one that is named; the export has both, each with its start")
  func commandsOfTwoSessions() throws {
    let exam = try exam()
    try start(exam, "Blue circuit", "09:00")
    pass(exam, to: 13, 30)
    try start(exam, "Blue circuit", "13:30")
    pass(exam, to: 13, 45)
    #expect(
      status(
        exam, "BLUE", "status", "--at", "2026-12-07T09:05:00Z", "--at", "2026-12-07T12:00:00Z", "--at",
        "2026-12-07T13:45:00Z") == [
          "2026-12-07 09:00 running rotation 1 of 8", "2026-12-07 13:30 notStarted - 0 of 8",
          "2026-12-07 13:30 running rotation 2 of 8",
        ])
    #expect(
      status(exam, "BLUE", "status", "--session", "2026-12-07 09:00", "--at", "2026-12-07T13:45:00Z")
        == ["2026-12-07 09:00 finished - 0 of 8"])
    let rows = run(exam, "export", "clock", "--format", "json", "--at", "2026-12-07T13:45:00Z").list
    #expect(
      rows.map { $0["start"] as? String } == Array(repeating: "09:00", count: 24) + Array(repeating: "13:30", count: 5))
    #expect(rows.allSatisfy { $0["run"] as? Int == 1 })
  }

  @Test("a morning that is still on when the afternoon begins is never guessed between, and neither hides the other")
  func overlap() throws {
    let exam = try exam()
    try start(exam, "Blue circuit", "09:00")
    pass(exam, to: 9, 0, 30)
    try exam.clock(.pause)
    pass(exam, to: 13, 30)
    try start(exam, "Blue circuit", "13:30")
    pass(exam, to: 13, 45)
    let refused = run(exam, "clock", "BLUE", "status", "--at", "2026-12-07T13:45:00Z")
    #expect(refused.code == 1 && refused.failure.contains("2 sessions running"))
    let panels = try wall(exam).program.picture.panels.prefix(2)
    #expect(panels.flatMap(\.titles) == ["Blue circuit 09:00", "Blue circuit 13:30"])
    try exam.desk()
    #expect(exam.screen.contains("Which session of Blue circuit?"))
    exam.press("1")
    #expect(exam.lines[0].contains("ROUND 1 of 8  PAUSED READING"))
  }

  @Test("a run left paused on an earlier day is in front of nothing: desk and command ask, the wall shows today")
  func leftPaused() throws {
    let exam = try exam()
    try exam.store.write(.program) { transaction in
      for key in try Int.fetchAll(transaction.db, sql: "SELECT dsid FROM timetable WHERE startTime = '13:30'") {
        try transaction.set("Timetable", String(key), ["date": .text("2026-12-08"), "startTime": .text("10:00")])
      }
    }
    try start(exam, "Blue circuit", "09:00")
    pass(exam, to: 9, 3)
    try exam.clock(.pause)
    pass(exam, to: 32, 30)
    let refused = run(exam, "clock", "BLUE", "start", "--at", "2026-12-08T08:30:00Z")
    #expect(refused.code == 1 && refused.failure.contains("session 2026-12-07 09:00 was never stopped"))
    // It is nothing that goes on, and in the way of nobody who only looks.
    // The commands run after a start of the machine, by the real clock.
    #expect(run(exam, "clock", "all", "anchor", "last").code == 0)
    let resume = run(exam, "clock", "all", "resume", "--at", "2026-12-08T08:30:00Z")
    #expect(resume.code == 1 && resume.failure.contains("Blue circuit: session 2026-12-07 09:00 was never stopped"))
    let status = run(exam, "clock", "BLUE", "status", "--at", "2026-12-08T08:30:00Z")
    #expect(status.code == 0 && status.output.contains("Blue circuit, 2026-12-08 10:00: "))
    #expect(run(exam, "clock", "BLUE", "log", "--at", "2026-12-08T08:30:00Z").code == 0)
    #expect(run(exam, "clock", "all", "status", "--json", "--at", "2026-12-08T08:30:00Z").list.count > 1)
    let panel = try #require(try wall(exam).program.picture.panels.first)
    #expect(panel.titles == ["Blue circuit 2026-12-08 10:00"] && panel.word != "PAUSED")
    try exam.desk()
    #expect(exam.screen.contains("Which session of Blue circuit?"))
    #expect(exam.flat.contains("2026-12-07 09:00 was never stopped"))
    exam.press("2")
    #expect(exam.lines[1].contains("2026-12-08 10:00") && exam.lines[0].contains("NOT STARTED"))
  }

  @Test("a plan that cannot be read is said to be that at the desk, not a run that was left open")
  func unreadable() throws {
    let exam = try exam()
    try start(exam, "Blue circuit", "09:00")
    let now = exam.store.clock.now
    let blue = try #require(try exam.store.read { try Circuit.all(at: now, $0) }.first { $0.name == "Blue circuit" })
    try exam.store.write(.program) { try $0.db.execute(sql: "ALTER TABLE activityType RENAME TO gone") }
    let read = DeskCircuit.read(blue, chosen: nil, at: now, in: exam.store)
    #expect(!read.isUndecided && read.trouble?.contains("cannot be read") == true)
  }

  // MARK: Different lengths

  @Test("circuits of different lengths have each their own round, end and hall, and are no alarm to each other")
  func lengths() throws {
    let exam = try exam()
    for circuit in ["Blue circuit", "Green circuit"] { try start(exam, circuit, "09:00") }
    pass(exam, to: 9, 32)
    let picture = try wall(exam).program.picture
    #expect(picture.panels.map(\.said) == ["STATION ROUND 4 of 8", "STATION ROUND 5 of 8"])
    #expect(picture.panels.map(\.digits) == ["07:00", "02:00"])
    #expect(picture.panels.map(\.end) == ["Session ends 10:20, on time", "Session ends 09:56, on time"])
    try exam.desk()
    #expect(!exam.screen.contains("behind"))
    #expect(exam.screen.contains("Now: round 4") && exam.lines[1].contains("ends 10:20"))
    exam.press(.tab)
    #expect(exam.screen.contains("Now: round 5") && exam.lines[1].contains("ends 09:56"))
    #expect(
      status(exam, "all", "status", "--at", "2026-12-07T09:32:00Z") == [
        "2026-12-07 09:00 running rotation 4 of 8", "2026-12-07 09:00 running rotation 5 of 8",
      ])
  }

  @Test("a session that begins after its planned time is late by that, on the wall and at the desk")
  func lateStart() throws {
    let exam = try exam()
    pass(exam, to: 9, 20)
    try start(exam, "Blue circuit", "09:00")
    pass(exam, to: 9, 21)
    #expect(try wall(exam).program.picture.panels[0].end == "Session ends 10:40, 20 min behind")
    try exam.desk()
    #expect(exam.lines[1].contains("ends 10:40, 20 min behind"))
  }

  @Test("a delay of one of them is told against its plan; the shorter one ends, and the other goes on by itself")
  func lengthsApart() throws {
    let exam = try exam()
    for circuit in ["Blue circuit", "Green circuit"] { try start(exam, circuit, "09:00") }
    pass(exam, to: 9, 32)
    try exam.clock(.pause)
    pass(exam, to: 9, 33)
    try exam.clock(.resume)
    try exam.desk()
    #expect(
      try wall(exam).program.picture.panels.map(\.end) == [
        "Session ends 10:21, 1 min behind", "Session ends 09:56, on time",
      ])
    #expect(exam.lines[1].contains("ends 10:21, 1 min behind"))
    pass(exam, to: 9, 57)
    let panels = try wall(exam).program.picture.panels
    #expect(panels.map(\.said) == ["STATION ROUND 6 of 8", "FINISHED"] && panels[1].end == "ended 09:56")
    exam.press("A", "p", .escape)
    #expect(exam.message == "PAUSE: Blue circuit")
    exam.press(.tab)
    #expect(exam.screen.contains("Last: round 8"))
    let rows = run(exam, "export", "clock", "--format", "json", "--at", "2026-12-07T09:57:00Z").list
    let green = rows.filter { $0["circuit"] as? String == "Green circuit" }
    #expect(green.count == 24 && green.last?["ended"] as? String == "2026-12-07T09:56:00.000Z")
    #expect(green.filter { $0["type"] as? String == "rotation" }.allSatisfy { $0["seconds"] as? Double == 300 })
    let blue = rows.filter { $0["circuit"] as? String == "Blue circuit" }
    #expect(blue.last?["round"] as? Int == 6 && blue.compactMap { $0["paused_seconds"] as? Double }.reduce(0, +) == 60)
  }
}

extension WallPanel {
  /// Its loudest word and its round.
  var said: String { round.isEmpty ? word : "\(word) \(round)" }
}
