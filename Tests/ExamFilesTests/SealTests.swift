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

@Suite("What proves a lock") struct SealTests {
  /// How often every sheet is read with what scores follow from.
  private final class SheetReads: @unchecked Sendable {
    private(set) var count = 0

    func note(_ statement: String) { if statement.contains("f.seat, f.versionID, f.signedAt") { count += 1 } }
  }

  @Test("the results of a locked exam are read once, to be shown and to be held against the lock")
  func shownAndProved() throws {
    let closed = try ClosedExam()
    try closed.endClocks()
    try closed.waiveAll()
    try closed.lock()
    let reads = SheetReads()
    try closed.store.read { $0.trace { reads.note("\($0)") } }
    #expect(try closed.results().state == .locked && reads.count == 1)
    try closed.store.read { $0.trace(options: []) }
  }

  @Test("a sealed copy is proved, and a change of a mark, a results choice or the record is found") func verified()
    throws
  {
    let closed = try ClosedExam()
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
    let closed = try ClosedExam()
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
    let closed = try ClosedExam()
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
    let closed = try ClosedExam()
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

  @Test("a copy with other marks than were locked says that they are not final, wherever it says that it is locked")
  func otherMarks() throws {
    let (closed, scratch, other) = try ClosedExam.withCopy()
    defer { other.close() }
    let row = try closed.tickedItem()
    let (sheet, text) = (try #require(row["sheet"]), row["text"])
    try closed.reopen(sheet, in: other)
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
    let closed = try ClosedExam()
    try closed.endClocks()
    let first = try closed.report().parts[0].scope
    try closed.waiveAll(first)
    let (scratch, copy) = try closed.copied()
    let other = try ExamStore(StoreLocation(path: copy), .existing)
    defer { other.close() }
    let sheet = try closed.signedSheet(of: first)
    try closed.reopen(sheet, in: other)
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

  @Test("a pack of a locked exam proves its chains and the lock, and a changed one is found") func packed() throws {
    let closed = try ClosedExam()
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
}
