import ExamStore
import Foundation
import GRDB
import Journal
import Standards
import Testing

@testable import CircuitModel
@testable import ExamFiles
@testable import Reports

@Suite("Locks") struct LockTests {
  @Test("an exam is locked when every check is in order or waived, and not before") func locking() throws {
    let closed = try ClosedExam()
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
    let closed = try ClosedExam()
    try closed.enrolAtAPart()
    #expect(throws: RulingRefusal.partOfExam) {
      try closed.store.write(Author(staff: closed.lead.member.id)) {
        try ExamLocks.lock(.init(), content: "{}", hash: "", at: $0.clock.now, by: closed.people, $0)
      }
    }
  }

  @Test("what is locked cannot be changed; who sits where and what is answered can") func guarded() throws {
    let closed = try ClosedExam()
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
    let closed = try ClosedExam()
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
    let closed = try ClosedExam()
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
    let closed = try ClosedExam()
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
    let sheet = try closed.signedSheet(of: blue)
    #expect(throws: LockRefusal.self) { try closed.reopen(sheet) }
  }

  @Test("one person, a person without a passcode and a person of another role lock nothing") func two() throws {
    let closed = try ClosedExam()
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

  @Test("a file opens no lock again that two people do not, and brings locks and what two people open") func forged()
    throws
  {
    let (closed, scratch, other) = try ClosedExam.withCopy()
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

  @Test(
    "what two people sign says whose sheet was left out, what an amended item held before, and what was opened again")
  func account() throws {
    let closed = try ClosedExam()
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
    let closed = try ClosedExam()
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

  @Test("an exam that is opened again takes changes, and its copy is locked no more") func reopened() throws {
    let closed = try ClosedExam()
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
