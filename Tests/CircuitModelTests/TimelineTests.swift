import Journal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

/// Reading 60 s, rotation 300 s, changeover 60 s, twice; a run from 09:00:00.
@Suite("What a session's clock tells afterwards", .serialized) struct TimelineTests {
  private func at(_ seconds: Int64) -> Instant { Instant(milliseconds: TestClock.start + seconds * 1000) }

  private func act(
    _ exam: MarkedExam, _ action: ClockAction, at seconds: Int64, _ reason: String? = nil
  ) throws {
    _ = try exam.store.write(exam.author.because(reason)) {
      try ClockLog.append(action, to: exam.session, at: at(seconds), in: $0)
    }
  }

  private func timeline(_ exam: MarkedExam, at seconds: Int64) throws -> SessionTimeline {
    try exam.store.read { try SessionTimeline.read(exam.session, at: at(seconds), in: $0) }
  }

  private func ledger(_ exam: MarkedExam, _ student: Int = 11, at seconds: Int64) throws -> CandidateLedger {
    try exam.store.read { try CandidateLedger.read(student, session: exam.session, at: at(seconds), in: $0) }
  }

  @Test("a pause has its length, its phase, its reason and who made it; the next phases are late by it") func pause()
    throws
  {
    let exam = try MarkedExam()
    try act(exam, .start, at: 0)
    try act(exam, .pause, at: 100, "fire alarm")
    #expect(try timeline(exam, at: 110).lines.last?.text == "PAUSE 00:10 in ROTATION 1, still paused")
    try act(exam, .resume, at: 235)
    let timeline = try timeline(exam, at: 500)
    #expect(
      timeline.lines.map(\.text) == [
        "START READING 1", "READING 1 09:00:00 to 09:01:00, planned 09:00:00 to 09:01:00",
        "ROTATION 1 09:01:00 to 09:08:15, planned 09:01:00 to 09:06:00", "PAUSE 02:15 in ROTATION 1",
        "RESUME in ROTATION 1", "CHANGEOVER 1 from 09:08:15, planned 09:06:00 to 09:07:00",
      ])
    let phases = timeline.lines.filter { $0.kind == .phase }.compactMap(\.passage)
    #expect(
      phases.map { $0.textBesideStart(hasPlan: true) } == [
        "READING 1 to 09:01:00, planned 09:00:00 to 09:01:00", "ROTATION 1 to 09:08:15, planned 09:01:00 to 09:06:00",
        "CHANGEOVER 1, planned 09:06:00 to 09:07:00",
      ])
    #expect(
      phases.map { $0.textBesideStart(hasPlan: false) } == [
        "READING 1 to 09:01:00", "ROTATION 1 to 09:08:15", "CHANGEOVER 1",
      ])
    let pause = try #require(timeline.lines.first { $0.kind == .pause })
    #expect((pause.reason, pause.who, pause.lostMs, pause.at) == ("fire alarm", "Dr Davies", 135_000, at(100)))
    #expect(timeline.lostMs == 135_000)
  }

  @Test("every other event has its line, also one that took no effect or is to come") func events() throws {
    let exam = try MarkedExam()
    try act(exam, .start, at: 0)
    try act(exam, .extend(seconds: -30), at: 70, "late bus")
    try act(exam, .restart, at: 80)
    try act(exam, .skip, at: 90, "nobody here")
    try act(exam, .jump(index: 1), at: 100, "wrong phase")
    try act(exam, .rounds(3), at: 105)
    try act(exam, .stop, at: 110, "flood")
    try act(exam, .jump(index: 2), at: 120, "dry")
    try act(exam, .pause, at: 130)
    let paused = try timeline(exam, at: 131)
    #expect(paused.lines.contains { $0.kind == .pause })
    let event = try exam.store.read { db in
      try ClockLogEntry.all(of: exam.session, in: db).first { $0.event.kind == .pause }!.event.id
    }
    try act(exam, .annul(target: event), at: 140, "slipped")
    try act(exam, .pause, at: 300)
    let lines = try timeline(exam, at: 150).lines.filter { $0.kind != .phase }
    #expect(
      lines.map(\.text) == [
        "START READING 1", "EXTEND -30 s in ROTATION 1", "RESTART in ROTATION 1", "SKIP in ROTATION 1",
        "JUMP to phase 1 in CHANGEOVER 1", "ROUNDS 3", "STOP in READING 1", "JUMP to phase 2",
        "PAUSE took no effect: annulled", "ANNUL of PAUSE at 09:02:10", "PAUSE to come at 09:05:00",
      ])
    #expect(lines.first { $0.kind == .stop }?.reason == "flood")
    #expect(lines.allSatisfy { $0.who == "Dr Davies" && $0.lostMs == 0 })
  }

  @Test("a phase that waits for a person is told with the time that it waited") func waiting() throws {
    let exam = try MarkedExam([SmallExam.row("CircuitStationDuration", "2", ["manualStart": .integer(1)])])
    try act(exam, .start, at: 0)
    #expect(try timeline(exam, at: 90).lines.last?.text == "WAIT 00:30 for ROTATION 1")
    try act(exam, .start, at: 100, "all in place")
    let timeline = try timeline(exam, at: 120)
    let wait = try #require(timeline.lines.first { $0.kind == .wait })
    #expect((wait.lostMs, wait.reason) == (40_000, "all in place"))
    #expect(timeline.lostMs == 40_000)
    #expect(timeline.lines.map(\.kind) == [.start, .phase, .wait, .start, .phase])
  }

  @Test("the ledger tells a candidate's stations as they were planned and held, and what happened there")
  func ledger() throws {
    let exam = try MarkedExam([SmallExam.row("Student", "11", ["extraStationSeconds": .integer(60)])])
    let planned = try ledger(exam, at: -60)
    #expect(
      planned.text() == [
        "Candidate 1001, Ada Okoro, session 2026-12-07 09:00. Planned times are the timetable's, from 09:00:00. "
          + "Adjustments: station +1 minute.",
        "Round 1, station H History, planned 09:01:00 to 09:06:00, not held so far: attendance not recorded.",
        "Round 2, station R Rest, planned 09:08:00 to 09:13:00, not held so far: attendance not recorded.",
      ])
    try act(exam, .start, at: 0)
    try act(exam, .pause, at: 100, "fire alarm")
    try act(exam, .resume, at: 235)
    try act(exam, .extend(seconds: 30), at: 240)
    _ = try exam.open(1)
    exam.test.time.pass(700_000)
    try exam.store.write(exam.author) { transaction in
      for (kind, timetable, time) in [
        (Incident.Kind.equipment, 1, Int64(200)), (.interruption, 2, 200), (.other, 1, 700),
      ] {
        try Incidents.report(
          kind, at: timetable, secondsLost: 20, text: "thermometer", time: at(time), transaction)
      }
    }
    let held = try ledger(exam, at: 3000)
    let line = held.lines[0]
    #expect((line.start, line.end) == (at(60), at(525)))
    #expect((line.plannedStart, line.plannedEnd) == (at(60), at(360)))
    #expect((line.lostSeconds, line.isPresent, line.adjustments) == (135, true, "station +1 minute"))
    #expect(line.incidents.map(\.kind) == [.equipment])
    #expect(
      line.text
        == "Round 1, station H History, 09:01:00 to 09:08:45 (planned 09:01:00 to 09:06:00): present. Paused at "
        + "09:01:40 for 2 minutes 15 seconds: fire alarm. The rotation was lengthened by 30 seconds. Incident at "
        + "09:03:20, kit failed, 20 seconds lost: thermometer.")
    // The other candidate was at the other station then, and comes to this one in round 2.
    let other = try ledger(exam, 12, at: 3000)
    #expect(other.lines.map(\.stationCode) == ["R", "H"])
    #expect(other.lines.map { $0.incidents.map(\.kind) } == [[.interruption], [.other]])
    #expect(other.lines.map(\.lostSeconds) == [135, 0])
  }

  @Test("a late candidate, and a round that was held twice, are told") func lateAndTwice() throws {
    let exam = try MarkedExam()
    try exam.store.write(exam.author) {
      _ = try $0.set(
        "TimetableAttendanceLog", SmallExam.entry(1),
        ["lateAt": .integer(at(120).milliseconds), "present": .bool(true)])
    }
    try act(exam, .start, at: 0)
    try act(exam, .skip, at: 130, "slipped")
    #expect(try ledger(exam, at: 135).lines[0].end == at(130))
    try act(exam, .jump(index: 2), at: 140)
    let line = try ledger(exam, at: 200).lines[0]
    #expect((line.start, line.end, line.lateAt) == (at(60), nil, at(120)))
    #expect(line.text.contains("Came in late at 09:02:00. The round was held 2 times."))
    #expect(line.text.contains("The rotation was ended by hand at 09:02:10 (slipped)."))
  }

  @Test("the ledger has one plan, the timetable's, for what was held and what is to come, however late the start was")
  func onePlan() throws {
    let exam = try MarkedExam()
    try act(exam, .start, at: 600)
    let lines = try ledger(exam, at: 700).lines
    #expect(lines.map(\.start) == [at(660), nil])
    #expect(lines.map(\.plannedStart) == [at(60), at(480)])
  }

  @Test("after a change of slots the ledger is of the stations that the candidate really comes to") func swapped()
    throws
  {
    let exam = try MarkedExam([
      SmallExam.row(
        "SlotTable", "00000000-0000-4000-8000-0000000000ab",
        [
          "circuit": .integer(1), "date": .text("2026-12-07"), "startTime": .text("09:00"),
          "places": .text(#"[{"round":2,"planned":11,"comes":12},{"round":2,"planned":12,"comes":11}]"#),
        ])
    ])
    #expect(try ledger(exam, 11, at: 0).lines.map(\.stationCode) == ["H", "H"])
    #expect(try ledger(exam, 12, at: 0).lines.map(\.stationCode) == ["R", "R"])
    #expect(throws: StoreError.self) { try ledger(exam, 99, at: 0) }
  }

  @Test("a station that is made up stands after the session's own, with the times of the re-run") func rerun() throws {
    let exam = try MarkedExam()
    try act(exam, .start, at: 0)
    try act(exam, .stop, at: 800)
    try exam.store.write(exam.author) { transaction in
      let run = "00000000-0000-4000-8000-0000000000ad"
      try transaction.create(
        "CircuitRun", run,
        [
          "circuit": .integer(1), "date": .text("2026-12-07"), "startTime": .text("09:00"), "number": .integer(2),
          "rerun": .bool(true),
        ])
      let plan = try StartPlan.made(for: exam.session, in: transaction.db).json
      try transaction.create(
        "ClockEvent", "00000000-0000-4000-8000-0000000000ae",
        [
          "run": .text(run), "kind": .text("start"), "at": .integer(at(1000).milliseconds), "plan": .text(plan),
        ])
      try transaction.create(
        "RerunEntry", "00000000-0000-4000-8000-0000000000ac",
        ["attendanceLog": .text(SmallExam.entry(1)), "place": .integer(1)])
    }
    let lines = try ledger(exam, at: 1100).lines
    #expect(lines.map { "\($0.round) \($0.stationCode) \($0.isRerun)" } == ["1 H false", "2 R false", "1 H true"])
    #expect(lines.map(\.start) == [at(60), at(480), at(1060)])
  }

  @Test("the phases are exported one row a passage, with planned and real times") func phases() throws {
    let exam = try MarkedExam()
    #expect(try exam.rows(.clock).isEmpty)
    try act(exam, .start, at: 0)
    try act(exam, .extend(seconds: 5), at: 10)
    _ = try exam.store.write(exam.author) {
      try ClockLog.append(.pause, to: exam.session, at: at(105) + 1, in: $0)
      try ClockLog.append(.resume, to: exam.session, at: at(106) + 251, in: $0)
    }
    try act(exam, .extend(seconds: -10), at: 110)
    exam.test.time.pass(370_000)
    let rows = try exam.rows(.clock)
    #expect(rows.map { $0["type"] } == ["reading", "rotation", "changeover"].map { .text($0) })
    #expect(rows.map { $0["ending"] } == [.text("ran out"), .text("ran out"), .empty])
    let rotation = rows[1]
    #expect(rotation["round"] == .integer(1) && rotation["phase"] == .integer(2) && rotation["run"] == .integer(1))
    #expect(rotation["planned_start"] == .time(at(60)) && rotation["planned_end"] == .time(at(360)))
    #expect(rotation["started"] == .time(at(65)) && rotation["ended"] == .time(at(356) + 250))
    #expect(rotation["planned_seconds"] == .mark(MarkValue(300)!))
    #expect(rotation["seconds"] == .mark(MarkValue(291.25)!))
    #expect(rotation["paused_seconds"] == .mark(MarkValue(1.25)!))
    #expect(rotation["waited_seconds"] == .mark(MarkValue(0)!))
    #expect(rotation["extended_seconds"] == .integer(-10))
    #expect(rows[2]["ended"] == .empty && rows[2]["seconds"] == .empty)
    #expect(try exam.rows(.events).count == 5)
  }
}
