import GRDB
import Journal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

/// Two stores of one exam: what is made at one can be handed to the other.
struct TwoStores {
  let here: TestStore
  let there: TestStore

  init() throws {
    here = try TestStore()
    there = try TestStore()
    try here.loadSmallExam()
    try there.store.apply(here.store.operations())
  }

  /// Gives candidates 11 and 12 the surnames A and B in one transaction here.
  /// - Returns: its two operations.
  func renameTwo() throws -> [Journal.Operation] {
    let count = try here.store.operations().count
    try here.store.write(.program) {
      _ = try $0.set("Student", "11", ["surname": .text("A")])
      _ = try $0.set("Student", "12", ["surname": .text("B")])
    }
    return try here.store.operations(after: count)
  }
}

extension ExamStore {
  /// Makes a member of staff the only lead of the exam.
  func appoint(_ username: String) throws -> ExamLead {
    try write(.program) { _ = try $0.set("Config", "1", ["settings": .text(#"{"roles":{"\#(username)":"lead"}}"#)]) }
    return try read { try ExamLead.authorise(ExamLead.find(username: username, in: $0), by: nil) }
  }

  /// The operations of the journal that this device has made, in the order of its chain.
  func operations() throws -> [Journal.Operation] {
    try read {
      try OperationTable.fetch("device = ?", [device.description], in: $0).sorted { $0.deviceSeq < $1.deviceSeq }
    }
  }

  /// The operations of a device that are in the journal, in the order of its chain.
  func operations(of device: UUIDBytes) throws -> [Journal.Operation] {
    try read { try OperationTable.fetch("device = ?", [device.description], in: $0) }.sorted {
      $0.deviceSeq < $1.deviceSeq
    }
  }

  /// What was made after a number of the chain.
  func operations(after count: Int) throws -> [Journal.Operation] { Array(try operations().dropFirst(count)) }

  func value(_ field: String, _ entity: String, _ key: String) throws -> Value? {
    try read { try RowTable.of(entity).values(of: key, in: $0)?[field] }
  }
}

extension TestStore {
  /// Gives candidate 11 another surname.
  func setSurname(_ surname: String) throws -> Journal.Operation {
    let id = try store.write(Author(staff: 1)) { try $0.set("Student", "11", ["surname": .text(surname)]) }
    return try #require(try store.read { try OperationTable.find(id, in: $0) })
  }

  func surname() throws -> Value? { try store.value("surname", "Student", "11") }

  func examine() throws -> Diagnosis {
    let surroundings = MachineSurroundings(system: time.system, freeBytes: { _ in 1 << 40 })
    return try Doctor(store.location, surroundings: surroundings).examine()
  }
}
