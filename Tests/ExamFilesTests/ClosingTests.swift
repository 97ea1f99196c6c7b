import CircuitModel
import ExamStore
import Foundation
import GRDB
import Journal
import SeededNumbers
import Testing

@testable import ExamFiles
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
    let exam = try MarkedYear3Exam(seed: 11, isWhole: true)
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
    let seed = Seeded.seed
    var random = Seeded(seed: seed)
    let exam = try MarkedYear3Exam(seed: seed)
    let lead = try exam.store.read {
      try Int.fetchOne($0, sql: "SELECT dsid FROM user WHERE entity = 'Staff' LIMIT 1")!
    }
    let places = try exam.store.read { try StationSession.all(in: $0) }.filter { !$0.isRest }
    for _ in 0..<6 {
      for _ in 0..<5 {
        let place = places.randomElement(using: &random)!
        let entries = try exam.store.read { try Roster.entries(timetable: place.timetable, seat: .lead, in: $0) }
        guard let entry = entries.randomElement(using: &random) else { continue }
        // What a rule refuses changes nothing, and is as good a step as another.
        try? exam.store.write(Author(staff: lead)) { transaction in
          switch Int.random(in: 0..<3, using: &random) {
          case 0: try Attendance.record(false, for: entry, in: transaction)
          case 1: try RerunQueue.add(entry: entry.key, reason: "fire alarm", transaction)
          default: try Attendance.record(true, for: entry, in: transaction)
          }
        }
      }
      let report = try report(exam)
      let identity = report.identity
      #expect(try identity.expected == planned(exam), "OSCE_SEED=\(seed)")
      let classed = identity.held + identity.absent + identity.excluded + identity.queued + identity.open
      #expect(identity.expected == classed, "OSCE_SEED=\(seed)")
      #expect(report.sheets.count == identity.expected + identity.unplanned, "OSCE_SEED=\(seed)")
      #expect(identity.open + identity.unplanned == check(report, .identity).lines.count, "OSCE_SEED=\(seed)")
      #expect(report.parts.reduce(0) { $0 + $1.identity.held } == identity.held, "OSCE_SEED=\(seed)")
      #expect(identity.holds == (identity.open == 0 && identity.unplanned == 0), "OSCE_SEED=\(seed)")
    }
  }

  @Test("names who is to be called, what is blank, and a sheet that is marked though its candidate is recorded absent")
  func lines() throws {
    let exam = try MarkedYear3Exam(seed: 2)
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
    let exam = try MarkedYear3Exam(seed: 9, results: block, isWhole: true)
    let report = try report(exam)
    let excluded = report.sheets.filter { $0.sheetClass == .excluded }
    #expect(report.identity.holds && excluded.count == report.identity.excluded)
    #expect(Set(excluded.map(\.entry.number)) == ["30101", "30102"])
    #expect(excluded.filter { $0.entry.number == "30101" }.map(\.place.stationCode) == ["CHEST"])
  }
}
