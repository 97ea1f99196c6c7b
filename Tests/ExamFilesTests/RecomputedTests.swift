import CircuitModel
import ExamStore
import Foundation
import GRDB
import SeededNumbers
import Standards
import SystemTesting
import Testing

@testable import ExamFiles
@testable import Reports

@Suite("Results that a script computes from the exports alone") struct RecomputedTests {
  private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Writes the exports and the results, and has the script compare them.
  private func compare(
    _ exam: MarkedYear3Exam, _ options: [String: String] = [:], changing change: (String) -> String = { $0 }
  ) async throws -> (status: Int32, output: String) {
    var document = "{}"
    if !options.isEmpty { document = "{" + options.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}" }
    let policy = try #require(PolicyText.read(document))
    let kinds = [ExportKind.marks, .rulings, .attendance]
    let paths = (kinds.map { "\($0.rawValue).csv" } + ["results.json"]).map { exam.folder.path + "/" + $0 }
    for (kind, path) in zip(kinds, paths) {
      var bytes: [UInt8] = []
      try exam.store.read { db in
        try ExportWriter.write(Export(kind, format: .csv), in: db, at: exam.store.clock.now) { bytes += $0 }
      }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
    let report = try exam.store.read { try ResultsReport.read(policy, in: $0, at: exam.store.clock.now) }
    try change(report.json.text).write(toFile: paths[3], atomically: true, encoding: .utf8)
    let python = try #require(RecomputedTests.python, "python3 is needed; script/test installs it")
    let ended = try await EndedProgram.run(
      python,
      [Fixtures.path("../Tools/recompute-results.py")] + paths + options.flatMap { ["--set", "\($0)=\($1)"] })
    return (ended.code, ended.output + ended.failure)
  }

  @Test("agree with the program's to 1e-9, by every method and choice") func agree() async throws {
    let seed = Seeded.seed
    let exam = try MarkedYear3Exam(seed: seed)
    let choices: [[String: String]] = [
      [:], ["method": "\"borderlineGroup\""], ["method": "\"borderlineGroupMedian\"", "borderlineBand": "1"],
      ["method": "\"contrastingGroups\"", "borderline": "3"], ["blanks": "\"leftOut\"", "k": "2"],
      ["blanks": "\"incomplete\"", "missing": "\"prorate\""], ["doubleMarks": "\"first\"", "missing": "\"zero\""],
      ["doubleMarks": "\"adjudicated\"", "missing": "\"prorate\"", "minimumStations": "\"60%\""],
      ["sem": "\"rmse\"", "minimumStations": "\"predicted\"", "missing": "\"prorate\""],
      ["sheets": "\"held\"", "k": "0", "missing": "\"prorate\"", "rounding": "{\"mode\":\"nearest\",\"decimals\":0}"],
    ]
    for options in choices {
      let (status, output) = try await compare(exam, options)
      #expect(status == 0, "OSCE_SEED=\(seed) \(options)\n\(output)")
    }
  }

  @Test("agree where the exam's file and the lead have decided, and candidates are absent")
  func decided() async throws {
    let block = """
      results:
        k: 0.5
        minimumStations: 3
        stations:
          RX: { pilot: true }
          ABDO: { weight: 2, cut: 55, borderline: 2.5 }
        exclude:
          - { station: CHEST, candidate: 30101, reason: Taken ill }
          - { candidate: 30102, reason: Withdrawn }
      """
    let seed = Seeded.seed
    let exam = try MarkedYear3Exam(seed: seed, results: block)
    let lead = try exam.store.read { try ExamLead.authorise(ExamLead.find(username: "cdubois", in: $0), by: nil) }
    let places = try exam.store.read { try StationSession.all(in: $0) }.filter { !$0.isRest }
    try exam.store.write(Author(staff: lead.member.id)) { transaction in
      for (number, place) in places.enumerated() where number % 5 == 0 {
        let entries = try Roster.entries(timetable: place.timetable, seat: .lead, in: transaction.db)
        try Attendance.record(false, for: #require(entries.first), in: transaction)
      }
      try Rulings.make(.exclusion, on: .init(station: "NEWS"), reason: "too noisy", by: lead, transaction)
      try Rulings.make(
        .adjudication(.typed(score: 71.25, grade: 3)), on: .init(station: "CONSENT", candidate: "30103"),
        reason: "heard the tape", by: lead, transaction)
      try Rulings.make(
        .adjudication(.seat("lead")), on: .init(station: "CONSENT", candidate: "30101"), reason: "saw all of it",
        by: lead, transaction)
      var choices = PolicyDocument()
      choices.missing = "prorate"
      try Rulings.make(
        .policy(json: PolicyText.json(choices), names: "missing"), reason: "the board's", by: lead, transaction)
    }
    let (status, output) = try await compare(exam)
    #expect(status == 0, "OSCE_SEED=\(seed)\n\(output)")
  }

  @Test("agree where somebody is excused at a station to which they never come") func excusedWithoutPlace() async throws
  {
    let block = """
      results:
        exclude:
          - { station: CHEST, candidate: 30101, reason: Changed slots }
          - { station: RX, candidate: 30102, session: "2026-12-07 13:30", reason: Not theirs }
      """
    let exam = try MarkedYear3Exam(results: block)
    try exam.loseRound(of: "30101", at: "CHEST")
    try exam.loseRound(of: "30102", at: "RX")
    let (status, output) = try await compare(exam)
    #expect(status == 0, "\(output)")
    let results = try exam.store.read { try ResultsReport.read(.init(), in: $0, at: exam.store.clock.now) }.results
    func reason(_ number: String, _ station: String) -> Reason? {
      results.candidates.first { $0.number == number }?.stations.first { $0.station == station }?.reason
    }
    #expect(reason("30101", "CHEST") == .excused && reason("30102", "RX") == nil)
  }

  @Test(
    "agree where all of a session are absent at a station, and where it is cancelled: the one is missing, the other not due"
  )
  func absentOrCancelled() async throws {
    let exam = try MarkedYear3Exam()
    let places = try exam.store.read { try StationSession.all(in: $0) }.filter { !$0.isRest }
    let (deserted, cancelled) = (places[0], try #require(places.dropFirst().first { $0.session == places[0].session }))
    try exam.store.write(.program) { transaction in
      for entry in try Roster.entries(timetable: deserted.timetable, seat: .lead, in: transaction.db) {
        try Attendance.record(false, for: entry, in: transaction)
      }
      try transaction.set("Timetable", String(cancelled.timetable), ["cancelled": .bool(true)])
    }
    for options in [[:], ["missing": "\"prorate\"", "minimumStations": "\"60%\""]] {
      let (status, output) = try await compare(exam, options)
      #expect(status == 0, "\(options)\n\(output)")
    }
    let results = try exam.store.read { try ResultsReport.read(.init(), in: $0, at: exam.store.clock.now) }.results
    let away = try #require(results.candidates.first { $0.session == deserted.session.name })
    func reason(_ place: StationSession) -> Reason? { away.stations.first { $0.station == place.stationCode }?.reason }
    #expect(reason(deserted) == .absent && reason(cancelled) == .excused)
  }

  @Test(
    "agree after days on which anything happens: several sheets, second assessors, extras, re-runs, rulings")
  func anyDay() async throws {
    let seed = Seeded.seed
    let choices: [[String: String]] = [
      [:], ["doubleMarks": "\"adjudicated\"", "missing": "\"prorate\"", "minimumStations": "\"60%\""],
      ["sheets": "\"held\"", "blanks": "\"incomplete\"", "missing": "\"zero\"", "k": "1.64"],
    ]
    for number in 0..<4 {
      let day = try RandomDay(seed: seed &+ UInt64(number))
      for _ in 0..<number * 8 { try day.step() }
      for options in choices {
        let (status, output) = try await compare(day.exam, options)
        #expect(status == 0, "OSCE_SEED=\(seed) +\(number) \(options)\n\(output)\n\(day.steps)")
      }
    }
  }

  @Test("differ where the program's were changed") func changed() async throws {
    let exam = try MarkedYear3Exam()
    let (status, output) = try await compare(exam) {
      $0.replacing(/"alpha":([0-9.]+)/) { "\"alpha\":0.0000001\($0.1.dropFirst(2))" }
    }
    #expect(status == 1 && output.contains("exam ") && output.contains(" differ"), "\(output)")
  }
}
