import Catalogue
import Foundation
import GRDB
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("A store of an older version") struct MigrationTests {
  /// A store as a version of the tables left it, with one circuit in it.
  private func oldStore(_ version: Int) throws -> (folder: String, location: StoreLocation) {
    let folder = NSTemporaryDirectory() + "/osce-test-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
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

  /// Gives a store the tables that it had before there was an outbox.
  private func takeOutboxAway(_ db: Database) throws {
    for index in ["operation_waiting", "operation_kept", "operation_unsettled"] {
      try db.execute(sql: "DROP INDEX \(index)")
    }
    for table in ["hub", "hubMark"] { try db.execute(sql: "DROP TABLE \(table)") }
    for column in ["sends", "answeredAt", "absent", "verdict"] {
      try db.execute(sql: "ALTER TABLE operation DROP COLUMN \(column)")
      if column != "sends" { try db.execute(sql: "ALTER TABLE pending DROP COLUMN \(column)") }
    }
    try Tables.indexRefused(db)
    try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = '8-outbox'")
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
    #expect(try Doctor(location, surroundings: surroundings).examine().failures == [])
    try store.acknowledge()
    #expect(try store.read { try HubContact.read($0) } == HubContact(isEnrolled: true, waiting: 0))
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
