import Foundation
import GRDB
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("A store whose place takes nothing") struct ReadingCopyTests {
  private func open(_ exam: MarkedExam) throws -> ExamStore {
    try ExamStore(copyOf: exam.store.location, because: "Read-only file system", system: exam.test.time.system)
  }

  private func operations(_ store: ExamStore) throws -> Int {
    try store.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM operation") ?? 0 }
  }

  @Test("it is read with what is only in its log, as the device that wrote it") func log() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 0, level: 1)
    #expect((FileFacts.status(exam.test.path + "-wal")?.size ?? 0) > 0)
    let copy = try open(exam)
    defer { copy.close() }
    #expect(try operations(copy) == operations(exam.store))
    #expect(copy.device == exam.store.device)
    #expect(copy.location == exam.store.location)
  }

  @Test("nothing is written to the copy, where it would be lost") func refusal() throws {
    let exam = try MarkedExam()
    let copy = try open(exam)
    defer { copy.close() }
    let error = #expect(throws: StoreError.self) {
      try copy.write(.program) { _ = try $0.set("Config", "1", ["examName": .text("Other")]) }
    }
    #expect(error?.description.hasPrefix("nothing can be written to the store (Read-only file system)") == true)
  }

  @Test("a backup of the copy is one of the store") func backup() throws {
    let exam = try MarkedExam()
    let path = exam.test.folder + "/second.sqlite"
    do {
      let copy = try open(exam)
      defer { copy.close() }
      #expect(try copy.backup(to: path) == operations(exam.store))
    }
    // Afterwards the store's own backup goes on in its place.
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 0, level: 1)
    #expect(try exam.store.backup(to: path) == operations(exam.store))
  }

  @Test("the copy is for its owner alone, and nothing of it is left") func leftovers() throws {
    let exam = try MarkedExam()
    let copy = try ReadingCopy(of: exam.store.location)
    #expect(FileFacts.status(copy.location.folder)?.mode == 0o700)
    #expect(FileFacts.status(copy.location.path)?.mode == 0o600)
    copy.remove()
    #expect(FileFacts.status(copy.location.folder) == nil)
  }
}
