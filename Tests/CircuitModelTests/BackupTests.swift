import Foundation
import GRDB
import Glibc
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Backup and restore") struct BackupTests {
  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test("a backup is one whole file with all operations, and replaces an earlier one") func backup() throws {
    let exam = try MarkedExam()
    let path = exam.test.folder + "/copy.sqlite"
    let first = try exam.store.backup(to: path)
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 0, level: 1)
    let second = try exam.store.backup(to: path)
    #expect(second > first)
    #expect(try BackupCopy.operations(in: path) == second)
    #expect(FileFacts.status(path)?.mode == 0o600)
    for suffix in ["-wal", "-shm", ".part"] { #expect(!FileManager.default.fileExists(atPath: path + suffix)) }
  }

  /// Every file of a folder with its bytes.
  private func files(_ folder: String) throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      found[name] = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
    }
    return found
  }

  @Test("looking at a backup changes nothing of it, so that the next backup can take its place") func lookedAt() throws
  {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 0, level: 1)
    let folder = exam.test.folder + "/second"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let backup = StoreLocation(path: folder + "/copy.sqlite")
    _ = try exam.store.backup(to: backup.path)
    let before = try files(folder)
    exam.test.time.reboot()
    let reading = try ExamStore.toRead(backup, system: exam.test.time.system)
    #expect(try reading.read { try StatusReport.read($0) }.total.held == 1)
    #expect(throws: StoreError.self) {
      try reading.write(.program) { try $0.set("Config", "1", ["examName": .text("x")]) }
    }
    reading.close()
    #expect(try files(folder) == before && before.count == 1)
    _ = try exam.store.backup(to: backup.path)
    #expect(try files(folder).count == 1)
  }

  @Test("a fresh backup is sound: nothing is to be said of it") func freshBackup() throws {
    let exam = try MarkedExam()
    let backup = StoreLocation(path: exam.test.folder + "/copy.sqlite")
    _ = try exam.store.backup(to: backup.path)
    let surroundings = MachineSurroundings(system: exam.test.time.system, freeBytes: { _ in 1 << 40 })
    let diagnosis = try Doctor(backup, surroundings: surroundings).examine()
    #expect(diagnosis.isSound && diagnosis.checks.filter { $0.result != .ok }.map(\.name) == [])
    for suffix in ["-wal", "-shm", ".lock"] { #expect(!FileManager.default.fileExists(atPath: backup.path + suffix)) }
  }

  @Test("a store in use is read as it is now, and reading it writes nothing: no device, no clock, no checkpoint")
  func readInUse() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 0, level: 1)
    try exam.tamper("UPDATE storeInfo SET value = 'elsewhere' WHERE key = 'place'")
    exam.test.time.reboot()
    let reading = try ExamStore.toRead(exam.store.location, system: exam.test.time.system)
    #expect(reading.obstacle == nil && reading.device == exam.store.device)
    #expect(try reading.read { try StatusReport.read($0) }.total.held == 1)
    try exam.mark(sheet.key, item: 1, level: 1)
    #expect(try reading.read { try StatusReport.read($0) }.total.held == 2)
    #expect(throws: StoreError.self) {
      try reading.write(.program) { try $0.set("Config", "1", ["examName": .text("x")]) }
    }
    reading.close()
    #expect(try exam.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM device") } == 1)
    #expect(try exam.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM bootClock") } == 1)
  }

  @Test("a backup never replaces the store or somebody's other file") func refusals() throws {
    let exam = try MarkedExam()
    #expect(throws: StoreError.self) { try exam.store.backup(to: exam.test.path) }
    let notes = exam.test.folder + "/notes.txt"
    try Data("important".utf8).write(to: URL(fileURLWithPath: notes))
    #expect(throws: StoreError.self) { try exam.store.backup(to: notes) }
    #expect(try text(notes) == "important")
    #expect(throws: StoreError.self) { try exam.store.backup(to: exam.test.folder) }
    #expect(throws: StoreError.self) { try exam.store.backup(to: exam.test.folder + "/none/copy.sqlite") }
  }

  @Test("a backup that holds what the store does not is left as it is") func newerBackup() throws {
    let (exam, other) = (try MarkedExam(), try MarkedExam())
    let path = exam.test.folder + "/copy.sqlite"
    let operations = try exam.store.backup(to: path)
    let error = #expect(throws: StoreError.self) { try other.store.backup(to: path) }
    #expect(error?.description.contains("not replaced") == true)
    #expect(try BackupCopy.operations(in: path) == operations)
    other.store.timedBackup.use(BackupChoice(path: path, minutes: 5))
    other.test.time.setWall(try #require(FileFacts.status(path)).changed + 600_000)
    guard case .failed = other.store.timedBackup.run() else {
      Issue.record("the timed backup wrote over it")
      return
    }
    #expect(other.store.timedBackup.warning?.contains("move it away") == true)
  }

  @Test("the person at the machine says where the timed backup goes, the exam at most how often") func settings() throws
  {
    let wish = BackupWish(json: #"{"backup":{"path":"/b","minutes":3},"other":1}"#)
    #expect(wish.minutes == 3 && wish.ignoredPath == "/b")
    for json in [nil, #"{"other":1}"#, "no JSON", #"{"backup":{"minutes":0}}"#, #"{"backup":{"minutes":9e18}}"#] {
      #expect(BackupWish(json: json) == BackupWish(json: nil), "\(json ?? "")")
    }
    #expect(BackupWish(json: #"{"backup":{"minutes":9223372036854775807}}"#).minutes == nil)
    func chosen(_ path: String?, _ minutes: Int? = nil, _ environment: [String: String] = [:]) throws -> BackupChoice? {
      try BackupChoice.chosen(path, minutes: minutes, environment: environment)
    }
    #expect(try chosen(nil) == nil)
    #expect(try chosen("/b", 3) == BackupChoice(path: "/b", minutes: 3))
    #expect(try chosen("/b", 3, ["OSCE_BACKUP": "/c"]) == BackupChoice(path: "/c", minutes: 3))
    #expect(
      try chosen(nil, nil, ["OSCE_BACKUP": "/c", "OSCE_BACKUP_MINUTES": "9"]) == BackupChoice(path: "/c", minutes: 9))
    for wrong in [["OSCE_BACKUP": "copy.sqlite"], ["OSCE_BACKUP_MINUTES": "0"], ["OSCE_BACKUP_MINUTES": "x"]] {
      let refusal = #expect(throws: StoreError.self) { try chosen("/b", 3, wrong) }
      #expect(refusal?.description.contains("must be") == true, "\(wrong)")
    }
    #expect(BackupChoice(path: "/c", minutes: .max).minutes == 1440)
    #expect(BackupChoice(path: "/c").minutes(wished: 3) == 3 && BackupChoice(path: "/c").minutes(wished: nil) == 5)
    #expect(BackupChoice(path: "/c", minutes: 2).minutes(wished: 3) == 2)
  }

  @Test("the timed backup is made when it is due, once, and its failure is a warning") func timed() throws {
    let exam = try MarkedExam()
    let path = exam.test.folder + "/second.sqlite"
    let backup = exam.store.timedBackup
    #expect(backup.run() == .notConfigured)
    backup.use(BackupChoice(path: path))
    #expect(backup.run() == .made(path: path))
    exam.test.time.setWall(try #require(FileFacts.status(path)).changed + 299_000)
    #expect(backup.run() == .notDue)
    exam.test.time.pass(1000)
    do {
      let other = try #require(try BackupPlace.take(path, within: 0))
      #expect(backup.run() == .elsewhere)
      withExtendedLifetime(other) {}
    }
    #expect(backup.run() == .made(path: path))
    #expect(backup.warning == nil)
    backup.use(BackupChoice(path: exam.test.folder + "/none/x.sqlite"))
    let outcome = backup.run()
    guard case .failed = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(backup.warning?.hasPrefix("THE TIMED BACKUP FAILED") == true)
  }

  @Test("an exam that names a path for backups has nothing written there, and doctor says so") func importedPath()
    throws
  {
    let exam = try MarkedExam()
    let path = exam.test.folder + "/victim.sqlite"
    let json = #"{"backup":{"path":"\#(path)","minutes":1}}"#
    try exam.store.write(.program) { _ = try $0.set("Config", "1", ["settings": .text(json)]) }
    #expect(exam.store.timedBackup.run() == .notConfigured)
    #expect(!FileManager.default.fileExists(atPath: path))
    let check = try #require(try exam.examine().checks.first { $0.name == "backup setting" })
    #expect(check.result == .warning && check.detail.contains("\(path) for backups, which is ignored"))
  }

  @Test("a restored store is the backup, and the replaced one is kept beside it") func restore() throws {
    let exam = try MarkedExam()
    let path = exam.test.folder + "/copy.sqlite"
    let count = try exam.store.backup(to: path)
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 0, level: 1)
    exam.store.close()
    let location = exam.store.location
    let restore = try Restore.run(from: path, to: location, isForced: false, system: exam.test.time.system)
    #expect(restore.operations == count)
    let kept = try #require(restore.kept)
    #expect(kept == location.path + ".replaced-20261207T090000Z")
    #expect(try BackupCopy.operations(in: kept) > count)
    let restored = try ExamStore(location, .existing, system: exam.test.time.system)
    defer { restored.close() }
    #expect(restored.device != exam.store.device)
    #expect(try restored.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM dataForm") } == 0)
    var surroundings = MachineSurroundings(system: exam.test.time.system)
    surroundings.freeBytes = { _ in 1 << 40 }
    let diagnosis = try Doctor(location, surroundings: surroundings).examine()
    #expect(diagnosis.failures == [])
    #expect(diagnosis.checks.contains { $0.name == "chain end" && $0.detail.hasSuffix(" after 1 operation") })
  }

  @Test("a store with an open run is not replaced unless that is forced") func openRun() throws {
    let exam = try MarkedExam()
    let path = exam.test.folder + "/copy.sqlite"
    _ = try exam.store.backup(to: path)
    try exam.clock(.start)
    exam.store.close()
    let (location, system) = (exam.store.location, exam.test.time.system)
    #expect(throws: StoreError.self) { try Restore.run(from: path, to: location, isForced: false, system: system) }
    #expect(try BackupCopy.operations(in: location.path) > 0)
    #expect(try Restore.run(from: path, to: location, isForced: true, system: system).kept != nil)
  }

  @Test("what is no backup, or was changed, is not restored") func damaged() throws {
    let exam = try MarkedExam()
    let path = exam.test.folder + "/copy.sqlite"
    _ = try exam.store.backup(to: path)
    let target = StoreLocation(path: exam.test.folder + "/new/exam.sqlite")
    let system = exam.test.time.system
    #expect(throws: StoreError.self) {
      try Restore.run(from: exam.test.folder + "/none", to: target, isForced: true, system: system)
    }
    let changed = try DatabaseQueue(path: path)
    try changed.write { db in try db.execute(sql: "UPDATE user SET surname = 'X' WHERE dsid = 11") }
    try changed.close()
    #expect(throws: StoreError.self) { try Restore.run(from: path, to: target, isForced: false, system: system) }
    #expect(!target.exists)
    #expect(try Restore.run(from: path, to: target, isForced: true, system: system).kept == nil)
    try Data("text".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: StoreError.self) { try Restore.run(from: path, to: target, isForced: true, system: system) }
  }

  @Test("while the store is not sound the timed backup goes beside the last sound copy, and says so")
  func unsoundStore() throws {
    let exam = try MarkedExam()
    let path = exam.test.folder + "/second.sqlite"
    let backup = exam.store.timedBackup
    backup.use(BackupChoice(path: path))
    #expect(backup.run() == .made(path: path))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    func wait(for file: String) throws {
      exam.test.time.setWall(try #require(FileFacts.status(file)).changed + 600_000)
    }
    func expectFailure(_ outcome: TimedBackup.Outcome) throws {
      guard case .failed(let reason) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(reason.hasPrefix("the store is NOT SOUND, run: osce doctor; copied to \(path).not-sound"))
      #expect(backup.warning?.hasSuffix("\(path) was left as it was") == true)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }
    try exam.tamper("UPDATE user SET surname = 'X' WHERE dsid = 11")
    let sheet = try exam.open(1)
    for item in 0...1 {
      try exam.mark(sheet.key, item: item, level: 1)
      try wait(for: item == 0 ? path : path + ".not-sound")
      try expectFailure(backup.run())
      let operations = try exam.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM operation") }
      #expect(try BackupCopy.operations(in: path + ".not-sound") == operations)
      // The warning stays while there is nothing to do.
      exam.test.time.setWall(try #require(FileFacts.status(path + ".not-sound")).changed)
      try expectFailure(backup.run())
    }
    let error = #expect(throws: StoreError.self) { try exam.store.backup(to: path) }
    #expect(error?.description.contains("is NOT SOUND: rows, so the earlier backup \(path) was left") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    try exam.tamper("UPDATE user SET surname = 'Okoro' WHERE dsid = 11")
    try wait(for: path + ".not-sound")
    #expect(backup.run() == .made(path: path))
    #expect(backup.warning == nil)
  }

  @Test("what was put aside of a store that was not sound says nothing of the one that was restored")
  func timedAfterRestore() throws {
    let exam = try MarkedExam()
    let path = exam.test.folder + "/second.sqlite"
    let location = exam.store.location
    exam.store.timedBackup.use(BackupChoice(path: path))
    try exam.tamper("UPDATE user SET surname = 'X' WHERE dsid = 11")
    guard case .failed(let reason) = exam.store.timedBackup.run() else {
      Issue.record("the copy of a store that is not sound was made in its usual place")
      return
    }
    #expect(reason.hasSuffix("copied to \(path).not-sound, and no sound copy is at \(path)"))
    try exam.tamper("UPDATE user SET surname = 'Okoro' WHERE dsid = 11")
    _ = try exam.store.backup(to: path)
    let aside = try #require(FileFacts.status(path + ".not-sound")).changed
    let earlier = Date(timeIntervalSince1970: Double(aside) / 1000 - 600)
    try FileManager.default.setAttributes([.modificationDate: earlier], ofItemAtPath: path)
    exam.test.time.setWall(aside + 1000)
    exam.store.close()
    _ = try Restore.run(from: path, to: location, isForced: false, system: exam.test.time.system)
    let restored = try ExamStore(location, .existing, system: exam.test.time.system)
    defer { restored.close() }
    restored.timedBackup.use(BackupChoice(path: path))
    #expect(restored.timedBackup.run() == .made(path: path))
    #expect(restored.timedBackup.warning == nil)
  }

  /// Writes over the first page of a table.
  private func damage(_ path: String, _ table: String) throws {
    let sql = "SELECT rootpage FROM sqlite_master WHERE name = ?"
    let queue = try DatabaseQueue(path: path)
    let root = try #require(try queue.read { try Int.fetchOne($0, sql: sql, arguments: [table]) })
    try queue.close()
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.seek(toOffset: UInt64((root - 1) * 4096))
    try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
    try file.close()
  }

  @Test("what is damaged is named: the backup that is restored from, or the store that is backed up")
  func damagedPages() throws {
    let exam = try MarkedExam()
    let path = exam.test.folder + "/copy.sqlite"
    _ = try exam.store.backup(to: path)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    exam.store.close()
    try damage(exam.test.path, "user")
    let store = try exam.test.reopened()
    let refused = #expect(throws: StoreError.self) { try store.backup(to: path) }
    store.close()
    #expect(
      refused?.description == "\(exam.test.path) is damaged, so no backup was made; run: osce doctor --store "
        + "\(exam.test.path); an earlier backup is left as it was")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    try damage(path, "user")
    let target = StoreLocation(path: exam.test.folder + "/new/exam.sqlite")
    func refusal(_ path: String) -> String? {
      let system = exam.test.time.system
      let error = #expect(throws: StoreError.self) {
        try Restore.run(from: path, to: target, isForced: true, system: system)
      }
      return error?.description
    }
    #expect(refusal(path) == "\(path) is damaged; take an earlier backup")
    let empty = exam.test.folder + "/empty.sqlite"
    try Data().write(to: URL(fileURLWithPath: empty))
    #expect(refusal(empty) == "\(empty) is not an exam store, so it is no backup; name another file")
    #expect(!target.exists)
  }

  @Test("a copy that cannot be written is named by what it is to be, not by the hidden file beside it") func unwritten()
    throws
  {
    let exam = try MarkedExam()
    let error = #expect(throws: StoreError.self) {
      try exam.store.reader.inDatabase { db in
        try BackupCopy.write(db, to: exam.test.folder + "/none/.x.osce-part-1", as: "the store /x")
      }
    }
    #expect(error?.description == "cannot write the store /x: it cannot be written; nothing was changed")
  }

  @Test("a backup of an older version is brought up to date before it takes the store's place, also in a run")
  func olderBackup() throws {
    let exam = try MarkedExam()
    try exam.clock(.start)
    let path = exam.test.folder + "/copy.sqlite"
    _ = try exam.store.backup(to: path)
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      try db.execute(sql: "DROP TABLE erasedOperation; DELETE FROM grdb_migrations WHERE identifier = '17-erased'")
    }
    try queue.close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let (target, system) = (StoreLocation(path: exam.test.folder + "/new/exam.sqlite"), exam.test.time.system)
    let restore = try Restore.run(from: path, to: target, isForced: false, system: system)
    #expect(restore.openSessions == ["2026-12-07 09:00"])
    let store = try ExamStore(target, .existing, system: system)
    defer { store.close() }
    #expect(try store.read { try $0.holdsTable("erasedOperation") })
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }

  @Test("up to when marks are in a backup is said by its last operation, not by a clock that was ahead")
  func lastChange() throws {
    let exam = try MarkedExam()
    exam.test.time.pass(60_000)
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 0, level: 1)
    let path = exam.test.folder + "/copy.sqlite"
    let count = try exam.store.backup(to: path)
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in try db.execute(sql: "UPDATE operation SET hlc = hlc + (3600000 << 16) WHERE seq = 1") }
    try queue.close()
    let target = StoreLocation(path: exam.test.folder + "/new/exam.sqlite")
    let restore = try Restore.run(from: path, to: target, isForced: true, system: exam.test.time.system)
    #expect(restore.operations == count)
    #expect(restore.lastChange == Instant(milliseconds: TestClock.start + 60_000))
  }

  @Test("where a restored store cannot be opened yet, the words say that it was restored and what was kept")
  func unopened() throws {
    let exam = try MarkedExam()
    let path = exam.test.folder + "/copy.sqlite"
    let count = try exam.store.backup(to: path)
    exam.store.close()
    let location = exam.store.location
    var knowledge = ExamKnowledge.standard
    knowledge.openSessions = { _, _ in throw StoreError("the disk is full") }
    let error = #expect(throws: StoreError.self) {
      try Restore.run(
        from: path, to: location, isForced: false, knowing: knowledge, system: exam.test.time.system)
    }
    let kept = location.path + ".replaced-20261207T090000Z"
    #expect(
      error?.description == "\(location.path) was restored from \(path), previous store kept as \(kept); "
        + "it cannot be opened yet: the disk is full")
    #expect(try BackupCopy.operations(in: kept) == count)
  }

  /// The drill of `docs/backup.md`.
  @Test("a host that dies in mid-round is replaced from the last backup: the clock stands where it should") func drill()
    throws
  {
    let exam = try MarkedExam()
    let second = exam.test.folder + "/second-disk.sqlite"
    let sheet = try exam.open(1)
    try exam.clock(.start)
    exam.test.time.pass(120_000)
    try exam.clock(.extend(seconds: 30))
    try exam.mark(sheet.key, item: 0, level: 1)
    exam.store.timedBackup.use(BackupChoice(path: second))
    #expect(exam.store.timedBackup.run() == .made(path: second))
    exam.test.time.pass(30_000)
    try exam.mark(sheet.key, item: 1, level: 1)
    let expected = try exam.store.read { db in
      try ClockReport.read(exam.session, at: exam.store.clock.now + 60_000, in: db).json.text
    }

    // The host is gone. Another one, whose wall clock is right, has only the second disk.
    let other = TestClock(now: TestClock.start + 210_000)
    other.reboot()
    let location = StoreLocation(path: exam.test.folder + "/other-host/exam.sqlite")
    let restore = try Restore.run(from: second, to: location, isForced: false, system: other.system)
    #expect(restore.openSessions == ["2026-12-07 09:00"])
    let store = try ExamStore(location, .existing, system: other.system)
    defer { store.close() }
    let shown = try store.read { db in
      try ClockReport.read(exam.session, at: store.clock.now, in: db).json.text
    }
    #expect(shown == expected)
    let items = try store.read { db in try Sheet.read(sheet.key, in: db)!.items }
    #expect(items[0].rating == MarkValue(1))
    #expect(items[1].rating == nil)
    // Marking goes on, on a chain of its own.
    try store.write(exam.author) { _ = try Marking($0).mark(items[1], level: items[1].template.levels[2]) }
    var surroundings = MachineSurroundings(system: other.system)
    surroundings.freeBytes = { _ in 1 << 40 }
    #expect(try Doctor(location, surroundings: surroundings).examine().failures == [])
  }
}
