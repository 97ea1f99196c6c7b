import Foundation
import GRDB
import Glibc
import SystemTesting
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("One store has one name, one owner and one chain") struct OneNameTests {
  private func refusal(_ location: StoreLocation, _ opening: ExamStore.Opening = .existing) -> String {
    let error = #expect(throws: StoreError.self) { try ExamStore(location, opening) }
    return error?.description ?? ""
  }

  @Test("a store with a second hard link is refused, to be read too, and doctor says so") func hardLink() throws {
    let exam = try MarkedExam()
    let other = exam.test.folder + "/other.sqlite"
    #expect(link(exam.test.path, other) == 0)
    for path in [exam.test.path, other] {
      let location = StoreLocation(path: path)
      #expect(refusal(location).contains("has 2 names (hard links)"))
      #expect(throws: StoreError.self) { try ExamStore.toRead(location, system: exam.test.time.system) }
    }
    #expect(try exam.examine().result("place") == .failed)
    unlink(other)
    #expect(try exam.examine().result("place") == .ok)
  }

  @Test("a folder that everybody may write is refused, sticky or not", arguments: [0o777, 0o1777] as [mode_t])
  func sharedFolder(mode: mode_t) throws {
    let exam = try MarkedExam()
    chmod(exam.test.folder, mode)
    defer { chmod(exam.test.folder, 0o700) }
    #expect(refusal(exam.store.location).contains("can be written by group or others"))
    #expect(try exam.examine().result("place") == .failed)
  }

  @Test("a path with what a shell would take apart stands in quotes in a command that is advised") func pasted() throws
  {
    #expect("/mnt/second-disk/exam_1.sqlite".shellWord == "/mnt/second-disk/exam_1.sqlite")
    #expect(#"it's a "bk" ü.sqlite"#.shellWord == #"'it'\''s a "bk" ü.sqlite'"#)
    #expect("".shellWord == "''" && "~".shellWord == "'~'" && "a\nb".shellWord == "'a\nb'")
    let exam = try MarkedExam()
    let folder = exam.test.folder + "/it's here"
    #expect(mkdir(folder, 0o720) == 0 && chmod(folder, 0o720) == 0)
    let text = "chmod 700 '\(exam.test.folder)/it'\\''s here'"
    #expect(refusal(StoreLocation(path: folder + "/exam.sqlite"), .createIfMissing).hasSuffix(text))
  }

  @Test("a store of another user is read from a copy and never written", .enabled(if: geteuid() == 0, "root alone can"))
  func otherOwner() throws {
    let exam = try MarkedExam()
    exam.store.close()
    chown(exam.test.path, 65_534, 65_534)
    #expect(
      refusal(exam.store.location).contains("belongs to another user, nobody; run osce as that user: sudo -u nobody"))
    let before = try FileManager.default.contentsOfDirectory(atPath: exam.test.folder).sorted()
    let reading = try ExamStore.toRead(exam.store.location, system: exam.test.time.system)
    #expect(try reading.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM operation") } ?? 0 > 0)
    #expect(throws: StoreError.self) { try reading.write(.program) { _ = $0 } }
    reading.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: exam.test.folder).sorted() == before)
    #expect(try exam.examine().result("place") == .warning)
    #expect(throws: StoreError.self) {
      try Restore.run(
        from: exam.test.path, to: exam.store.location, isForced: true, system: exam.test.time.system)
    }
    let other = try MarkedExam()
    chown(other.test.folder, 65_534, 65_534)
    #expect(refusal(other.store.location).contains("the folder \(other.test.folder) belongs to another user"))
    chown(other.test.folder, 0, 0)
  }

  /// Makes files at a path until one has the number of the file that was there, which is gone.
  /// - Returns: whether there is one.
  private static func makeFile(_ bytes: Data, at path: String, numbered number: UInt64?) throws -> Bool {
    // File systems that give numbers again give that of the last file first, or soon.
    var others: [String] = []
    defer { for other in others { unlink(other) } }
    while others.count < 300 {
      try bytes.write(to: URL(fileURLWithPath: path))
      if FileIdentity(path)?.inode == number { return FileIdentity(path)?.birth != nil }
      others.append(path + ".other-\(others.count)")
      rename(path, others.last!)
    }
    return false
  }

  /// Whether the file system of the tests gives a file's number to a later file, and knows when each was made.
  private static let givesNumbersAgain = {
    guard let folder = try? ScratchFolder.make() else { return false }
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/probe"
    guard FileManager.default.createFile(atPath: path, contents: Data()) else { return false }
    let number = FileIdentity(path)?.inode
    unlink(path)
    return (try? makeFile(Data(), at: path, numbered: number)) ?? false
  }()

  @Test(
    "a copy that was given the number of the file that it was made from begins a chain of its own",
    .enabled(if: givesNumbersAgain, "the file system gives no number again"))
  func reusedNumber() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    let device = test.store.device
    #expect(test.store.close())
    let number = try #require(FileIdentity(test.path)).inode
    let bytes = try Data(contentsOf: URL(fileURLWithPath: test.path))
    unlink(test.path)
    try #require(try Self.makeFile(bytes, at: test.path, numbered: number))
    chmod(test.path, 0o600)
    let copy = try test.reopened()
    defer { copy.close() }
    #expect(copy.device != device)
  }

  @Test("a file is told by its birth beside its number; a store of a version that did not know it keeps its chain")
  func birth() throws {
    let test = try TestStore()
    let (device, place) = (test.store.device, DeviceBinding.place(of: test.store.location))
    func kept(_ text: String) throws -> String? {
      try test.store.writer.write {
        try $0.execute(sql: "UPDATE storeInfo SET value = ? WHERE key = 'place'", arguments: [text])
      }
      let again = try test.reopened()
      defer { again.close() }
      #expect((again.device == device) == (text != place.shortText + "/1"))
      return try again.read { try String.fetchOne($0, sql: "SELECT value FROM storeInfo WHERE key = 'place'") }
    }
    #expect(try kept(place.text) == place.text)
    #expect(try kept(place.shortText) == place.text)
    #expect(try kept(place.shortText + "/1") == place.text)
  }

  @Test("nothing is saved any more where the content was replaced by an older state, or by another store")
  func writtenOver() throws {
    for isOther in [false, true] {
      let exam = try MarkedExam()
      let sheet = try exam.open(1)
      try exam.mark(sheet.key, item: 0, level: 1)
      let other = try exam.test.reopened()
      defer { other.close() }
      try other.writer.write { db in
        try db.execute(sql: isOther ? "DELETE FROM chain" : "UPDATE chain SET lastSeq = lastSeq - 1")
      }
      let error = #expect(throws: StoreError.self) { try exam.mark(sheet.key, item: 1, level: 1) }
      #expect(error?.description == ExamStore.replacedText)
    }
  }

  @Test("what cannot be read is said to be that: not that nothing was saved") func failedRead() throws {
    let exam = try MarkedExam()
    let error = #expect(throws: StoreError.self) { try exam.store.read { try $0.execute(sql: "SELECT json('[')") } }
    #expect(
      error?.description
        == "\(exam.test.path) cannot be read: it holds what this program never writes; run: osce doctor")
    let disk = DatabaseError(resultCode: .SQLITE_IOERR)
    #expect(!StoreError.from(disk, path: "/x", while: .reading).description.lowercased().contains("saved"))
    #expect(StoreError.from(disk, path: "/x", while: .writing).description.contains("the last change was NOT saved"))
  }

  @Test("of a full disk nothing is said of the changes before: they may not be saved either") func fullDisk() {
    let full = DatabaseError(resultCode: .SQLITE_FULL)
    #expect(
      StoreError.from(full, path: "/x", while: .writing).description
        == "the disk is full: this change was NOT saved; free some space")
  }

  @Test("a wait for the lock ends, and says who holds it", .timeLimit(.minutes(15))) func wait() async throws {
    let test = try TestStore()
    let lock = try HeldLock(test.path + ".lock")
    let other = open(test.path + ".lock", O_RDWR | O_CLOEXEC)
    defer { close(other) }
    #expect(try !FileLock.take(other, within: 0))
    let began = SystemClock.live.boot()
    #expect(try await !offPool { try FileLock.take(other, within: 1) })
    #expect(SystemClock.live.boot() - began >= 900)
    let line = StoreLock.gaveUp(after: 1, test.store.lock.holder())
    #expect(line.contains("held by process \(getpid()) (") && line.contains("--wait SECONDS"))
    lock.release()
    #expect(try FileLock.take(other, within: 1))
  }
}
