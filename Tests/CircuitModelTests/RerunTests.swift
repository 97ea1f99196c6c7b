import GRDB
import Journal
import SeededNumbers
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Re-runs", .serialized)
struct RerunTests {
  /// The small session is held: five rounds of seven minutes.
  private let end: Int64 = 5 * 420

  @Test("two items of one candidate or of one station never share a round")
  func places() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = Seeded(seed: seed)
    let exam = try HallExam(slots: [101, 102, 103, 104, 105])
    let keys = try exam.board().placed.filter { $0.timetable != 23 }.map(\.entry.key).shuffled(using: &random)
    for key in keys { try exam.write { _ = try RerunQueue.add(entry: key, reason: "test", $0) } }
    let items = try exam.queue()
    #expect(items.count == 20)
    #expect(Set(items.map { "\($0.place) \($0.entry.candidate!.id)" }).count == 20, "seed \(seed)")
    #expect(Set(items.map { "\($0.place) \($0.station.timetable)" }).count == 20, "seed \(seed)")
    // Greedy: never more rounds than what shares a candidate or a station with an item, and itself.
    #expect(items.allSatisfy { $0.place <= 4 + 5 - 1 }, "seed \(seed)")
  }

  @Test("an entry has one place; withdrawn and finished it leaves its round to others, and can be queued again")
  func statuses() throws {
    let exam = try HallExam()
    let (first, second) = (try exam.entry(101, 1).key, try exam.entry(101, 2).key)
    let key = try exam.write { try RerunQueue.add(entry: first, reason: "fire alarm", $0) }
    #expect(try exam.write { try RerunQueue.add(entry: first, reason: "again", $0) } == key)
    #expect(try exam.queue().map(\.reason) == ["fire alarm"] && exam.queue().map(\.since) == [exam.store.clock.now])
    try exam.write { try RerunQueue.withdraw(key, $0) }
    #expect(try exam.queue().map(\.status) == [.withdrawn] && exam.entry(101, 1).rerunRound == nil)
    try exam.write { _ = try RerunQueue.add(entry: second, reason: nil, $0) }
    try exam.write { _ = try RerunQueue.add(entry: first, reason: "again", $0) }
    #expect(try exam.entry(101, 2).rerunRound == 1 && exam.entry(101, 1).rerunRound == 2)
    try exam.write { try RerunQueue.finish(key, $0) }
    #expect(try exam.queue().filter { $0.status == .queued }.map(\.place) == [1])
    #expect(throws: RowRefusal.unknown(RowKey(entity: "RerunEntry", id: "nothing"))) {
      try exam.write { try RerunQueue.finish("nothing", $0) }
    }
  }

  @Test("what is queued and forgotten is counted and missing until it is examined or taken out")
  func forgotten() throws {
    let exam = try HallExam()
    func report() throws -> StatusReport { try exam.store.read { try StatusReport.read($0) } }
    func missing() throws -> [(sheet: PlannedSheet, assessor: String?, item: RerunItem)] {
      var found: [(PlannedSheet, String?, RerunItem)] = []
      try exam.store.read { db in
        try MissingMark.forEach(in: db, at: exam.store.clock.now) {
          if case .rerun(let item) = $0.kind { found.append(($0.sheet, $0.assessor, item)) }
        }
      }
      return found
    }
    #expect(try report().reruns == 0 && missing().isEmpty)
    _ = try exam.write { try HallAttendance.late(101, joining: 3, in: exam.session, $0) }
    let lines = try missing()
    #expect(
      lines.map { "\($0.sheet.entry.number) \($0.sheet.place.stationCode) \($0.item.place)" }
        == ["101 A1 1", "101 A2 2"])
    #expect(lines.map(\.assessor) == ["adavies", "adavies"])
    #expect(try report().reruns == 2)
    #expect(try report().json.text.contains(#""reruns":2,"#))
    try exam.mark(101, 1, sign: true)
    #expect(try report().reruns == 1)
    let (second, remaining) = (try exam.queue()[1].key, try exam.queue()[1].entry.key)
    try exam.write { try RerunQueue.withdraw(second, $0) }
    #expect(try report().reruns == 0 && missing().isEmpty)
    _ = try exam.write { try RerunQueue.add(entry: remaining, reason: nil, $0) }
    #expect(try report().reruns == 1)
    try exam.write { try RerunQueue.finish(second, $0) }
    #expect(try report().reruns == 0)
    try exam.write {
      _ = try ExtraCandidates.addToRerun(
        .new(number: "900", forename: "Eve", surname: "Late"), in: exam.session, $0)
    }
    #expect(try report().reruns == 4 && missing().allSatisfy { $0.sheet.entry.number == "900" })
  }

  @Test("a round whose re-run is queued is missing once, as the re-run; an excused one is not missing at all")
  func owedOnce() throws {
    let exam = try HallExam()
    func missing() throws -> [String] {
      var found: [String] = []
      try exam.store.read { db in
        try MissingMark.forEach(in: db, at: exam.store.clock.now) {
          if $0.sheet.entry.number == "101" { found.append("\($0.sheet.place.stationCode) \($0.kind.word)") }
        }
      }
      return found
    }
    #expect(try missing() == ["A1 sheet", "A2 sheet", "A4 sheet", "A5 sheet"])
    let station = try #require(exam.board().stations.first)
    let entry = try exam.entry(101, 1)
    try exam.write { try StationOutage.record(station, in: 1, entries: [entry], reason: "no power", $0) }
    #expect(try missing() == ["A2 sheet", "A4 sheet", "A5 sheet", "A1 rerun"])
    func status() throws -> StatusReport { try exam.store.read { try StatusReport.read($0) } }
    let before = try status()
    #expect(before.total.excused == 0 && before.reruns == 1)
    try exam.excuse("101", at: "A2")
    #expect(try missing() == ["A4 sheet", "A5 sheet", "A1 rerun"])
    try exam.excuse("101", at: "A1")
    #expect(try missing() == ["A4 sheet", "A5 sheet"])
    let after = try status()
    // Nor is an item of a sheet of which nothing is due counted as blank.
    #expect(before.total.blank > after.total.blank && after.total.items == before.total.items)
    #expect(after.total.excused == 2 && after.total.expected == before.total.expected && after.reruns == 0)
    let own = PlanFilter(candidate: "101")
    #expect(try exam.store.read { try after.only(own, in: $0, at: exam.store.clock.now) }.reruns == 0)
    // Closing and the lead's grid say the same: nothing is left to be held, nor to be withdrawn first.
    let now = exam.store.clock.now
    let report = try exam.store.read { try ClosingReport.read(Diagnosis(), Diagnosis(), in: $0, at: now) }
    #expect(try #require(report.checks.first { $0.code == .rerunQueue }).open.isEmpty)
    let grid = try exam.store.read { try LeadGrid.read(exam.session, at: now, in: $0) }
    #expect(try #require(grid.rows.first { $0.number == "101" }).rerun == nil)
  }

  @Test("nothing asks for a re-run of which the only sheet that was open is ruled out") func ruledOut() throws {
    let exam = try HallExam()
    let (second, lead) = try exam.addSecondAssessor()
    func queued() throws -> [String?] {
      let now = exam.store.clock.now
      return try exam.store.read { db in
        let report = try ClosingReport.read(Diagnosis(), Diagnosis(), in: db, at: now)
        let found = try #require(report.checks.first { $0.code == .rerunQueue }).open.map(\.candidate)
        #expect(try StatusReport.read(db).reruns == found.count)
        let told = try ClosingAccount.read(report, in: db, at: now).reruns
        #expect(told.map { $0.hasSuffix("still queued") } == [!found.isEmpty], "\(told)")
        return found
      }
    }
    let entry = try exam.entry(101, 1).key
    try exam.write { _ = try RerunQueue.add(entry: entry, reason: nil, $0) }
    try exam.mark(101, 1, sign: true)
    #expect(try queued() == ["101"])
    try exam.write {
      _ = try Rulings.exclude(.init(entry: entry, seat: second, form: 1), reason: "taken ill", by: lead, $0)
    }
    #expect(try queued().isEmpty && exam.queue().map(\.isDue) == [false])
  }

  @Test("a re-run of somebody absent is asked for while of two sheets one alone is ruled out") func ruledOutOfAbsent()
    throws
  {
    let exam = try HallExam()
    let (second, lead) = try exam.addSecondAssessor()
    let entry = try exam.entry(101, 1)
    try exam.write {
      _ = try RerunQueue.add(entry: entry.key, reason: nil, $0)
      try Attendance.record(false, for: entry, in: $0)
    }
    for (seat, left) in [(second, 1), (.lead, 0)] {
      try exam.write {
        _ = try Rulings.exclude(.init(entry: entry.key, seat: seat, form: 1), reason: "not to be had", by: lead, $0)
      }
      let (remaining, missing) = try exam.store.read { db in
        var missing = 0
        try MissingMark.forEach(in: db, at: exam.store.clock.now) { if case .rerun = $0.kind { missing += 1 } }
        return (try RerunQueue.remaining(in: db).count, missing)
      }
      #expect(remaining == left && missing == left)
    }
  }

  @Test("a rest station, a signed sheet and an unknown entry are not queued")
  func refused() throws {
    let exam = try HallExam()
    let rest = try exam.entry(103, 1).key
    let sheet = try exam.entry(101, 1).key
    try exam.mark(101, 1, sign: true)
    for key in [rest, sheet, "nothing"] {
      #expect(throws: RerunRefusal.self) { try exam.write { try RerunQueue.add(entry: key, reason: nil, $0) } }
    }
    #expect(try exam.queue().isEmpty)
  }

  @Test("a station stays queued, and can be queued, while the sheet of one of its assessors is not signed")
  func halfSigned() throws {
    let exam = try HallExam()
    let entry = try exam.entry(101, 1)
    let timetable = try #require(exam.board().placed.first { $0.entry.key == entry.key }?.timetable)
    try exam.write {
      try $0.create(
        "AdditionalStaff", "a1",
        ["timetable": .integer(Int64(timetable)), "staff": .integer(2), "seat": .text("second")])
    }
    try exam.mark(101, 1, sign: true)
    try exam.write { _ = try RerunQueue.add(entry: entry.key, reason: nil, $0) }
    let arrangement = try exam.store.read { try RerunArrangement.read(exam.session, in: $0) }
    #expect(arrangement.done.isEmpty && arrangement.places.map(\.item.entry.key) == [entry.key])
    // What is missing is the sheet of who has not signed, not another examination by who has.
    let lacks = try missing(exam, "A1")
    #expect(lacks.contains("sheet bmurphy") && !lacks.contains { $0.hasPrefix("rerun") }, "\(lacks)")
  }

  /// What candidate 101 lacks at a station, each with who is to fill it.
  private func missing(_ exam: HallExam, _ station: String) throws -> [String] {
    let now = exam.store.clock.now
    var found: [String] = []
    try exam.store.read { db in
      try MissingMark.forEach(in: db, at: now) { missing in
        guard missing.sheet.entry.number == "101", missing.sheet.place.stationCode == station else { return }
        found.append("\(missing.kind.word) \(missing.assessor ?? "-")")
      }
    }
    return found
  }

  @Test("once the round of the re-run was held, what its sheet lacks is missing, in the lead's grid too")
  func heldAndNotSigned() throws {
    let exam = try HallExam()
    func cell() throws -> LeadGrid.Cell {
      let now = exam.store.clock.now
      let grid = try exam.store.read { try LeadGrid.read(exam.session, at: now, in: $0) }
      let column = try #require(grid.columns.firstIndex { $0.place.stationCode == "A1" })
      return try #require(grid.rows.first { $0.number == "101" }).cells[column]
    }
    try exam.clock(.start, at: 0)
    let entry = try exam.entry(101, 1).key
    try exam.mark(101, 1)
    try exam.write { _ = try RerunQueue.add(entry: entry, reason: "no power", $0) }
    exam.test.time.pass((end + 600) * 1000)
    #expect(try missing(exam, "A1") == ["rerun adavies"] && cell().rerun == 1)
    try exam.clock(.rerun(rounds: 1), at: end + 600)
    exam.test.time.pass(100_000)
    #expect(try missing(exam, "A1") == ["rerun adavies"] && cell().rerun == 1)
    exam.test.time.pass(600_000)
    let lacks = try missing(exam, "A1")
    #expect(lacks.last == "signature adavies" && !lacks.contains("rerun adavies"), "\(lacks)")
    #expect(try cell().rerun == nil && cell().isToChase)
    // What is queued after it waits for another re-run.
    try exam.write { transaction in
      let item = try RerunQueue.add(entry: entry, reason: nil, transaction)
      try RerunQueue.withdraw(item, transaction)
      try RerunQueue.add(entry: entry, reason: "no power again", transaction)
    }
    #expect(try missing(exam, "A1") == ["rerun adavies"] && cell().rerun == 1)
  }

  @Test("marks that are there before their candidate are nobody's to chase until that candidate has left")
  func markedAhead() throws {
    let exam = try HallExam()
    func isToChase() throws -> Bool {
      let now = exam.store.clock.now
      let grid = try exam.store.read { try LeadGrid.read(exam.session, at: now, in: $0) }
      let column = try #require(grid.columns.firstIndex { $0.place.stationCode == "A2" })
      return try #require(grid.rows.first { $0.number == "101" }).cells[column].isToChase
    }
    try exam.clock(.start, at: 0)
    try exam.mark(101, 2)
    exam.test.time.pass(100_000)
    #expect(try !isToChase())
    // In the second rotation, and after it.
    exam.test.time.pass(500_000)
    #expect(try !isToChase())
    exam.test.time.pass(200_000)
    #expect(try isToChase())
  }

  @Test("a sheet of a session that is marked without the clock is chased while it is not signed")
  func withoutClock() throws {
    let exam = try HallExam()
    try exam.mark(101, 2)
    let now = exam.store.clock.now
    let grid = try exam.store.read { try LeadGrid.read(exam.session, at: now, in: $0) }
    #expect(grid.rows.first { $0.number == "101" }?.cells.count { $0.isToChase } == 1)
  }

  @Test("begins once a run has finished and none is open, as another run of its own short length")
  func run() throws {
    let exam = try HallExam()
    func refusal(_ seconds: Int64, _ rounds: Int = 2) -> String {
      let error = #expect(throws: ClockRefusal.self) { try exam.clock(.rerun(rounds: rounds), at: seconds) }
      return error?.description ?? ""
    }
    #expect(refusal(0).contains("has not been run"))
    try exam.clock(.start, at: 0)
    #expect(refusal(100).contains("a session is still running"))
    #expect(refusal(end, 0).contains("1 to"))
    let again = #expect(throws: ClockRefusal.self) { try exam.clock(.start, at: end) }
    #expect(again?.description.contains("begin a re-run") == true)
    try exam.clock(.rerun(rounds: 2), at: end + 600)
    #expect(refusal(end + 60).contains("set for later"))
    let (state, run) = try exam.state(at: end + 660)
    #expect(run.isRerun && run.number == 2 && state.rounds == 2 && state.round == 1)
    #expect(state.phases.count == 6 && state.phase?.type == .rotation)
    #expect(try exam.state(at: end + 600 + 840).state.status == .finished)
    try exam.clock(.rerun(rounds: 1), at: end + 9000)
    #expect(try exam.state(at: end + 9001).run.number == 3)
  }

  @Test("takes no more of a long list of phases than its rounds need")
  func longList() throws {
    let exam = try HallExam()
    try exam.write { transaction in
      for key in ["11", "12", "13"] { try transaction.delete("CircuitStationDuration", key) }
      let types = [
        "reading", "rotation", "changeover", "reading", "rotation", "feedback", "break", "reading", "rotation",
      ]
      for (index, type) in types.enumerated() {
        var fields = SmallExam.phase(type, seconds: 60, order: Int64(index + 1))
        fields["clinicGroup"] = .integer(2)
        try transaction.create("CircuitStationDuration", "\(index + 31)", fields)
      }
    }
    func types(_ rounds: Int) throws -> [String] {
      try exam.store.read { try StartPlan.rerun(of: exam.session, rounds: rounds, in: $0) }.phases.map(\.type.name)
    }
    #expect(try types(1) == ["reading", "rotation", "changeover"])
    #expect(try types(2).count == 7 && types(3).count == 9 && types(4).count == 9 + 3)
  }

  @Test("its clock says who is in the room by the queue, and whoever is not queued has left")
  func presence() throws {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    try exam.write { _ = try HallAttendance.late(101, joining: 3, in: exam.session, $0) }
    try exam.clock(.rerun(rounds: 2), at: end)
    func presence(_ student: Int, _ round: Int, _ seconds: Int64) throws -> Presence {
      let (state, run) = try exam.state(at: seconds)
      return Presence(try exam.entry(student, round), state: state, isRerun: run.isRerun)
    }
    #expect(try presence(101, 1, end + 100) == .inTheRoom && presence(101, 2, end + 100) == .notYetHere)
    #expect(try presence(101, 1, end + 500) == .left && presence(101, 2, end + 500) == .inTheRoom)
    #expect(try presence(102, 1, end + 100) == .left && presence(102, 5, end + 100) == .left)
    let practice = try exam.write { try Attendance.practiceEntry(timetable: 21, in: $0) }
    let entry = try #require(try exam.store.read { try Roster.entry(practice, seat: .lead, in: $0) })
    #expect(Presence(entry, state: nil, isRerun: true) == .practice)
    func open(_ round: Int) throws -> String? {
      try exam.store.read { try SheetResume.entry(timetable: 21, seat: .lead, round: round, isRerun: true, in: $0) }
    }
    #expect(try open(1) == exam.entry(101, 1).key)
    #expect(try open(2) == nil)
  }

  @Test("while it is open, what is queued gets a round that is still to come")
  func queueing() throws {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    try exam.clock(.rerun(rounds: 3), at: end)
    exam.test.time.pass((end + 500) * 1000)
    let entry = try exam.entry(101, 1).key
    try exam.write { _ = try RerunQueue.add(entry: entry, reason: nil, $0) }
    #expect(try exam.queue().map(\.place) == [3])
  }

  private func ledger(_ exam: HallExam, _ student: Int, at seconds: Int64) throws -> CandidateLedger {
    let instant = Instant(milliseconds: TestClock.start + seconds * 1000)
    return try exam.store.read { try CandidateLedger.read(student, session: exam.session, at: instant, in: $0) }
  }

  /// The changeover after round 1: whom the first station has examined is gone, who comes next will find it closed.
  private func closedStation() throws -> (
    exam: HallExam, station: StationSession, before: Int, next: Int, entry: RosterEntry
  ) {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    exam.test.time.pass(380_000)
    let station = try #require(try exam.store.read { try StationSession.all(of: exam.session, in: $0) }.first)
    let (before, next) = (try exam.who(1, 1)[0], try exam.who(1, 2)[0])
    return (exam, station, before, next, try exam.entry(next, 2))
  }

  @Test("a station that is out of order in the round to come is an incident of whom that round loses, in every report")
  func outageToCome() throws {
    let (exam, station, before, next, entry) = try closedStation()
    try exam.write { try StationOutage.record(station, in: 2, entries: [entry], reason: "no power", $0) }
    exam.test.time.pass(400_000)
    let now = exam.store.clock.now
    let lost = try exam.store.read { try LostTime.all(in: $0, at: now) }.filter { $0.kind == "equipment" }
    #expect(lost.map(\.round) == [2] && lost.map(\.number) == ["\(next)"])
    let later = (now.milliseconds - TestClock.start) / 1000
    func rounds(_ student: Int) throws -> [Int] {
      try ledger(exam, student, at: later).lines.filter { !$0.incidents.isEmpty }.map(\.round)
    }
    #expect(try rounds(next) == [2] && rounds(before).isEmpty)
  }

  @Test("an incident is of those whom it queued, who were queued before too, and of nobody who left the queue")
  func outageOfQueued() throws {
    let (exam, station, before, next, entry) = try closedStation()
    let key = try exam.write { try RerunQueue.add(entry: entry.key, reason: "came late", $0) }
    let place = try exam.queue().map(\.place)
    try exam.write { try StationOutage.record(station, in: 2, entries: [entry], reason: "no power", $0) }
    #expect(try exam.queue().map(\.reason) == ["out of order: no power"] && exam.queue().map(\.place) == place)
    func entries() throws -> [Set<String>?] {
      try exam.store.read { try Incidents.all(of: exam.session, in: $0) }.map(\.entries)
    }
    #expect(try entries() == [[entry.key]])
    exam.test.time.pass(400_000)
    /// The round in which time was lost, and how many rounds of each of the two ledgers name an incident.
    func told() throws -> [Int?] {
      let now = exam.store.clock.now
      let lost = try exam.store.read { try LostTime.all(in: $0, at: now) }.filter { $0.kind == "equipment" }
      let seconds = (now.milliseconds - TestClock.start) / 1000
      return try lost.map(\.round)
        + [before, next].map { try ledger(exam, $0, at: seconds).lines.count { !$0.incidents.isEmpty } }
    }
    #expect(try told() == [2, 0, 1])
    try exam.write { try RerunQueue.withdraw(key, $0) }
    #expect(try entries() == [[]])
    #expect(try told() == [nil, 0, 0])
  }

  @Test("a station out of order in the round of somebody absent is an incident of that round, not of the one before")
  func outageOfAbsentee() throws {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    exam.test.time.pass(380_000)
    let station = try #require(try exam.store.read { try StationSession.all(of: exam.session, in: $0) }.first)
    let (before, next) = (try exam.who(1, 1)[0], try exam.who(1, 2)[0])
    let absentee = try exam.entry(next, 2)
    try exam.write {
      try Attendance.record(false, for: absentee, in: $0)
      try StationOutage.record(station, in: 2, entries: [], reason: "no power", $0)
    }
    exam.test.time.pass(400_000)
    let now = exam.store.clock.now
    let lost = try exam.store.read { try LostTime.all(in: $0, at: now) }.filter { $0.kind == "equipment" }
    #expect(lost.map(\.round) == [2] && lost.map(\.number) == ["\(next)"])
    #expect(lost.map(\.reason) == ["out of order in round 2: no power"])
    let later = (now.milliseconds - TestClock.start) / 1000
    func rounds(_ student: Int) throws -> [Int] {
      try ledger(exam, student, at: later).lines.filter { !$0.incidents.isEmpty }.map(\.round)
    }
    #expect(try rounds(before).isEmpty && rounds(next) == [2])
  }

  @Test("a round that was made up says in the ledger that nobody was examined in it, and why")
  func madeUp() throws {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    try exam.write { _ = try HallAttendance.late(101, joining: 2, in: exam.session, $0) }
    exam.test.time.pass((end + 600) * 1000)
    try exam.clock(.rerun(rounds: 1), at: end + 600)
    exam.test.time.pass(100_000)
    try exam.mark(101, 1)
    exam.test.time.pass(600_000)
    let lines = try ledger(exam, 101, at: end + 1300).lines.filter { $0.entry == (try? exam.entry(101, 1).key) }
    #expect(lines.map(\.isRerun) == [false, true])
    #expect(
      lines[0].text.contains(": not examined: late: joined in round 2; made up in the re-run."), "\(lines[0].text)")
    #expect(lines[1].text.contains(": present."), "\(lines[1].text)")
  }

  @Test("marks of the re-run are timed by its own bell, marks of the session by the session's")
  func bells() throws {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    try exam.write { _ = try HallAttendance.late(101, joining: 3, in: exam.session, $0) }
    try exam.clock(.rerun(rounds: 2), at: end)
    func after(_ student: Int, _ round: Int, at seconds: Int64) throws -> Int64? {
      let entry = try exam.entry(student, round)
      let planned = PlannedSheet.Entry(
        key: entry.key, round: entry.round, number: "", candidate: "", isPresent: entry.isPresent)
      var bells = Bells(at: Instant(milliseconds: TestClock.start + (end + 5000) * 1000))
      return try exam.store.read {
        Bells.secondsAfter(
          Instant(milliseconds: TestClock.start + seconds * 1000), try bells.rotations(of: planned, exam.session, $0))
      }
    }
    #expect(try after(101, 2, at: end + 600) == nil)
    #expect(try after(101, 2, at: end + 785) == 5)
    #expect(try after(102, 1, at: 365) == 5)
    #expect(try after(102, 1, at: end + 100) == end + 100 - 360)
  }

  @Test("beside another session's run of the same circuit neither is chosen silently")
  func twoSessions() throws {
    let exam = try HallExam()
    let afternoon = Session(circuit: 2, date: "2026-12-07", startTime: "14:00")
    try exam.write { transaction in
      try transaction.create(
        "Timetable", "31",
        ["activityType": .integer(21), "date": .text(afternoon.date), "startTime": .text(afternoon.startTime)])
      try transaction.create(
        "TimetableAttendanceLog", SmallExam.entry(9),
        ["timetable": .integer(31), "student": .integer(11), "order": .integer(1)])
    }
    try exam.clock(.start, at: 0)
    try exam.clock(.rerun(rounds: 2), at: end)
    let now = Instant(milliseconds: TestClock.start + (end + 10) * 1000)
    try exam.write { _ = try ClockLog.append(.start, to: afternoon, at: now, in: $0) }
    let error = #expect(throws: SessionRefusal.self) {
      try exam.store.read { try Session.choose(of: Circuit(id: 2, name: "Green"), named: nil, at: now, in: $0) }
    }
    #expect(error?.description.contains(exam.session.name) == true)
    #expect(error?.description.contains(afternoon.name) == true)
  }
}
