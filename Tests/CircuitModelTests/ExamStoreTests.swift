import Foundation
import GRDB
import Journal
import Synchronization
import SystemTesting
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("The store") struct ExamStoreTests {
  @Test("without a place for the store it is said what is wrong with the variable that names it") func noPlace() {
    let known =
      [
        ([:], "HOME is not set"), (["HOME": "rel"], "HOME is no path from the root"),
        (["HOME": "/home/a", "OSCE_STORE": "q\u{FFFD}.sqlite"], "OSCE_STORE is not text in UTF-8"),
        (["HOME": "/home/a", "XDG_DATA_HOME": "/q\u{FFFD}"], "XDG_DATA_HOME is not text in UTF-8"),
        (["HOME": "/home/\u{FFFD}"], "HOME is not text in UTF-8"),
      ] as [([String: String], String)]
    for (environment, text) in known {
      let error = #expect(throws: StoreError.self) {
        try StoreLocation.chosen(option: nil, environment: environment)
      }
      #expect(error?.description.contains(text) == true)
    }
  }

  @Test("who holds a lock is found while many others are taken and let go") func holderAmongMany() throws {
    let folder = try ScratchFolder.make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func file(_ name: String) -> Int32 { open(folder + "/" + name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
    let held = file("held")
    defer { close(held) }
    #expect(flock(held, LOCK_EX) == 0)
    var status = stat()
    #expect(fstat(held, &status) == 0)
    let others = (0..<300).map { file("other\($0)") }
    defer { for other in others { close(other) } }
    let isOver = Atomic<Bool>(false)
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      while !isOver.load(ordering: .relaxed) {
        for action in [LOCK_EX, LOCK_UN] { for other in others { flock(other, action) } }
      }
      ended.signal()
    }
    let missed = (0..<600).count { _ in FileLock.holder(of: UInt64(status.st_ino))?.process != getpid() }
    isOver.store(true, ordering: .relaxed)
    ended.wait()
    #expect(missed == 0)
  }

  @Test("a connection that changes nothing does not note what its statements name") func unobserved() throws {
    let test = try TestStore()
    let sql = "SELECT name FROM clinicGroup"
    #expect(try test.store.reader.inDatabase { try $0.makeStatement(sql: sql).databaseRegion.isEmpty })
  }

  @Test("is durable: a write-ahead log, a sync at each commit; no foreign key refuses; the schema is not trusted")
  func settings() throws {
    let test = try TestStore()
    try test.store.writer.inDatabase { db in
      #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal")
      #expect(try Int.fetchOne(db, sql: "PRAGMA synchronous") == 2)
      #expect(try Int.fetchOne(db, sql: "PRAGMA foreign_keys") == 0)
      #expect(try Int.fetchOne(db, sql: "PRAGMA trusted_schema") == 0)
      let mapped = try Int.fetchOne(db, sql: "PRAGMA mmap_size")
      #expect(mapped == nil || mapped == 0)
      #expect(try Int.fetchOne(db, sql: "PRAGMA cache_size") == -256)
      #expect(try Int.fetchOne(db, sql: "PRAGMA wal_autocheckpoint") == 0)
    }
  }

  @Test("its log is begun anew though at every moment somebody reads") func logUnderReaders() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    let readers = try [test.reopened(), test.reopened()]
    let turns = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    let isOver = Mutex(false)
    let ended = DispatchGroup()
    for reader in 0...1 {
      ended.enter()
      Thread.detachNewThread {
        while !isOver.withLock({ $0 }) {
          // Each view ends only once the other's has begun.
          try? readers[reader].read { db in
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM user")
            turns[1 - reader].signal()
            _ = turns[reader].wait(timeout: .now() + 1)
          }
        }
        ended.leave()
      }
    }
    // The log's head has other salts once it was begun anew.
    func salts() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: test.path + "-wal"))[16..<24] }
    let before = try salts()
    var saves = 0
    while try saves < 2_000 && salts() == before {
      for _ in 0..<50 {
        saves += 1
        try test.store.write(.program) { try $0.set("Staff", "1", ["surname": .text("\(saves)")]) }
      }
    }
    isOver.withLock { $0 = true }
    ended.wait()
    #expect(saves < 2_000)
  }

  @Test("telling the screen of a save goes the same way after many saves as after the first") func wakes() throws {
    let test = try TestStore()
    let depths = Mutex<[Int]>([])
    test.store.onCompletion { depths.withLock { $0.append(Thread.callStackReturnAddresses.count) } }
    for _ in 0..<30 { test.store.submit(.program, { _ in }) { _ in } }
    #expect(test.store.close())
    let seen = depths.withLock { $0 }
    #expect(seen.count == 30 && Set(seen).count == 1, "\(seen)")
  }

  @Test("once closed, reading, saving and the timed backup are refused in words") func closed() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    #expect(test.store.close())
    let error = #expect(throws: StoreError.self) { try test.store.read { try Int.fetchOne($0, sql: "SELECT 1") } }
    #expect(error?.description.contains("closed") == true)
    #expect(throws: StoreError.self) { try test.store.write(.program) { _ in } }
    #expect(throws: (any Error).self) { try test.store.dataVersion() }
    test.store.timedBackup.use(BackupChoice(path: test.folder + "/copy.sqlite"))
    guard case .failed = test.store.timedBackup.run() else {
      Issue.record("a copy of a closed store")
      return
    }
  }

  @Test("keeps its files from everybody else") func permissions() throws {
    let test = try TestStore()
    for file in ["", "-wal", "-shm", ".lock"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: test.path + file)
      #expect((attributes[.posixPermissions] as? Int) == 0o600, "\(file)")
    }
  }

  @Test("says where to get an exam if there is none") func missing() throws {
    let error = #expect(throws: StoreError.self) { try ExamStore(StoreLocation(path: "/nonexistent/exam.sqlite")) }
    #expect(error?.description.contains("osce import") == true)
  }

  @Test("that was lost is said to be gone, and nothing is made over the log that is left of it") func lost() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    let log = try Data(contentsOf: URL(fileURLWithPath: test.path + "-wal"))
    test.store.close()
    try log.write(to: URL(fileURLWithPath: test.path + "-wal"))
    chmod(test.path + "-wal", 0o600)
    for isEmpty in [false, true] {
      unlink(test.path)
      if isEmpty { try Data().write(to: URL(fileURLWithPath: test.path)) }
      chmod(test.path, 0o600)
      for opening in [ExamStore.Opening.existing, .createIfMissing] {
        let error = #expect(throws: StoreError.self) { try ExamStore(test.store.location, opening) }
        #expect(error?.description.hasSuffix("; put a backup back with: osce restore FILE") == true)
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: test.path + "-wal")) == log)
    }
    for suffix in ["", "-wal", "-shm"] { unlink(test.path + suffix) }
    let error = #expect(throws: StoreError.self) { try test.reopened() }
    #expect(error?.description.contains(" is gone; ") == true)
    try ExamStore(test.store.location, .createIfMissing).close()
  }

  @Test("refuses a symbolic link, and a file that others may write") func unsafePlaces() throws {
    let test = try TestStore()
    let link = test.folder + "/link.sqlite"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: test.path)
    #expect(throws: StoreError.self) { try ExamStore(StoreLocation(path: link)) }
    try FileManager.default.setAttributes([.posixPermissions: 0o660], ofItemAtPath: test.path)
    #expect(throws: StoreError.self) { try test.reopened() }
  }

  @Test("refuses a file of another program, and leaves it as it is") func foreign() throws {
    let test = try TestStore()
    let other = test.folder + "/other.sqlite"
    try DatabaseQueue(path: other).write { try $0.execute(sql: "CREATE TABLE theirs (a)") }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: other)
    #expect(throws: StoreError.self) { try ExamStore(StoreLocation(path: other)) }
    let text = test.folder + "/text.sqlite"
    try Data("not a database at all, whatever its name may be".utf8).write(to: URL(fileURLWithPath: text))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: text)
    #expect(throws: StoreError.self) { try ExamStore(StoreLocation(path: text)) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: text)).starts(with: Data("not a".utf8)))
  }

  @Test("emptied or written over it is refused for reading and saving, and nothing is made of what is left")
  func emptied() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    #expect(test.store.close())
    for (left, word) in [("", "put a backup back"), ("x", "not an exam store")] {
      for suffix in ["-wal", "-shm"] { unlink(test.path + suffix) }
      try Data(left.utf8).write(to: URL(fileURLWithPath: test.path))
      chmod(test.path, 0o600)
      let error = #expect(throws: StoreError.self) { try test.reopened() }
      #expect(error?.description.contains(word) == true)
      #expect(try Data(contentsOf: URL(fileURLWithPath: test.path)) == Data(left.utf8))
    }
  }

  @Test("saves nothing more once another file lies in its place, and says so") func replaced() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    #expect(!test.store.isReplaced)
    for suffix in ["-wal", "-shm", ""] { rename(test.path + suffix, test.folder + "/moved.sqlite" + suffix) }
    for isThere in [false, true] {
      if isThere { _ = try ExamStore(test.store.location, .createIfMissing) }
      #expect(test.store.isReplaced)
      let error = #expect(throws: StoreError.self) {
        try test.store.write(.program) { try $0.set("Staff", "1", ["surname": .text("Lost")]) }
      }
      #expect(error?.description == ExamStore.replacedText)
    }
  }

  @Test("written by a newer program is refused") func newer() throws {
    let test = try TestStore()
    try test.store.writer.write { try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('99')") }
    let error = #expect(throws: StoreError.self) { try test.reopened() }
    #expect(error?.description.contains("newer osce") == true)
  }

  @Test("copied to another file begins a chain of its own") func copied() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    Checkpoint.run(test.store.writer)
    let copy = test.folder + "/copy.sqlite"
    try FileManager.default.copyItem(atPath: test.path, toPath: copy)
    let store = try ExamStore(StoreLocation(path: copy))
    #expect(store.device != test.store.device)
    #expect(try test.reopened().device == test.store.device)
  }

  @Test("throws a failed transaction away whole") func atomic() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    let before = try test.store.lastSequence()
    #expect(throws: StoreError.self) {
      try test.store.write(.program) { transaction in
        try transaction.set("Staff", "1", ["surname": .text("Changed")])
        throw StoreError("no")
      }
    }
    #expect(try test.store.lastSequence() == before)
    let surname = try test.store.read { try String.fetchOne($0, sql: "SELECT surname FROM user WHERE dsid = 1") }
    #expect(surname == "Davies")
  }

  @Test("tells other connections which rows were changed") func changes() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    let other = try test.reopened()
    let before = try other.lastSequence()
    let version = try other.dataVersion()
    try test.store.write(.program) { try $0.set("Staff", "1", ["surname": .text("Evans")]) }
    #expect(try other.dataVersion() != version)
    #expect(try other.changes(since: before).rows == [RowKey(entity: "Staff", id: "1")])
  }

  @Test("names the process that holds the lock") func holder() throws {
    let test = try TestStore()
    #expect(test.store.lock.holder() == nil)
    try test.store.lock.holding {
      #expect(test.store.lock.holder()?.process == getpid())
    }
  }

  @Test("a program in the middle of a change is named, though it does not take the store's lock") func blocker() throws
  {
    let test = try TestStore()
    try test.loadSmallExam()
    #expect(test.store.lock.blocker() == nil)
    let other = try DatabaseQueue(path: test.path)
    try other.inDatabase { db in
      try db.execute(sql: "BEGIN IMMEDIATE")
      #expect(test.store.lock.blocker()?.process == getpid())
      try db.execute(sql: "COMMIT")
    }
    #expect(test.store.lock.blocker() == nil)
  }

  @Test("a change that waits for this process's own has nobody else to wait for") func blockedByItself() throws {
    let test = try TestStore()
    try test.store.write(.program) { _ in #expect(test.store.lock.blocker() == nil) }
    // Nor has one that waits for this process's checkpoint.
    #expect(test.store.lock.ifFree { test.store.lock.blocker() == nil } == true)
  }

  @Test("a change waits for whom it must also where the lock's file was removed meanwhile", .timeLimit(.minutes(5)))
  func removedLock() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    let store = test.store
    #expect(unlink(test.path + ".lock") == 0)
    let other = try StoreLock(storePath: test.path)
    let ended = DispatchSemaphore(value: 0)
    try other.holding {
      #expect(store.lock.ifFree {} == nil)
      Thread.detachNewThread {
        _ = try? store.write(.program) { try $0.set("Staff", "1", ["title": .text("Prof")]) }
        ended.signal()
      }
      #expect(ended.wait(timeout: .now() + .milliseconds(500)) == .timedOut)
      #expect(store.lock.blocker()?.process == getpid())
    }
    ended.wait()
    #expect(try store.read { try String.fetchOne($0, sql: "SELECT title FROM user WHERE dsid = 1") } == "Prof")
    try store.lock.holding { #expect(other.ifFree {} == nil) }
  }

  @Test("a store that was being made when its maker was ended is made again") func halfMade() throws {
    let test = try TestStore()
    let path = test.folder + "/new.sqlite"
    let half = try DatabaseQueue(path: path)
    try half.write { try $0.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)") }
    try half.close()
    chmod(path, 0o600)
    #expect(FileManager.default.createFile(atPath: path + ".lock", contents: nil))
    chmod(path + ".lock", 0o600)
    let store = try ExamStore(StoreLocation(path: path), .createIfMissing)
    #expect(store.close())
  }

  @Test("a place that cannot be looked at is not one without an exam") func unreachable() throws {
    let test = try TestStore()
    let loop = test.folder + "/loop"
    #expect(symlink(loop, loop) == 0)
    let error = #expect(throws: StoreError.self) {
      try ExamStore(StoreLocation(path: loop + "/exam.sqlite"), .existing)
    }
    #expect(error?.description.contains("cannot be reached") == true)
  }

  @Test("what SQLite says of tables that are not the store's is told in this program's words") func otherTables() throws
  {
    let test = try TestStore()
    try test.loadSmallExam()
    let other = try DatabaseQueue(path: test.path)
    try other.write { try $0.execute(sql: "ALTER TABLE user RENAME TO people") }
    let error = #expect(throws: StoreError.self) { try test.store.read { try ExamLead.all(in: $0) } }
    #expect(
      error?.description
        == "\(test.path) cannot be read: it holds what this program never writes; run: osce doctor")
  }

  @Test("runs saves on a thread of its own, in order, and finishes them before it closes") @MainActor
  func submitted() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    for number in 1...20 {
      test.store.submit(.program, { try $0.set("Staff", "1", ["surname": .text("\(number)")]) }) { _ in }
    }
    #expect(test.store.close())
    let again = try test.reopened()
    let surname = try again.read { try String.fetchOne($0, sql: "SELECT surname FROM user WHERE dsid = 1") }
    #expect(surname == "20")
  }
}

@Suite("The exam's clock") struct ExamClockTests {
  @Test("does not move when the wall clock is set") func wallClockSet() throws {
    let test = try TestStore()
    let before = test.store.clock.now
    test.time.setWall(TestClock.start + 86_400_000)
    #expect(test.store.clock.now == before)
    #expect(test.store.clock.wallClockLead == 86_400_000)
    #expect(try test.reopened().clock.now == before)
  }

  @Test("is taken from the wall clock anew after the machine was started again") func reboot() throws {
    let test = try TestStore()
    test.time.setWall(TestClock.start + 600_000)
    test.time.reboot()
    #expect(try test.reopened().clock.now.milliseconds == TestClock.start + 600_000)
  }
}
