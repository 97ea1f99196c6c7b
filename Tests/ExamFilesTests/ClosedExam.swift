import ExamStore
import Foundation
import GRDB
import Journal
import Standards
import Testing

@testable import CircuitModel
@testable import Reports

/// The year 3 exam after its last bell: everything is signed, and two people have passcodes.
struct ClosedExam {
  let exam: MarkedYear3Exam
  let lead: ExamLead
  let people: TwoPeople
  var store: ExamStore { exam.store }
  private static let passcodeHash = try! Passcode.hash("correct horse", rounds: 2)

  init(isWhole: Bool = true) throws {
    exam = try MarkedYear3Exam(isWhole: isWhole, candidates: 2)
    let store = exam.store
    for username in ["cdubois", "kmensah"] {
      try store.write(.program) { transaction in
        let member = try StaffMember.find(username: username, in: transaction.db)
        try transaction.set("Staff", String(member.id), ["passcodeHash": .text(Self.passcodeHash)])
      }
    }
    let members = try store.read { db in
      try ["cdubois", "kmensah"].map { try StaffMember.find(username: $0, in: db) }
    }
    let proofs = try members.map { try $0.prove("correct horse", in: store) }
    people = try store.read { try TwoPeople(members[0], members[1], proofs: proofs, in: $0) }
    lead = people.first
  }

  /// An exam that can be locked, and the copy of its store in another hall, in the folder for packs.
  static func withCopy() throws -> (closed: ClosedExam, folder: Scratch, other: ExamStore) {
    let closed = try ClosedExam()
    try closed.endClocks()
    try closed.waiveAll()
    let (scratch, copy) = try closed.copied()
    return (closed, scratch, try ExamStore(StoreLocation(path: copy), .existing))
  }

  /// Accepts a sheet as it stands, on behalf of its assessor, who has not signed it.
  @discardableResult func accept(_ line: ClosingReport.Line) throws -> String {
    try store.write(Author(staff: lead.member.id)) {
      try Rulings.waive(
        check: "unsigned", line: line.id, on: .init(), signing: line.sheet, for: line.call,
        reason: "went home before signing", by: lead, $0)
    }
  }

  /// Ends every clock, as after the last round.
  func endClocks() throws {
    var seen: Set<Session> = []
    for place in try store.read({ try StationSession.all(in: $0) }) where seen.insert(place.session).inserted {
      try store.write(Author(staff: lead.member.id)) { transaction in
        try ClockLog.append(.start, to: place.session, at: transaction.clock.now, in: transaction)
      }
      try store.write(Author(staff: lead.member.id, reason: "over")) { transaction in
        try ClockLog.append(.stop, to: place.session, at: transaction.clock.now, in: transaction)
      }
    }
  }

  /// A copy of the store, as another terminal has it, in a folder of its own.
  func copied() throws -> (folder: Scratch, path: String) {
    let scratch = Scratch()
    chmod(scratch.path, 0o700)
    let copy = scratch.path + "/exam.sqlite"
    try DatabaseQueue(path: store.location.path).backup(to: DatabaseQueue(path: copy))
    chmod(copy, 0o600)
    return (scratch, copy)
  }

  func examined() throws -> Diagnosis { try Doctor(store.location, program: "test").examine() }

  func report(_ scope: ExamLock.Scope = .init()) throws -> ClosingReport {
    let examined = try examined()
    return try store.read { try ClosingReport.read(examined, Diagnosis(), of: scope, in: $0, at: store.clock.now) }
  }

  /// A hub gives the store part of the exam from now on.
  func enrolAtAPart() throws { try enrol(scope: #"{"version":1,"atoms":["exam","circuit:1"]}"#) }

  /// The store has a place at a hub from now on, and is given all of the exam.
  func enrol(scope: String = "{}") throws {
    try store.enrol(
      Enrolment(
        url: "https://hub.example", exam: .random(), epoch: .random(), role: .lead, enrolledAt: store.clock.now,
        cursorHash: Array(repeating: 0, count: 32), scope: scope))
  }

  /// What is open of a check.
  func open(_ code: ClosingReport.Code) throws -> [ClosingReport.Line] {
    try report().checks.first { $0.code == code }?.open ?? []
  }

  func rule(_ decision: Rulings.Decision, on scope: ExamRuling.Scope = .init(), reason: String = "as the board asked")
    throws -> String
  {
    try store.write(Author(staff: lead.member.id)) {
      try Rulings.make(decision, on: scope, reason: reason, by: lead, $0)
    }
  }

  /// Accepts every line that can be accepted.
  func waiveAll(_ scope: ExamLock.Scope = .init()) throws {
    for check in try report(scope).checks where check.code.isWaivable {
      for line in check.open {
        try store.write(Author(staff: lead.member.id)) {
          try Rulings.waive(
            check: check.code.rawValue, line: line.id,
            on: .init(station: line.station, candidate: line.candidate, item: line.item),
            signing: check.code == .unsigned ? line.sheet : nil, for: line.call, reason: "accepted by the board",
            by: lead, $0)
        }
      }
    }
  }

  @discardableResult func lock(_ scope: ExamLock.Scope = .init()) throws -> LockContent {
    let examined = try examined()
    return try store.write(Author(staff: lead.member.id)) { transaction in
      let now = transaction.clock.now
      let closing = try ClosingReport.read(examined, Diagnosis(), of: scope, in: transaction.db, at: now)
      let content = try LockContent.make(closing, examined: examined, at: now, in: transaction.db)
      try ExamLocks.lock(scope, content: content.text, hash: content.hash, at: now, by: people, transaction)
      return content
    }
  }

  /// A signed sheet of a part.
  func signedSheet(of scope: ExamLock.Scope) throws -> String {
    try #require(try report(scope).sheets.first { $0.signedAt != nil }?.sheet)
  }

  /// Opens a signed sheet again, here or in another store.
  func reopen(_ sheet: String, in other: ExamStore? = nil) throws {
    try (other ?? store).write(Author(staff: lead.member.id, reason: "misheard")) {
      try Signing.reopen(Sheet.read(sheet, in: $0.db)!, in: $0)
    }
  }

  /// A yes-no item that is ticked, as the export of marks has it.
  func tickedItem() throws -> [String: String] {
    try #require(
      try exam.rows(.marks).first { $0["type"] == "binary" && $0["value"] == "1" && $0["role"] == "item" })
  }

  func isSigned(_ sheet: String) throws -> Bool {
    try store.read { try Sheet.read(sheet, in: $0)?.isSigned ?? false }
  }

  /// Amends the locked exam, for the first time.
  func amend(_ amendment: Amendment, reason: String) throws -> (Amendment.Before, LockContent) {
    let examined = try examined()
    return try store.write(Author(staff: lead.member.id)) { transaction in
      let before = try amendment.make(reason: reason, by: people, transaction)
      let now = transaction.clock.now
      let closing = try ClosingReport.read(examined, Diagnosis(), in: transaction.db, at: now)
      let content = try LockContent.make(closing, examined: examined, amendment: 1, at: now, in: transaction.db)
      try ExamLocks.amend(
        .init(), content: content.text, hash: content.hash, at: now, reason: reason, by: people, transaction)
      return (before, content)
    }
  }

  /// What two people sign, in one line: it is broken at 80 columns.
  func signed() throws -> String {
    let report = try report()
    let account = try store.read { try ClosingAccount.read(report, in: $0, at: store.clock.now) }
    #expect(account.lines.allSatisfy { $0.count <= 80 })
    return account.lines.joined(separator: " ").replacing(#/ +/#, with: " ")
  }

  func verify(_ hash: String? = nil) throws -> SealReport {
    let examined = try examined()
    return try store.read { try SealReport.read(examined, expected: hash, in: $0, at: store.clock.now) }
  }

  func results(_ options: PolicyDocument = .init()) throws -> ResultsReport {
    try store.read { try ResultsReport.read(options, in: $0, at: store.clock.now) }
  }
}
