import Foundation
import GRDB
import Glibc
import SystemTesting
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("What a backup may replace") struct BackupPlaceTests {
  /// A folder of its own for the backups of an exam, with somebody else's file in it.
  private struct Second {
    let exam: MarkedExam
    let folder: String
    let path: String

    init() throws {
      exam = try MarkedExam()
      folder = exam.test.folder + "/second"
      path = folder + "/copy.sqlite"
      guard mkdir(folder, 0o700) == 0 else { throw StoreError("no folder") }
    }

    /// Everything in the folder, with its bytes.
    func files() throws -> [String: Data?] {
      var found: [String: Data?] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        let file = folder + "/" + name
        let isRegular = FileState(file)?.isRegular == true
        found.updateValue(try isRegular ? Data(contentsOf: URL(fileURLWithPath: file)) : nil, forKey: name)
      }
      return found
    }

    func write(_ text: String, _ name: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    }

    /// A database of another program.
    func foreign(_ sql: String = "CREATE TABLE invoices (id INTEGER)") throws -> DatabaseQueue {
      let database = try DatabaseQueue(path: path)
      try database.inDatabase { try $0.execute(sql: sql) }
      return database
    }

    /// The words with which a backup is refused; nothing in the folder was changed by it.
    func refusal() throws -> String {
      let before = try files()
      let error = #expect(throws: StoreError.self) { try exam.store.backup(to: path) }
      #expect(try files() == before)
      exam.store.timedBackup.use(BackupChoice(path: path, minutes: 1))
      for _ in 1...2 {
        guard case .failed(let reason) = exam.store.timedBackup.run() else {
          Issue.record("the timed backup did not refuse")
          continue
        }
        #expect(reason == error?.description)
        exam.test.time.pass(600_000)
      }
      #expect(try files() == before)
      return error?.description ?? ""
    }
  }

  @Test("a database of another program is left byte for byte: closed, with a log, locked, in the middle of a change")
  func foreignDatabases() throws {
    for isOpen in [false, true] {
      let second = try Second()
      let database = try second.foreign()
      if !isOpen { try database.close() }
      #expect(try second.refusal().contains("is no backup of this exam"))
    }
    let live = try Second()
    let logged = try live.foreign(
      "PRAGMA journal_mode = WAL; CREATE TABLE invoices (id); INSERT INTO invoices VALUES (1)")
    #expect(try live.refusal().contains("copy.sqlite-wal lies beside it"))
    try logged.close()
    #expect(try live.refusal().contains("is no backup of this exam"))
    let locked = try Second()
    let changing = try locked.foreign()
    try changing.inDatabase { db in
      try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; INSERT INTO invoices VALUES (1)")
      #expect(try locked.refusal().contains("it was left as it is"))
      try db.execute(sql: "COMMIT")
    }
  }

  @Test("a file that is no database, an empty one, a folder, a FIFO and a link are left as they are") func otherFiles()
    throws
  {
    for (text, word) in [("important", "is no backup"), ("", "is no backup")] {
      let second = try Second()
      try second.write(text, "copy.sqlite")
      #expect(try second.refusal().contains(word))
    }
    for make in [{ mkdir($0, 0o700) }, { mkfifo($0, 0o600) }] as [(String) -> Int32] {
      let second = try Second()
      #expect(make(second.path) == 0)
      #expect(try second.refusal().contains("is no file"))
    }
    let second = try Second()
    #expect(symlink("nowhere.sqlite", second.path) == 0)
    #expect(try second.refusal().contains("symbolic link"))
  }

  @Test("the store under another name, and what belongs to a database, are no place for a backup") func ownFiles()
    throws
  {
    let second = try Second()
    #expect(link(second.exam.test.path, second.path) == 0)
    #expect(try second.refusal().contains("is the store itself"))
    for suffix in ["-wal", "-shm", "-journal", ".lock"] {
      let path = second.exam.test.path + suffix
      unlink(second.path)
      let before = FileState(path)
      let error = #expect(throws: StoreError.self) { try second.exam.store.backup(to: path) }
      #expect(error?.description.contains("belongs to \(second.exam.test.path)") == true)
      #expect(FileState(path)?.identity == before?.identity)
    }
  }

  @Test("a backup that was opened for work is a store, and stays") func openedBackup() throws {
    let second = try Second()
    _ = try second.exam.store.backup(to: second.path)
    try ExamStore(StoreLocation(path: second.path), .existing, system: second.exam.test.time.system).close()
    #expect(try second.refusal().contains("copy.sqlite.lock lies beside it"))
    unlink(second.path + ".lock")
    #expect(try second.refusal().contains("it was left as it is"))
  }

  @Test("a database with the tables of a store and nothing in them is no backup") func emptyTables() throws {
    let second = try Second()
    _ = try second.exam.store.backup(to: second.path)
    let database = try DatabaseQueue(path: second.path)
    try database.inDatabase { try $0.execute(sql: "DELETE FROM operation; DELETE FROM chain") }
    try database.close()
    #expect(try second.refusal().contains("is no backup of this exam"))
  }

  @Test("a file called like a part of a backup is nobody's to remove; what a killed backup left is") func rubble()
    throws
  {
    let second = try Second()
    let part = ".copy.sqlite.osce-part-" + String(repeating: "a", count: 32)
    let other = ".copy.sqlite.osce-part-" + String(repeating: "b", count: 32)
    let foreign = ["copy.sqlite.part", other, "notes.txt"]
    for name in foreign + [part, part + "-journal"] { try second.write("x", name) }
    try second.write("osce backup\n\(part)\n", ".copy.sqlite.osce-lock")
    _ = try second.exam.store.backup(to: second.path)
    #expect(try Set(second.files().keys) == Set(foreign + ["copy.sqlite"]))
    // A lock file names nothing else than such parts, and only as files with one name.
    for named in ["notes.txt", "../exam.sqlite", other + "/", other] {
      if named == other { #expect(link(second.folder + "/" + other, second.folder + "/kept") == 0) }
      try second.write("osce backup\n\(named)\n", ".copy.sqlite.osce-lock")
      _ = try second.exam.store.backup(to: second.path)
      #expect(try Set(second.files().keys).isSuperset(of: foreign))
    }
  }

  @Test("what is called like the lock and is none stays, and stops the backup") func foreignLock() throws {
    let second = try Second()
    try second.write("important", ".copy.sqlite.osce-lock")
    let error = #expect(throws: StoreError.self) { try second.exam.store.backup(to: second.path) }
    #expect(error?.description.contains("is no lock of a backup") == true)
    #expect(try second.files() == [".copy.sqlite.osce-lock": Data("important".utf8)])
  }

  @Test("one backup of a path at a time, of whichever store; nothing is left of the lock") func oneAtATime()
    async throws
  {
    let second = try Second()
    let path = second.path
    var first = try BackupPlace.take(path, within: 0)
    #expect(first != nil)
    #expect(try BackupPlace.take(path, within: 0) == nil)
    #expect(try await offPool { try BackupPlace.take(path, within: 1) == nil })
    first = nil
    #expect(try second.files().isEmpty)
    #expect(try BackupPlace.take(path, within: 0) != nil)
  }

  @Test("what comes to lie at the path while the copy is made is left as it is") func changedMeanwhile() throws {
    let second = try Second()
    let place = try BackupPlace.take(second.path)
    _ = try place.makePart()
    try second.write("important", "copy.sqlite")
    #expect(throws: StoreError.self) { try place.put(replacing: nil) }
    #expect(try second.files()["copy.sqlite"] == Data("important".utf8))
    let earlier = try #require(FileState(second.path))
    unlink(second.path)
    try second.write("important, too", "copy.sqlite")
    #expect(throws: StoreError.self) { try place.put(replacing: earlier) }
    #expect(try second.files()["copy.sqlite"] == Data("important, too".utf8))
  }

  @Test("a log whose store was lost is not taken for that of the store that is put back") func strayLog() throws {
    let second = try Second()
    let exam = second.exam
    let count = try exam.store.backup(to: second.path)
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 0, level: 1)
    let log = try Data(contentsOf: URL(fileURLWithPath: exam.test.path + "-wal"))
    #expect(!log.isEmpty)
    exam.store.close()
    for suffix in ["", "-shm"] { unlink(exam.test.path + suffix) }
    try log.write(to: URL(fileURLWithPath: exam.test.path + "-wal"))
    chmod(exam.test.path + "-wal", 0o600)
    let restore = try Restore.run(
      from: second.path, to: exam.store.location, isForced: false, system: exam.test.time.system)
    #expect(restore.operations == count)
    let kept = try #require(restore.kept)
    #expect(try Data(contentsOf: URL(fileURLWithPath: kept + "-wal")) == log)
    #expect(try exam.examine().failures == [])
  }

  @Test("a FIFO, a device and a folder are refused at once by restore and doctor", .timeLimit(.minutes(15)))
  func irregular() throws {
    let second = try Second()
    _ = try second.exam.store.backup(to: second.path)
    let fifo = second.folder + "/fifo"
    #expect(mkfifo(fifo, 0o600) == 0)
    for path in [fifo, "/dev/zero", second.folder] {
      let system = second.exam.test.time.system
      let target = StoreLocation(path: second.folder + "/new.sqlite")
      #expect(throws: StoreError.self) { try Restore.run(from: path, to: target, isForced: true, system: system) }
      #expect(throws: StoreError.self) { try Doctor(StoreLocation(path: path), surroundings: .init()).examine() }
      #expect(throws: StoreError.self) {
        try Restore.run(from: second.path, to: StoreLocation(path: path), isForced: true, system: system)
      }
      #expect(throws: StoreError.self) { try ExamStore.toRead(StoreLocation(path: path)) }
      #expect(throws: StoreError.self) { try ExamStore(StoreLocation(path: path), .createIfMissing) }
    }
    // Also what lies beside a store.
    unlink(second.exam.test.path + ".lock")
    #expect(mkfifo(second.exam.test.path + ".lock", 0o600) == 0)
    #expect(throws: StoreError.self) { try second.exam.examine() }
    #expect(throws: StoreError.self) { try StoreLock(storePath: second.exam.test.path, onlyReads: true) }
  }
}
