import Catalogue
import Foundation
import GRDB
import Journal
import SystemTesting
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("A store of an older version") struct MigrationTests {
  /// A store as a version of the tables left it, with one circuit in it.
  private func oldStore(_ version: Int) throws -> (folder: String, location: StoreLocation) {
    let folder = try ScratchFolder.make()
    let path = folder + "/exam.sqlite"
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Stores/version-\(version).sql")
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      try db.execute(sql: String(contentsOf: file, encoding: .utf8))
      for applied in 1...version {
        try db.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: ["\(applied)"])
      }
      try db.execute(sql: "INSERT INTO clinicGroup (dsid, name) VALUES (7, 'Red circuit')")
    }
    try queue.close()
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    return (folder, StoreLocation(path: path))
  }

  @Test("gets the tables and columns of this version, keeps its rows, and a copy is made first", arguments: [1, 2, 3])
  func completed(version: Int) throws {
    let (folder, location) = try oldStore(version)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = try ExamStore(location)
    defer { store.close() }
    #expect(store.clock.doubt == nil)
    try store.read { db in
      #expect(try String.fetchAll(db, sql: "SELECT name FROM clinicGroup") == ["Red circuit"])
      for table in Catalogue.standard.tables {
        let found = Set(try db.columns(in: table.name).map(\.name))
        #expect(found == Set(table.columns.map(\.name) + ["heads"]), "\(table.name)")
        let indexes = try db.indexes(on: table.name)
        for column in table.columns where !column.isKey {
          #expect(indexes.contains { $0.columns == [column.name] } == column.needsIndex, "\(table.name).\(column.name)")
        }
      }
    }
    #expect(FileManager.default.fileExists(atPath: location.path + ".before-migration"))
  }

  @Test("is brought to this version beside somebody's table of a kind that is not known here") func stranger() throws {
    let (folder, location) = try oldStore(3)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let queue = try DatabaseQueue(path: location.path)
    try queue.write { db in
      try db.execute(sql: "PRAGMA writable_schema = ON")
      try db.execute(
        sql: "INSERT INTO sqlite_master VALUES ('table', 'x', 'x', 0, 'CREATE VIRTUAL TABLE x USING unknown(a)')")
    }
    try queue.close()
    let store = try ExamStore(location)
    defer { store.close() }
    #expect(try store.read { try String.fetchAll($0, sql: "SELECT name FROM clinicGroup") } == ["Red circuit"])
  }

  /// Gives a store the tables that it had before there was an outbox.
  private func takeOutboxAway(_ db: Database) throws {
    for index in ["operation_waiting", "operation_kept", "operation_unsettled"] {
      try db.execute(sql: "DROP INDEX \(index)")
    }
    for table in [
      "hub", "hubMark", "refusedEntry", "syncState", "formerOperation", "withheldContent", "examRuling", "examLock",
      "hubClock", "erasedPages", "erasedOperation",
    ] {
      try db.execute(sql: "DROP TABLE \(table)")
    }
    for column in ["sends", "answeredAt", "absent", "verdict"] {
      try db.execute(sql: "ALTER TABLE operation DROP COLUMN \(column)")
      if column != "sends" { try db.execute(sql: "ALTER TABLE pending DROP COLUMN \(column)") }
    }
    try Tables.indexRefused(db)
    try db.execute(
      sql:
        "DELETE FROM grdb_migrations WHERE identifier IN ('8-outbox', '9-exchange', '10-hub', '11-closing', '12-host', '13-withdrawn', '14-hub-time', '15-consent', '16-erasure', '17-erased')"
    )
  }

  @Test("that knew no outbox knows afterwards what waits, and is sound") func outbox() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1).key
    try exam.mark(sheet, item: 0, level: 1)
    try exam.store.write(.program) { try $0.set("Timetable", "1", ["scheduledCoverStaff": .integer(2)]) }
    let (waiting, location) = (try exam.store.read { try Outbox.waiting($0) }, exam.store.location)
    exam.store.close()
    let queue = try DatabaseQueue(path: location.path)
    try queue.write { try takeOutboxAway($0) }
    try queue.close()
    let store = try exam.test.reopened()
    defer { store.close() }
    #expect(try store.read { try Outbox.waiting($0) } == waiting)
    #expect(try store.read { try HubContact.read($0) } == .none)
    let surroundings = MachineSurroundings(system: exam.test.time.system, freeBytes: { _ in 1 << 40 })
    let failures = try Doctor(location, surroundings: surroundings).examine().failures
    #expect(failures == [])
    try store.acknowledge()
    #expect(try store.read { try HubContact.read($0) } == HubContact(isEnrolled: true, waiting: 0))
  }

  /// Seals a store's journal as programs did that hashed a reason with the header.
  private func sealAsBefore(_ db: Database, _ device: UUIDBytes) throws {
    var tip = ChainTip(device: device, deviceSeq: 0, hash: Journal.Operation.genesisHash)
    for one in try OperationTable.fetch("device = ?", [device.description], in: db) {
      let body = try #require(try one.body())
      let former = Journal.Operation.seal(
        id: one.id, device: device, deviceSeq: one.deviceSeq, tx: one.tx, txIndex: one.txIndex, txSize: one.txSize,
        kind: one.kind, row: one.row, body: body, hlc: one.hlc, wallTime: one.wallTime, clockError: one.clockError,
        examTime: one.examTime, staff: one.staff, sitting: one.sitting, reason: body.reason, schema: 1,
        prevHash: tip.hash)
      tip = former.tip
      try db.execute(
        sql: """
          UPDATE operation SET body = ?, bodyHash = ?, reason = ?, schema = 1, prevHash = ?, hash = ? WHERE id = ?
          """,
        arguments: [
          former.sealedBody.map { Data($0) }, Data(former.bodyHash), former.headerReason, Data(former.prevHash),
          Data(former.hash), one.id.description,
        ])
    }
    try db.execute(sql: "UPDATE chain SET lastHash = ? WHERE device = ?", arguments: [Data(tip.hash), "\(device)"])
  }

  @Test("goes on with its chain in the form of today: both parts verify, are read and arrive elsewhere")
  func chainInTwoForms() throws {
    let exam = try MarkedExam()
    let (location, device) = (exam.store.location, exam.store.device)
    func rename(_ store: ExamStore, _ name: String, because reason: String) throws {
      try store.write(Author(staff: 1, reason: reason)) {
        _ = try $0.set("Student", "11", ["surname": .text(name)])
      }
    }
    try rename(exam.store, "Evans", because: "married")
    exam.store.close()
    let queue = try DatabaseQueue(path: location.path)
    try queue.write { db in
      try sealAsBefore(db, device)
      try takeOutboxAway(db)
    }
    try queue.close()
    let store = try exam.test.reopened()
    defer { store.close() }
    try rename(store, "Fox", because: "misspelt")
    let operations = try store.operations()
    #expect(Set(operations.dropLast().map(\.schema)) == [1] && operations.last?.schema == 2)
    let surroundings = MachineSurroundings(system: exam.test.time.system, freeBytes: { _ in 1 << 40 })
    let failures = try Doctor(location, surroundings: surroundings).examine().failures
    #expect(failures == [])
    var reasons: [String?] = []
    try store.read { db in
      try JournalReport.forEach(row: RowKey(entity: "Student", id: "11"), in: db) { reasons.append($0.reason) }
    }
    #expect(reasons.suffix(2) == ["married", "misspelt"])
    #expect(
      try store.read { try String.fetchAll($0, sql: "SELECT reason FROM operation WHERE reason IS NOT NULL") } == [
        "married"
      ])
    let there = try TestStore()
    let sent = try operations.map { try WireOperation.decode(WireOperation($0).encoded()) }
    #expect(try there.store.apply(sent).allSatisfy { $0 == .applied })
    #expect(try there.store.value("surname", "Student", "11") == .text("Fox"))
    let elsewhere = MachineSurroundings(system: there.time.system, freeBytes: { _ in 1 << 40 })
    #expect(try Doctor(there.store.location, surroundings: elsewhere).examine().failures == [])
  }

  @Test("is read from a copy where nothing can be written, and stays what it was") func copied() throws {
    let (folder, location) = try oldStore(3)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let before = try Data(contentsOf: URL(fileURLWithPath: location.path))
    let store = try ExamStore(copyOf: location, because: "Read-only file system", system: .live)
    defer { store.close() }
    #expect(try store.read { try String.fetchAll($0, sql: "SELECT name FROM clinicGroup") } == ["Red circuit"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: location.path)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["exam.sqlite"])
  }
}
