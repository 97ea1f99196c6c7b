import GRDB
import Journal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

/// The second candidate has the first one's number, or none.
@Suite("Candidates who share a number, or have none") struct CandidateLabelTests {
  /// Both are marked and signed at station H, the first with more.
  private func exam(_ number: Value) throws -> MarkedExam {
    let exam = try MarkedExam()
    try exam.store.write(exam.author) { _ = try $0.set("Student", "12", ["studentNumber": number]) }
    for (entry, level) in [(1, 1), (2, 0)] {
      let sheet = try exam.open(entry)
      try exam.mark(sheet.key, item: 0, level: level)
      try exam.mark(sheet.key, item: 1, level: 2)
      try exam.sign(sheet.key)
    }
    return exam
  }

  private func results(_ exam: MarkedExam) throws -> [(String, Double?)] {
    try exam.store.read { try ResultsReport.read(.init(), in: $0, at: exam.store.clock.now) }.results.candidates
      .map { ($0.number, $0.stations.first?.score) }
  }

  @Test("two candidates with one number have a result and a feedback page each") func shared() throws {
    let exam = try exam(.text("1001"))
    let found = try results(exam)
    #expect(found.map(\.0) == ["1001 (key 11)", "1001 (key 12)"])
    #expect(try #require(found[0].1) > #require(found[1].1))
    let pages = try exam.store.read { try FeedbackPages.all(in: $0, at: exam.store.clock.now) }
    #expect(pages.map(\.number) == found.map(\.0))
  }

  @Test("a candidate without a number has a result, and the closing account counts both sheets") func numberless()
    throws
  {
    let exam = try exam(.null)
    #expect(try results(exam).map(\.0) == ["1001", "key 12"])
    let closing = try exam.store.read {
      try ClosingReport.read(Diagnosis(), Diagnosis(), in: $0, at: exam.store.clock.now)
    }
    #expect((closing.identity.expected, closing.identity.held) == (2, 2))
  }

  @Test("a ruling names one of two candidates with a number by number and key") func ruling() throws {
    let exam = try exam(.text("1001"))
    try exam.store.read { db in
      #expect(throws: RulingRefusal.self) { try Rulings.check(.init(candidate: "1001"), in: db) }
      try Rulings.check(.init(candidate: "1001 (key 12)"), in: db)
    }
  }

  @Test("a dossier of a number that two candidates have is refused in a line, and each is found by number and key")
  func dossier() throws {
    let exam = try exam(.text("1001"))
    func read(_ number: String) throws -> Int {
      try exam.store.read {
        try CandidateDossier.read(number, concerns: false, in: $0, at: exam.store.clock.now).candidate.id
      }
    }
    let error = #expect(throws: CandidateRefusal.self) { try read("1001") }
    #expect(
      error?.description == #"2 candidates have the number 1001: name one of them as "1001 (key 11)", "1001 (key 12)""#)
    #expect(try [read("1001 (key 11)"), read("1001 (key 12)")] == [11, 12])
  }

  @Test(
    "a number of two candidates, whatever its case, and none fail before the exam",
    arguments: [
      (Value.text("1001"), "number 1001 is of 2 candidates: keys 11, 12"),
      (.null, "the candidate with the key 12 has no number"),
    ])
  func doctor(_ number: Value, _ detail: String) throws {
    #expect(try exam(number).examine(before: true).failures.contains("candidates: \(detail)"))
    let cased = try exam(.text("a1"))
    try cased.store.write(cased.author) { _ = try $0.set("Student", "11", ["studentNumber": .text("A1")]) }
    #expect(try cased.examine(before: true).result("candidates") == .failed)
  }

  @Test("the plan of a number that two candidates have is refused, and each is found by number and key") func plan()
    throws
  {
    let exam = try exam(.text("1001"))
    func stations(_ candidate: String) throws -> Int {
      try exam.store.read { db in
        try PlanReport.read(db).only(PlanFilter(candidate: candidate), in: db, at: exam.store.clock.now)
          .sessions.flatMap(\.stations).flatMap(\.entries).count
      }
    }
    #expect(throws: CandidateRefusal.self) { try stations("1001") }
    #expect(try stations("1001 (key 12)") == 2)
  }

  @Test("a number with a blank around it names its own candidate; typed in any other way it names both")
  func blanks() throws {
    let exam = try exam(.text("1001\u{A0}"))
    func key(_ typed: String) throws -> Int? {
      try exam.store.read { try CandidateLabel.find(typed, in: $0)?.key }
    }
    #expect(try [key("1001"), key("1001\u{A0}")] == [11, 12])
    for typed in [" 1001", "1001 "] { #expect(throws: CandidateRefusal.self) { try key(typed) } }
    #expect(
      try exam.examine(before: true).failures.contains("candidates: number 1001 is of 2 candidates: keys 11, 12"))
  }

  @Test("two numbers that differ only in how a letter is composed are named by number and key")
  func composition() throws {
    let exam = try exam(.text("e\u{301}1"))
    try exam.store.write(exam.author) { _ = try $0.set("Student", "11", ["studentNumber": .text("\u{E9}1")]) }
    #expect(try Set(results(exam).map(\.0)) == ["\u{E9}1 (key 11)", "\u{E9}1 (key 12)"])
    func key(_ typed: String) throws -> Int? {
      try exam.store.read { try CandidateLabel.find(typed, in: $0)?.key }
    }
    #expect(throws: CandidateRefusal.self) { try key("\u{E9}1") }
    #expect(try [key("\u{E9}1 (key 12)"), key("e\u{301}1 (key 11)")] == [12, 11])
  }

  @Test("four times as many numbers with letters beyond ASCII take no more than some four times as long to label")
  func costOfLetters() throws {
    func steps(_ count: Int) throws -> Int {
      let exam = try MarkedExam(
        (0..<count).map { SmallExam.row("Student", "\(100 + $0)", ["studentNumber": .text("\u{C4}\($0)")]) })
      func read() throws {
        let labels = try exam.store.read { db in
          try String.fetchAll(
            db, sql: "SELECT \(CandidateLabel.column) FROM user u WHERE u.studentNumber GLOB '\u{C4}*' ORDER BY u.dsid")
        }
        #expect(labels == (0..<count).map { "\u{C4}\($0)" })
      }
      try read()
      return try ReadSteps.of(exam.store, read)
    }
    #expect(try steps(200) < steps(50) * 6)
  }
}
