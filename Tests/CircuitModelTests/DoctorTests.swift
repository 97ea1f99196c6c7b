import Foundation
import GRDB
import Glibc
import Journal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("The doctor") struct DoctorTests {
  /// An exam with a sheet that was marked, changed and signed.
  private func exam() throws -> MarkedExam {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 0, level: 1)
    try exam.mark(sheet.key, item: 1, level: 3)
    try exam.mark(sheet.key, item: 1, level: 2)
    try exam.write(sheet.key, item: 2, "well done")
    try exam.sign(sheet.key)
    return exam
  }

  @Test("a store that only this program has written is sound") func sound() throws {
    let exam = try exam()
    try exam.clock(.start)
    let diagnosis = try exam.examine()
    #expect(diagnosis.failures == [])
    #expect(diagnosis.verdict == "sound")
    #expect(diagnosis.json.text.hasPrefix(#"{"verdict":"sound","checks":[{"name":"place","result":"ok","detail":"#))
  }

  @Test("examining changes nothing") func readOnly() throws {
    let exam = try exam()
    let before = try Data(contentsOf: URL(fileURLWithPath: exam.test.path))
    let version = try exam.store.dataVersion()
    _ = try exam.examine()
    #expect(try exam.store.dataVersion() == version)
    #expect(try Data(contentsOf: URL(fileURLWithPath: exam.test.path)) == before)
  }

  @Test("without a store there is nothing to examine") func nothing() {
    #expect(throws: StoreError.self) {
      try Doctor(StoreLocation(path: "/nowhere/exam.sqlite"), program: "1").examine()
    }
  }

  @Test(
    "every change behind the journal's back is found",
    arguments: [
      ("chains", "UPDATE operation SET body = body || x'00' WHERE kind = 'sign'"),
      ("chains", "UPDATE operation SET staff = 2 WHERE kind = 'sign'"),
      ("chains", "UPDATE operation SET wallTime = wallTime + 1 WHERE kind = 'sign'"),
      ("chains", "DELETE FROM operation WHERE kind = 'sign'"),
      ("chains", "UPDATE operation SET reason = 'another' WHERE kind = 'sign'"),
      ("chains", "UPDATE operation SET schema = 3 WHERE kind = 'sign'"),
      ("hub", "UPDATE operation SET absent = 'scope' WHERE kind = 'sign'"),
      ("chains", "DELETE FROM operation WHERE seq = 20"),
      ("chains", "UPDATE operation SET deviceSeq = deviceSeq + 1 WHERE seq = (SELECT max(seq) FROM operation)"),
      ("chains", "UPDATE chain SET lastSeq = lastSeq + 1"),
      ("chains", "UPDATE chain SET lastHash = x'00'"),
      ("chains", "DELETE FROM chain"),
      ("rows", "UPDATE dataQuestion SET rating = 5 WHERE rating = 3"),
      ("rows", "UPDATE dataQuestion SET feedback = 'badly done' WHERE feedback = 'well done'"),
      ("rows", "UPDATE dataForm SET signedAt = NULL"),
      ("rows", "UPDATE dataQuestion SET heads = '' WHERE rating = 3"),
      ("rows", "UPDATE dataForm SET dsDeleted = 1"),
      ("rows", "DELETE FROM dataQuestion WHERE rating = 3"),
      ("rows", "UPDATE dataQuestion SET entity = 'DataQuestion' WHERE rating = 3"),
      ("rows", "INSERT INTO typeForm (dsid, name) VALUES (99, 'Stranger')"),
      ("rows", "UPDATE user SET surname = 'Nobody' WHERE dsid = 11"),
      ("rows", "UPDATE timetableAttendanceLog SET present = 0"),
      ("contradictions", "INSERT INTO fork VALUES ('Student', '11', 'surname', 0)"),
      ("foreign keys", "UPDATE timetable SET staffID = 999"),
      ("tables", "ALTER TABLE config DROP COLUMN universityCode"),
      ("tables", "DROP TABLE commentGroup"),
      ("versions", "DROP TABLE grdb_migrations"),
      ("versions", "DELETE FROM grdb_migrations WHERE identifier = '3'"),
      ("versions", "DELETE FROM grdb_migrations WHERE identifier = '6-lighter-marks'"),
      ("tables", "CREATE TRIGGER planted AFTER UPDATE ON dataQuestion BEGIN DELETE FROM sitting; END"),
      ("tables", "CREATE VIEW planted AS SELECT * FROM dataQuestion"),
      ("tables", "CREATE TABLE planted (text)"),
      ("tables", "CREATE UNIQUE INDEX planted ON user (surname)"),
      ("tables", "DROP INDEX operation_row"),
      ("tables", "DROP INDEX operation_row; CREATE INDEX operation_row ON operation (entity)"),
      ("tables", "ALTER TABLE dataQuestion RENAME TO kept; CREATE VIEW dataQuestion AS SELECT * FROM kept"),
      ("tables", "ALTER TABLE config ADD COLUMN planted TEXT"),
      ("tables", "PRAGMA user_version = 7"),
      ("tables", "PRAGMA application_id = 7"),
      ("chains", "UPDATE operation SET reason = CAST(x'00' AS TEXT) WHERE kind = 'sign'"),
      ("chains", "UPDATE operation SET id = upper(id) WHERE kind = 'sign'"),
      ("chains", "UPDATE operation SET id = CAST(id AS BLOB) WHERE kind = 'sign'"),
      ("chains", "UPDATE operation SET hash = CAST(hash AS TEXT) WHERE kind = 'sign'"),
      ("chains", "UPDATE operation SET deviceSeq = CAST(deviceSeq AS BLOB) WHERE kind = 'sign'"),
      ("chains", "UPDATE operation SET kind = kind || char(0) || 'x' WHERE kind = 'sign'"),
      ("chains", "UPDATE operation SET heads = 'x' WHERE kind = 'sign'"),
      ("chains", "UPDATE operation SET body = zeroblob(3) WHERE kind = 'sign'"),
      (
        "chains",
        "UPDATE operation SET seq = -20 WHERE seq = 20; UPDATE operation SET seq = 20 WHERE seq = 21; "
          + "UPDATE operation SET seq = 21 WHERE seq = -20"
      ),
      ("notes", "UPDATE operation SET seq = seq + 9 WHERE seq = (SELECT max(seq) FROM operation)"),
      ("notes", "INSERT INTO rowChange VALUES (100000, 'Student', '11')"),
      ("notes", "INSERT INTO barred VALUES ('00000000-0000-7000-8000-000000000000', 'two_versions')"),
      ("notes", "INSERT INTO merged SELECT device, 'x', 1, 2 FROM chain"),
      ("notes", "UPDATE bootClock SET offset = offset + 1"),
      ("notes", "UPDATE bootClock SET offset = 9223372036854775807"),
      ("notes", "UPDATE bootClock SET anchoredAt = x'00'"),
      ("hub", "UPDATE operation SET hubSeq = 1 WHERE seq = 1"),
      ("hub", "UPDATE operation SET result = 'applied' WHERE seq = 1"),
      ("hub", "UPDATE operation SET sends = 1 WHERE kind = 'sign'"),
      ("hub", "UPDATE operation SET sends = 0 WHERE kind = 'sign'"),
      ("hub", "UPDATE operation SET sends = NULL WHERE entity = 'ClinicGroup'"),
      ("hub", "UPDATE operation SET verdict = 'no' WHERE kind = 'sign'"),
      ("hub", "UPDATE operation SET absent = 'gone' WHERE kind = 'sign'"),
      ("hub", "UPDATE operation SET answeredAt = 5 WHERE kind = 'sign'"),
      ("hub", "INSERT INTO hubMark VALUES (0, zeroblob(32))"),
      ("device", "UPDATE storeInfo SET value = '1/2/3' WHERE key = 'place'"),
      ("device", "UPDATE storeInfo SET value = value || ' ' WHERE key = 'place'"),
      ("device", "UPDATE storeInfo SET value = '00000000-0000-7000-8000-000000000000' WHERE key = 'device'"),
      ("device", "DELETE FROM storeInfo"),
      ("device", "INSERT INTO storeInfo VALUES ('more', 'x')"),
      ("rows", "UPDATE dataQuestion SET feedback = CAST(feedback AS BLOB) WHERE feedback = 'well done'"),
      ("rows", "UPDATE dataQuestion SET feedback = feedback || char(0) || 'hidden' WHERE feedback = 'well done'"),
      ("rows", "UPDATE dataQuestion SET feedback = CAST(x'FF' AS TEXT) WHERE feedback IS NULL"),
      ("rows", "UPDATE dataQuestion SET rating = CAST(rating AS BLOB) WHERE rating = 3"),
      ("rows", "UPDATE dataQuestion SET unable = 7 WHERE unable = 1 OR rating = 3"),
      ("rows", "UPDATE dataQuestion SET heads = heads || ';zzz'"),
      ("rows", "UPDATE dataQuestion SET heads = CAST(heads AS BLOB)"),
      ("rows", "UPDATE dataQuestion SET heads = 5"),
      ("rows", "UPDATE user SET studentNumber = '7' WHERE entity = 'Staff'"),
      ("rows", "INSERT INTO user (dsid, entity, surname) VALUES (99, 'Ghost', 'Nobody')"),
      ("rows", "INSERT INTO lastUpdate (lastUpdateType) VALUES ('x')"),
      ("tags", "INSERT INTO attributesSelected (tag, questionID) SELECT 'kind', uuid FROM dataQuestion LIMIT 1"),
      ("contradictions", "INSERT INTO fork VALUES (x'00', '11', 'surname', 0)"),
      ("erasures", "UPDATE operation SET body = NULL WHERE kind = 'sign'"),
    ])
  func tampering(_ check: String, _ sql: String) throws {
    let exam = try exam()
    try exam.tamper(sql)
    let diagnosis = try exam.examine()
    #expect(diagnosis.result(check) == .failed)
    #expect(diagnosis.verdict.hasPrefix("NOT SOUND: "))
    #expect(diagnosis.verdict.contains(check))
  }

  @Test(
    "in a store that is enrolled, what no hub can have given is found",
    arguments: [
      "UPDATE operation SET hubSeq = 0 WHERE seq = 1", "UPDATE operation SET hubSeq = 2 WHERE seq = 1",
      "UPDATE operation SET result = NULL WHERE seq = 5", "UPDATE operation SET result = 'lost' WHERE seq = 5",
      "UPDATE operation SET result = 'rejected:role' WHERE seq = 5", "UPDATE operation SET hubSeq = NULL WHERE seq = 5",
      "UPDATE operation SET hubSeq = NULL, result = NULL, answeredAt = NULL WHERE seq = 5",
      "UPDATE operation SET sends = NULL WHERE kind = 'sign'", "UPDATE operation SET sends = 0 WHERE kind = 'sign'",
      "UPDATE hub SET url = 'x'", "UPDATE hub SET cursor = 'x'", "UPDATE hub SET cursorHash = x'00'",
      "UPDATE hub SET role = 'king'", "UPDATE hub SET exam = 'x'", "INSERT INTO hubMark VALUES (1, x'00')",
      "DELETE FROM hub",
    ])
  func tamperingWithTheHub(_ sql: String) throws {
    let exam = try exam()
    try exam.acknowledge()
    #expect(try exam.examine().failures == [])
    try exam.tamper(sql)
    #expect(try exam.examine().result("hub") == .failed)
  }

  @Test("a destroyed page of the file is found") func page() throws {
    let exam = try exam()
    Checkpoint.run(exam.store.writer)
    let root = try exam.store.read { db in
      try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'dataQuestion'")!
    }
    let copy = exam.test.folder + "/copy.sqlite"
    try FileManager.default.copyItem(atPath: exam.test.path, toPath: copy)
    let file = try #require(FileHandle(forUpdatingAtPath: copy))
    try file.seek(toOffset: UInt64((root - 1) * 4096))
    try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
    try file.close()
    let diagnosis = try Doctor(StoreLocation(path: copy), surroundings: MachineSurroundings()).examine()
    #expect(diagnosis.result("integrity") == .failed || diagnosis.result("database") == .failed)
  }

  @Test("a file that is no database is said to be none") func noDatabase() throws {
    let exam = try exam()
    let path = exam.test.folder + "/text.sqlite"
    try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: path))
    chmod(path, 0o600)
    let diagnosis = try Doctor(StoreLocation(path: path), surroundings: MachineSurroundings()).examine()
    #expect(diagnosis.result("database") == .failed)
  }

  @Test("a store that is not in write-ahead mode is not durable") func durability() throws {
    let exam = try exam()
    let copy = exam.test.folder + "/copy.sqlite"
    _ = try exam.store.backup(to: copy)
    // Beside a store that was ever opened lies its lock file; a backup has none, and needs no log.
    try Data().write(to: URL(fileURLWithPath: copy + ".lock"))
    chmod(copy + ".lock", 0o600)
    let diagnosis = try Doctor(StoreLocation(path: copy), surroundings: MachineSurroundings()).examine()
    #expect(diagnosis.result("durability") == .failed)
    #expect(diagnosis.result("device") == .warning)
  }

  @Test("files that others can read or write are found") func permissions() throws {
    let exam = try exam()
    chmod(exam.test.path, 0o644)
    #expect(try exam.examine().result("permissions") == .failed)
    #expect(try exam.examine().result("place") == .ok)
    chmod(exam.test.path, 0o620)
    #expect(try exam.examine().result("place") == .failed)
  }

  @Test("a store that a newer program wrote is examined all the same, and not called sound") func newer() throws {
    let exam = try exam()
    try exam.tamper("INSERT INTO grdb_migrations VALUES ('999')")
    let diagnosis = try exam.examine()
    #expect(diagnosis.result("versions") == .failed)
    #expect(diagnosis.result("rows") == .ok)
  }

  @Test("a store that an older program wrote is examined in a copy with the tables of today, and stays what it was")
  func older() throws {
    let exam = try exam()
    try exam.tamper("DROP TABLE erasedOperation; DELETE FROM grdb_migrations WHERE identifier = '17-erased'")
    let diagnosis = try exam.examine()
    #expect(diagnosis.failures == [])
    #expect(diagnosis.result("versions") == .warning)
    #expect(diagnosis.result("chains") == .ok && diagnosis.result("rows") == .ok)
    #expect(try exam.store.read { try !$0.holdsTable("erasedOperation") })
    try exam.tamper("UPDATE dataQuestion SET rating = 5 WHERE rating = 3")
    #expect(try exam.examine().result("rows") == .failed)
    try exam.tamper("DROP TABLE commentGroup")
    #expect(try exam.examine().result("tables") == .failed)
  }

  @Test("little space and a large log are said") func space() throws {
    let exam = try exam()
    #expect(try exam.examine { $0.freeBytes = { _ in 100 << 20 } }.result("disk space") == .warning)
    #expect(try exam.examine { $0.freeBytes = { _ in 1 << 20 } }.result("disk space") == .failed)
    #expect(try exam.examine { $0.freeBytes = { _ in nil } }.result("disk space") == .warning)
    let path = exam.test.folder + "/other.sqlite"
    try Data().write(to: URL(fileURLWithPath: path + "-wal"))
    truncate(path + "-wal", 65 << 20)
    var diagnosis = Diagnosis()
    FileChecks(location: StoreLocation(path: path), freeBytes: { _ in nil }).run(&diagnosis)
    #expect(diagnosis.result("log size") == .warning)
  }

  @Test("a wall clock that was set, and a machine that was started anew, are said") func clock() throws {
    let exam = try exam()
    exam.test.time.setWall(TestClock.start + 60_000)
    let diagnosis = try exam.examine()
    #expect(diagnosis.result("clock") == .warning)
    #expect(diagnosis.checks.contains { $0.detail == "the wall clock is 01:00 ahead of the exam's" })
    exam.test.time.reboot()
    #expect(try exam.examine().result("clock") == .warning)
  }

  @Test("a time zone that the machine does not know makes planned starts wrong") func timeZone() throws {
    let exam = try MarkedExam([SmallExam.row("Config", "1", ["timeZone": .text("Mars/Olympus")])])
    #expect(try exam.examine().result("time zone") == .failed)
  }

  @Test("contradicting values are listed; a list that lacks one is wrong") func forks() throws {
    let exam = try exam()
    let stale = try exam.store.read { db in ShownHeads(try RowTable.of("Student").heads(of: "11", in: db)!) }
    for surname in ["Adams", "Baker"] {
      try exam.store.write(exam.author) {
        _ = try $0.set("Student", "11", ["surname": .text(surname)], shown: stale)
      }
    }
    let diagnosis = try exam.examine()
    #expect(diagnosis.failures == [])
    #expect(diagnosis.result("contradictions") == .warning)
    try exam.tamper("DELETE FROM fork")
    #expect(try exam.examine().result("contradictions") == .failed)
  }

  @Test("an operation that no receiver would take is found") func refused() throws {
    let exam = try exam()
    try exam.store.writer.write { db in
      let end = try ChainEnd.read(db, device: exam.store.device)
      let operation = Operation.seal(
        id: UUIDBytes.v7(milliseconds: 1), device: exam.store.device, deviceSeq: end.sequence + 1,
        tx: UUIDBytes.random(), kind: .delete, row: RowKey(entity: "Student", id: "11"),
        body: OperationBody(fields: ["dsDeleted": .bool(true)]), hlc: HybridTime.next(after: end.time, wall: 0),
        wallTime: 0, schema: 1, prevHash: end.hash)
      try OperationTable.insert(operation, sends: false, in: db)
      try ChainEnd(sequence: operation.deviceSeq, hash: operation.hash, time: operation.hlc)
        .write(db, device: exam.store.device)
    }
    let diagnosis = try exam.examine()
    #expect(diagnosis.result("chains") == .ok)
    #expect(diagnosis.result("operations") == .failed)
    #expect(diagnosis.result("rows") == .ok)
  }

  @Test("an operation that waits for one that is not here is said, and its row is as if it were not here") func parked()
    throws
  {
    let exam = try exam()
    let device = UUIDBytes.random()
    try exam.store.apply([
      Operation.seal(
        id: UUIDBytes.v7(milliseconds: 1), device: device, deviceSeq: 1, tx: UUIDBytes.random(), kind: .set,
        row: RowKey(entity: "Student", id: "11"),
        body: OperationBody(fields: ["surname": .text("X")], replaces: ["surname": [UUIDBytes.random()]]),
        hlc: HybridTime(raw: 1 << 16), wallTime: 0, schema: 1, prevHash: Operation.genesisHash)
    ])
    let diagnosis = try exam.examine()
    #expect(diagnosis.failures == [])
    #expect(diagnosis.result("parked") == .warning)
  }

  @Test("a deletion, what brings the row back, and its undoing are all as the journal says") func deletions() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 1, level: 2)
    let section = try exam.store.read { db in try String.fetchOne(db, sql: "SELECT uuid FROM dataSection")! }
    func isDeleted() throws -> Bool? {
      try exam.store.read { db in try Bool.fetchOne(db, sql: "SELECT dsDeleted FROM dataSection") }
    }
    let first = try exam.store.write(exam.author) { try $0.delete("DataSection", section) }
    #expect(try isDeleted() == true)
    #expect(try exam.examine().failures == [])
    let undone = try exam.store.write(exam.author) { try $0.undo(first) }
    #expect(try isDeleted() == false)
    #expect(try exam.examine().failures == [])
    _ = try exam.store.write(exam.author) { try $0.undo(undone) }
    #expect(try isDeleted() == true)
    #expect(try exam.examine().failures == [])
    let item = try exam.store.read { db in
      try String.fetchOne(db, sql: "SELECT uuid FROM dataQuestion WHERE rating = 3")!
    }
    // A mark that the deletion had not seen brings the section back.
    _ = try exam.store.write(exam.author) { try $0.set("RatingQuestion", item, ["feedback": .text("late")]) }
    #expect(try isDeleted() == false)
    #expect(try exam.examine().failures == [])
    try exam.tamper("UPDATE dataSection SET dsDeleted = 1")
    #expect(try exam.examine().result("rows") == .failed)
  }

  @Test("a destroyed body is no damage to the chain, but one that no erasure names is named") func erased() throws {
    let exam = try exam()
    let id = try exam.store.read { db in try String.fetchOne(db, sql: "SELECT id FROM operation WHERE kind = 'sign'")! }
    try exam.tamper("UPDATE operation SET body = NULL WHERE kind = 'sign'")
    let diagnosis = try exam.examine()
    #expect(diagnosis.result("chains") == .ok)
    #expect(diagnosis.checks.contains { $0.name == "erasures" && $0.detail.contains(id) })
  }

  @Test("what is damaged is not read by a rule of the exam") func unread() throws {
    let exam = try exam()
    for sql in [
      "UPDATE timetable SET date = NULL, startTime = x'00', staffID = 'x'",
      "UPDATE config SET timeZone = 9e99, settings = '[[[['", "UPDATE clockEvent SET at = -9223372036854775807",
      "UPDATE typeQuestion SET lowest = 9e18, numberOfOptions = 9223372036854775807",
    ] {
      try exam.tamper(sql)
      let diagnosis = try exam.examine(before: true)
      #expect(diagnosis.result("rows") == .failed)
      #expect(diagnosis.result("exam") == .warning)
    }
  }

  @Test("the chain's end is said, and a hash that was noted is looked for in the chain") func since() throws {
    let exam = try exam()
    let end = try #require(try exam.examine().chainEnds.first { $0.isOwn })
    #expect(try exam.examine().checks.contains { $0.name == "chain end" && $0.detail.hasPrefix("\(end.hash) after") })
    Checkpoint.run(exam.store.writer)
    let older = exam.test.folder + "/older.sqlite"
    try FileManager.default.copyItem(atPath: exam.test.path, toPath: older)
    let sheet = try exam.open(2)
    try exam.mark(sheet.key, item: 0, level: 1)
    let later = try #require(try exam.examine(since: [end.hash]).chainEnds.first { $0.isOwn })
    #expect(try exam.examine(since: [end.hash, later.hash]).failures == [])
    #expect(later.operations > end.operations)
    let place = StoreLocation(path: older)
    let diagnosis = try Doctor(place, surroundings: MachineSurroundings()).examine(since: [end.hash, later.hash])
    #expect(diagnosis.failures.count == 1)
    #expect(diagnosis.failures.first?.hasPrefix("since: \(later.hash) is not in the chain") == true)
    #expect(ChainHash(end.hash.description.uppercased()) == end.hash)
    for text in [
      "", "abc", String(repeating: "g", count: 64), end.hash.description + "0",
      "+1" + String(repeating: "0", count: 62),
    ] {
      #expect(ChainHash(text) == nil)
    }
  }

  @Test("a mark that a damaged log has lost is missed") func log() throws {
    let exam = try exam()
    let sheet = try exam.open(2)
    for item in 0..<2 { try exam.mark(sheet.key, item: item, level: 1) }
    func copy(_ name: String, index: Bool, _ change: (inout Data) -> Void) throws -> Diagnosis {
      let copy = exam.test.folder + "/" + name
      for suffix in ["", "-wal"] + (index ? ["-shm"] : []) {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: exam.test.path + suffix))
        if suffix == "-wal" { change(&bytes) }
        try bytes.write(to: URL(fileURLWithPath: copy + suffix))
        chmod(copy + suffix, 0o600)
      }
      return try Doctor(StoreLocation(path: copy), surroundings: MachineSurroundings()).examine()
    }
    #expect(try copy("whole.sqlite", index: true) { _ in }.failures == [])
    #expect(try copy("alone.sqlite", index: false) { _ in }.failures == [])
    for index in [true, false] {
      // In the middle of the log: SQLite forgets it and all behind it, and says nothing.
      let diagnosis = try copy("middle\(index).sqlite", index: index) {
        $0[32 + ($0.count - 32) / 4120 / 2 * 4120 + 500] ^= 1
      }
      #expect(diagnosis.result("log") == .failed)
    }
    #expect(try copy("cut.sqlite", index: true) { $0.removeLast(4120) }.result("log") == .failed)
    #expect(try copy("gone.sqlite", index: true) { $0.removeAll() }.result("log") == .failed)
  }

  @Test("a power cut after the log was emptied is no loss: what its index says on the disk is that all was moved")
  func emptiedLog() throws {
    let exam = try exam()
    let path = exam.test.folder + "/cut.sqlite"
    let isEmptied = try exam.store.writer.inDatabase { db in
      try Checkpoint.empty(db, storeAt: exam.test.path) { index in
        // Whatever is written to the index from now on may not reach the disk.
        try Data(contentsOf: URL(fileURLWithPath: index)).write(to: URL(fileURLWithPath: path + "-shm"))
      }
    }
    #expect(isEmptied && FileFacts.status(exam.test.path + "-wal")?.size == 0)
    try Data(contentsOf: URL(fileURLWithPath: exam.test.path)).write(to: URL(fileURLWithPath: path))
    for suffix in ["-wal", ".lock"] { try Data().write(to: URL(fileURLWithPath: path + suffix)) }
    for suffix in ["", "-shm", "-wal", ".lock"] { chmod(path + suffix, 0o600) }
    let store = try ExamStore(StoreLocation(path: path), .existing, system: exam.test.time.system)
    #expect(store.lostLog == nil)
    store.close()
  }

  @Test("what a log has lost stays to be seen until the store is opened for work, and is noted and said then")
  func lostLog() throws {
    let exam = try exam()
    let path = exam.test.folder + "/crashed.sqlite"
    for suffix in ["", "-shm"] {
      try Data(contentsOf: URL(fileURLWithPath: exam.test.path + suffix)).write(to: URL(fileURLWithPath: path + suffix))
    }
    for suffix in ["-wal", ".lock"] { try Data().write(to: URL(fileURLWithPath: path + suffix)) }
    for suffix in ["", "-shm", "-wal", ".lock"] { chmod(path + suffix, 0o600) }
    let (location, system) = (StoreLocation(path: path), exam.test.time.system)
    func examine() throws -> Diagnosis {
      try Doctor(location, surroundings: MachineSurroundings(system: system)).examine()
    }
    for _ in 0..<2 { #expect(try examine().result("log") == .failed) }
    let seen = try ExamStore.toRead(location, system: system)
    #expect(seen.lostLog?.hasPrefix("SAVED CHANGES ARE LOST: the store's log was cut or damaged") == true)
    seen.close()
    #expect(try examine().result("log") == .failed)
    for isFirst in [true, false] {
      let store = try ExamStore(location, .existing, system: system)
      #expect(store.lostLog != nil, "first: \(isFirst)")
      store.close()
    }
    let noted = try examine()
    #expect(noted.result("log") == .ok && noted.result("lost log") == .warning && noted.result("device") == .ok)
    exam.test.time.pass(86_400_001)
    let later = try ExamStore.toRead(location, system: system)
    #expect(later.lostLog == nil)
    later.close()
    #expect(try examine().result("lost log") == .warning)
    exam.test.time.setWall(TestClock.start)
    for isFirst in [true, false] {
      let store = try ExamStore(location, .existing, system: system)
      #expect((store.lostLog != nil) == isFirst)
      if isFirst {
        try store.acknowledgeLostLog()
      } else {
        #expect(throws: StoreError.self) { try store.acknowledgeLostLog() }
      }
      store.close()
    }
    let check = try #require(try examine().checks.first { $0.name == "lost log" })
    #expect(check.result == .ok && check.detail.contains(", acknowledged at 2026-12-"))
    #expect(exam.store.lostLog == nil)
  }

  @Test("what a log has lost is noted also by an opening that goes no further") func lostLogOfRefusedStore() throws {
    let exam = try exam()
    let path = exam.test.folder + "/crashed.sqlite"
    try exam.tamper("INSERT INTO grdb_migrations (identifier) VALUES ('of a newer version')")
    Checkpoint.run(exam.store.writer)
    let sheet = try exam.open(2)
    try exam.mark(sheet.key, item: 0, level: 1)
    for suffix in ["", "-shm"] {
      try Data(contentsOf: URL(fileURLWithPath: exam.test.path + suffix)).write(to: URL(fileURLWithPath: path + suffix))
    }
    for suffix in ["-wal", ".lock"] { try Data().write(to: URL(fileURLWithPath: path + suffix)) }
    for suffix in ["", "-shm", "-wal", ".lock"] { chmod(path + suffix, 0o600) }
    let (location, system) = (StoreLocation(path: path), exam.test.time.system)
    #expect(throws: StoreError.self) { try ExamStore(location, .existing, system: system) }
    let other = try DatabaseQueue(path: path)
    try other.write { db in
      try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = 'of a newer version'")
    }
    try other.close()
    let store = try ExamStore(location, .existing, system: system)
    #expect(store.lostLog != nil)
    store.close()
  }

  @Test("a lock that stays taken does not stop the examination") func lock() throws {
    let exam = try exam()
    let other = try StoreLock(storePath: exam.test.path)
    let diagnosis = try other.holding { try exam.examine { $0.lockAttempts = 1 } }
    #expect(diagnosis.result("lock") == .warning)
    #expect(diagnosis.failures == [])
  }

  @Test("beside a backup that is examined nothing is made") func backup() throws {
    let exam = try exam()
    let path = exam.test.folder + "/second.sqlite"
    _ = try exam.store.backup(to: path)
    let surroundings = MachineSurroundings(system: exam.test.time.system, freeBytes: { _ in 1 << 40 })
    let diagnosis = try Doctor(StoreLocation(path: path), surroundings: surroundings).examine()
    #expect(diagnosis.result("chains") == .ok)
    #expect(diagnosis.checks.contains { $0.name == "lock" && $0.result == .ok })
    #expect(access(path + ".lock", F_OK) != 0)
  }

  @Test("before an exam it looks at sessions, assessors, sheets and the second copy") func before() throws {
    let exam = try exam()
    exam.test.time.pass(-86_400_000)
    let diagnosis = try exam.examine(before: true)
    #expect(diagnosis.failures == [])
    #expect(diagnosis.result("assessors") == .ok)
    #expect(diagnosis.result("second copy") == .warning)
    try exam.store.write(exam.author) { _ = try $0.set("Timetable", "1", ["staff": .null]) }
    #expect(try exam.examine(before: true).result("assessors") == .warning)
    for key in ["1", "2", "3"] {
      try exam.store.write(exam.author) { _ = try $0.set("CircuitStationDuration", key, ["dsDeleted": .bool(true)]) }
    }
    #expect(try exam.examine(before: true).result("sessions") == .failed)
    try exam.store.write(exam.author) {
      _ = try $0.set("TypeQuestion", "2", ["numberOfOptions": .integer(0)])
    }
    #expect(try exam.examine(before: true).result("mark sheets") == .failed)
  }

  @Test(
    "a plan in which one place is taken twice fails before the exam",
    arguments: [
      (
        "candidates", SmallExam.row("TimetableAttendanceLog", SmallExam.entry(2), ["order": .integer(1)]),
        "2026-12-07 09:00: station H has 2 candidates in round 1"
      ),
      (
        "candidates", SmallExam.row("TimetableAttendanceLog", SmallExam.entry(2), ["order": .integer(1)]),
        "2026-12-07 09:00: candidate 1002 is at 2 stations in round 1"
      ),
      (
        "sessions", SmallExam.row("Timetable", "2", ["activityType": .integer(1)]),
        "Blue, 2026-12-07 09:00: station H is planned twice"
      ),
      (
        "staff", SmallExam.row("Staff", "2", ["username": .text("ADavies")]),
        "username adavies is of 2 members of staff: keys 1, 2"
      ),
    ])
  func takenTwice(_ check: String, _ row: ImportRow, _ problem: String) throws {
    let exam = try MarkedExam()
    #expect(try exam.examine(before: true).result(check) != .failed)
    try exam.store.write(exam.author) { _ = try $0.set(row.row.entity, row.row.id, row.fields) }
    let found = try exam.examine(before: true).failures
    #expect(found.contains { $0.hasPrefix("\(check): ") && $0.contains(problem) }, "\(found)")
  }

  @Test("an exam without a time zone is a warning with the offset in force, and an unknown TZ is named")
  func noTimeZone()
    throws
  {
    let exam = try MarkedExam()
    try exam.store.write(exam.author) { _ = try $0.set("Config", "1", ["timeZone": .null]) }
    #expect(try exam.examine().result("time zone") == .warning)
    let now = exam.store.clock.now
    #expect(
      LocalTime.machineZoneText(at: now, variable: ":Foo/Bar")
        == "the exam names none, and TZ=Foo/Bar is unknown here: local times are UTC")
    for known in [nil, "", "UTC", "Europe/London", ":Europe/London", "EST5EDT", "<+03>-3"] as [String?] {
      let text = LocalTime.machineZoneText(at: now, variable: known)
      #expect(text.hasPrefix("the exam names none: local times are this machine's, UTC"), "\(known ?? "none")")
    }
  }

  @Test("a clock that keeps an earlier plan than the session has is named at the import and before the exam")
  func outdatedClock() throws {
    let exam = try MarkedExam()
    try exam.clock(.start)
    exam.test.time.pass(1000)
    func load(_ rows: [ImportRow]) throws -> [OutdatedRun] {
      try exam.store.write(.program) { try BundleImport.apply(rows, in: $0) }.outdated
    }
    #expect(
      try load([SmallExam.row("Student", "13", ["studentNumber": .text("1003"), "surname": .text("Third")])]) == [])
    #expect(try exam.examine(before: true).result("running clock") == nil)
    let longer = [SmallExam.row("CircuitStationDuration", "2", SmallExam.phase("rotation", seconds: 540, order: 2))]
    func read(at now: Instant?) throws -> PlanReport { try exam.store.read { try PlanReport.read($0, at: now) } }
    func plan(at now: Instant?) throws -> PlanReport.PlannedSession? {
      try read(at: now).sessions.first { $0.session == exam.session }
    }
    let note = "  the running clock keeps these times; the plan imported since has others"
    let now = exam.store.clock.now
    let before = try plan(at: now)
    #expect(before?.hasEarlierPlan == false)
    #expect(try !read(at: now).itinerary(of: "1001").contains(note))
    #expect(try load(longer).map(\.needed) == [2])
    #expect(try plan(at: now)?.rounds == before?.rounds && plan(at: now)?.hasEarlierPlan == true)
    #expect(try read(at: now).itinerary(of: "1001").contains(note))
    #expect(try plan(at: nil)?.rounds != before?.rounds)
    #expect(try load(longer) == [], "nothing is changed")
    #expect(try exam.examine(before: true).result("running clock") == .warning)
    let entry = SmallExam.row(
      "TimetableAttendanceLog", SmallExam.entry(5), SmallExam.place(timetable: 1, student: 13, round: 3))
    let found = try load([entry])
    #expect(found == [OutdatedRun(circuit: "Blue", session: exam.session, rounds: 2, needed: 3)])
    #expect(try exam.examine(before: true).result("running clock") == .failed)
  }
}
