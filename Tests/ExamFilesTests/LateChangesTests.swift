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

@Suite("What comes late of a locked exam") struct LateChangesTests {
  /// A locked exam, and a pack of two sheets that another terminal opened again without knowing of the lock.
  private struct LatePack {
    let closed: ClosedExam
    let folder: Scratch
    let hash: String
    /// The two sheets.
    let sheets: [String]

    init() throws {
      let (closed, folder, other) = try ClosedExam.withCopy()
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
    let (closed, scratch, other) = try ClosedExam.withCopy()
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

  @Test("what two people amend is proved although something that came late is still held back") func lateAndAmended()
    throws
  {
    let (closed, scratch, other) = try ClosedExam.withCopy()
    defer { other.close() }
    try closed.lock()
    let sheet = try closed.signedSheet(of: .init())
    try closed.reopen(sheet, in: other)
    _ = try PackWriter.write(other, to: scratch.path + "/pack")
    _ = try PackReader(scratch.path + "/pack").unpack(into: closed.store)
    let row = try closed.tickedItem()
    let amendment = Amendment(sheet: row["sheet"]!, item: row["item_key"]!, answer: .value(MarkValue(0)!))
    let (_, content) = try closed.amend(amendment, reason: "ticked by mistake")
    let proof = try closed.verify(content.hash)
    #expect(proof.isVerified, "\(proof.first ?? "")")
  }

  @Test(
    "a sheet, a roster entry and a ruling that were made without knowing of the lock are named though they are in no row"
  )
  func lateRows() throws {
    let (closed, scratch, other) = try ClosedExam.withCopy()
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

  @Test("what closing records itself is not awaited at the hub, and what was accepted there is those changes alone")
  func unsent() throws {
    let closed = try ClosedExam()
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
    let closed = try ClosedExam(isWhole: false)
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
}
