import Foundation
import GRDB
import Journal
import SystemTesting

@testable import CircuitModel
@testable import ExamFiles
@testable import ExamStore
@testable import Reports

/// The exams of `fixtures`, loaded once; every test has its own copy.
enum Fixture {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  /// The file of the loaded year 3 exam.
  private static let loaded = Result { try load("year3-osce") { try change($0) } }

  /// The file of the exam that has every kind of item.
  private static let allKinds = Result { try load("all-kinds") { _ in } }

  private static func load(_ exam: String, _ change: @Sendable (JournalTransaction) throws -> Void) throws -> Data {
    LocalTime.use(zone: "Europe/London")
    let folder = try ScratchFolder.make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let clocks = TestClocks(now: Rehearsed.start - 86_400_000)
    let store = try ExamStore(StoreLocation(path: folder + "/exam.sqlite"), .createIfMissing, system: clocks.system)
    let outcome = try ExamImport.load([root + "/fixtures/" + exam], into: store)
    guard outcome.report != nil else { throw StoreError("\(outcome.problems)") }
    try withoutActuallyEscaping(change) { change in try store.write(.program) { try change($0) } }
    store.close()
    return try Data(contentsOf: URL(fileURLWithPath: folder + "/exam.sqlite"))
  }

  /// What the example exam has no case of: a passcode, an item with a suggestion.
  private static func change(_ transaction: JournalTransaction) throws {
    let staff = try StaffMember.find(username: "psharma", in: transaction.db)
    try transaction.set("Staff", String(staff.id), ["passcodeHash": .text(try Passcode.hash("4711", rounds: 16))])
  }

  /// A folder with a copy of an exam, `exam.sqlite`.
  static func copy(allKinds isAllKinds: Bool = false) throws -> String {
    let folder = try ScratchFolder.make()
    let path = folder + "/exam.sqlite"
    try (isAllKinds ? allKinds : loaded).get().write(to: URL(fileURLWithPath: path))
    chmod(path, 0o600)
    return folder
  }

  /// The reason in the body of an operation, as SQL.
  static let reason = "json_extract(CAST(substr(body, 17) AS TEXT), '$.reason')"

  static func count(_ sql: String, _ db: Database) throws -> Int { try Int.fetchOne(db, sql: sql) ?? 0 }
}

extension Fixture {
  /// Items with a mark, a refusal to assess or a text that no operation of the journal gave them.
  static func unexplainedMarks(_ db: Database) throws -> [String] {
    var found: [String] = []
    let rows = try Row.fetchAll(
      db, sql: "SELECT uuid, entity, rating, unable, feedback, heads FROM dataQuestion ORDER BY uuid")
    for row in rows {
      let key: String = row["uuid"]
      let rating = (row["rating"] as Double?).flatMap { MarkValue($0) }.map { Value.integer($0.scaled) } ?? .null
      let values: [(String, Value, Value)] = [
        ("rating", rating, .null), ("unable", .bool(row["unable"] ?? false), .bool(false)),
        ("feedback", .text(row["feedback"] ?? ""), .text("")),
      ]
      let heads = HeadsColumn(text: row["heads"])
      for (field, value, initial) in values where value != initial {
        let given = try heads[field].compactMap { try OperationTable.find($0, in: db)?.body()?.fields[field] }
        if !given.contains(value) { found.append("\(key) \(field)") }
      }
    }
    return found
  }
}

extension Fixture {
  /// The one feedback there is.
  static func feedback(_ db: Database) throws -> String {
    try String.fetchOne(db, sql: "SELECT feedback FROM dataQuestion WHERE coalesce(feedback, '') <> ''") ?? ""
  }
}

extension JournalTransaction {
  /// Writes the row of a lock, as two people make it; nobody is asked for a passcode.
  func lockExam(_ scope: ExamLock.Scope = .init(), by staff: Int) throws {
    var fields: [String: Value] = [
      "lockedAt": .integer(clock.now.milliseconds), "amendment": .integer(0), "content": .text("{}"),
      "hash": .text("00"), "staff": .integer(Int64(staff)),
    ]
    fields["circuit"] = scope.circuit.map { .text($0) }
    fields["session"] = scope.session.map { .text($0) }
    try create("ExamLock", UUIDBytes.random().description, fields)
  }
}

extension Rehearsed {
  /// Locks the exam, or a part of it, in the lead's name.
  func lockExam(_ scope: ExamLock.Scope = .init()) throws {
    let lead = try member("cdubois").id
    try store.write(.program) { try $0.lockExam(scope, by: lead) }
  }
}
