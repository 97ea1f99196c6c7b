import CircuitModel
import Foundation
import GRDB
import Journal
import SeededNumbers
import Testing
import Timer

@testable import ExamFiles
@testable import ExamStore
@testable import Reports

@Suite("Closing") struct ClosingTests {
  private func report(_ exam: MarkedYear3Exam) throws -> ClosingReport {
    try exam.store.read {
      try ClosingReport.read(Diagnosis(), Diagnosis(), in: $0, at: exam.store.clock.now)
    }
  }

  /// Sheets of the plan: entries of sessions that are not cancelled, times seats, times sheets; from the tables alone.
  private func planned(_ exam: MarkedYear3Exam) throws -> Int {
    try exam.store.read { db in
      try Int.fetchOne(
        db,
        sql: """
          SELECT sum((1 + (SELECT count(*) FROM additionalStaff s WHERE s.timetableID = t.dsid AND s.dsDeleted = 0))
            * CASE a.forms WHEN 'one' THEN min(1, f.n) ELSE f.n END)
          FROM timetableAttendanceLog e JOIN timetable t ON t.dsid = e.timetableID
            JOIN activityType a ON a.dsid = t.activityTypeID
            JOIN (SELECT activityTypeID AS station, count(*) AS n FROM availableForm WHERE dsDeleted = 0
              GROUP BY activityTypeID) f ON f.station = a.dsid
          WHERE e.dsDeleted = 0 AND e.practice = 0 AND e.studentID IS NOT NULL AND t.dsDeleted = 0 AND t.cancelled = 0
          """) ?? 0
    }
  }

  private func check(_ report: ClosingReport, _ code: ClosingReport.Code) -> ClosingReport.Check {
    report.checks.first { $0.code == code }!
  }

  @Test("of an exam of which every sheet is signed holds, to the sheet") func whole() throws {
    let exam = try MarkedYear3Exam(isWhole: true)
    let report = try report(exam)
    #expect(report.identity.holds && report.identity.expected == report.identity.held)
    #expect(try report.identity.expected == planned(exam))
    for code in [ClosingReport.Code.identity, .unsigned, .blankGlobal, .attendance, .rerunQueue, .terminals] {
      #expect(check(report, code).isOK, "\(code)")
    }
    // No clock was ever started.
    #expect(!check(report, .clocks).isOK && !report.isReady)
  }

  @Test("whatever happens on the day, every planned sheet is in one class, and the parts add up to the whole")
  func random() throws {
    for seed in Seeded.seeds(2) {
      let day = try RandomDay(seed: seed)
      for _ in 0..<12 {
        for _ in 0..<4 { try day.step() }
        try check(day.exam, "OSCE_SEED=\(seed) after \(day.steps)")
      }
      #expect(day.steps.count > 10, "OSCE_SEED=\(seed): nearly everything was refused")
    }
  }

  private func check(_ exam: MarkedYear3Exam, _ context: Testing.Comment) throws {
    let report = try report(exam)
    let identity = report.identity
    #expect(try identity.expected == planned(exam), context)
    let classed = identity.held + identity.absent + identity.excluded + identity.queued + identity.open
    #expect(identity.expected == classed, context)
    #expect(identity.holds == (identity.open == 0 && identity.unplanned == 0), context)
    // Each sheet once: the unplanned beside the plan, all others in it.
    let sheets = Dictionary(grouping: report.sheets, by: \.sheetClass).mapValues(\.count)
    #expect(report.sheets.count == identity.expected + identity.unplanned, context)
    #expect(identity.held == sheets[.held] ?? 0 && identity.absent == sheets[.absent] ?? 0, context)
    #expect(identity.excluded == sheets[.excluded] ?? 0 && identity.queued == sheets[.queued] ?? 0, context)
    #expect(identity.unplanned == sheets[.unplanned] ?? 0, context)
    let keys = report.sheets.compactMap(\.sheet)
    #expect(Set(keys).count == keys.count, context)
    let places = report.sheets.filter { $0.sheetClass != .unplanned }.map {
      "\($0.place.timetable) \($0.entry.key) \($0.seat.name) \($0.form)"
    }
    #expect(Set(places).count == places.count, context)
    // What is held is here, and no other sheet of the plan has anything on it but for a reason.
    for sheet in report.sheets where sheet.sheetClass == .held {
      #expect(sheet.sheet != nil && sheet.entry.isPresent != false, context)
    }
    #expect(identity.open + identity.unplanned == self.check(report, .identity).lines.count, context)
    // What is expected of the day, what results are made of, and what the plan comes to at the end are the same sheets.
    let planned = Set(report.sheets.filter { $0.sheetClass != .unplanned }.compactMap(\.sheet))
    let (awaited, scored) = try exam.store.read { db in
      var awaited: Set<String> = []
      try SheetWalk.forEach(.tally, in: db) { sheet in
        if sheet.isExpected, let key = sheet.held?.key { awaited.insert(key) }
      }
      // What was marked in a session that was cancelled then is nobody's result.
      let cancelled = Set(
        try String.fetchAll(
          db,
          sql: """
            SELECT f.uuid FROM dataForm f JOIN timetableAttendanceLog e ON e.uuid = f.attendanceLogID
            JOIN timetable t ON t.dsid = e.timetableID WHERE t.cancelled = 1
            """))
      let sheets = try StoredScores.read(.init(), in: db).sheets.filter(\.isEligible).compactMap(\.sheet)
      return (awaited, sheets.filter { !cancelled.contains($0) })
    }
    #expect(awaited.isSubset(of: planned), context)
    #expect(planned.isSuperset(of: scored), context)
    let sum = report.parts.map(\.identity).reduce(into: ClosingIdentity()) { sum, part in
      sum.expected += part.expected
      sum.held += part.held
      sum.absent += part.absent
      sum.excluded += part.excluded
      sum.queued += part.queued
      sum.open += part.open
      sum.unplanned += part.unplanned
    }
    var whole = identity
    whole.practice = 0
    #expect(sum == whole, context)
  }

  @Test("two visits of one candidate to a station are for the lead to look at") func secondAttempt() throws {
    let exam = try MarkedYear3Exam(isWhole: true)
    #expect(try check(report(exam), .secondAttempt).lines.isEmpty)
    try exam.store.writer.inDatabase { db in
      let entries = try Row.fetchAll(
        db,
        sql: """
          SELECT e.uuid, e.studentID, t.activityTypeID FROM timetableAttendanceLog e
          JOIN timetable t ON t.dsid = e.timetableID JOIN dataForm f ON f.attendanceLogID = e.uuid
          WHERE f.signedAt IS NOT NULL AND e.dsDeleted = 0 GROUP BY e.uuid ORDER BY e.uuid
          """)
      let first = try #require(entries.first)
      let second = try #require(
        entries.first { $0[2] as Int == first[2] as Int && $0[1] as Int != first[1] as Int })
      try db.execute(
        sql: "UPDATE timetableAttendanceLog SET studentID = ? WHERE uuid = ?",
        arguments: [first[1] as Int, second[0] as String])
    }
    let lines = try check(report(exam), .secondAttempt).lines
    #expect(lines.count == 1 && lines[0].what == "has two sheets that count; the one signed later stands")
  }

  @Test("names who is to be called, what is blank, and a sheet that is marked though its candidate is recorded absent")
  func lines() throws {
    let exam = try MarkedYear3Exam()
    let place = try #require(try exam.store.read { try StationSession.all(in: $0) }.first { !$0.isRest })
    let entry = try #require(
      try exam.store.read { try Roster.entries(timetable: place.timetable, seat: .lead, in: $0) }.first)
    try exam.store.write(.program) { try Attendance.record(false, for: entry, in: $0) }
    let report = try report(exam)
    let line = try #require(check(report, .identity).lines.first { $0.what.contains("recorded absent") })
    #expect(line.station == place.stationCode && line.candidate == entry.candidate?.number && line.call != nil)
    #expect(!check(report, .unsigned).lines.isEmpty && !check(report, .blankRequired).lines.isEmpty)
    #expect(report.lines(listing: 3).allSatisfy { $0.count <= 80 })
    #expect(report.lines(listing: 3)[0].hasSuffix("NOT LOCKED"))
    // What is waived is named by its id; what has to be settled has no id that anything takes.
    let listed = report.lines(listing: 3, withIDs: true)
    let waivable = try #require(check(report, .unsigned).open.first)
    #expect(listed.contains { $0.hasPrefix("    \(waivable.id) · ") } && listed.allSatisfy { $0.count <= 80 })
    #expect(!listed.contains { $0.contains(line.id) })
  }

  @Test("a sheet from paper has before it the key that osce rule answer takes, and names whom to call")
  func paper() throws {
    let exam = try MarkedYear3Exam()
    let held = try #require(
      try report(exam).sheets.first { $0.sheetClass == .held && $0.signedAt == nil && $0.assessor != nil })
    let key = try #require(held.sheet)
    let (sheet, people) = try exam.store.read { (try Sheet.read(key, in: $0), try StaffMember.judges($0)) }
    let item = try #require(sheet?.items.first { $0.template.kind.takesLevel })
    func type(as person: StaffMember) throws -> ClosingReport.Line {
      try exam.store.write(Author(staff: person.id)) {
        _ = try Marking($0, paper: PaperEntry(judge: people[0].id)).mark(item, level: item.template.levels[0])
      }
      let report = try report(exam)
      #expect(report.lines(listing: 3, withIDs: true).contains { $0.hasPrefix("    \(key) · ") })
      return try #require(check(report, .paper).open.first)
    }
    let typed = try type(as: try #require(people.first { $0.username != held.assessor }))
    #expect(typed.subject == key && typed.call == held.assessor)
    #expect(try type(as: try #require(people.first { $0.username == held.assessor })).call == nil)
  }

  @Test(
    "what was marked of somebody who was taken off the roster, or whose session was, is unplanned and has to be ruled")
  func removed() throws {
    for (table, row) in [("timetableAttendanceLog", "uuid"), ("user", "dsid"), ("timetable", "dsid")] {
      let exam = try MarkedYear3Exam(isWhole: true)
      let before = try report(exam)
      let sheet = try #require(before.sheets.first { $0.sheetClass == .held })
      let key: any DatabaseValueConvertible =
        switch table {
        case "timetable": sheet.place.timetable
        case "user":
          try exam.store.read {
            try Int.fetchOne($0, sql: "SELECT dsid FROM user WHERE studentNumber = ?", arguments: [sheet.entry.number])!
          }
        default: sheet.entry.key
        }
      // As it is where another terminal did so, which had none of the marks.
      let queue = try DatabaseQueue(path: exam.folder.path + "/exam.sqlite")
      try queue.writeWithoutTransaction {
        try $0.execute(sql: "UPDATE \(table) SET dsDeleted = 1 WHERE \(row) = ?", arguments: [key])
      }
      try queue.close()
      let after = try report(exam)
      let unplanned = after.sheets.filter { $0.sheetClass == .unplanned }
      #expect(unplanned.contains { $0.sheet == sheet.sheet }, "\(table)")
      #expect(!after.identity.holds && !check(after, .identity).isOK, "\(table)")
      #expect(before.identity.held == after.identity.held + after.identity.unplanned, "\(table)")
    }
  }

  @Test(
    "the report tells the exam, its times, what was left out, who was absent, what was lost, the policy and the outcome"
  )
  func account() throws {
    let exam = try MarkedYear3Exam(
      results: """
        results:
          k: 2
          exclude:
            - { station: CHEST, candidate: 30101, reason: "Fire\\nalarm" }
            - { station: RX, reason: Manikin faulty all day }
        """)
    let store = exam.store
    let place = try #require(try store.read { try StationSession.all(in: $0) }.first { !$0.isRest })
    // A candidate without a mark who did not come.
    let open = try #require(try report(exam).sheets.first { $0.sheetClass == .noSheet })
    let absent = try #require(try store.read { try Roster.entry(open.entry.key, seat: .lead, in: $0) })
    let missed = try #require(try report(exam).sheets.last { $0.sheetClass == .noSheet && $0.entry.key != absent.key })
    try store.write(Author(staff: 1, reason: "kit failed")) { transaction in
      try Attendance.record(false, for: absent, in: transaction)
      try RerunQueue.add(entry: missed.entry.key, reason: "kit failed", transaction)
      try Incidents.report(.equipment, at: place.timetable, secondsLost: 95, text: "projector", transaction)
      let now = transaction.clock.now
      try ClockLog.append(.start, to: place.session, at: now - 600_000, in: transaction)
      try ClockLog.append(.pause, to: place.session, at: now - 500_000, in: transaction)
      try ClockLog.append(.resume, to: place.session, at: now - 375_000, in: transaction)
    }
    let closing = try report(exam)
    let (lines, results) = try store.read { db in
      (
        try ClosingAccount.read(closing, in: db, at: store.clock.now).lines,
        try ResultsReport.read(.init(), in: db, at: store.clock.now)
      )
    }
    #expect(lines.allSatisfy { $0.count <= 80 && !$0.contains("\n") })
    #expect(lines[0] == "Year 3 OSCE" || lines[0].contains("Year 3"), "\(lines[0])")
    func part(_ title: String) -> String {
      let start = (lines.firstIndex(of: title) ?? lines.count - 1) + 1
      return lines[start...].prefix { !$0.isEmpty }.joined(separator: " ").replacing(#/ +/#, with: " ")
    }
    let name = "\(place.session.name) · \(place.circuit.name)"
    #expect(part("TIMES").contains("\(name), planned 09:00 to ") && part("TIMES").contains(", held "))
    #expect(part("TIMES").contains("not held"))
    #expect(part("LEFT OUT AND EXCUSED").contains("left out: RX: Manikin faulty all day (exam.yaml)"))
    #expect(part("LEFT OUT AND EXCUSED").contains("excused: CHEST · 30101: Fire\\u{a}alarm (exam.yaml)"))
    #expect(part("ABSENT").contains("\(absent.candidate?.number ?? ""): \(open.place.stationCode)"))
    #expect(part("RE-RUNS").contains("\(missed.entry.number): still queued: kit failed"))
    let item = try #require(try store.read { try RerunQueue.remaining(in: $0) }.first)
    try store.write(Author(staff: 1, reason: "not taken up")) { try RerunQueue.withdraw(item.key, $0) }
    let withdrawn = try store.read { try ClosingAccount.read(closing, in: $0, at: store.clock.now).lines }
      .joined(separator: " ").replacing(#/ +/#, with: " ")
    #expect(withdrawn.contains("queued: kit failed; taken off the queue: not taken up"), "\(withdrawn)")
    #expect(
      part("LOST TIME").contains("\(place.stationCode)")
        && part("LOST TIME").contains("kit failed, 1 min 35 s lost: projector"))
    #expect(part("LOST TIME").contains("pause, 2 min 5 s lost: kit failed"))
    #expect(part("AMENDED AND OPENED AGAIN") == " none" && part("WAIVED") == " none")
    #expect(part("POLICY").contains("k: 2 (exam.yaml)") && part("POLICY").contains("blanks: zero (default)"))
    #expect(part("RESULTS").contains("\(results.results.count(.fail)) fail") && part("RESULTS").contains("cut "))
    #expect(lines.contains { $0.hasPrefix("signed: ") })
    // The results say the same wherever a person reads them.
    #expect(results.lines.contains("left out: RX: Manikin faulty all day (exam.yaml)"))
    #expect(results.rows(.policy).filter { $0[0] == .text("exclude") }.map { $0[2] } == [.text("file"), .text("file")])
  }

  @Test("candidates whom the exam leaves out, and places that it excuses, are excluded, not missing") func excluded()
    throws
  {
    let block = """
      results:
        exclude:
          - { candidate: 30102, reason: Withdrawn }
          - { station: CHEST, candidate: 30101, reason: Fire alarm }
          - { station: RX, reason: Manikin faulty all day }
      """
    let exam = try MarkedYear3Exam(results: block, isWhole: true)
    let report = try report(exam)
    let excluded = report.sheets.filter { $0.sheetClass == .excluded }
    #expect(report.identity.holds && excluded.count == report.identity.excluded)
    #expect(Set(excluded.map(\.entry.number)) == ["30101", "30102"])
    #expect(excluded.filter { $0.entry.number == "30101" }.map(\.place.stationCode) == ["CHEST"])
  }

  @Test("one assessor's sheet that nobody began is ruled out alone: what the other marked goes on counting")
  func ruledOut() throws {
    let exam = try MarkedYear3Exam()
    let before = try report(exam)
    let line = try #require(check(before, .identity).lines.first { $0.station == "CONSENT" })
    let (number, vacancy) = (try #require(line.candidate), try #require(line.vacancy))
    #expect(line.sheet == nil && line.call == "rfitzgerald")
    func score() throws -> Double? {
      let results = try exam.store.read { try ResultsReport.read(.init(), in: $0, at: exam.store.clock.now) }.results
      return results.candidates.first { $0.number == number }?.stations.first { $0.station == "CONSENT" }?.score
    }
    func cell() throws -> LeadGrid.State? {
      let place = try exam.store.read { try StationSession.all(in: $0) }.first {
        $0.stationCode == "CONSENT" && $0.circuit.name == line.circuit && $0.session.name == line.session
      }
      let session = try #require(place).session
      let grid = try exam.store.read { try LeadGrid.read(session, at: exam.store.clock.now, in: $0) }
      let column = try #require(grid.columns.firstIndex { $0.place.stationCode == "CONSENT" })
      return grid.rows.first { $0.number == number }?.cells[column].state
    }
    let theOther = try #require(try score())
    #expect(try cell() == .oneAssessor)
    let lead = try exam.store.read { try ExamLead.authorise(ExamLead.find(username: "cdubois", in: $0), by: nil) }
    let key = try exam.store.write(Author(staff: lead.member.id)) {
      try Rulings.exclude(vacancy, reason: "taken ill", by: lead, $0)
    }
    let after = try report(exam)
    #expect(after.identity.open == before.identity.open - 1 && after.identity.excluded == before.identity.excluded + 1)
    #expect(after.identity.held == before.identity.held && after.identity.expected == before.identity.expected)
    for code in ClosingReport.Code.allCases where code != .identity {
      #expect(check(after, code).lines.count == check(before, code).lines.count, "\(code)")
    }
    #expect(try score() == theOther && cell() == .signed)
    // What another terminal has on it all the same counts for nothing.
    try exam.store.write(Author(staff: lead.member.id)) { transaction in
      let key = try SheetGenerator.makeSheets(entry: vacancy.entry, seat: vacancy.seat, in: transaction)[0]
      let sheet = try #require(try Sheet.read(key, in: transaction.db))
      for item in sheet.items where item.template.kind.takesLevel {
        _ = try Marking(transaction).mark(item, level: item.template.levels[0])
      }
      try Signing.sign(try #require(try Sheet.read(sheet.key, in: transaction.db)), in: transaction)
    }
    #expect(try score() == theOther)
    try exam.store.write(Author(staff: lead.member.id)) {
      try Rulings.withdraw(key, reason: "came after all", by: lead, $0)
    }
    #expect(try report(exam).identity.held == before.identity.held + 1 && score() != theOther)
  }
}
