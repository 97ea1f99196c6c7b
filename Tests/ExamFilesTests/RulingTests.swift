import ExamStore
import Foundation
import Standards
import Testing

@testable import CircuitModel
@testable import ExamFiles
@testable import Reports

@Suite("Rulings") struct RulingTests {
  @Test("a waiver is void as soon as its line changes") func void() throws {
    let closed = try ClosedExam(isWhole: false)
    let line = try #require(try closed.report().checks.first { $0.code == .blankRequired }?.open.first)
    _ = try closed.rule(.waiver(check: "blankRequired", line: line.id), reason: "accepted by the board")
    let waived = try #require(try closed.report().checks.first { $0.code == .blankRequired })
    #expect(waived.lines.first { $0.id == line.id }?.waiver != nil && waived.open.count == waived.lines.count - 1)
    #expect(throws: RulingRefusal.reasonTooShort(fewest: 10)) {
      _ = try closed.rule(.waiver(check: "blankRequired", line: line.id), reason: "ok")
    }
    // Two of a pair are no longer as far apart as they were when it was accepted.
    let double = try #require(try closed.report().checks.first { $0.code == .unsigned }?.open.first)
    _ = try closed.rule(.waiver(check: "unsigned", line: double.id), reason: "accepted by the board")
    let sheet = try closed.store.read { try Sheet.read(double.sheet!, in: $0)! }
    let item = try #require(sheet.items.first { $0.template.kind.takesLevel && $0.template.levels.count > 1 })
    let other = item.template.levels.first { $0.value != item.rating }!
    try closed.store.write(Author(staff: closed.lead.member.id)) { _ = try Marking($0).mark(item, level: other) }
    let again = try #require(try closed.report().checks.first { $0.code == .unsigned })
    #expect(again.open.contains { $0.sheet == double.sheet })
  }

  @Test("a waived sheet is signed on behalf of its assessor, and counts") func accepted() throws {
    let closed = try ClosedExam(isWhole: false)
    let line = try #require(try closed.report().checks.first { $0.code == .unsigned }?.open.first)
    try closed.accept(line)
    let report = try closed.report()
    let check = try #require(report.checks.first { $0.code == .unsigned })
    #expect(check.lines.allSatisfy { $0.sheet != line.sheet })
    let page = try closed.store.read { db in
      let board = try BoardReport.read(report, showsNames: false, in: db, at: closed.store.clock.now)
      return String(decoding: board.page.bytes, as: UTF8.self)
    }
    #expect(page.contains(#"sheets signed</td><td>\#(check.open.count)</td><td>0</td><td>1</td>"#))
    let reason = try closed.exam.rows(.journal).last { $0["kind"] == "sign" }?["reason"]
    #expect(reason == "accepted as it stands on behalf of \(line.call!): went home before signing")
  }

  @Test("a waiver that signed a sheet leaves it open again when it is withdrawn, unless somebody signed it since")
  func withdrawn() throws {
    let closed = try ClosedExam(isWhole: false)
    let lines = try #require(try closed.report().checks.first { $0.code == .unsigned }?.open)
    func withdraw(_ key: String) throws {
      try closed.store.write(Author(staff: closed.lead.member.id)) {
        try Rulings.withdraw(key, reason: "came back to sign", by: closed.lead, $0)
      }
    }
    let (first, second) = (lines[0].sheet!, lines[1].sheet!)
    let keys = (try closed.accept(lines[0]), try closed.accept(lines[1]))
    #expect(try closed.isSigned(first) && closed.isSigned(second))
    // What was ruled stands beside the check that it settled, with who, when and why.
    let ruled = try #require(try closed.report().checks.first { $0.code == .unsigned }?.ruled)
    #expect(ruled.map(\.key) == [keys.0, keys.1] && ruled.allSatisfy { $0.staff == "cdubois" && $0.at != nil })
    #expect(ruled.map(\.reason) == ["went home before signing", "went home before signing"])
    #expect(ruled[0].candidate == lines[0].candidate && ruled[0].station == lines[0].station)
    try withdraw(keys.0)
    #expect(try !closed.isSigned(first))
    #expect(try closed.report().checks.first { $0.code == .unsigned }!.open.map(\.sheet).contains(first))
    try closed.store.write(Author(staff: closed.lead.member.id, reason: "asked for it")) { transaction in
      let sheet = try Sheet.read(second, in: transaction.db)!
      try Signing.reopen(sheet, in: transaction)
      try Signing.sign(sheet, in: transaction)
    }
    try withdraw(keys.1)
    #expect(try closed.isSigned(second))
  }

  @Test("rulings outrank the file, are named as the lead's, and are taken back") func policy() throws {
    let closed = try ClosedExam()
    var document = PolicyDocument()
    document.k = 2
    let key = try closed.rule(.policy(json: PolicyText.json(document), names: "k"))
    let report = try closed.results()
    let choice = try #require(report.policy.choices.first { $0.key == "k" })
    #expect(choice.decided.source == .screen && choice.decided.origin.by == "cdubois")
    #expect(report.results.policy.k == 2)
    try closed.store.write(Author(staff: closed.lead.member.id)) {
      try Rulings.withdraw(key, reason: "not agreed", by: closed.lead, $0)
    }
    #expect(try closed.results().results.policy.k == 1)
    _ = try closed.rule(.exclusion, on: .init(candidate: "30102"), reason: "Withdrawn")
    _ = try closed.rule(.excuse, on: .init(station: "CHEST", candidate: "30101"), reason: "Fire alarm")
    let results = try closed.results().results
    #expect(results.candidates.first { $0.number == "30102" }?.outcome == .excluded)
    let ill = results.candidates.first { $0.number == "30101" }
    #expect(ill?.stations.first { $0.station == "CHEST" }?.reason == .excused)
    let rows = try closed.exam.rows(.rulings)
    #expect(rows.map { $0["kind"] } == ["exclusion", "excuse"] && rows.allSatisfy { $0["staff"] == "cdubois" })
    #expect(throws: RulingRefusal.notInExam(.station, "NOPE")) {
      _ = try closed.rule(.exclusion, on: .init(station: "NOPE"))
    }
  }

  @Test("of the rulings of one millisecond the last holds") func oneMillisecond() throws {
    let closed = try ClosedExam()
    let keys = try (1...9).map { try closed.rule(.policy(json: "{\"k\":\(Double($0) / 2)}", names: "k")) }
    let time = closed.store.clock.now.milliseconds
    try closed.store.write(.program) { for key in keys { try $0.set("ExamRuling", key, ["time": .integer(time)]) } }
    #expect(try closed.store.read { try ExamRuling.all(in: $0) }.map(\.key) == keys)
    #expect(try closed.results().results.policy.k == 4.5)
  }

  @Test("the export of rulings says of whom the concern was that was answered, and where") func answered() throws {
    let closed = try ClosedExam()
    let place = try #require(try closed.store.read { try StationSession.all(in: $0) }.first)
    let entry = try #require(
      try closed.store.read { try Roster.entries(timetable: place.timetable, seat: .lead, in: $0) }.first)
    let concern = try closed.store.write(.program) {
      try Comments.add("unsafe with the needle", to: .candidate(entry.key), isConcern: true, in: $0)
    }
    _ = try closed.rule(.answer(row: concern), reason: "read")
    _ = try closed.rule(.exclusion, on: .init(station: "CHEST"), reason: "no manikin")
    let rows = try closed.exam.rows(.rulings)
    let answer = try #require(rows.first { $0["kind"] == "answer" })
    #expect(answer["student_number"] == entry.candidate?.number && answer["station"] == place.stationCode)
    #expect(answer["circuit"] == place.circuit.name && answer["date"] == place.session.date)
    // What is left out for all names no session: with one it would say less than was ruled.
    #expect(rows.first { $0["kind"] == "exclusion" }?["date"] == "")
  }

  @Test("a ruling that would do something else than it says, or nothing, is refused") func noSuchRuling() throws {
    let closed = try ClosedExam()
    let candidate = "30101"
    func refused(_ decision: Rulings.Decision, _ scope: ExamRuling.Scope, _ why: RulingRefusal) {
      #expect(throws: why) { _ = try closed.rule(decision, on: scope) }
    }
    refused(.exclusion, .init(item: "wash"), .needsStation)
    refused(.exclusion, .init(candidate: candidate, item: "wash"), .needsStation)
    refused(.exclusion, .init(circuit: "Blue circuit"), .needsStation)
    refused(.exclusion, .init(), .ofNothing)
    refused(.exclusion, .init(circuit: "Blue circuit", candidate: candidate), .needsStation)
    refused(
      .exclusion, .init(station: "CHEST", item: "shock-safe"), .notAtStation(item: "shock-safe", station: "CHEST"))
    let pair = try #require(try closed.store.read { try DoubleMarking.differences(in: $0) }.first)
    let scope = ExamRuling.Scope(station: pair.place.stationCode, candidate: pair.candidate!.number)
    let people = pair.place.assessors.map(\.name)
    refused(
      .adjudication(.seat("leed")), scope,
      .noSeat("leed", among: ["lead (\(people[0]))", "seat 2 (\(people[1]))"]))
    refused(.adjudication(.typed(score: 150, grade: nil)), scope, .noSuchScore)
    refused(.adjudication(.typed(score: 50, grade: nil)), scope, .needsGrade(scale: 1...5))
    // The grade is one of the scale of the sheet's own global rating, or between two of them.
    for grade in [0.5, 5.5, 1000] {
      refused(.adjudication(.typed(score: 50, grade: grade)), scope, .noSuchGrade(scale: 1...5))
    }
    refused(
      .adjudication(.mean), .init(station: "CHEST", candidate: candidate),
      .oneAssessor(station: "CHEST", candidate: candidate))
    #expect(try closed.exam.rows(.rulings).isEmpty)
  }

  @Test("a borderline grade that the lead has ruled holds at every station, as an option's does") func borderline()
    throws
  {
    let closed = try ClosedExam()
    var document = PolicyDocument()
    document.borderline = 3
    let asked = try closed.results(document).results.stations.map(\.borderline)
    _ = try closed.rule(.policy(json: PolicyText.json(document), names: "borderline"))
    let ruled = try closed.results().results.stations.map(\.borderline)
    #expect(ruled == asked && Set(ruled) == [3])
  }

  @Test("once the sheets that do not count are ruled, nothing is awaited any more") func notProvisional() throws {
    let closed = try ClosedExam()
    let sheet = try #require(try closed.report().sheets.first { $0.sheetClass == .held }?.sheet)
    _ = try closed.rule(.exclusion, on: .init(sheet: sheet))
    let report = try closed.results()
    #expect(report.state == .final && !report.results.notes.contains(.provisional))
  }

  @Test("an adjudication decides between two assessors") func adjudicated() throws {
    let closed = try ClosedExam()
    let pair = try #require(try closed.store.read { try DoubleMarking.differences(in: $0) }.first { $0.points > 0 })
    let number = pair.candidate!.number
    func place() throws -> CandidateResult.Station {
      try closed.results().results.candidates.first { $0.number == number }!.stations.first {
        $0.station == pair.place.stationCode
      }!
    }
    let scope = ExamRuling.Scope(station: pair.place.stationCode, candidate: number)
    let mean = try #require(try place().score)
    _ = try closed.rule(.adjudication(.seat(pair.second.seat.name)), on: scope)
    let second = try #require(try place().score)
    let notes = try closed.store.read { db in try RulingNote.all(try ExamRuling.all(in: db), in: db) }
    #expect(notes.map(\.text).contains { $0.hasPrefix("adjudication sheet of seat 2 · ") }, "not by the seat's key")
    _ = try closed.rule(.adjudication(.seat(pair.first.seat.name)), on: scope)
    let first = try #require(try place().score)
    #expect(second != mean && abs(first + second - 2 * mean) < 1e-9)
    _ = try closed.rule(.adjudication(.typed(score: 61.5, grade: 3)), on: scope)
    #expect(try place().score == 61.5 && place().grade == 3)
    let texts = try closed.store.read { db in try RulingNote.all(try ExamRuling.all(in: db), in: db) }.map(\.text)
    #expect(texts.contains { $0.hasPrefix("adjudication score 61.5 %, grade 3 · ") }, "\(texts)")
    let ruled = try closed.report().checks.flatMap(\.ruled).map(\.decision)
    #expect(ruled.contains("61.5 % stands, grade 3") && ruled.contains("the sheet of seat 2 stands"), "\(ruled)")
    #expect(
      try closed.report().checks.first { $0.code == .doubleMarks }!.lines.allSatisfy {
        $0.candidate != number || $0.station != pair.place.stationCode
      })
  }

  @Test("a waiver of an item has the number and the text that the sheet has") func waivedItem() throws {
    let closed = try ClosedExam(isWhole: false)
    let line = try #require(try closed.open(.blankRequired).first)
    _ = try closed.rule(
      .waiver(check: "blankRequired", line: line.id),
      on: .init(
        circuit: line.circuit, session: line.session, station: line.station, candidate: line.candidate, item: line.item)
    )
    let item = line.what.replacing(" is blank", with: "")
    #expect(try closed.report().rulings.contains { $0.text.contains(" · \(item): as the board asked") })
  }

  @Test("the closing report has the waivers by candidate, those of no candidate first")
  func waiversByCandidate() throws {
    let closed = try ClosedExam()
    let numbers = try Set(closed.report().sheets.map(\.entry.number)).sorted()
    let ruled = [
      (numbers[1], "of the second candidate"), (numbers[0], "of the first candidate"),
      (numbers[0], "again of the first"), (nil, "of a whole station"),
    ]
    for (number, reason) in ruled {
      _ = try closed.rule(
        .waiver(check: "unsigned", line: reason), on: .init(station: "CHEST", candidate: number), reason: reason)
    }
    let text = try closed.signed()
    let order = ["of a whole station", "of the first candidate", "again of the first", "of the second candidate"]
    let found = try order.map { try #require(text.range(of: $0)?.lowerBound) }
    #expect(found == found.sorted(), "\(text)")
  }

  @Test("a critical item that is accepted is a failure by no rule for two assessors, until both say that it is failed")
  func acceptedCritical() throws {
    let closed = try ClosedExam()
    let (number, sheets) = try criticalPair(closed)
    func mark(_ sheet: String, isDone: Bool) throws { try markCritical(sheet, isDone: isDone, closed) }
    func failures(_ rule: Policy.DoubleMarks) throws -> Int {
      var options = PolicyDocument()
      options.doubleMarks = rule.rawValue
      let candidate = try closed.results(options).results.candidates.first { $0.number == number }
      return try #require(candidate).criticalFailures.count { $0.station == "CONSENT" }
    }
    try mark(sheets[0], isDone: false)
    try mark(sheets[1], isDone: true)
    #expect(try failures(.mean) == 0 && failures(.first) == 1)
    let line = try #require(
      try closed.open(.critical).first { $0.station == "CONSENT" && $0.candidate == number })
    _ = try closed.rule(
      .waiver(check: "critical", line: line.id),
      on: .init(station: line.station, candidate: line.candidate, item: line.item))
    #expect(try failures(.mean) == 0 && failures(.first) == 0)
    try mark(sheets[1], isDone: false)
    #expect(try failures(.mean) == 1 && failures(.first) == 1)
  }

  @Test("a disputed critical item that is accepted is open again once the two assessors have changed sides")
  func changedSides() throws {
    let closed = try ClosedExam()
    let (number, sheets) = try criticalPair(closed)
    func open() throws -> ClosingReport.Line? {
      try closed.open(.critical).first { $0.station == "CONSENT" && $0.candidate == number }
    }
    func accept(_ line: ClosingReport.Line, by key: String) throws {
      _ = try closed.rule(
        .waiver(check: "critical", line: key),
        on: .init(station: line.station, candidate: line.candidate, item: line.item))
    }
    try markCritical(sheets[0], isDone: false, closed)
    try markCritical(sheets[1], isDone: true, closed)
    let line = try #require(try open())
    try accept(line, by: line.id)
    #expect(try open() == nil)
    try markCritical(sheets[0], isDone: true, closed)
    try markCritical(sheets[1], isDone: false, closed)
    let other = try #require(try open())
    #expect(other.what == line.what && other.id != line.id)
    // The key that such lines had before they depended on who said what.
    var plain = other
    plain.facts = ""
    try accept(other, by: plain.key(.critical))
    #expect(try open() == nil)
  }

  /// A candidate whom two assessors marked at CONSENT, and their sheets.
  private func criticalPair(_ closed: ClosedExam) throws -> (number: String, sheets: [String]) {
    let all = try closed.report().sheets.filter { $0.place.stationCode == "CONSENT" }
    let number = try #require(all.first?.entry.number)
    let sheets = all.filter { $0.entry.number == number }.compactMap(\.sheet)
    try #require(sheets.count == 2)
    return (number, sheets)
  }

  /// Marks the critical item of a signed sheet of CONSENT again.
  private func markCritical(_ sheet: String, isDone: Bool, _ closed: ClosedExam) throws {
    try closed.store.write(Author(staff: closed.lead.member.id, reason: "seen again")) { transaction in
      try Signing.reopen(#require(try Sheet.read(sheet, in: transaction.db)), in: transaction)
      let item = try #require(
        try Sheet.read(sheet, in: transaction.db)?.items.first {
          $0.template.text.hasPrefix("Asks about anticoagulants")
        })
      let levels = item.template.levels.sorted { $0.value < $1.value }
      _ = try Marking(transaction).mark(item, level: isDone ? levels[levels.count - 1] : levels[0])
      try Signing.sign(#require(try Sheet.read(sheet, in: transaction.db)), in: transaction)
    }
  }
}
