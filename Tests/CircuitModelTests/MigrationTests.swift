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
