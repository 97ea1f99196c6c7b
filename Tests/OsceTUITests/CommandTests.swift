import CircuitModel
import ExamStore
import Foundation
import GRDB
import Reports
import SystemTesting
import Testing
import Timer

@testable import OsceTUI

@Suite("Commands") struct CommandTests {
  private static let start = "2026-12-07T09:00:00Z"

  @Test("the store may be named before the command or behind it") func arrangement() {
    #expect(CommandArguments.arranged(["--store", "x", "status"]) == ["status", "--store", "x"])
    #expect(CommandArguments.arranged(["--store=x", "clock", "1", "log"]) == ["clock", "--store=x", "1", "log"])
    #expect(CommandArguments.arranged(["--store", "x"]) == ["--store", "x"])
    #expect(CommandArguments.arranged(["--help"]) == ["--help"])
    #expect(CommandArguments.arranged(["--wait", "-1", "status"]) == ["status", "--wait=-1"])
    #expect(
      CommandArguments.arranged(["x", "--score", "-1.5", "--", "--k", "-1"]) == [
        "x", "--score=-1.5", "--", "--k", "-1",
      ])
    #expect(
      CommandArguments.arranged(["clock", "1", "extend", "-30", "--json"])
        == ["clock", "1", "extend", "--json", "--", "-30"])
    #expect(
      CommandArguments.arranged(["clock", "1", "extend", "--at", "T", "--json", "-30"])
        == ["clock", "1", "extend", "--at", "T", "--json", "--", "-30"])
    #expect(
      CommandArguments.arranged(["rule", "amend", "S", "i", "-0.5", "--second", "u"])
        == ["rule", "amend", "S", "i", "--second", "u", "--", "-0.5"])
    #expect(CommandArguments.arranged(["clock", "1", "extend", "--", "-30"]) == ["clock", "1", "extend", "--", "-30"])
  }

  @Test("a usage mistake is 64, a failure is 1 and one line") func exits() throws {
    let exam = try CommandRunner()
    #expect(CommandRunner.run(["clock"]).code == 64)
    for arguments in [["--store", "", "status"], ["status", "--store="]] {
      let result = CommandRunner.run(arguments)
      #expect(result.code == 64 && result.failure.hasPrefix("osce: --store takes"), "\(result.failure)")
    }
    #expect(CommandRunner.run(["nonsense"]).code == 64)
    #expect(exam.run("clock", "1", "dance").code == 64)
    #expect(exam.run("clock", "1", "extend").code == 64)
    #expect(exam.run("clock", "1", "extend", "1.5").code == 64)
    #expect(exam.run("clock", "1", "pause", "3").code == 64)
    #expect(exam.run("clock", "1", "start", "--at", "noon").code == 64)
    #expect(exam.run("clock", "1", "start", "--at", Self.start, "--at", Self.start).code == 64)
    for time in [
      "0000-01-01T00:00:00Z", "1900-01-01T00:00:00+01:00", "9999-01-01T00:00:00Z", "9999-12-31T23:59:59-10:00",
    ] {
      let result = exam.run("clock", "1", "start", "--at", time)
      #expect(result.code == 64 && result.failure.contains("the years 1900 to 9998"), "\(result.failure)")
    }
    for session in ["2026-12-07", ""] {
      #expect(exam.run("clock", "1", "status", "--session", session).code == 64)
      #expect(exam.run("wall", "--session", session).code == 64)
    }
    #expect(exam.run("export", "marks", "--format", "xlsx").code == 64)
    #expect(exam.run("wall", "--desk", "--pages").code == 64)
    #expect(exam.run("wall", "--staff", "nokafor").code == 64)
    #expect(exam.run("wall", "--desk", "--bell", "loud").code == 64)
    #expect(exam.run("wall", "--desk", "Purple").code == 1)
    #expect(exam.run("wall", "--desk", "--session", "2020-01-01 09:00").code == 1)
    #expect(exam.run("export", "nothing").code == 64)
    #expect(exam.run("journal", "--entity", "Staff").code == 64)
    for arguments in [
      ["clock", "9", "start"], ["clock", "1", "pause", "--at", Self.start], ["journal", "--entity", "X", "--id", "1"],
    ] {
      let result = CommandRunner.run(arguments + ["--store", exam.store])
      #expect(result.code == 1)
      #expect(result.failure.hasPrefix("osce: "))
      #expect(result.failure.filter { $0 == "\n" }.count == 1)
      #expect(result.output.isEmpty)
    }
    #expect(CommandRunner.run(["status", "--store", exam.folder + "/none"]).code == 1)
    #expect(CommandRunner.run(["--help"]).code == 0)
  }

  @Test("a circuit's clock is started, moved and shown") func clock() throws {
    let exam = try CommandRunner()
    #expect(exam.run("clock", "1", "start", "--at", Self.start).code == 0)
    // The reading phase of this exam has a manual start, which changes nothing on the first.
    #expect(
      exam.run("clock", "BLUE", "extend", "-30", "--at", "2026-12-07T09:02:00Z", "--reason", "late bus").code == 0)
    #expect(exam.run("clock", "Blue circuit", "pause", "--at", "2026-12-07T09:03:00Z").code == 0)
    let status = exam.run("clock", "1", "status", "--at", "2026-12-07T09:04:00Z", "--json").object
    #expect(status["state"] as? String == "paused")
    #expect(status["round"] as? Int == 1)
    #expect(status["rounds"] as? Int == 8)
    #expect(status["elapsedMs"] as? Int == 120_000)
    #expect(status["remainingMs"] as? Int == 330_000)
    #expect(status["endsAt"] is NSNull)
    #expect(status["session"] as? String == "2026-12-07 09:00")
    #expect((status["phase"] as? [String: Any])?["allottedMs"] as? Int == 450_000)
    let several = exam.run("clock", "1", "status", "--at", Self.start, "--at", "2026-12-07T09:02:00Z", "--json").list
    #expect(several.map { $0["at"] as? String } == ["2026-12-07T09:00:00.000Z", "2026-12-07T09:02:00.000Z"])
    let events = exam.run("clock", "1", "log", "--json").object["events"] as? [[String: Any]] ?? []
    #expect(events.map { $0["kind"] as? String } == ["start", "extend", "pause"])
    #expect(events[1]["seconds"] as? Int == -30)
    #expect(events[1]["reason"] as? String == "late bus")
    #expect(events.allSatisfy { $0["applied"] as? Bool == true })
    #expect(
      Set(events[0].keys)
        == ["id", "kind", "at", "seconds", "index", "rounds", "passage", "target", "staff", "reason", "applied"])
    #expect(exam.run("clock", "1", "resume", "--at", "2026-12-07T09:05:00Z", "--passage", "1").code == 1)
    #expect(exam.run("clock", "1", "resume", "--at", "2026-12-07T09:05:00Z", "--passage", "2").code == 0)
  }

  @Test("an annul is taken in the passage that is named and in no other; what acts in none takes no --passage")
  func passages() throws {
    let exam = try CommandRunner()
    let start = exam.run("clock", "1", "start", "--at", Self.start, "--json").object
    let id = try #require(start["event"] as? String)
    func annul(_ passage: String) -> CommandRunner.Result {
      exam.run("clock", "1", "annul", id, "--at", "2026-12-07T09:00:10Z", "--passage", passage)
    }
    let late = annul("99")
    #expect(late.code == 1 && late.failure.contains("the clock has moved on: passage 1, not 99 (phase 1, round 1)"))
    #expect(annul("1").code == 0)
    for arguments in [
      ["1", "status", "--passage", "1"], ["1", "log", "--passage", "1"], ["all", "anchor", "--passage", "1"],
      ["all", "anchor", "--session", "2026-12-07 09:00"],
    ] {
      #expect(CommandRunner.run(["clock"] + arguments + ["--store", exam.store]).code == 64)
    }
  }

  @Test("an annul finds its event over all circuits, whatever the case of its letters, and names one that is not there")
  func annulOverAll() throws {
    let exam = try CommandRunner()
    let start = exam.run("clock", "2", "start", "--at", Self.start, "--json").object
    let id = try #require(start["event"] as? String)
    func annul(_ circuit: String, _ id: String) -> CommandRunner.Result {
      exam.run("clock", circuit, "annul", id, "--at", "2026-12-07T09:00:10Z", "--staff", "wbarker", "--reason", "x")
    }
    for (circuit, unknown) in [("1", id), ("1", "nowhere"), ("all", "nowhere")] {
      let refused = annul(circuit, unknown)
      #expect(refused.code == 1)
      #expect(refused.failure == "osce: there is no event \(unknown) to annul; log lists them\n")
    }
    #expect(annul("all", id.uppercased()).code == 0)
    let status = exam.run("clock", "2", "status", "--at", "2026-12-07T09:00:20Z", "--json").object
    #expect(status["state"] as? String == "notStarted")
  }

  @Test("an annul finds an event whose key has capital letters, as another program may write it")
  func annulOfCapitals() throws {
    let exam = try CommandRunner()
    let id = "0B7A6C1E-52F4-4D0B-9C55-6E1F0A2D3B4C"
    _ = exam.run("clock", "1", "start", "--at", Self.start)
    let store = try ExamStore(StoreLocation(path: exam.store))
    try store.write(.program) { transaction in
      let run = try #require(try String.fetchOne(transaction.db, sql: "SELECT uuid FROM circuitRun"))
      try transaction.create(
        "ClockEvent", id,
        ["run": .text(run), "kind": .text("pause"), "at": .integer(Rehearsed.start + 10_000)])
    }
    store.close()
    let annul = exam.run(
      "clock", "1", "annul", id, "--at", "2026-12-07T09:00:20Z", "--staff", "wbarker", "--reason", "x")
    #expect(annul.code == 0, "\(annul.failure)")
    let status = exam.run("clock", "1", "status", "--at", "2026-12-07T09:00:30Z", "--json").object
    #expect(status["state"] as? String == "running", "\(status)")
  }

  @Test("before the start every value of the running clock is null, and its log says that it has nothing")
  func notStarted() throws {
    let exam = try CommandRunner()
    #expect(exam.run("clock", "1", "log").output == "no event is recorded\n")
    let status = exam.run("clock", "1", "status", "--at", Self.start, "--json").object
    #expect(status["state"] as? String == "notStarted")
    for key in ["phase", "round", "elapsedMs", "remainingMs", "endsAt"] { #expect(status[key] is NSNull) }
    #expect(status["rounds"] as? Int == 8)
    #expect(status["alert"] as? String == "none")
  }

  @Test("all circuits are started at one instant, or none") func all() throws {
    let exam = try CommandRunner()
    #expect(exam.run("clock", "all", "start", "--at", Self.start).code == 0)
    let states = exam.run("clock", "all", "status", "--at", Self.start, "--json").list
    #expect(states.map { $0["state"] as? String } == ["running", "running"])
    #expect(exam.run("clock", "2", "pause", "--at", "2026-12-07T09:02:00Z").code == 0)
    let late = exam.run("clock", "all", "extend", "30", "--at", "2026-12-07T09:02:30Z", "--passage", "2")
    #expect(late.code == 0)
    #expect(exam.run("clock", "1", "skip", "--at", "2026-12-07T09:02:40Z").code == 0)
    let refused = exam.run("clock", "all", "restart", "--at", "2026-12-07T09:02:50Z", "--passage", "2")
    #expect(refused.code == 1 && refused.failure.contains("Blue circuit: cannot restart"))
  }

  @Test("a start for an instant before what counts is taken, and says what counts no more and how to take it back")
  func displaced() throws {
    let exam = try CommandRunner()
    #expect(exam.run("clock", "1", "start", "--at", Self.start).code == 0)
    #expect(exam.run("clock", "1", "pause", "--at", "2026-12-07T09:02:00Z").failure.isEmpty)
    let early = exam.run("clock", "1", "start", "--at", "2026-12-07T08:00:00Z", "--json")
    #expect(early.code == 0)
    #expect(early.failure.contains("please check: start at 09:00:00, pause at 09:02:00"))
    let id = try #require(early.object["event"] as? String)
    #expect(early.failure.contains("osce clock 1 annul \(id) takes this back"))
    let back = exam.run(
      "clock", "1", "annul", id, "--at", "2026-12-07T09:03:00Z", "--staff", "wbarker", "--reason", "x")
    #expect(back.code == 0 && back.failure.isEmpty)
  }

  @Test(
    "what a line says takes a start back does so as it stands, whichever session runs; another day's times have dates")
  func takenBackAsSaid() throws {
    let exam = try CommandRunner()
    let afternoon = ["--session", "2026-12-07 13:30"]
    func act(_ arguments: [String], at time: String) -> CommandRunner.Result {
      CommandRunner.run(["clock", "1"] + arguments + ["--at", time, "--json", "--store", exam.store])
    }
    #expect(exam.run("clock", "1", "start", "--at", Self.start).code == 0)
    #expect(act(["start"] + afternoon, at: "2026-12-07T13:30:00Z").code == 0)
    let pause = try #require(act(["pause"] + afternoon, at: "2026-12-07T13:31:00Z").object["event"] as? String)
    #expect(act(["annul", pause], at: "2026-12-07T13:32:00Z").code == 0)
    let early = act(["start"] + afternoon, at: "2026-12-06T12:00:00Z")
    #expect(early.failure.contains("start at 2026-12-07 13:30:00"))
    let id = try #require(early.object["event"] as? String)
    #expect(early.failure.hasSuffix("; osce clock 1 annul \(id) takes this back\n"))
    #expect(!early.failure.contains("annul at "))
    let back = act(["annul", id], at: "2026-12-07T13:33:00Z")
    #expect(back.code == 0 && (back.object["status"] as? [String: Any])?["session"] as? String == "2026-12-07 13:30")
  }

  @Test("all pause and all resume act wherever they fit, and name the circuits where they do not") func fireAlarm()
    throws
  {
    let exam = try CommandRunner()
    let early = exam.run("clock", "all", "pause", "--at", Self.start)
    #expect(early.code == 1 && early.output.isEmpty && early.failure.filter { $0 == "\n" }.count == 1)
    #expect(exam.run("clock", "all", "start", "--at", Self.start).code == 0)
    #expect(exam.run("clock", "2", "pause", "--at", "2026-12-07T09:02:00Z").code == 0)
    let pause = exam.run("clock", "all", "pause", "--at", "2026-12-07T09:03:00Z", "--reason", "fire alarm", "--json")
    #expect(pause.code == 0 && pause.list.count == 1)
    #expect(pause.failure.hasPrefix("osce: Green circuit: cannot pause: the clock is already paused"))
    #expect(states(exam, "2026-12-07T09:03:00Z") == ["paused", "paused"])
    #expect(exam.run("clock", "all", "pause", "--at", "2026-12-07T09:03:01Z").code == 1)
    let resume = exam.run("clock", "all", "resume", "--at", "2026-12-07T09:13:00Z", "--json")
    #expect(resume.code == 0 && resume.list.count == 2 && resume.failure.isEmpty)
    #expect(states(exam, "2026-12-07T09:13:00Z") == ["running", "running"])
  }

  private func states(_ exam: CommandRunner, _ at: String) -> [String] {
    exam.run("clock", "all", "status", "--at", at, "--json").list.compactMap { $0["state"] as? String }
  }

  @Test("all pause stops both sessions of a circuit where two are open, and all resume lets both go on")
  func bothSessions() throws {
    let exam = try CommandRunner()
    let sessions = ["2026-12-07 09:00", "2026-12-07 13:30"]
    for name in sessions { #expect(exam.run("clock", "1", "start", "--session", name, "--at", Self.start).code == 0) }
    #expect(exam.run("clock", "1", "pause", "--at", "2026-12-07T09:03:00Z").code == 1)
    #expect(exam.run("clock", "all", "skip", "--at", "2026-12-07T09:03:00Z").code == 1)
    for (action, state) in [("pause", "paused"), ("resume", "running")] {
      let given = exam.run("clock", "all", action, "--at", "2026-12-07T09:03:00Z", "--json")
      #expect(given.code == 0 && given.list.count == 2)
      for name in sessions {
        let status = exam.run("clock", "1", "status", "--session", name, "--at", "2026-12-07T09:03:00Z", "--json")
        #expect(status.object["state"] as? String == state)
      }
    }
  }

  @Test("a refused pause says when the clock goes on by itself; all pause calls that off") func goesOnByItself() throws
  {
    let exam = try CommandRunner()
    #expect(exam.run("clock", "all", "start", "--at", Self.start).code == 0)
    #expect(exam.run("clock", "2", "pause", "--at", "2026-12-07T09:02:00Z").code == 0)
    #expect(exam.run("clock", "2", "resume", "--at", "2026-12-07T09:20:00Z").code == 0)
    let one = exam.run("clock", "2", "pause", "--at", "2026-12-07T09:03:00Z")
    #expect(one.code == 1 && one.failure.contains("; resumes by itself at 09:20:00 (osce clock 2 annul "))
    let all = exam.run("clock", "all", "pause", "--at", "2026-12-07T09:03:00Z", "--json")
    #expect(all.code == 0 && all.list.count == 2)
    #expect(all.failure.contains("Green circuit: cannot pause"))
    #expect(all.failure.hasSuffix("; the resume set for 09:20:00 is cancelled\n"))
    #expect(states(exam, "2026-12-07T09:21:00Z") == ["paused", "paused"])
  }

  @Test("while the time is in doubt only a pause is taken; what settling it ends or skips is refused without --force")
  func doubtfulTime() throws {
    let exam = try CommandRunner()
    let store = try ExamStore(StoreLocation(path: exam.store), .existing)
    defer { store.close() }
    let before = store.clock.now + -10_860_000
    #expect(exam.run("clock", "all", "start", "--at", Timestamp.text(before)).code == 0)
    try store.write(.program) { transaction in
      let last = before.milliseconds + 60_000
      try transaction.db.execute(
        sql: "UPDATE bootClock SET offset = offset - 10800000, lastRecord = ?, anchoredAt = ?",
        arguments: [last, last + 10_800_000])
    }
    for arguments in [["1", "skip"], ["1", "resume"], ["all", "resume"], ["all", "stop"]] {
      let refused = CommandRunner.run(["clock"] + arguments + ["--store", exam.store])
      #expect(refused.code == 1 && refused.failure.hasPrefix("osce: confirm the exam time first: "))
      #expect(refused.failure.filter { $0 == "\n" }.count == 1 && refused.failure.contains("osce clock all anchor "))
    }
    #expect(exam.run("clock", "2", "pause").code == 0)
    let refused = exam.run("clock", "all", "anchor")
    #expect(refused.code == 1 && refused.failure.contains("Blue circuit 2026-12-07 09:00 goes from "))
    #expect(refused.failure.hasSuffix(": nothing was done; --force does it anyway\n"))
    #expect(!refused.failure.contains("Green circuit"))
    let forced = exam.run("clock", "all", "anchor", "--force")
    #expect(forced.code == 0 && forced.failure.hasPrefix("osce: Blue circuit 2026-12-07 09:00 goes from "))
    #expect(exam.run("clock", "1", "start").code == 0)
    #expect(exam.run("clock", "1", "skip", "--force").code == 64)
  }

  @Test("the exam's time comes back after a slip of a century, with --force, and the clocks with it") func century()
    throws
  {
    let exam = try CommandRunner()
    let session = ["--session", "2026-12-07 09:00"]
    func clock(_ words: String...) -> CommandRunner.Result {
      CommandRunner.run(["clock"] + words + ["--store", exam.store])
    }
    #expect(clock("1", "start", session[0], session[1]).code == 0)
    let slip = ["--at", "2126-12-07T09:00:00Z"]
    #expect(clock("all", "anchor", slip[0], slip[1]).failure.contains("--force does it anyway"))
    let slipped = clock("all", "anchor", slip[0], slip[1], "--force")
    #expect(slipped.code == 0 && slipped.failure.contains("Blue circuit 2026-12-07 09:00 "))
    #expect(slipped.output.contains("moved by ") && !slipped.output.contains(" ms"))
    // Done in the wrong century: it lies in the way back, and is to come afterwards.
    #expect(clock("2", "start", session[0], session[1]).code == 0)
    let refused = clock("all", "anchor")
    #expect(refused.code == 1 && refused.failure.filter { $0 == "\n" }.count == 1)
    #expect(refused.failure.contains("nothing was done; --force does it anyway"))
    let back = clock("all", "anchor", "--force", "--json")
    #expect(back.code == 0 && back.failure.contains("Blue circuit 2026-12-07 09:00 "))
    #expect((back.object["movedMs"] as? Int64 ?? 0) < -3_000_000_000_000)
    #expect(clock("1", "status", "--json", session[0], session[1]).object["state"] as? String == "running")
    #expect(clock("1", "pause", session[0], session[1]).code == 0)
    #expect(exam.run("doctor").code == 0)
  }

  @Test("all pause calls off a start to come where nothing runs") func startToCome() throws {
    let exam = try CommandRunner()
    #expect(exam.run("clock", "all", "start", "--at", Self.start).code == 0)
    let all = exam.run("clock", "all", "pause", "--at", "2026-12-07T08:59:00Z")
    #expect(all.code == 0 && all.failure.split(separator: "\n").count == 2)
    #expect(all.failure.contains("the start set for 09:00:00 is cancelled"))
    #expect(states(exam, "2026-12-07T09:01:00Z") == ["notStarted", "notStarted"])
  }

  @Test("the same by somebody else at one instant is kept, and said to be without effect") func repeated() throws {
    let exam = try CommandRunner()
    #expect(exam.run("clock", "1", "start", "--at", Self.start, "--staff", "nokafor").code == 0)
    let at = "2026-12-07T09:03:00Z"
    #expect(exam.run("clock", "1", "pause", "--at", at, "--staff", "nokafor").code == 0)
    let second = exam.run("clock", "1", "pause", "--at", at, "--staff", "hyamamoto")
    #expect(second.code == 1)
    #expect(second.failure == "osce: nokafor did the same at that instant; kept, without effect\n")
    let log = exam.run("clock", "1", "log", "--json").object["events"] as? [[String: Any]] ?? []
    #expect(log.count == 3)
  }

  @Test("skip, jump, stop and annul say on standard error where nobody or no reason is named") func nameAndReason()
    throws
  {
    let exam = try CommandRunner()
    let start = exam.run("clock", "1", "start", "--at", Self.start)
    #expect(start.code == 0 && start.failure.isEmpty)
    let at = "2026-12-07T09:02:00Z"
    let bare = exam.run("clock", "1", "skip", "--at", at, "--json")
    #expect(bare.code == 0 && bare.object["event"] != nil)
    #expect(bare.failure == "osce: recorded without a name or reason; --staff and --reason say who and why\n")
    let named = exam.run("clock", "1", "jump", "3", "--at", at, "--staff", "nokafor")
    #expect(named.code == 0 && named.failure == "osce: recorded without a reason; --reason says why\n")
    let full = exam.run("clock", "1", "stop", "--at", at, "--staff", "nokafor", "--reason", "power cut")
    #expect(full.code == 0 && full.failure.isEmpty)
  }

  @Test("who acts is named, and must be known") func staff() throws {
    let exam = try CommandRunner()
    #expect(exam.run("clock", "1", "start", "--at", Self.start, "--staff", "nokafor").code == 0)
    let events = exam.run("clock", "1", "log", "--json").object["events"] as? [[String: Any]] ?? []
    #expect(events.first?["staff"] as? String == "nokafor")
    #expect(exam.run("clock", "1", "pause", "--at", Self.start, "--staff", "nobody").code == 1)
  }

  @Test("status counts every expected sheet, and missing lists them") func counts() throws {
    let exam = try CommandRunner()
    let total = exam.run("status", "--json").object["total"] as? [String: Any] ?? [:]
    // 30 candidates at 7 marked stations each; one station has a second assessor for the 16 candidates of its circuit.
    let expected = total["expected"] as? Int ?? 0
    #expect(expected == 30 * 7 + 16)
    let missing = exam.run("missing", "--json").object["missing"] as? [[String: Any]] ?? []
    #expect(missing.count == expected)
    #expect(missing.allSatisfy { $0["kind"] as? String == "sheet" && $0["assessor"] is String })
    #expect(exam.run("status").output.hasPrefix("0 of \(expected) sheets signed"))
    #expect(exam.run("missing").output.hasSuffix("\(expected) missing\n"))
    let items = total["items"] as? Int ?? 0
    let export = exam.run("export", "marks", "--format", "csv")
    #expect(export.output.split(separator: "\r\n").count > items)
    #expect(exam.run("export", "marks", "--format", "json").list.count == items)
  }

  @Test("differences of double marking, concerns and what could not be assessed are shown to the lead by commands")
  func forTheLead() throws {
    let exam = try CommandRunner()
    #expect(exam.run("differences").output == "no candidate has two signed sheets\n")
    #expect(exam.run("differences", "--json").output == "{\"differences\":[]}\n")
    #expect(!exam.run("status").output.contains("CONCERN"))
    try exam.withStore { store in
      let place = try store.read { db in try StationSession.all(in: db).first { $0.stationCode == "CONSENT" }! }
      let entry = try store.read { try Roster.entries(timetable: place.timetable, seat: .lead, in: $0)[0] }
      let seats = place.assessors.map(\.seat)
      for (seat, place) in zip(seats, [0, 1]) {
        try store.write(.program) { transaction in
          let key = try Attendance.passIdentityStep(entry: entry, seat: seat, in: transaction)[0]
          let sheet = try Sheet.read(key, in: transaction.db)!
          let marking = Marking(transaction, judge: 1)
          for item in sheet.items where !item.template.levels.isEmpty {
            try marking.mark(item, level: place == 0 ? item.template.levels[0] : item.template.levels.last!)
          }
          if place == 1, let item = sheet.items.first(where: { $0.template.allowsUnable }) {
            try marking.markUnable(item)
          }
          try Signing.sign(sheet, in: transaction)
        }
      }
      try store.write(.program) {
        try Comments.add("left the needle on the bed", to: .candidate(entry.key), isConcern: true, in: $0)
        try SignOut.note(identity: "badge\u{1B} of 2019", entry: entry.key, in: $0)
      }
    }
    let output = exam.run("differences").output
    #expect(
      output.contains("CONSENT, round 1, ") && output.contains(" points apart, margin ") && output.contains("BEYOND"))
    #expect(output.hasSuffix("1 of 1 pairs beyond the margin\n"))
    let list = exam.run("differences", "--json").object["differences"] as? [[String: Any]] ?? []
    #expect(list.count == 1 && list[0]["beyond"] as? Bool == true && list[0]["station"] as? String == "CONSENT")
    #expect(list[0]["form"] as? String == "CONSENT", "the sheet's code, as in every other list")
    let assessors = ["first", "second"].map { (list[0][$0] as? [String: Any])?["assessor"] as? String }
    #expect(assessors == ["mlindqvist", "rfitzgerald"])
    let identity = exam.run("status").output.split(separator: "\n").first { $0.hasPrefix("IDENTITY did not match: ") }
    #expect(identity?.contains(" at CONSENT, ") == true && identity?.hasSuffix(": badge\\u{1b} of 2019") == true)
    #expect(exam.run("status").output.contains("1 CONCERN raised: osce export comments"))
    let comments = exam.run("export", "comments", "--format", "json").list
    #expect(
      comments.contains { $0["concern"] as? Bool == true && $0["text"] as? String == "left the needle on the bed" })
  }

  @Test("the header of the marks is what other programs rely on") func header() throws {
    let exam = try CommandRunner()
    let output = exam.run("export", "marks").output
    #expect(
      output.hasPrefix(
        "date,start,circuit,station,timetable,round,student_number,candidate,present,assessor,form,section,copy,item,"
          + "text,type,value,maximum,unable,descriptor,feedback,marked_at,where,entered_by,first_marked_at,changes,"
          + "seconds_after_bell,form_version,signed_at,sheet,seat,item_key,role,pilot,weight,borderline,critical,tooth,"
          + "quadrant,quantity,difficulty,tags,recommended,completes_case,minimum,threshold,lower_threshold,required,"
          + "planned,margin\r\n2026-12-07,09:00,Blue circuit,CHEST,"))
  }

  @Test("results are shown as text, JSON and tables, and nothing half said") func results() throws {
    let exam = try CommandRunner()
    let shown = exam.run("results")
    #expect(shown.code == 0 && shown.output.hasPrefix("30 candidates: 0 pass, 0 fail, 30 incomplete"))
    #expect(shown.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let json = exam.run("results", "--json").object
    #expect(json["schema"] as? Int == 1 && json["state"] as? String == "live" && json["head"] as? String != nil)
    #expect((json["candidates"] as? [Any])?.count == 30 && (json["notes"] as? [String]) == ["noScores", "provisional"])
    let table = exam.run("results", "--format", "csv", "--table", "stations").output
    #expect(table.split(separator: "\r\n").count == 8 && table.hasPrefix("station,name,n,pairs,"))
    #expect(exam.run("results", "--pilot", "NOWHERE").code == 1)
    #expect(exam.run("results", "--method", "fixed").failure.contains("fixed cuts need one of each station"))
    for wrong in [
      ["--k", "9"], ["--rounding", "up:9"], ["--weight", "CHEST"], ["--minimum-stations", "x"],
      ["--json", "--out", "f"],
    ] { #expect(CommandRunner.run(["results"] + wrong + ["--store", exam.store]).code == 64, "\(wrong)") }
    // No more stations can be passed than count in the same print.
    #expect(exam.run("results", "--minimum-stations", "7").code == 0)
    let most = exam.run("results", "--minimum-stations", "7", "--pilot", "CHEST")
    #expect(most.code == 64 && most.output.isEmpty)
    #expect(
      most.failure == "osce: --minimum-stations takes at most 6, the number of stations that count; got 7\n")
    // Nor more than anybody has, where circuits have different stations.
    let scores = NSTemporaryDirectory() + "osce-scores-\(ProcessInfo.processInfo.globallyUniqueString).csv"
    defer { try? FileManager.default.removeItem(atPath: scores) }
    try "candidate,circuit,station,score,grade\n1,R,A,50,2\n1,R,B,60,3\n2,Q,C,40,1\n".write(
      toFile: scores, atomically: true, encoding: .utf8)
    #expect(CommandRunner.run(["results", "--from", scores, "--minimum-stations", "2"]).code == 0)
    #expect(CommandRunner.run(["results", "--from", scores, "--minimum-stations", "3"]).code == 64)
    // A borderline grade is one that the sheets can have, or between two of them.
    #expect(exam.run("results", "--borderline", "2.5").code == 0)
    let why = ["--reason", "as the board asked", "--staff", "cdubois"]
    for tried in [["results"], ["rule", "policy"] + why] {
      let graded = CommandRunner.run(tried + ["--borderline", "9", "--store", exam.store])
      #expect(graded.code == 64 && graded.output.isEmpty, "\(tried)")
      #expect(
        graded.failure
          == "osce: --borderline takes a grade from 1 to 5, as the global rating of CHEST has them; got 9\n")
    }
    #expect(try exam.withStore { try $0.read { try ExamRuling.all(in: $0) } }.isEmpty)
  }

  @Test("results of a file of scores name that file, not the exam's, where they say whose a choice is") func scoreFile()
    throws
  {
    let scores = NSTemporaryDirectory() + "osce-scores-\(ProcessInfo.processInfo.globallyUniqueString).csv"
    defer { try? FileManager.default.removeItem(atPath: scores) }
    try "candidate,circuit,station,score,grade,borderline\n1,R,A,50,2,2.5\n2,R,A,60,3,2.5\n".write(
      toFile: scores, atomically: true, encoding: .utf8)
    let shown = CommandRunner.run(["results", "--from", scores])
    // Lines are broken at 80 columns, within a long path too.
    let text = shown.output.filter { !$0.isWhitespace }
    #expect(shown.code == 0 && text.contains("(\(scores))") && !text.contains("exam.yaml"))
    let refused = CommandRunner.run(["results", "--from", scores, "--method", "fixed"])
    #expect(
      refused.code == 1
        && refused.failure
          == "osce: fixed cuts need one of each station: \(scores) brings none; take another --method\n"
    )
  }

  @Test("closing accounts for every planned sheet and says what is open") func closing() throws {
    let exam = try CommandRunner()
    let shown = exam.run("close")
    #expect(shown.code == 0 && shown.output.contains("226 expected = 0 held + 0 absent + 0 excluded + 0 queued"))
    #expect(shown.output.contains("✗ second copy: 1 open") && shown.output.contains("✓ the store is sound"))
    let json = exam.run("close", "--json").object
    let identity = json["identity"] as? [String: Any]
    #expect(identity?["expected"] as? Int == 226 && identity?["holds"] as? Bool == false)
    #expect((json["checks"] as? [Any])?.count == 24 && json["lock"] is NSNull)
    let file = exam.folder + "/sheets.csv"
    #expect(exam.run("close", "--report", file).code == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\r\n").count == 227)
    #expect(exam.run("close", "--report", "sheets.doc").code == 64)
  }

  @Test("each sheet of a printed closing report says of which report it is, and which of how many") func closingSheets()
    throws
  {
    let exam = try CommandRunner()
    let file = exam.folder + "/closing.txt"
    #expect(exam.run("close", "--report", file).code == 0)
    let sheets = try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "\u{0C}").map {
      Array($0.components(separatedBy: "\n").dropLast())
    }
    try #require(sheets.count > 2)
    let (title, head) = (sheets[0][0], sheets[0][1])
    #expect(head.hasPrefix("Closing report · "))
    for (index, sheet) in sheets.enumerated() {
      #expect(sheet.count == 60 && sheet.allSatisfy { $0.count <= 80 })
      #expect(sheet.suffix(3) == [title, "\(head) · page \(index + 1) of \(sheets.count)", "not final"])
    }
  }

  @Test("an export to a file is the same bytes", arguments: ExportKind.allCases) func out(_ kind: ExportKind) throws {
    let exam = try CommandRunner()
    let path = exam.folder + "/out"
    let printed = exam.run("export", kind.rawValue, "--format", "json")
    #expect(printed.json is [Any])
    #expect(exam.run("export", kind.rawValue, "--format", "json", "--out", path).code == 0)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == printed.output)
  }

  @Test("the phases are exported as of now, or of the instant asked about") func phases() throws {
    let exam = try CommandRunner()
    #expect(exam.run("clock", "1", "start", "--at", "2000-01-01T09:00:00Z", "--session", "2026-12-07 09:00").code == 0)
    let all = exam.run("export", "clock", "--format", "json").list
    // The next reading phase has a manual start, so the clock waits for it to this day.
    #expect(all.dropLast().allSatisfy { $0["ending"] as? String == "ran out" })
    #expect(all.last?["started"] is NSNull && all.last?["waited_seconds"] is Double)
    let some = exam.run("export", "clock", "--format", "json", "--at", "2000-01-01T09:02:00Z").list
    #expect(some.count < all.count && some.last?["ending"] is NSNull)
    #expect(some.last?["started"] as? String == "2000-01-01T09:01:00.000Z")
    #expect(exam.run("export", "clock", "--at", "noon").code == 64)
    #expect(exam.run("export", "clock", "--at", "9999-06-01T09:02:00Z").code == 64)
    let twice = exam.run("export", "clock", "--at", "2000-01-01T09:02:00Z", "--at", "2000-01-01T09:03:00Z")
    #expect(twice.code == 64 && twice.output.isEmpty)
  }

  @Test(
    "a time is refused for what is exported as it is now",
    arguments: ["marks", "attendance", "comments", "signins", "events", "journal"])
  func exportNow(what: String) throws {
    let exam = try CommandRunner()
    let result = exam.run("export", what, "--at", Self.start)
    #expect(result.code == 64 && result.output.isEmpty)
    #expect(result.failure.hasPrefix("osce: --at is for osce export clock; \(what) are exported as they are now\n"))
    #expect(exam.run("export", what).code == 0)
  }

  @Test(
    "a mistake of usage is told in one line of the program's own words, with what to do",
    arguments: [
      ("nonsense", "there is no command nonsense; osce --help shows what it takes"),
      ("statsu", "there is no command statsu: did you mean status?; osce --help shows what it takes"),
      ("clok 1 status", "there is no command clok: did you mean clock?; osce --help shows what it takes"),
      ("rule exclud x", "there is no command exclud: did you mean "),
      ("help nonsense", "there is no command nonsense; osce --help shows what it takes"),
      ("help rule exclud", "there is no command exclud: did you mean exclude?; osce rule --help shows what it takes"),
      ("clock 1 paus", "there is no action paus: did you mean pause?; the actions are start, pause, "),
      ("status --wait -1", "--wait takes whole seconds from 0 to "), ("results --k -1", "--k "),
      ("mark", "missing: --timetable <timetable>; osce mark --help shows what it takes"),
      ("mark --timetable 1", "name the assessor with --staff USERNAME"),
      ("mark --timetable x", "--timetable cannot be x; osce mark --help shows what it takes"),
      ("clock 1", "missing: <action>; osce clock --help shows what it takes"),
      ("clock 1 bogus", "there is no action bogus; the actions are start, pause, "),
      ("clock 1 extnd 60", "there is no action extnd: did you mean extend?; the actions are start, pause, "),
      ("export what", "<what> cannot be what: it is one of marks, "),
      ("export marks --format odt", "--format cannot be odt: it is one of csv, json, xlsx"),
      ("doctor --unheard-of", "unknown option --unheard-of; osce doctor --help shows what it takes"),
      ("rule withdraw x --reason y --staf z", "unknown option --staf: did you mean --staff?"),
      ("status --jxyz", "unknown option --jxyz; osce status --help shows what it takes"),
      ("status --jsno", "unknown option --jsno: did you mean --json?; osce status --help shows what it takes"),
      ("status more words", "unexpected words more words; osce status --help shows what it takes"),
      ("status --circuit", "--circuit takes a value: --circuit <circuit>; osce status --help shows what it takes"),
      ("status --json=1", "--json takes no value; got 1; osce status --help shows what it takes"),
      ("rule withdraw x", "missing: --reason <reason>; osce rule withdraw --help shows what it takes"),
      ("rule excuse --station RX --reason x", "excuse takes --station, and --candidate, --circuit or --session"),
      ("rule adjudicate RX 1 --score x --reason y", "--score cannot be x; osce rule adjudicate --help"),
    ])
  func usage(_ line: String, _ text: String) {
    // Nothing stands behind an option that is left without its value.
    let result = CommandRunner.run(line.split(separator: " ").map(String.init))
    #expect(result.code == 64 && result.output.isEmpty)
    #expect(result.failure.hasPrefix("osce: " + text), "\(result.failure)")
    #expect(result.failure.split(separator: "\n", omittingEmptySubsequences: false).count == 2, "\(result.failure)")
  }

  @Test(
    "of a value that is far too long an error shows the beginning and the end, and what to do",
    arguments: [["status", "x"], ["export", "x"], ["status", "--circuit", "x"], ["mark", "--timetable", "x"]])
  func longValue(_ words: [String]) throws {
    let exam = try CommandRunner()
    let typed = words.map { $0 == "x" ? String(repeating: "x", count: 100_000) : $0 }
    let result = CommandRunner.run(typed + ["--store", exam.store])
    #expect(result.code != 0 && result.output.isEmpty)
    #expect(result.failure.hasPrefix("osce: ") && result.failure.contains("xx…"), "\(result.failure.prefix(400))")
    #expect(result.failure.count < 700 && result.failure.count { $0.isNewline } == 1)
  }

  @Test("help is shown for each command that there is", arguments: ["help", "help clock", "help rule exclude"])
  func help(_ line: String) {
    let result = CommandRunner.run(line.split(separator: " ").map(String.init))
    #expect(result.code == 0 && result.failure.isEmpty && result.output.hasPrefix("OVERVIEW: "))
  }

  @Test("rule without a command is a usage mistake in one line, as of other commands") func ruleAlone() {
    let result = CommandRunner.run(["rule"])
    #expect(result.code == 64 && result.output.isEmpty)
    #expect(result.failure == "osce: missing: a command; osce rule --help shows what it takes\n")
    #expect(CommandRunner.run(["rule", "--help"]).code == 0)
  }

  @Test("a store that is checked as an exam is said to be one") func checkStore() throws {
    let exam = try CommandRunner()
    for command in ["check", "import"] {
      let result = CommandRunner.run([command, exam.store] + (command == "import" ? ["--store", exam.store] : []))
      #expect(result.code == 1)
      #expect((result.output + result.failure).contains("this is a database, not an exam folder or bundle"))
      #expect(!(result.output + result.failure).contains("UTF-8"))
    }
  }

  @Test(
    "a candidate is found by number whatever the case of its letters and however they are composed",
    arguments: ["\u{E9}-1A", "\u{E9}-1a", "e\u{301}-1A", "E\u{301}-1a"])
  func candidateNumber(typed: String) throws {
    let exam = try CommandRunner()
    try exam.withStore { store in
      try store.write(.program) { transaction in
        let key = try Int.fetchOne(transaction.db, sql: "SELECT dsid FROM user WHERE studentNumber = '30101'")
        try transaction.set("Student", String(key ?? 0), ["studentNumber": .text("\u{E9}-1A")])
      }
    }
    #expect(exam.run("dossier", typed, "--json").object["number"] as? String == "\u{E9}-1A")
    #expect(exam.run("plan", "--candidate", typed).output.contains("\u{E9}-1A"))
    let total = exam.run("status", "--candidate", typed, "--json").object["total"] as? [String: Any]
    #expect(total?["expected"] as? Int ?? 0 > 0)
    #expect(!exam.run("missing", "--candidate", typed, "--json").object.isEmpty)
  }

  @Test("the plan is a grid of rounds and stations") func plan() throws {
    let exam = try CommandRunner()
    let sessions = exam.run("plan", "--json").object["sessions"] as? [[String: Any]] ?? []
    #expect(sessions.count == 4)
    #expect((sessions.first?["stations"] as? [Any])?.count == 8)
    #expect((sessions.first?["rounds"] as? [Any])?.count == 8)
    #expect(exam.run("plan").output.contains("30101"))
  }

  @Test("the plan lists the numbers that osce mark takes, under their stations") func planNumbers() throws {
    let exam = try CommandRunner()
    let sessions = exam.run("plan", "--json").object["sessions"] as? [[String: Any]] ?? []
    let stations = sessions.first?["stations"] as? [[String: Any]] ?? []
    let numbers = stations.map { station in
      station["rest"] as? Bool == true ? "-" : (station["timetable"] as? Int).map { String($0) } ?? ""
    }
    let lines = exam.run("plan").output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    // A ring that is too wide for 80 columns goes on below.
    let shown = lines.filter { $0.first == "--timetable" }.flatMap { $0.dropFirst() }
    #expect(shown.prefix(numbers.count) == numbers[...])
  }

  @Test("the doctor finds a sound store sound, and says a broken one in one line") func doctor() throws {
    let exam = try CommandRunner()
    let sound = exam.run("doctor")
    #expect(sound.code == 0)
    #expect(sound.output.hasPrefix("sound"))
    #expect(exam.run("doctor", "--json").object["verdict"] as? String == "sound")
    // Whether the exam is near depends on the day; the order of the lines does not.
    let before = exam.run("doctor", "--before", "--json").object["checks"] as? [[String: Any]] ?? []
    let results = before.compactMap { $0["result"] as? String }
    #expect(results.contains("warning"))
    #expect(results == ["failed", "warning", "ok"].flatMap { result in results.filter { $0 == result } })
    #expect(
      Set(before.compactMap { $0["name"] as? String }).isSuperset(of: ["terminals", "signed in", "time service"]))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: exam.store)
    let broken = exam.run("doctor", "--json")
    #expect(broken.code == 1)
    #expect(broken.object["verdict"] as? String == "unsound")
    #expect(broken.failure == "osce: NOT SOUND: permissions\n")
  }

  @Test("the chain's end that the doctor prints is found in the chain later; another hash is not, and says so")
  func since()
    throws
  {
    let exam = try CommandRunner()
    let chains = exam.run("doctor", "--json").object["chains"] as? [[String: Any]] ?? []
    let hash = try #require(chains.first { $0["own"] as? Bool == true }?["hash"] as? String)
    #expect(exam.run("doctor").output.contains("\(hash) after"))
    #expect(exam.run("clock", "1", "start", "--at", "2000-01-01T09:00:00Z", "--session", "2026-12-07 09:00").code == 0)
    let later = exam.run("doctor", "--since", hash)
    #expect(later.code == 0)
    #expect(later.output.contains("\(hash) is number"))
    let other = String(repeating: "a", count: 64)
    let missing = exam.run("doctor", "--since", hash, "--since", other)
    #expect(missing.code == 1)
    #expect(
      missing.failure == "osce: \(other) is not in the chain: this file is older than that, or of another exam\n")
    #expect(exam.run("doctor", "--since", "abc").code == 64)
  }

  @Test("before an exam the doctor begins with go or no-go, and names every problem") func doctorBefore() throws {
    let exam = try CommandRunner()
    #expect(exam.run("doctor", "--before").output.hasPrefix("GO; to look at: "))
    #expect(exam.run("clock", "1", "start", "--at", "2000-01-01T09:00:00Z", "--session", "2026-12-07 09:00").code == 0)
    let result = exam.run("doctor", "--before")
    #expect(result.code == 1)
    #expect(result.output.hasPrefix("NO GO: "))
    #expect(result.failure == "osce: " + (result.output.split(separator: "\n").first ?? "") + "\n")
    let checks = exam.run("doctor", "--before", "--json").object["checks"] as? [[String: Any]] ?? []
    let problems = checks.flatMap { $0["problems"] as? [String] ?? [] }
    #expect(problems.count > 3)
    for problem in problems { #expect(result.output.contains(problem)) }
    #expect(!result.output.contains("more"))
  }

  @Test("a backup is made and put back") func backup() throws {
    let exam = try CommandRunner()
    let copy = exam.folder + "/copy.sqlite"
    #expect(exam.run("backup", copy).code == 0)
    #expect(exam.run("clock", "1", "start", "--at", "2000-01-01T09:00:00Z", "--session", "2026-12-07 09:00").code == 0)
    #expect(exam.run("restore", copy).code == 1, "a run is open")
    #expect(exam.run("clock", "1", "stop").code == 0)
    let result = exam.run("restore", copy)
    #expect(result.code == 0)
    #expect(result.output.contains("kept as"))
    #expect((exam.run("clock", "1", "log", "--json").object["events"] as? [Any])?.isEmpty == true)
    #expect(exam.run("doctor").code == 0)
  }

  @Test("a restore says what each open clock shows, and whether the time by which it goes is in doubt")
  func restoredClocks() throws {
    let exam = try CommandRunner()
    let copy = exam.folder + "/copy.sqlite"
    #expect(exam.run("clock", "1", "start").code == 0 && exam.run("clock", "1", "pause").code == 0)
    #expect(exam.run("backup", copy).code == 0)
    let restored = CommandRunner.run(["restore", copy, "--store", exam.folder + "/new.sqlite"])
    #expect(restored.code == 0 && restored.output.contains(" PAUSED, "))
    #expect(!restored.output.contains("running") && !restored.output.contains("osce clock all anchor"))
    let database = try DatabaseQueue(path: copy)
    try database.write { db in
      try db.execute(sql: "UPDATE operation SET wallTime = wallTime + 86400000; DELETE FROM bootClock")
    }
    try database.close()
    let doubted = CommandRunner.run(["restore", copy, "--force", "--store", exam.folder + "/other.sqlite"])
    #expect(doubted.code == 0 && doubted.output.contains("system clock may be wrong: "))
    #expect(doubted.output.contains("behind the last saved change; say which is right with: osce clock all anchor\n"))
  }

  @Test("a backup of a store that is not sound replaces no other and says so; at a free name it is made")
  func unsoundBackup() throws {
    let exam = try CommandRunner()
    let copy = exam.folder + "/copy.sqlite"
    #expect(exam.run("backup", copy).code == 0)
    let database = try DatabaseQueue(path: exam.store)
    try database.write { db in try db.execute(sql: "UPDATE user SET surname = 'Zed' WHERE entity = 'Student'") }
    try database.close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: copy))
    let refused = exam.run("backup", copy)
    #expect(refused.code == 1 && refused.output.isEmpty)
    #expect(refused.failure.hasPrefix("osce: \(exam.store) is NOT SOUND: rows, so the earlier backup \(copy) was"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == bytes)
    let other = exam.folder + "/other.sqlite"
    let made = exam.run("backup", other)
    #expect(made.code == 1 && made.output.isEmpty)
    #expect(made.failure.hasPrefix("osce: \(other) was written, but \(exam.store) is NOT SOUND: rows; run: osce "))
    #expect(FileManager.default.fileExists(atPath: other))
  }

  @Test("no command that only reads changes a backup, and the next backup takes its place") func readBackup() throws {
    let exam = try CommandRunner()
    let folder = exam.folder + "/second"
    let copy = folder + "/copy.sqlite"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    #expect(exam.run("backup", copy).code == 0)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: copy))
    for command in [
      "status", "status --json", "missing", "export marks --format csv", "journal --json", "differences", "plan",
      "schema", "clock 1 status", "clock 1 log", "doctor", "backup \(exam.folder)/third.sqlite",
    ] {
      let result = CommandRunner.run(command.split(separator: " ").map(String.init) + ["--store", copy])
      #expect(result.code == 0 && result.failure.isEmpty, "\(command): \(result.failure)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == bytes, "\(command)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["copy.sqlite"], "\(command)")
    }
    #expect(CommandRunner.run(["doctor", "--store", copy]).output.split(separator: "\n").first == "sound")
    #expect(exam.run("backup", copy).code == 0)
  }

  @Test("a file that never was a store is put aside only by force") func restoreOverForeign() throws {
    let exam = try CommandRunner()
    let copy = exam.folder + "/copy.sqlite"
    #expect(exam.run("backup", copy).code == 0)
    let notes = exam.folder + "/notes.txt"
    try "important".write(toFile: notes, atomically: true, encoding: .utf8)
    let other = exam.folder + "/other.sqlite"
    let database = try DatabaseQueue(path: other)
    try database.write { db in try db.execute(sql: "CREATE TABLE invoices (id INTEGER)") }
    try database.close()
    for path in [notes, other] {
      chmod(path, 0o600)
      // Asked twice, because the first time must leave nothing behind by which the file looks like a store.
      for _ in 1...2 {
        let refused = CommandRunner.run(["restore", copy, "--store", path])
        #expect(refused.code == 1 && refused.output.isEmpty)
        #expect(refused.failure.hasPrefix("osce: \(path) is there and is no exam store; nothing was changed"))
        #expect(refused.failure.filter { $0 == "\n" }.count == 1)
      }
      let forced = CommandRunner.run(["restore", copy, "--force", "--store", path])
      #expect(forced.code == 0 && forced.output.contains("kept as \(path).replaced-"))
    }
    // What was a store and is nothing but rubble is what a restore is for.
    try ExamStore(StoreLocation(path: exam.store)).close()
    try "rubble".write(toFile: exam.store, atomically: false, encoding: .utf8)
    #expect(exam.run("restore", copy).code == 0)
  }

  @Test("a store that is restored from is said to be no backup") func restoreFromStore() throws {
    let exam = try CommandRunner()
    let target = exam.folder + "/target.sqlite"
    try exam.withStore { _ in }
    let said = CommandRunner.run(["restore", exam.store, "--store", target])
    #expect(said.code == 0)
    #expect(said.output.contains("\(exam.store) is a live store, not a backup"))
  }

  @Test("the journal tells the history of a row") func journal() throws {
    #expect(
      try CommandRunner().run("journal", "--entity", "Nope", "--id", "1").failure
        == "osce: there is no entity Nope; osce schema names them\n")
    let exam = try CommandRunner()
    let operations = exam.run("journal", "--entity", "ClinicGroup", "--id", "1", "--json").object["operations"]
    let first = (operations as? [[String: Any]])?.first ?? [:]
    #expect(first["kind"] as? String == "create")
    let fields = first["fields"] as? [[String: Any]] ?? []
    #expect(fields.contains { $0["name"] as? String == "name" && $0["new"] as? String == "Blue circuit" })
    #expect(exam.run("journal").output.split(separator: "\n").count > 100)
  }

  @Test("outbox counts what is not at the hub, by candidate and station, and status and doctor say the same")
  func outbox() throws {
    let exam = try CommandRunner()
    func listed(_ outbox: [String: Any], _ place: String) -> Int {
      (outbox["items"] as? [[String: Any]] ?? []).filter { $0["where"] as? String == place }
        .reduce(0) { $0 + ($1["count"] as? Int ?? 0) }
    }
    let before = exam.run("outbox", "--json").object
    #expect(Set(before.keys) == ["enrolled", "waiting", "since", "attention", "items"])
    #expect(before["enrolled"] as? Bool == false && before["attention"] as? Int == 0)
    let waiting = try #require(before["waiting"] as? Int)
    #expect(waiting > 0 && listed(before, "disk") == waiting)
    #expect(exam.run("status", "--json").object["unsent"] as? Int == waiting)
    #expect(exam.run("doctor").output.contains("\(waiting) changes not sent anywhere: no hub"))
    #expect(exam.run("outbox").output.hasPrefix("\(waiting) changes not sent anywhere: no hub, the oldest since "))
    let item = try #require((before["items"] as? [[String: Any]])?.first)
    #expect(Set(item.keys) == ["candidate", "station", "entity", "count", "since", "where", "why"])

    let refused = try exam.withStore { store in
      try store.acknowledge()
      let id = try store.write(.program) {
        try $0.set("TimetableAttendanceLog", firstEntry(store), ["present": .bool(true)])
      }
      let last = try store.read { try Int64.fetchOne($0, sql: "SELECT max(hubSeq) FROM operation") } ?? 0
      // The store's opening made no operation, so this is the next of its chain.
      try store.ingest(answers: [HubAnswer(id: id, hubSeq: last + 1, result: .rejected(.role))]) { _ in }
      return id
    }
    #expect("\(refused)".count == 36)
    let after = exam.run("outbox", "--json").object
    #expect(after["enrolled"] as? Bool == true && after["waiting"] as? Int == 0 && after["attention"] as? Int == 1)
    #expect(after["since"] is NSNull && listed(after, "attention") == 1)
    let attention = try #require((after["items"] as? [[String: Any]])?.first)
    #expect(attention["why"] as? String == "rejected:role")
    #expect(attention["entity"] as? String == "TimetableAttendanceLog")
    #expect(attention["candidate"] is String && attention["station"] is String)
    let text = exam.run("outbox")
    #expect(text.code == 0 && text.output.hasPrefix("everything is at the hub\n1 needs attention\n"))
    #expect(text.output.contains("REFUSED: not allowed to this role"))
    let doctor = exam.run("doctor")
    #expect(doctor.code == 1 && doctor.output.hasPrefix("NOT SOUND: outbox\n"))
    #expect(doctor.output.contains("osce outbox says which and why"))
  }

  private func firstEntry(_ store: ExamStore) throws -> String {
    try store.read { try String.fetchOne($0, sql: "SELECT uuid FROM timetableAttendanceLog ORDER BY uuid") } ?? ""
  }

  @Test("an outbox with nothing in it says so") func emptyOutbox() throws {
    let exam = try CommandRunner()
    try exam.withStore { try $0.acknowledge() }
    let outbox = exam.run("outbox", "--json").object
    #expect(outbox["waiting"] as? Int == 0 && (outbox["items"] as? [Any])?.isEmpty == true)
    #expect(exam.run("outbox").output == "everything is at the hub\n")
    #expect(exam.run("status").output.contains("everything is at the hub"))
    #expect(exam.run("doctor").code == 0)
  }

  @Test("the schema has all entities") func schema() {
    let entities = CommandRunner.run(["schema", "--json"]).object["entities"] as? [Any] ?? []
    #expect(entities.count > 40)
  }

  @Test("no name or comment from the store can send a control sequence") func hostile() throws {
    let exam = try CommandRunner()
    let evil = "\u{1B}]0;x\u{07}\u{9B}31m\u{202E}\nEvil"
    try exam.withStore { store in
      try store.write(.program) { transaction in
        try transaction.set("ClinicGroup", "1", ["name": .text(evil)])
        _ = try Comments.add(evil, to: .circuit(1), in: transaction)
      }
    }
    func check(_ text: String) {
      #expect(
        text.unicodeScalars.allSatisfy {
          ($0.value >= 0x20 || $0 == "\n") && !(0x7F...0x9F).contains($0.value) && $0.value != 0x202E
        })
    }
    for command in [
      ["status"], ["missing"], ["outbox"], ["plan"], ["journal"], ["doctor"], ["clock", "9", "start"],
      ["clock", "1", "status"],
    ] {
      let result = CommandRunner.run(command + ["--store", exam.store])
      check(result.output)
      check(result.failure)
      let json = CommandRunner.run(command + ["--json", "--store", exam.store])
      check(json.output)
    }
    check(CommandRunner.run(["restore", evil, "--store", exam.store]).failure)
    check(CommandRunner.run(["export", evil]).failure)
    // A file keeps the data as it is.
    #expect(exam.run("export", "comments").output.contains(evil))
    let comments = exam.run("export", "comments", "--format", "json").list
    #expect(comments.first?["text"] as? String == evil)
  }

  @Test("an export never replaces the store or what is no plain file") func exportTargets() throws {
    let exam = try CommandRunner()
    #expect(exam.run("export", "marks", "--out", exam.store).code == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: exam.store)).starts(with: Data("SQLite format 3".utf8)))
    #expect(exam.run("export", "marks", "--out", "/dev/null").code == 1)
    #expect(exam.run("status").code == 0)
  }

  @Test("a file of another program is refused and stays as it is, with nothing beside it") func foreignFiles() throws {
    let folder = try ScratchFolder.make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let text = folder + "/notes.txt"
    try Data("not a store".utf8).write(to: URL(fileURLWithPath: text))
    chmod(text, 0o600)
    #expect(CommandRunner.run(["status", "--store", text]).code == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["notes.txt"])
  }

  @Test("a refusal of the clock says in words what cannot be done") func clockVerbs() throws {
    let exam = try CommandRunner()
    #expect(exam.run("clock", "1", "rerun", "1").failure.hasPrefix("osce: cannot begin a re-run: "))
    #expect(exam.run("clock", "1", "rounds", "5").failure.hasPrefix("osce: cannot change the rounds: "))
  }

  @Test("only the seconds of extend may be negative: elsewhere a number with a minus is an option's value")
  func negatives() {
    let reason = ["clock", "1", "extend", "30", "--reason", "-5"]
    #expect(CommandArguments.arranged(reason) == ["clock", "1", "extend", "30", "--reason=-5"])
    let key = ["journal", "--entity", "Student", "--id", "-2"]
    #expect(CommandArguments.arranged(key) == ["journal", "--entity", "Student", "--id=-2"])
  }

  @Test("status and missing are of one circuit, station, assessor or candidate where that is asked for")
  func filters() throws {
    let exam = try CommandRunner()
    let all = exam.run("missing", "--json").object["missing"] as? [[String: Any]] ?? []
    func missing(_ options: String...) -> [[String: Any]] {
      CommandRunner.run(["missing", "--json"] + options + ["--store", exam.store]).object["missing"]
        as? [[String: Any]] ?? []
    }
    let own = missing("--candidate", "30101")
    #expect(!own.isEmpty && own.count == all.count { $0["student_number"] as? String == "30101" })
    let chest = missing("--circuit", "BLUE", "--station", "CHEST")
    #expect(!chest.isEmpty && chest.allSatisfy { $0["station"] as? String == "CHEST" })
    #expect(chest.count < missing("--station", "CHEST").count)
    let okafor = missing("--assessor", "nokafor")
    #expect(!okafor.isEmpty && okafor.allSatisfy { $0["assessor"] as? String == "nokafor" })
    #expect(exam.run("missing", "--candidate", "99999").code == 1)
    let status = exam.run("status", "--candidate", "30101").output
    #expect(status.hasPrefix("0 of \(own.count { $0["kind"] as? String == "sheet" }) sheets signed"), "\(status)")
  }

  @Test("what status counts of concerns, identity queries and re-runs is of the part that is asked for")
  func partOfStatus() throws {
    let exam = try CommandRunner()
    try exam.withStore { store in
      let place = try store.read { try StationSession.all(in: $0) }.first {
        $0.circuit.name == "Blue circuit" && $0.stationCode == "CHEST"
      }!
      let entry = try store.read { try Roster.entries(timetable: place.timetable, seat: .lead, in: $0)[0].key }
      let author = try store.read { try StaffMember.find(username: "nokafor", in: $0).id }
      try store.write(Author(staff: author)) {
        _ = try Comments.add("smelled of alcohol", to: .candidate(entry), isConcern: true, in: $0)
        try $0.set("TimetableAttendanceLog", entry, ["identityNote": .text("another face")])
        _ = try RerunQueue.add(entry: entry, reason: "fire alarm", $0)
      }
    }
    let said = ["1 CONCERN raised", "IDENTITY did not match", "1 station queued for a re-run"]
    for options in [
      [], ["--circuit", "BLUE"], ["--circuit", "blue circuit"], ["--circuit", "BLUE", "--station", "CHEST"],
    ] {
      let here = CommandRunner.run(["status"] + options + ["--store", exam.store]).output
      #expect(said.allSatisfy { here.contains($0) }, "\(options): \(here)")
    }
    for options in [["--circuit", "GREEN"], ["--station", "ABDO"], ["--candidate", "30108"]] {
      let there = CommandRunner.run(["status"] + options + ["--store", exam.store]).output
      #expect(!said.contains { there.contains($0) }, "\(options): \(there)")
    }
  }

  @Test("a circuit is named by number, code or name wherever one is")
  func circuitNames() throws {
    let exam = try CommandRunner()
    let number = try exam.withStore { try $0.read { try Circuit.find("BLUE", at: .latest, in: $0).id } }
    // Every way to name it at one command, and every command by one of the ways.
    for (name, command) in zip(
      ["\(number)", "BLUE", "blue", "Blue circuit"], [["print", "list"], ["status"], ["missing"], ["plan"]])
    {
      let result = CommandRunner.run(command + ["--circuit", name, "--store", exam.store])
      #expect(result.code == 0, "\(command) \(name): \(result.failure)")
      #expect(exam.run("close", "--circuit", name).output.hasPrefix("Blue circuit: "))
      let ruled = exam.run(
        "rule", "excuse", "--station", "RX", "--circuit", name, "--reason", "fire", "--staff", "cdubois")
      #expect(ruled.code == 0, "\(ruled.failure)")
    }
    for command in [["close"], ["rule", "excuse", "--station", "RX", "--reason", "fire", "--staff", "cdubois"]] {
      let result = CommandRunner.run(command + ["--circuit", "RED", "--store", exam.store])
      #expect(result.failure.hasPrefix("osce: there is no circuit RED; there are: "), "\(result.failure)")
    }
  }

  @Test("a terminal whose locale is not UTF-8 is sent ASCII alone, a pipe UTF-8 in every locale")
  func asciiTerminal() async throws {
    let exam = try CommandRunner()
    let environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C", "TERM": "xterm", "HOME": exam.folder]
    let bytes = try #require(await TerminalCommand.output(["print", "list", "--store", exam.store], environment))
    #expect(!bytes.isEmpty && bytes.allSatisfy { $0 < 0x80 })
    #expect(String(decoding: bytes, as: UTF8.self).contains("Mr ???? ??"))
    #expect(exam.run("print", "list").output.contains("Mr 小明 王"))
  }

  @Test("on a terminal of 80 columns no list is wider, and piped a line is as long as it is")
  func widths() async throws {
    let exam = try CommandRunner()
    try exam.withStore { store in
      let author = try store.read { try StaffMember.find(username: "nokafor", in: $0).id }
      let entries = try store.read { db in
        try StationSession.all(in: db).flatMap { try Roster.entries(timetable: $0.timetable, seat: .lead, in: db) }
      }
      try store.write(Author(staff: author)) { transaction in
        for entry in entries.prefix(3) {
          _ = try Comments.add("spoke of it afterwards", to: .candidate(entry.key), isConcern: true, in: transaction)
        }
      }
    }
    let environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm", "HOME": exam.folder]
    for command in [["missing"], ["outbox"], ["differences", "--all"], ["doctor", "--before"], ["status"]] {
      let bytes = await TerminalCommand.output(command + ["--store", exam.store], environment) ?? []
      let lines = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n").split(separator: "\n")
      #expect(!lines.isEmpty && lines.allSatisfy { $0.count <= 80 || $0.contains("\r") }, "\(command): \(lines)")
    }
    #expect(exam.run("missing").output.split(separator: "\n").contains { $0.count > 80 })
  }

  @Test("an assessor's seat is called as people call it") func seats() throws {
    let exam = try CommandRunner()
    let missing = exam.run("missing", "--station", "CONSENT", "--circuit", "BLUE").output
    #expect(missing.contains("rfitzgerald (seat 2): "), "\(missing)")
    let identifier = try Regex("[0-9a-f]{8}-[0-9a-f]{4}")
    #expect(missing.firstMatch(of: identifier) == nil)
    let wrong = exam.run(
      "rule", "adjudicate", "CONSENT", "30101", "--seat", "3", "--reason", "seen", "--staff", "cdubois")
    #expect(wrong.failure.contains("the seats are lead (") && wrong.failure.contains("seat 2 ("), "\(wrong.failure)")
    for seat in ["rfitzgerald", "seat 2"] {
      let ruled = exam.run(
        "rule", "adjudicate", "CONSENT", "30101", "--seat", seat, "--reason", "seen", "--staff", "cdubois")
      #expect(ruled.code == 0, "\(ruled.failure)")
    }
  }

  @Test("an import warns of what a check warns of") func importWarnings() throws {
    let exam = try CommandRunner()
    let folder = exam.folder + "/past"
    #expect(CommandRunner.run(["new", folder]).code == 0)
    let path = folder + "/exam.yaml"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacing("date: 2026-12-07", with: "date: 2020-01-06").write(
      toFile: path, atomically: true, encoding: .utf8)
    let checked = CommandRunner.run(["check", folder])
    let warnings = checked.output.split(separator: "\n").filter { $0.contains("warning: ") }
    #expect(checked.code == 0 && warnings.contains { $0.contains("2020-01-06 is in the past") }, "\(checked.output)")
    let loaded = CommandRunner.run(["import", folder, "--store", exam.folder + "/past.sqlite"])
    #expect(loaded.code == 0)
    #expect(loaded.failure.split(separator: "\n") == warnings, "\(loaded.failure)")
  }

  @Test("of several folders a problem names the folder that it is in, of one the file alone") func folders() throws {
    let exam = try CommandRunner()
    let folders = ["A", "B/"].map { exam.folder + "/" + $0 }
    for folder in folders {
      #expect(CommandRunner.run(["new", folder]).code == 0)
      let path = folder + "/candidates.csv"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try text.replacing("1001,", with: "1009,").write(toFile: path, atomically: true, encoding: .utf8)
    }
    let alone = CommandRunner.run(["check", folders[0]])
    #expect(alone.code == 1 && alone.output.hasPrefix("exam.yaml:"), "\(alone.output)")
    let lines = CommandRunner.run(["check"] + folders).output.split(separator: "\n")
    let (first, second) = (exam.folder + "/A/exam.yaml:", exam.folder + "/B/exam.yaml:")
    #expect(lines.first?.hasPrefix(first) == true && lines.contains { $0.hasPrefix(second) }, "\(lines)")
    #expect(lines.allSatisfy { $0.hasPrefix(exam.folder) }, "\(lines)")
    for store in [exam.store, exam.folder + "/new.sqlite"] {
      let loaded = CommandRunner.run(["import"] + folders + ["--store", store])
      #expect(loaded.code == 1 && loaded.failure.hasPrefix("osce: \(first)"), "\(loaded.failure)")
    }
  }

  @Test("the first import takes a username that only its own folder knows") func firstImportStaff() throws {
    let exam = try CommandRunner()
    let folder = exam.folder + "/first"
    #expect(CommandRunner.run(["new", folder]).code == 0)
    let store = ["--store", exam.folder + "/first.sqlite", "--staff"]
    let loaded = CommandRunner.run(["import", folder] + store + ["adavies"])
    #expect(loaded.code == 0, "\(loaded.failure)")
    #expect(CommandRunner.run(["import", folder] + store + ["adavies"]).code == 0)
    let unknown = CommandRunner.run(["import", folder] + store + ["nobody"])
    #expect(unknown.code == 1 && unknown.failure.contains("username nobody"), "\(unknown.failure)")
  }

  @Test("a log says whose it is where another session of the circuit has one") func whoseLog() throws {
    let exam = try CommandRunner()
    #expect(!exam.run("clock", "BLUE", "log").output.contains("--session shows another"))
    for session in ["2026-12-07 09:00", "2026-12-07 13:30"] {
      let hour = session.suffix(5)
      let start = "2026-12-07T\(hour):00Z"
      #expect(exam.run("clock", "BLUE", "start", "--session", session, "--at", start).code == 0)
      #expect(exam.run("clock", "BLUE", "stop", "--session", session, "--at", "2026-12-07T\(hour):10Z").code == 0)
      let log = exam.run("clock", "BLUE", "log", "--at", "2026-12-07T\(hour):20Z").output
      // Once the morning is over, the log of the afternoon is meant, though nothing has happened in it.
      #expect(log.hasPrefix("Blue circuit, session 2026-12-07 13:30; --session shows another: 2026-12-07 09:00"))
    }
  }

  @Test("docs/cli.md has the help of every command as it is") func documentation() throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("docs/cli.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let heading = try #require(text.range(of: "### osce "))
    let help = CommandRunner.run(["docs", "cli"]).output
    if ProcessInfo.processInfo.environment["OSCE_WRITE_DOCS"] != nil {
      try (text[..<heading.lowerBound] + help).write(to: page, atomically: true, encoding: .utf8)
    } else {
      #expect(text[heading.lowerBound...] == help, "run this test once with OSCE_WRITE_DOCS=1")
    }
  }
}
