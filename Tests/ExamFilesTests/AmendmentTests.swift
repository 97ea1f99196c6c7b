import ExamStore
import Foundation
import GRDB
import Standards
import Testing

@testable import CircuitModel
@testable import ExamFiles
@testable import Reports

@Suite("Amendments of a locked exam") struct AmendmentTests {
  @Test("two people amend one answer of a locked exam; the lock stands, and what it comes to now has the next number")
  func amended() throws {
    let closed = try ClosedExam()
    try closed.endClocks()
    try closed.waiveAll()
    let first = try closed.lock()
    let row = try closed.tickedItem()
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
    let closed = try ClosedExam()
    try closed.endClocks()
    try closed.waiveAll()
    try closed.lock()
    let row = try closed.tickedItem()
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
    let closed = try ClosedExam()
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
    let closed = try ClosedExam()
    let row = try closed.tickedItem()
    let (sheet, item) = (row["sheet"]!, row["item_key"]!)
    let amendment = Amendment(sheet: sheet, item: item, answer: .value(MarkValue(1)!))
    let refusal = #expect(throws: RulingRefusal.self) { try closed.amend(amendment, reason: "ticked by mistake") }
    #expect(refusal?.description == "item \"\(item)\" is 1 already")
  }
}
