import ExamStore
import Foundation
import GRDB
import Gzip
import Journal
import Standards
import Testing

@testable import CircuitModel
@testable import ExamFiles
@testable import Reports

@Suite("Rulings and locks") struct LockTests {
  /// The year 3 exam after its last bell: everything is signed, and two people have passcodes.
  private struct Closed {
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
    static func withCopy() throws -> (closed: Closed, folder: Scratch, other: ExamStore) {
      let closed = try Closed()
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

    /// Opens a signed sheet again.
    func reopen(_ sheet: String) throws {
      try store.write(Author(staff: lead.member.id, reason: "misheard")) {
        try Signing.reopen(Sheet.read(sheet, in: $0.db)!, in: $0)
      }
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

  /// How often every sheet is read with what scores follow from.
  private final class SheetReads: @unchecked Sendable {
    private(set) var count = 0

    func note(_ statement: String) { if statement.contains("f.seat, f.versionID, f.signedAt") { count += 1 } }
  }

  @Test("the results of a locked exam are read once, to be shown and to be held against the lock")
  func shownAndProved() throws {
    let closed = try Closed()
    try closed.endClocks()
    try closed.waiveAll()
    try closed.lock()
    let reads = SheetReads()
    try closed.store.read { $0.trace { reads.note("\($0)") } }
    #expect(try closed.results().state == .locked && reads.count == 1)
    try closed.store.read { $0.trace(options: []) }
  }

  @Test("an exam is locked when every check is in order or waived, and not before") func locking() throws {
    let closed = try Closed()
    #expect(throws: RulingRefusal.self) { try closed.lock() }
    try closed.endClocks()
    try closed.waiveAll()
    let content = try closed.lock()
    let report = try closed.report()
    #expect(report.state == "locked" && report.locks.first?.hash == content.hash)
    #expect(report.locks.first?.staff == ["cdubois", "kmensah"])
    #expect(try closed.results().state == .locked)
    #expect(content.text.hasPrefix("{\"amendment\":0,\"counts\":{\"absent\""))
    // The text of the report says it, with the hash in groups of four.
    #expect(report.lines(listing: .max).contains { $0.contains(String(content.hash.prefix(4)) + " ") })
    #expect(throws: RulingRefusal.self) { try closed.lock() }
  }

  @Test("a store that its hub gives part of the exam locks nothing") func partOfExam() throws {
    let closed = try Closed()
    try closed.enrolAtAPart()
    #expect(throws: RulingRefusal.partOfExam) {
      try closed.store.write(Author(staff: closed.lead.member.id)) {
        try ExamLocks.lock(.init(), content: "{}", hash: "", at: $0.clock.now, by: closed.people, $0)
      }
    }
  }

  @Test("what is locked cannot be changed; who sits where and what is answered can") func guarded() throws {
    let closed = try Closed()
    try closed.endClocks()
    try closed.waiveAll()
    try closed.lock()
    let place = try closed.store.read { try StationSession.all(in: $0) }.first { !$0.isRest }!
    let entry = try closed.store.read { try Roster.entries(timetable: place.timetable, seat: .lead, in: $0) }[0]
    let key = try closed.store.read {
      try String.fetchOne($0, sql: "SELECT uuid FROM dataForm WHERE attendanceLogID = ?", arguments: [entry.key])!
    }
    let author = Author(staff: closed.lead.member.id, reason: "misheard")
    let before = try closed.exam.rows(.marks)
    let changes: [(String, (JournalTransaction) throws -> Void)] = [
      ("reopening", { try Signing.reopen(Sheet.read(key, in: $0.db)!, in: $0) }),
      ("attendance", { try Attendance.record(false, for: entry, in: $0) }),
      ("clock", { try ClockLog.append(.rerun(rounds: 1), to: place.session, at: $0.clock.now, in: $0) }),
      (
        "exclusion",
        { try Rulings.make(.exclusion, on: .init(station: place.stationCode), reason: "no", by: closed.lead, $0) }
      ),
    ]
    for (what, change) in changes {
      #expect(throws: LockRefusal.self, "\(what)") { try closed.store.write(author, change) }
    }
    #expect(try closed.exam.rows(.marks) == before)
    let refusal = try #require(throws: LockRefusal.self) { try closed.store.write(author, changes[1].1) }
    #expect("\(refusal)".contains("the exam is locked") && "\(refusal)".contains("cdubois and kmensah"))
    // An import would change what is locked too.
    let yaml = closed.exam.folder.path + "/exam/exam.yaml"
    let text = try String(contentsOfFile: yaml, encoding: .utf8)
    try (text + "\nresults: { k: 3 }\n").write(toFile: yaml, atomically: true, encoding: .utf8)
    #expect(throws: LockRefusal.self) {
      try ExamImport.load([closed.exam.folder.path + "/exam"], into: closed.store)
    }
    _ = try closed.rule(.answer(row: "anything"), reason: "read")
  }

  @Test("a session can be locked and proved while another one goes on") func parts() throws {
    let closed = try Closed()
    let exam = try closed.report()
    let (first, other) = (exam.parts[0].scope, exam.parts[1].scope)
    try closed.endClocks()
    try closed.waiveAll(first)
    let content = try closed.lock(first)
    #expect(content.text.contains("\"scope\":\"\(first.name)\""))
    let sums = exam.parts.map(\.identity.expected)
    #expect(try sums.reduce(0, +) == exam.identity.expected && closed.report(first).identity.expected == sums[0])
    #expect(try closed.report(first).state == "locked" && closed.report(other).state == "open")
    let whole = try closed.report()
    #expect(whole.state == "open" && whole.parts.filter { $0.lock != nil }.map(\.scope) == [first])
    #expect(throws: RulingRefusal.self) { try closed.lock(first) }
    // What is its own stays as it is; the other session goes on.
    let (locked, free) = (try closed.signedSheet(of: first), try closed.signedSheet(of: other))
    let refusal = try #require(throws: LockRefusal.self) { try closed.reopen(locked) }
    #expect("\(refusal)".contains("\(first.name) is locked"))
    #expect(try closed.store.read { try ExamLock.covering(sheet: locked, in: $0).scope } == first)
    #expect(throws: RulingRefusal.notLocked) { try closed.store.read { try ExamLock.covering(sheet: free, in: $0) } }
    #expect(try closed.verify(content.hash).isVerified)
    // A ruling on what is locked is refused as a change of it is; one on the other session is not.
    func entry(of scope: ExamLock.Scope) throws -> ClassedSheet {
      try #require(try closed.report(scope).sheets.first { $0.sheetClass == .held && $0.place.stationCode == "CHEST" })
    }
    let (sealed, open) = (try entry(of: first).entry.number, try entry(of: other).entry.number)
    for scope in [
      ExamRuling.Scope(station: "CHEST", candidate: sealed), .init(candidate: sealed), .init(station: "CHEST"),
      .init(circuit: first.circuit, session: first.session, station: "CHEST"), .init(sheet: locked),
    ] {
      #expect(throws: LockRefusal.self) { _ = try closed.rule(.exclusion, on: scope) }
    }
    #expect(throws: LockRefusal.self) { _ = try closed.rule(.policy(json: "{\"k\":2}", names: "k")) }
    let excuse = try closed.rule(.excuse, on: .init(station: "CHEST", candidate: open))
    try closed.store.write(Author(staff: closed.lead.member.id)) {
      try Rulings.withdraw(excuse, reason: "came after all", by: closed.lead, $0)
    }
    try closed.reopen(free)
    try closed.store.write(Author(staff: closed.lead.member.id)) {
      try Signing.sign(Sheet.read(free, in: $0.db)!, in: $0)
    }
    #expect(try closed.verify(content.hash).isVerified)
  }

  @Test("of the locks that cover a session everybody names the one that was made first, until there is the exam's")
  func namedLock() throws {
    let closed = try Closed()
    let first = try closed.report().parts[0].scope
    try closed.endClocks()
    try closed.waiveAll(first)
    try closed.lock(first)
    let locked = try closed.signedSheet(of: first)
    let places = try closed.store.read { try StationSession.all(in: $0) }
    let place = try #require(places.first { first.covers(circuit: $0.circuit.name, session: $0.session.name) })
    func expectNamed(_ scope: ExamLock.Scope) throws {
      try closed.store.read { db in
        #expect(try ExamLock.covering(sheet: locked, in: db).scope == scope)
        #expect(try LeadGrid.read(place.session, at: closed.store.clock.now, in: db).lock?.scope == scope)
        let refusal = try #require(throws: LockRefusal.self) {
          try ExamLock.refuse([place.session], in: db)
        }
        #expect(refusal.scope == scope)
      }
      let refusal = try #require(throws: LockRefusal.self) { try closed.reopen(locked) }
      #expect(refusal.scope == scope)
      #expect(try closed.report().parts.first { $0.scope == first }?.lock?.scope == scope)
    }
    let circuit = ExamLock.Scope(circuit: first.circuit)
    try closed.waiveAll(circuit)
    try closed.lock(circuit)
    try expectNamed(first)
    // The exam's lock covers what was locked before, and is the one that is proved then.
    try closed.waiveAll()
    #expect(try closed.verify(closed.lock().hash).isVerified)
    try expectNamed(.init())
    #expect(try closed.report().parts.allSatisfy { $0.lock != nil })
    #expect(throws: RulingRefusal.notInExam(.circuit, "Grey")) { try closed.report(.init(circuit: "Grey")) }
  }

  @Test("a circuit of which a part is locked keeps its name, by which the lock goes; another is renamed") func renamed()
    throws
  {
    let closed = try Closed()
    let blue = try #require(try closed.report().parts.map(\.scope).first { $0.circuit == "Blue circuit" })
    try closed.store.write(Author(staff: closed.lead.member.id)) {
      try ExamLocks.lock(blue, content: "{}", hash: "", at: $0.clock.now, by: closed.people, $0)
    }
    let yaml = closed.exam.folder.path + "/exam/exam.yaml"
    let text = try String(contentsOfFile: yaml, encoding: .utf8)
    func rename(_ circuit: String) throws {
      try text.replacing("name: \(circuit) circuit", with: "name: \(circuit) ring").write(
        toFile: yaml, atomically: true, encoding: .utf8)
      _ = try ExamImport.load([closed.exam.folder.path + "/exam"], into: closed.store)
    }
    let refusal = try #require(throws: LockRefusal.self) { try rename("Blue") }
    #expect("\(refusal)".hasPrefix("\(blue.name) is locked"))
    try rename("Green")
    #expect(try Set(closed.store.read { try Circuit.every($0).map(\.circuit.name) }) == ["Blue circuit", "Green ring"])
    let sheet = try #require(try closed.report(blue).sheets.first { $0.signedAt != nil }?.sheet)
    #expect(throws: LockRefusal.self) {
      try closed.store.write(Author(staff: closed.lead.member.id, reason: "misheard")) {
        try Signing.reopen(Sheet.read(sheet, in: $0.db)!, in: $0)
      }
    }
  }

  @Test("a sealed copy is proved, and a change of a mark, a results choice or the record is found") func verified()
    throws
  {
    let closed = try Closed()
    try closed.endClocks()
    try closed.waiveAll()
    #expect(try closed.verify().first == "nothing is locked in it")
    let hash = try closed.lock().hash
    #expect(try closed.verify().isVerified && closed.verify(hash).isVerified)
    let printed = try #require(try closed.report().locks.first).printedHash
    #expect(printed.split(separator: " ").count == 16)
    #expect(try closed.verify(printed.uppercased()).isVerified)
    #expect(try closed.verify(String(repeating: "0", count: 64)).first == "its final hash is another one")
    // What goes on afterwards leaves the hash alone.
    _ = try closed.rule(.answer(row: "anything"), reason: "read")
    #expect(try closed.verify(hash).isVerified)
    // A mark that was changed past the journal is found, and the results with it.
    try closed.store.read { _ in }
    let queue = try DatabaseQueue(path: closed.store.location.path)
    try queue.write { db in
      try db.execute(
        sql:
          "UPDATE dataQuestion SET rating = rating + 1 WHERE uuid = (SELECT uuid FROM dataQuestion WHERE rating = 0 LIMIT 1)"
      )
    }
    try queue.close()
    let report = try closed.verify(hash)
    #expect(
      report.values == false && report.results == false && report.lock && report.first?.hasPrefix("rows:") == true)
  }

  @Test("a sealed copy of an older program is proved; of one that lacks a table it is said") func olderCopy() throws {
    let closed = try Closed()
    try closed.endClocks()
    try closed.waiveAll()
    let hash = try closed.lock().hash
    func change(_ sql: String) throws {
      let queue = try DatabaseQueue(path: closed.store.location.path)
      try queue.write { try $0.execute(sql: sql) }
      try queue.close()
    }
    try change("DROP TABLE erasedOperation; DELETE FROM grdb_migrations WHERE identifier = '17-erased'")
    #expect(try closed.verify(hash).first == nil)
    try change("DROP TABLE lastUpdate")
    #expect(try closed.verify(hash).first?.hasPrefix("tables: the table lastUpdate is missing") == true)
  }

  @Test("who is forgotten after the lock loses name and number, and the seal of the results holds") func forgotten()
    throws
  {
    let closed = try Closed()
    let left = try closed.rule(.exclusion, on: .init(candidate: "30102"), reason: "Withdrawn by the parents")
    let scopes: [ExamLock.Scope] = [.init(), try #require(try closed.report().parts.first).scope]
    func digests() throws -> [String] {
      try closed.store.read { db in try scopes.map { try LockContent.digest($0, at: closed.store.clock.now, in: db) } }
    }
    let before = try digests()
    let order = try closed.results().results.candidates.map(\.number)
    let row = try #require(
      try closed.store.read { try Int.fetchOne($0, sql: "SELECT dsid FROM user WHERE studentNumber = '30102'") })
    try closed.store.write(.program) {
      try $0.set("Student", String(row), ["studentNumber": .text("erased-0123456789ab"), "surname": .text("erased")])
      try $0.set("ExamRuling", left, ["candidate": .text("erased-0123456789ab"), "reason": .text("erased")])
    }
    #expect(try closed.results().results.candidates.map(\.number) != order)
    #expect(try digests() == before)
    try closed.store.write(Author(staff: closed.lead.member.id)) {
      try Rulings.withdraw(left, reason: "not agreed", by: closed.lead, $0)
    }
    #expect(try digests()[0] != before[0])
  }

  @Test("whether locked sessions come to what was locked is found by one reading of the scores")
  func readOnce() throws {
    let closed = try Closed()
    let (store, people) = (closed.store, closed.people)
    for part in try closed.report().parts.prefix(2) {
      try store.write(Author(staff: closed.lead.member.id)) {
        try ExamLocks.lock(
          part.scope, content: "{}", hash: String(repeating: "0", count: 64), at: $0.clock.now, by: people, $0)
      }
    }
    let locks = try store.read { try ExamLock.standing(in: $0) }
    func steps(_ locks: [ExamLock]) throws -> Int {
      var count = 0
      try store.read { db in
        db.trace { _ in count += 1 }
        defer { db.trace() }
        let differing = try SealRecord.differing(among: locks, at: store.clock.now, in: db)
        #expect(differing.count == locks.count)
      }
      return count
    }
    _ = try steps(locks)
    #expect(locks.count == 2)
    #expect(try steps(locks) == steps([locks[0]]))
  }

  @Test("a waiver is void as soon as its line changes") func void() throws {
    let closed = try Closed(isWhole: false)
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

  @Test("what closing records itself is not awaited at the hub, and what was accepted there is those changes alone")
  func unsent() throws {
    let closed = try Closed()
    #expect(try closed.open(.unsent).isEmpty)
    try closed.enrol()
    let lines = try closed.open(.unsent)
    #expect(lines.contains { $0.what.hasPrefix("answers: ") && $0.candidate == "30101" })
    try closed.waiveAll()
    #expect(try closed.open(.unsent).isEmpty)
    _ = try closed.people.first.member.prove("correct horse", in: closed.store)
    #expect(try closed.open(.unsent).isEmpty)
    let place = try #require(try closed.store.read { try StationSession.all(in: $0) }.first)
    let entry = try #require(
      try closed.store.read { try Roster.entries(timetable: place.timetable, seat: .lead, in: $0) }.first)
    try closed.store.write(.program) { _ = try Comments.add("left early", to: .candidate(entry.key), in: $0) }
    let open = try closed.open(.unsent)
    #expect(open.map(\.what) == ["comment, sign-out: a change is at no hub"])
    #expect(open.map(\.station) == [place.stationCode] && open.map(\.candidate) == [entry.candidate?.number])
  }

  @Test("a sheet that is open on another machine is named with it, until it is signed") func elsewhere() throws {
    let closed = try Closed(isWhole: false)
    #expect(try closed.open(.terminals).isEmpty)
    let line = try #require(try closed.open(.unsigned).first)
    let staff = try #require(line.call)
    try closed.store.write(.program) { transaction in
      let member = try StaffMember.find(username: staff, in: transaction.db)
      let device = UUIDBytes.random().description
      try transaction.create("Device", device, ["name": .text("laptop 2")])
      try transaction.create(
        "Sitting", UUIDBytes.random().description,
        [
          "device": .text(device), "staff": .integer(Int64(member.id)), "process": .integer(1),
          "openSheet": .text(line.sheet!), "began": .integer(transaction.clock.now.milliseconds),
        ])
    }
    let open = try closed.open(.terminals)
    #expect(open.map(\.terminal) == ["laptop 2"] && open.map(\.call) == [staff])
    try closed.accept(line)
    #expect(try closed.open(.terminals).isEmpty)
  }

  @Test("a waived sheet is signed on behalf of its assessor, and counts") func accepted() throws {
    let closed = try Closed(isWhole: false)
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
    let closed = try Closed(isWhole: false)
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
    let closed = try Closed()
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
    let closed = try Closed()
    let keys = try (1...9).map { try closed.rule(.policy(json: "{\"k\":\(Double($0) / 2)}", names: "k")) }
    let time = closed.store.clock.now.milliseconds
    try closed.store.write(.program) { for key in keys { try $0.set("ExamRuling", key, ["time": .integer(time)]) } }
    #expect(try closed.store.read { try ExamRuling.all(in: $0) }.map(\.key) == keys)
    #expect(try closed.results().results.policy.k == 4.5)
  }

  @Test("the export of rulings says of whom the concern was that was answered, and where") func answered() throws {
    let closed = try Closed()
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
    let closed = try Closed()
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
    let closed = try Closed()
    var document = PolicyDocument()
    document.borderline = 3
    let asked = try closed.results(document).results.stations.map(\.borderline)
    _ = try closed.rule(.policy(json: PolicyText.json(document), names: "borderline"))
    let ruled = try closed.results().results.stations.map(\.borderline)
    #expect(ruled == asked && Set(ruled) == [3])
  }

  @Test("once the sheets that do not count are ruled, nothing is awaited any more") func notProvisional() throws {
    let closed = try Closed()
    let sheet = try #require(try closed.report().sheets.first { $0.sheetClass == .held }?.sheet)
    _ = try closed.rule(.exclusion, on: .init(sheet: sheet))
    let report = try closed.results()
    #expect(report.state == .final && !report.results.notes.contains(.provisional))
  }

  @Test("an adjudication decides between two assessors") func adjudicated() throws {
    let closed = try Closed()
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
    let closed = try Closed(isWhole: false)
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
    let closed = try Closed()
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
    let closed = try Closed()
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
    let closed = try Closed()
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
  private func criticalPair(_ closed: Closed) throws -> (number: String, sheets: [String]) {
    let all = try closed.report().sheets.filter { $0.place.stationCode == "CONSENT" }
    let number = try #require(all.first?.entry.number)
    let sheets = all.filter { $0.entry.number == number }.compactMap(\.sheet)
    try #require(sheets.count == 2)
    return (number, sheets)
  }

  /// Marks the critical item of a signed sheet of CONSENT again.
  private func markCritical(_ sheet: String, isDone: Bool, _ closed: Closed) throws {
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

  @Test("one person, a person without a passcode and a person of another role lock nothing") func two() throws {
    let closed = try Closed()
    let members = try closed.store.read { db in
      try ["cdubois", "kmensah", "nokafor"].map { try StaffMember.find(username: $0, in: db) }
    }
    let proofs = try members.prefix(2).map { try $0.prove("correct horse", in: closed.store) }
    try closed.store.read { db in
      #expect(throws: RulingRefusal.needsTwo) { try TwoPeople(members[0], members[0], proofs: proofs, in: db) }
      #expect(throws: RulingRefusal.withoutPasscode(members[2].name)) {
        try TwoPeople(members[0], members[2], proofs: proofs, in: db)
      }
      #expect(throws: StaffRefusal.self) { try TwoPeople(members[0], members[1], proofs: [proofs[0]], in: db) }
      #expect(throws: StaffRefusal.self) { try TwoPeople(members[1], members[0], proofs: proofs, in: db) }
    }
  }

  /// A locked exam, and a pack of two sheets that another terminal opened again without knowing of the lock.
  private struct LatePack {
    let closed: Closed
    let folder: Scratch
    let hash: String
    /// The two sheets.
    let sheets: [String]

    init() throws {
      let (closed, folder, other) = try Closed.withCopy()
      defer { other.close() }
      hash = try closed.lock().hash
      sheets = Array(try closed.report().sheets.filter { $0.signedAt != nil }.compactMap(\.sheet).prefix(2))
      for sheet in sheets {
        try other.write(Author(staff: closed.lead.member.id, reason: "misheard")) {
          try Signing.reopen(Sheet.read(sheet, in: $0.db)!, in: $0)
          try $0.set("DataForm", sheet, ["judgedBy": .integer(Int64(closed.lead.member.id))])
        }
      }
      _ = try PackWriter.write(other, to: folder.path + "/pack")
      (self.closed, self.folder) = (closed, folder)
    }

    /// Reads the pack into the locked exam.
    func unpack() throws { _ = try PackReader(folder.path + "/pack").unpack(into: closed.store) }

    /// What is held back.
    func kept() throws -> [LateOperation] {
      try closed.store.read { db in try sheets.flatMap { try LateOperation.named($0, in: db) } }
    }

    /// Two people let in what is held back of a sheet, or dismiss it.
    func rule(_ sheet: String, admits: Bool, reason: String) throws {
      let examined = try closed.examined()
      try closed.store.write(Author(staff: closed.lead.member.id)) { transaction in
        let late = try LateOperation.named(sheet, in: transaction.db)
        let lock = try ExamLocks.settle(late, admits: admits, reason: reason, by: closed.people, transaction)
        guard admits, let lock else { return }
        let now = transaction.clock.now
        let closing = try ClosingReport.read(examined, Diagnosis(), in: transaction.db, at: now)
        let content = try LockContent.make(
          closing, examined: examined, amendment: lock.amendment + 1, at: now, in: transaction.db)
        try ExamLocks.amend(
          lock.scope, content: content.text, hash: content.hash, at: now, reason: reason, by: closed.people, transaction
        )
      }
    }
  }

  @Test("what another terminal wrote without knowing of the lock is held back, listed and sent on") func late() throws {
    let late = try LatePack()
    let (closed, sheets) = (late.closed, late.sheets)
    let marks = try closed.exam.rows(.marks)
    for _ in 1...2 {
      try late.unpack()
      #expect(try Set(late.kept().map(\.row.id)) == Set(sheets))
      #expect(try closed.exam.rows(.marks) == marks && closed.verify(late.hash).isVerified)
      let failures = try closed.examined().failures
      #expect(failures == [])
      #expect(try closed.examined().checks.first { $0.name == "outbox" }?.result == .warning)
    }
    // Listed where a person looks, and passed on.
    let outbox = try closed.store.read { try OutboxReport.read($0, at: closed.store.clock.now) }
    #expect(outbox.items.contains { $0.entity == "DataForm" && $0.why == "quarantined:locked" })
    let lines = try #require(try closed.report().checks.first { $0.code == .quarantined }).open
    for sheet in try closed.report().sheets where sheet.sheet.map(sheets.contains) == true {
      let line = try #require(lines.first { $0.subject == sheet.sheet })
      let what = lines.filter { $0.subject == sheet.sheet }.map(\.what)
      let why = ": kept for the office: the circuit is locked"
      #expect(what == ["mark sheet reopened" + why, "mark sheet" + why], "in the order in which it was done")
      #expect(
        (line.station, line.candidate, line.round) == (sheet.place.stationCode, sheet.entry.number, sheet.entry.round))
      #expect((line.circuit, line.session) == (sheet.place.circuit.name, sheet.place.session.name))
      #expect(line.call == "cdubois")
    }
    let checks = try closed.report().checks
    #expect(!checks.contains { $0.code == .refused && !$0.isOK })
    _ = try PackWriter.write(closed.store, to: late.folder.path + "/on")
    var bytes: [UInt8] = []
    try GzipReader.inflate(Array(Data(contentsOf: URL(fileURLWithPath: late.folder.path + "/on")))) { bytes += $0 }
    let text = String(decoding: bytes, as: UTF8.self)
    let all = try late.kept()
    #expect(all.count == 4 && all.allSatisfy { text.contains($0.id.description) })
  }

  @Test("two people let in what was held back, or dismiss it, with a reason and once") func lateRuled() throws {
    let late = try LatePack()
    let (closed, sheets) = (late.closed, late.sheets)
    try late.unpack()
    #expect(throws: RulingRefusal.self) { try late.rule(sheets[0], admits: true, reason: "no") }
    try late.rule(sheets[0], admits: false, reason: "heard from the wrong room")
    let left = try late.kept()
    #expect(try closed.isSigned(sheets[0]) && left.allSatisfy { $0.row.id == sheets[1] } && left.count == 2)
    #expect(try closed.verify(late.hash).isVerified && closed.report().locks.count == 1)
    try late.rule(sheets[1], admits: true, reason: "both heard the tape")
    #expect(try !closed.isSigned(sheets[1]) && late.kept().isEmpty)
    let report = try closed.report()
    #expect(report.locks.last?.amendment == 1 && report.locks.last?.hash != late.hash)
    #expect(try closed.verify(report.locks.last?.hash).isVerified)
    #expect(try closed.results().state == .amended)
    #expect(report.checks.first { $0.code == .quarantined }?.isOK == true)
    #expect(try closed.examined().failures == [])
    #expect(throws: RulingRefusal.nothingHeldBack) {
      try late.rule(sheets[1], admits: true, reason: "once more, please")
    }
    // The same pack changes nothing of what was ruled.
    try late.unpack()
    #expect(try closed.isSigned(sheets[0]) && !closed.isSigned(sheets[1]) && late.kept().isEmpty)
  }

  @Test("what comes late of a locked part is held back, and no other row that has the same number") func sameNumber()
    throws
  {
    let (closed, scratch, other) = try Closed.withCopy()
    defer { withExtendedLifetime(scratch) { _ = other.close() } }
    let part = try #require(try closed.report().parts.first).scope
    try closed.store.write(Author(staff: closed.lead.member.id)) {
      try ExamLocks.lock(part, content: "{}", hash: "", at: $0.clock.now, by: closed.people, $0)
    }
    let place = try #require(
      try closed.store.read { try StationSession.all(in: $0) }.first {
        part.covers(circuit: $0.circuit.name, session: $0.session.name)
      })
    let key = String(place.timetable)
    try other.write(.program) { _ = try $0.set("Timetable", key, ["cancelled": .bool(true)]) }
    try other.write(.program) { _ = try $0.create("Discipline", key, ["name": .text("Surgery")]) }
    let made = try ["Timetable", "Discipline"].compactMap { entity in
      try other.read { try OperationTable.history(of: RowKey(entity: entity, id: key), in: $0).last }
    }
    #expect(try closed.store.apply(made) == [.refused(why: "locked"), .applied])
  }

  @Test("a file opens no lock again that two people do not, and brings locks and what two people open") func forged()
    throws
  {
    let (closed, scratch, other) = try Closed.withCopy()
    defer { other.close() }
    try closed.lock()
    func standing(_ store: ExamStore) throws -> [ExamLock] { try store.read { try ExamLock.standing(in: $0) } }
    let row = RowKey(entity: "ExamLock", id: try #require(try standing(closed.store).first?.key))
    let made = try closed.store.read { try #require(try OperationTable.history(of: row, in: $0).first).id }
    let (first, second) = (Int64(closed.lead.member.id), Int64(closed.people.second.id))
    let now = Value.integer(closed.store.clock.now.milliseconds)
    func reopening(_ first: Int64, _ second: Int64) -> [String: Value] {
      [
        "reopenedAt": now, "reopenReason": .text("as we like it"), "reopenedBy": .integer(first),
        "secondReopenedBy": .integer(second),
      ]
    }
    let outsider = try closed.store.read { Int64(try StaffMember.find(username: "nokafor", in: $0).id) }
    let forged = try [
      closed.store.forged(row, ["reopenedAt": now]),
      closed.store.forged(row, ["reopenedAt": now], saying: .applied),
      closed.store.forged(row, reopening(first, first), staff: first),
      closed.store.forged(row, reopening(first, outsider), staff: first),
      closed.store.forged(row, reopening(first, second), staff: outsider),
      closed.store.forged(row, ["circuit": .text("Grey")]),
      closed.store.forged(row, [:], kind: .delete),
      closed.store.forged(row, ["circuit": .text("Grey")], kind: .create),
      closed.store.forged(RowKey(entity: "DataForm", id: "x"), ["signedAt": now], kind: .create, id: made),
      #"{"type":"verdict","id":"\#(made)","result":"rejected"}"#,
    ]
    let path = scratch.path + "/pack"
    _ = try PackWriter.write(closed.store, to: path)
    try PackHall.add(forged, to: path, as: scratch.path + "/forged")
    for store in [other, closed.store] {
      let report = try PackReader(scratch.path + "/forged").unpack(into: store)
      #expect(report.setAside.map(\.why) == Array(repeating: .lock, count: 9) + [.noHub])
      #expect(try standing(store).map(\.key) == [row.id])
      #expect(try standing(store).first?.scope == .init())
      let lines = try store.read {
        try PackReport(report, madeBy: other.device, at: store.clock.now, in: $0).lines(from: "x")
      }
      #expect(lines.contains { $0.hasPrefix("9 changes of a lock were set aside and changed nothing") })
    }
    #expect(try closed.examined().failures == [])
    try closed.store.write(Author(staff: closed.lead.member.id)) {
      try ExamLocks.reopen(.init(), reason: "the fire alarm rang", by: closed.people, $0)
    }
    _ = try PackWriter.write(closed.store, to: path)
    #expect(try PackReader(path).unpack(into: other).setAside.isEmpty)
    #expect(try standing(other).isEmpty)
  }

  @Test("a copy with other marks than were locked says that they are not final, wherever it says that it is locked")
  func otherMarks() throws {
    let (closed, scratch, other) = try Closed.withCopy()
    defer { other.close() }
    let row = try #require(
      try closed.exam.rows(.marks).first { $0["type"] == "binary" && $0["value"] == "1" && $0["role"] == "item" })
    let (sheet, text) = (try #require(row["sheet"]), row["text"])
    try other.write(Author(staff: closed.lead.member.id, reason: "misheard")) {
      try Signing.reopen(Sheet.read(sheet, in: $0.db)!, in: $0)
    }
    try other.write(Author(staff: closed.lead.member.id)) { transaction in
      let items = try Sheet.read(sheet, in: transaction.db)!.items
      let item = items.first { $0.template.text == text && $0.rating == MarkValue(1) }!
      _ = try Marking(transaction).mark(item, level: item.template.levels.first { $0.value.number == 0 }!)
    }
    try other.write(Author(staff: closed.lead.member.id)) {
      try Signing.sign(Sheet.read(sheet, in: $0.db)!, in: $0)
    }
    let content = try closed.lock()
    let printed = try #require(try closed.report().locks.last).printedHash
    _ = try PackWriter.write(closed.store, to: scratch.path + "/pack")
    _ = try PackReader(scratch.path + "/pack").unpack(into: other)
    /// What a store says of the lock, in all that is printed of it.
    func said(
      by store: ExamStore
    ) throws -> (closing: ClosingReport, results: ResultsReport, pages: [String], check: Diagnosis.Check?) {
      let doctor = try Doctor(store.location, program: "test").examine(comparesLocks: true)
      #expect(doctor.failures == [])
      return try store.read { db in
        let now = store.clock.now
        let closing = try ClosingReport.read(doctor, Diagnosis(), in: db, at: now)
        let account = try ClosingAccount.read(closing, in: db, at: now)
        #expect(try ResultsReport.read(.init(), in: db, at: now).state == account.results.state)
        let board = try BoardReport.read(closing, showsNames: false, in: db, at: now).page.bytes
        let feedback = try FeedbackPages.all(in: db, at: now)
        return (
          closing, account.results,
          [account.lines.joined(separator: "\n"), String(decoding: board, as: UTF8.self), feedback[0].markdown],
          doctor.checks.first { $0.name == "locked results" }
        )
      }
    }
    let here = try said(by: closed.store)
    #expect(here.closing.state == "locked" && here.results.state == .locked && here.check?.result == .ok)
    #expect(here.closing.lines(listing: 0)[0].hasSuffix(" · LOCKED"))
    #expect(!here.pages.contains { $0.contains("NOT FINAL") })
    #expect(here.pages[0].hasSuffix("final hash\n\(printed)") && !here.results.json.text.contains("otherThanLocked"))
    #expect(here.closing.json.text.contains(#""hash":"\#(content.hash)","results":true"#))
    let there = try said(by: other)
    #expect(there.closing.locks.last?.hash == content.hash, "the copy has the lock")
    #expect(there.closing.state == "open" && there.results.state == .live && there.check?.result == .warning)
    let notFinal = "NOT FINAL: the marks here come to other results than were locked"
    let lines = there.closing.lines(listing: 0)
    #expect(lines[0].hasSuffix(" · NOT FINAL") && lines[1] == notFinal, "\(lines)")
    #expect(there.pages.allSatisfy { $0.contains(notFinal) } && !there.pages.contains { $0.contains("LOCKED") })
    #expect(there.pages[0].hasSuffix(notFinal) && there.results.lines.contains(notFinal))
    #expect(there.results.json.text.contains(#""state":"live""#) && !there.results.isProvisional)
    #expect(there.results.json.text.hasSuffix(#""otherThanLocked"]}"#), "\(there.results.json.text.suffix(200))")
    #expect(there.closing.json.text.contains(#""hash":"\#(content.hash)","results":false"#))
    #expect(there.check?.detail == "exam: \(notFinal)")
  }

  @Test("a session whose marks come to others than were locked is named, and no other") func otherMarksOfPart() throws {
    let closed = try Closed()
    try closed.endClocks()
    let first = try closed.report().parts[0].scope
    try closed.waiveAll(first)
    let (scratch, copy) = try closed.copied()
    let other = try ExamStore(StoreLocation(path: copy), .existing)
    defer { other.close() }
    let sheet = try #require(try closed.report(first).sheets.first { $0.signedAt != nil }?.sheet)
    try other.write(Author(staff: closed.lead.member.id, reason: "misheard")) {
      try Signing.reopen(Sheet.read(sheet, in: $0.db)!, in: $0)
    }
    try closed.lock(first)
    _ = try PackWriter.write(closed.store, to: scratch.path + "/pack")
    _ = try PackReader(scratch.path + "/pack").unpack(into: other)
    func report(_ scope: ExamLock.Scope) throws -> ClosingReport {
      try other.read { try ClosingReport.read(Diagnosis(), Diagnosis(), of: scope, in: $0, at: other.clock.now) }
    }
    let part = try report(first)
    #expect(part.differsFromLock && part.state == "open" && part.lines(listing: 0)[0].hasSuffix("NOT FINAL"))
    let whole = try report(.init())
    #expect(!whole.differsFromLock && whole.lines(listing: 0)[0].hasSuffix("NOT LOCKED"))
    #expect(whole.parts.filter(\.differsFromLock).map(\.scope) == [first])
    #expect(
      whole.lines(listing: 0).joined(separator: " ").replacing(#/ +/#, with: " ").contains("NOT FINAL: the marks"))
  }

  @Test("what two people amend is proved although something that came late is still held back") func lateAndAmended()
    throws
  {
    let (closed, scratch, other) = try Closed.withCopy()
    defer { other.close() }
    try closed.lock()
    let sheet = try #require(try closed.report().sheets.first { $0.signedAt != nil }?.sheet)
    try other.write(Author(staff: closed.lead.member.id, reason: "misheard")) {
      try Signing.reopen(Sheet.read(sheet, in: $0.db)!, in: $0)
    }
    _ = try PackWriter.write(other, to: scratch.path + "/pack")
    _ = try PackReader(scratch.path + "/pack").unpack(into: closed.store)
    let row = try #require(
      try closed.exam.rows(.marks).first { $0["type"] == "binary" && $0["value"] == "1" && $0["role"] == "item" })
    let amendment = Amendment(sheet: row["sheet"]!, item: row["item_key"]!, answer: .value(MarkValue(0)!))
    let (_, content) = try closed.amend(amendment, reason: "ticked by mistake")
    let proof = try closed.verify(content.hash)
    #expect(proof.isVerified, "\(proof.first ?? "")")
  }

  @Test(
    "a sheet, a roster entry and a ruling that were made without knowing of the lock are named though they are in no row"
  )
  func lateRows() throws {
    let (closed, scratch, other) = try Closed.withCopy()
    defer { other.close() }
    try closed.lock()
    let made = try #require(try closed.report().sheets.first { $0.sheet != nil })
    let candidate = try #require(
      try closed.store.read {
        try Int.fetchOne($0, sql: "SELECT dsid FROM user WHERE studentNumber = ?", arguments: [made.entry.number])
      })
    let (entry, sheet) = (UUIDBytes.random().description, UUIDBytes.random().description)
    try other.write(Author(staff: closed.lead.member.id)) { transaction in
      try transaction.create(
        "TimetableAttendanceLog", entry,
        [
          "timetable": .integer(Int64(made.place.timetable)), "student": .integer(Int64(candidate)),
          "additional": .bool(true),
        ])
      try transaction.create("DataForm", sheet, ["attendanceLog": .text(entry)])
      _ = try Rulings.make(
        .exclusion, on: .init(station: "CHEST", candidate: made.entry.number), reason: "as the board asked",
        by: closed.lead, transaction)
    }
    _ = try PackWriter.write(other, to: scratch.path + "/pack")
    _ = try PackReader(scratch.path + "/pack").unpack(into: closed.store)
    let lines = try #require(try closed.report().checks.first { $0.code == .quarantined }).open
    for (key, what) in [(entry, "roster, attendance"), (sheet, "mark sheet")] {
      let line = try #require(lines.first { $0.subject == key })
      #expect(line.what.hasPrefix(what + ": "))
      #expect((line.station, line.candidate) == (made.place.stationCode, made.entry.number))
      #expect((line.circuit, line.session) == (made.place.circuit.name, made.place.session.name))
      #expect(line.call == "cdubois")
    }
    let ruling = try #require(lines.first { $0.what.hasPrefix("ruling: ") })
    #expect((ruling.station, ruling.candidate) == ("CHEST", made.entry.number))
  }

  @Test("two people amend one answer of a locked exam; the lock stands, and what it comes to now has the next number")
  func amended() throws {
    let closed = try Closed()
    try closed.endClocks()
    try closed.waiveAll()
    let first = try closed.lock()
    let row = try #require(
      try closed.exam.rows(.marks).first { $0["type"] == "binary" && $0["value"] == "1" && $0["role"] == "item" })
    let amendment = Amendment(sheet: row["sheet"]!, item: row["item_key"]!, answer: .value(MarkValue(0)!))
    let author = Author(staff: closed.lead.member.id)
    let (before, content) = try closed.amend(amendment, reason: "ticked by mistake")
    #expect(before.value == MarkValue(1))
    let report = try closed.report()
    #expect(report.state == "amended" && report.locks.map(\.amendment) == [0, 1])
    #expect(report.locks.map(\.hash) == [first.hash, content.hash] && first.hash != content.hash)
    #expect(try closed.verify(content.hash).isVerified)
    #expect(try closed.verify(first.hash).first == "it was amended since that hash was printed")
    let now = try closed.exam.rows(.marks).first { $0["sheet"] == row["sheet"] && $0["item_key"] == row["item_key"] }
    #expect(now?["value"] == "0" && now?["signed_at"]?.isEmpty == false)
    // Whatever the exam's time was when it was amended, an amendment comes after its lock.
    let lock = report.locks[0], second = report.locks[1]
    let queue = try DatabaseQueue(path: closed.store.location.path)
    try queue.writeWithoutTransaction {
      try $0.execute(
        sql: "UPDATE examLock SET lockedAt = ? WHERE uuid = ?",
        arguments: [lock.lockedAt!.milliseconds - 60_000, second.key])
    }
    #expect(try queue.read { try ExamLock.standing(in: $0) }.map(\.key) == [lock.key, second.key])
    // What two people did not do is refused as before.
    let sheet = try closed.store.read { try Sheet.read(row["sheet"]!, in: $0)! }
    #expect(throws: LockRefusal.self) {
      try closed.store.write(author.because("again")) { try Signing.reopen(sheet, in: $0) }
    }
  }

  @Test("a dossier says who signed an amended sheet at its station, and beneath who amended it and why")
  func amendedDossier() throws {
    let closed = try Closed()
    try closed.endClocks()
    try closed.waiveAll()
    try closed.lock()
    let row = try #require(
      try closed.exam.rows(.marks).first { $0["type"] == "binary" && $0["value"] == "1" && $0["role"] == "item" })
    func dossier() throws -> CandidateDossier {
      try closed.store.read {
        try CandidateDossier.read(row["student_number"]!, concerns: false, in: $0, at: closed.store.clock.now)
      }
    }
    func sheet(of dossier: CandidateDossier) throws -> CandidateDossier.SheetPart {
      try #require(
        dossier.sessions.flatMap(\.stations).flatMap(\.sheets).first { $0.sheet.held?.key == row["sheet"] })
    }
    let before = try sheet(of: dossier())
    #expect(before.signedAt != nil && before.signedBy != nil && before.amendments.isEmpty)
    _ = try closed.amend(
      Amendment(sheet: row["sheet"]!, item: row["item_key"]!, answer: .value(MarkValue(0)!)),
      reason: "ticked by mistake")
    let amended = try dossier()
    let after = try sheet(of: amended)
    #expect(after.sheet.held?.signedAt != before.signedAt && after.signedAt == before.signedAt)
    #expect(after.signedBy == before.signedBy)
    let amendment = try #require(after.amendments.first)
    #expect(after.amendments.count == 1 && amendment.people.count == 2 && !amendment.people.contains("cdubois"))
    #expect(amendment.text.hasPrefix("amended by ") && amendment.text.hasSuffix(": ticked by mistake"))
    #expect(amended.lines.contains { $0.hasPrefix("    amended by ") })
    #expect(amended.json.text.contains(#""amendments":[{"people":["#))
  }

  @Test("a text is refused as one where an amendment names it, and not said to be missing from the exam")
  func amendsNoText() throws {
    let closed = try Closed()
    let row = try #require(
      try closed.exam.rows(.marks).first {
        ["text", "feedback"].contains($0["type"]) && $0["copy"] == "1" && $0["sheet"] != "" && $0["item_key"] != ""
      })
    let (sheet, item) = (row["sheet"]!, row["item_key"]!)
    func refusal(_ item: String) throws -> String? {
      let amendment = Amendment(sheet: sheet, item: item, answer: .blank)
      return #expect(throws: RulingRefusal.self) { try closed.amend(amendment, reason: "ticked by mistake") }?
        .description
    }
    #expect(try refusal(item) == "item \"\(item)\" is a text: only marks can be amended")
    #expect(try refusal("nosuchitem") == "item \"nosuchitem\" is not in the exam")
  }

  @Test("an amendment to what an item is already is refused") func amendsNothing() throws {
    let closed = try Closed()
    let row = try #require(
      try closed.exam.rows(.marks).first { $0["type"] == "binary" && $0["value"] == "1" && $0["role"] == "item" })
    let (sheet, item) = (row["sheet"]!, row["item_key"]!)
    let amendment = Amendment(sheet: sheet, item: item, answer: .value(MarkValue(1)!))
    let refusal = #expect(throws: RulingRefusal.self) { try closed.amend(amendment, reason: "ticked by mistake") }
    #expect(refusal?.description == "item \"\(item)\" is 1 already")
  }

  @Test(
    "what two people sign says whose sheet was left out, what an amended item held before, and what was opened again")
  func account() throws {
    let closed = try Closed()
    let sheet = try #require(try closed.report().sheets.first { $0.signedAt != nil })
    _ = try closed.rule(.exclusion, on: .init(sheet: sheet.sheet), reason: "Void attempt")
    _ = try closed.rule(.exclusion, on: .init(station: "RX"), reason: "Kit broken")
    try closed.endClocks()
    try closed.waiveAll()
    let first = try closed.lock()
    let row = try #require(
      try closed.exam.rows(.marks).first {
        $0["type"] == "binary" && $0["value"] == "1" && $0["role"] == "item" && $0["sheet"] != sheet.sheet
      })
    let amendment = Amendment(sheet: row["sheet"]!, item: row["item_key"]!, answer: .value(MarkValue(0)!))
    let (_, content) = try closed.amend(amendment, reason: "ticked by mistake")
    let groups = try #require(closed.report().locks.last).printedHash
    #expect(groups.count == 79 && groups.replacing(" ", with: "") == content.hash)
    let text = try closed.signed()
    let place = [sheet.place.session.name, sheet.place.circuit.name, sheet.place.stationCode, sheet.entry.number]
    #expect(
      text.contains(
        "exclusion · " + place.joined(separator: " · ") + " · sheet of first assessor: Void attempt (cdubois, "))
    #expect(text.contains("left out: RX: Kit broken (cdubois, "))
    #expect(text.contains(" · local times, UTC") && text.firstMatch(of: /\d\dT\d\d:\d\d/) == nil, "two time zones")
    let amended = ["\(row["date"]!) \(row["start"]!)", row["circuit"]!, row["station"]!, row["student_number"]!]
    #expect(
      text.contains(
        "amendment · " + amended.joined(separator: " · ") + " · sheet of first assessor · \(row["item_key"]!) \""))
    #expect(text.contains(" → 0"), "\(text)")
    #expect(text.contains("ticked by mistake (cdubois and kmensah, ") && text.hasSuffix("final hash \(groups)"))
    try closed.store.write(Author(staff: closed.lead.member.id)) {
      try ExamLocks.reopen(.init(), reason: "a re-run for 30104", by: closed.people, $0)
    }
    let opened = "reopening · exam, locked "
    let void = "; hash \(ExamLock.printed(first.hash)); hash of amendment 1 \(groups)"
    #expect(try closed.signed().contains("(cdubois and kmensah, ") && closed.signed().contains(void))
    #expect(try closed.signed().contains(opened) && closed.signed().contains("30104 (cdubois and kmensah, "))
    let rows = try closed.exam.rows(.rulings).filter { $0["kind"] == "reopening" }
    #expect(rows.count == 1 && rows[0]["choice"] == content.hash && rows[0]["reason"] == "a re-run for 30104")
    #expect(rows[0]["staff"] == "cdubois" && rows[0]["second_staff"] == "kmensah" && rows[0]["time"] != "")
    #expect(first.hash != content.hash)
    let board = try closed.store.read { db in
      let now = closed.store.clock.now
      let closing = try ClosingReport.read(Diagnosis(), Diagnosis(), in: db, at: now)
      return String(
        decoding: try BoardReport.read(closing, showsNames: false, in: db, at: now).page.bytes, as: UTF8.self)
    }
    #expect(board.contains(opened) && board.contains(" · sheet of first assessor: Void attempt (cdubois, "))
    #expect(board.contains("left out: RX: Kit broken (cdubois, "))
  }

  @Test("feedback pages of an exam that was opened and locked again say that they replace the earlier ones")
  func pagesLockedAgain() throws {
    let closed = try Closed()
    func replacing() throws -> Set<Bool> {
      let pages = try closed.store.read { try FeedbackPages.all(in: $0, at: closed.store.clock.now) }
      return Set(pages.map { $0.markdown.contains("this page replaces the earlier one") })
    }
    try closed.endClocks()
    try closed.waiveAll()
    try closed.lock()
    #expect(try replacing() == [false])
    try closed.store.write(Author(staff: closed.lead.member.id)) {
      try ExamLocks.reopen(.init(), reason: "a re-run for 30104", by: closed.people, $0)
    }
    try closed.waiveAll()
    try closed.lock()
    #expect(try replacing() == [true])
  }

  @Test("a pack of a locked exam proves its chains and the lock, and a changed one is found") func packed() throws {
    let closed = try Closed()
    let path = closed.exam.folder.path + "/exam.pack"
    func proof(_ hash: String? = nil) throws -> SealReport {
      try SealReport.read(pack: PackReader(path).forEachOperation, expected: hash)
    }
    _ = try PackWriter.write(closed.store, to: path)
    #expect(try proof().first == "nothing is locked in it")
    try closed.endClocks()
    try closed.waiveAll()
    let hash = try closed.lock().hash
    _ = try PackWriter.write(closed.store, to: path)
    let printed = try #require(closed.report().locks.last).printedHash
    let whole = try proof(printed)
    #expect(whole.isVerified && whole.chains && whole.lock && whole.hash == hash)
    #expect(whole.values == nil && whole.results == nil, "a pack has no plan to compute them from")
    #expect(try proof(String(repeating: "0", count: 64)).first == "its final hash is another one")
    // One operation less, with a digest that fits.
    var bytes: [UInt8] = []
    try GzipReader.inflate(Array(Data(contentsOf: URL(fileURLWithPath: path)))) { bytes += $0 }
    var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    lines.removeLast()
    lines.remove(at: lines.count / 2)
    lines[0] = lines[0].replacing("\"count\":\(lines.count)", with: "\"count\":\(lines.count - 1)")
    var text = Array((lines.joined(separator: "\n") + "\n").utf8)
    var digest = StreamDigest()
    digest.update(text)
    text += #"{"count":\#(lines.count - 1),"sha256":"\#(digest.text)"}"#.utf8 + [10]
    try Data(PackHall.gzip(text)).write(to: URL(fileURLWithPath: path))
    let cut = try proof(printed)
    #expect(!cut.isVerified && !cut.chains && cut.first?.hasPrefix("chains: operation ") == true, "\(cut)")
    try closed.store.write(Author(staff: closed.lead.member.id)) {
      try ExamLocks.reopen(.init(), reason: "a re-run for 30104", by: closed.people, $0)
    }
    try FileManager.default.removeItem(atPath: path)
    _ = try PackWriter.write(closed.store, to: path)
    #expect(try proof(printed).first == "nothing is locked in it")
  }

  @Test("an exam that is opened again takes changes, and its copy is locked no more") func reopened() throws {
    let closed = try Closed()
    try closed.endClocks()
    try closed.waiveAll()
    let first = try closed.lock()
    let author = Author(staff: closed.lead.member.id)
    try closed.store.write(author) {
      try ExamLocks.reopen(.init(), reason: "a re-run for 30104", by: closed.people, $0)
    }
    #expect(try closed.report().state == "open" && !closed.verify(first.hash).isVerified)
    _ = try closed.rule(.exclusion, on: .init(candidate: "30102"), reason: "Withdrawn")
    try closed.waiveAll()
    #expect(try closed.lock().hash != first.hash)
    let why = "it was opened again since that hash was printed, and has another lock"
    #expect(try closed.verify(first.hash).first == why)
    let path = closed.exam.folder.path + "/again.pack"
    _ = try PackWriter.write(closed.store, to: path)
    #expect(try SealReport.read(pack: PackReader(path).forEachOperation, expected: first.hash).first == why)
  }
}
