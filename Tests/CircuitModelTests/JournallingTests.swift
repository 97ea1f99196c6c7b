import Catalogue
import GRDB
import Journal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Writing the journal") struct JournallingTests {
  private func operations(_ store: ExamStore) throws -> [Journal.Operation] {
    try store.read { db in
      var all: [Journal.Operation] = []
      try OperationTable.forEachNumbered(in: db) { all.append($1) }
      return all
    }
  }

  private func set(_ store: ExamStore, _ surname: String, shown: ShownHeads = .unknown) throws -> OperationID {
    try store.write(Author(staff: 1)) { try $0.set("Staff", "2", ["surname": .text(surname)], shown: shown) }
  }

  private func surname(_ store: ExamStore) throws -> String? {
    try store.read { try String.fetchOne($0, sql: "SELECT surname FROM user WHERE dsid = 2") }
  }

  private func forks(_ store: ExamStore) throws -> Int? {
    try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM fork") }
  }

  @Test("every operation of a store follows the one before without a gap, and the chain verifies") func chain() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    _ = try set(test.store, "Evans")
    let all = try operations(test.store)
    #expect(all.map(\.deviceSeq) == Array(1...Int64(all.count)))
    var verifier = ChainVerifier()
    for operation in all { #expect(verifier.feed(operation) == nil) }
  }

  @Test(
    "a change that no field can hold is refused with nothing written, and one that is planted is named by the doctor")
  func bounds() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    let before = try operations(test.store).count
    for (field, value) in [
      ("order", Value.integer(0)), ("startTime", .text("noon")), ("releasedAt", .integer(.min)),
      ("staff", .integer(.max)),
      ("date", .integer(7)), ("group", .text(String(repeating: "x", count: 70_000))),
    ] {
      #expect(throws: StoreError.self, "\(field)") {
        try test.store.write(.program) { try $0.set("Timetable", "1", [field: value]) }
      }
    }
    #expect(try operations(test.store).count == before)
    try test.store.write(.program) {
      try $0.db.execute(sql: "UPDATE timetable SET releasedAt = -9223372036854775808, staffID = 'abc' WHERE dsid = 1")
    }
    #expect(try test.store.read { try StationSession.find(1, in: $0) }.timetable == 1)
    let surroundings = MachineSurroundings(system: test.time.system, freeBytes: { _ in 1 << 40 })
    let rows = try Doctor(test.store.location, surroundings: surroundings).examine().checks.first { $0.name == "rows" }
    #expect(rows?.result == .failed)
    #expect(rows?.detail.contains("releasedAt is stored as -9223372036854775808, the journal says nothing") == true)
  }

  @Test("an edit names the operation it replaces, and its author") func replaces() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    let first = try set(test.store, "Evans")
    let second = try set(test.store, "Fox")
    let last = try #require(try operations(test.store).last)
    #expect(last.id == second)
    #expect(last.staff == 1)
    #expect(try last.body()?.replaces["surname"] == [first])
  }

  @Test("an edit of a value that was changed meanwhile keeps both and opens a review item") func fork() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    let shown = try set(test.store, "Evans")
    _ = try set(test.store, "Fox")
    _ = try set(test.store, "Gray", shown: ["surname": [shown]])
    #expect(try surname(test.store) == "Gray")
    #expect(try forks(test.store) == 1)
    let heads = try test.store.read { db in
      HeadsColumn(text: try String.fetchOne(db, sql: "SELECT heads FROM user WHERE dsid = 2") ?? "")
    }
    #expect(heads["surname"].count == 2)
  }

  @Test("two edits to the same value are no fork") func equalValues() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    let shown = try set(test.store, "Evans")
    _ = try set(test.store, "Fox")
    _ = try set(test.store, "Fox", shown: ["surname": [shown]])
    #expect(try forks(test.store) == 0)
  }

  @Test("two people who fill one blank at once are both kept, and a review item opens") func bothFill() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    let blank: ShownHeads = [:]
    for text in ["quiet room", "large print"] {
      try test.store.write(Author(staff: 1)) { try $0.set("Student", "11", ["access": .text(text)], shown: blank) }
    }
    #expect(try forks(test.store) == 1)
  }

  @Test("a row with a derived key is made once") func createTwice() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    let (first, second) = try test.store.write(.program) { transaction in
      (
        try transaction.create("StudentGroup", "7", ["name": .text("A")]),
        try transaction.create("StudentGroup", "7", ["name": .text("B")])
      )
    }
    #expect(first != nil && second == nil)
  }

  @Test("undo sets back what stood before, and can be undone") func undo() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    let change = try set(test.store, "Evans")
    let undone = try test.store.write(.program) { try $0.undo(change) }
    #expect(try surname(test.store) == "Murphy")
    try test.store.write(.program) { _ = try $0.undo(undone) }
    #expect(try surname(test.store) == "Evans")
  }

  @Test("undo is refused once somebody else has changed it, and says who") func undoSuperseded() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    let change = try set(test.store, "Evans")
    _ = try set(test.store, "Fox")
    let error = #expect(throws: UndoRefusal.self) { try test.store.write(.program) { _ = try $0.undo(change) } }
    #expect(error?.description.contains("Dr Davies") == true)
    #expect(try surname(test.store) == "Fox")
  }

  @Test("a field that was never set goes back to its default") func undoFirst() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    let id = try test.store.write(.program) { try $0.set("Student", "11", ["extraStationSeconds": .integer(120)]) }
    try test.store.write(.program) { _ = try $0.undo(id) }
    let seconds = try test.store.read {
      try Int.fetchOne($0, sql: "SELECT extraStationSeconds FROM user WHERE dsid = 11")
    }
    #expect(seconds == 0)
  }

  @Test("a value of the wrong kind, an unknown field and an unknown row are refused with nothing changed")
  func refused() throws {
    let test = try TestStore()
    try test.loadSmallExam()
    let before = try test.store.lastSequence()
    for fields in [["surname": Value.integer(1)], ["shoe": .text("42")]] {
      #expect(throws: StoreError.self) { try test.store.write(.program) { _ = try $0.set("Staff", "2", fields) } }
    }
    #expect(throws: RowRefusal.unknown(RowKey(entity: "Staff", id: "99"))) {
      try test.store.write(.program) { _ = try $0.set("Staff", "99", ["surname": .text("x")]) }
    }
    #expect(try test.store.lastSequence() == before)
  }

  private func isDeleted(_ store: ExamStore, section: String) throws -> Bool? {
    try store.read {
      try Bool.fetchOne($0, sql: "SELECT dsDeleted FROM dataSection WHERE uuid = ?", arguments: [section])
    }
  }

  @Test("undoing a row's creation removes it with what belongs to it, and undoing that brings it back")
  func undoCreate() throws {
    let test = try TestStore()
    let (section, made) = try copiedSection(test)
    let removed = try test.store.write(.program) { try $0.undo(made) }
    #expect(try isDeleted(test.store, section: section) == true)
    try test.store.write(.program) { try $0.undo(removed) }
    #expect(try isDeleted(test.store, section: section) == false)
  }

  @Test("a mark in a removed section brings the section back") func markRevives() throws {
    let test = try TestStore()
    let (section, made) = try copiedSection(test)
    try test.store.write(.program) { try $0.undo(made) }
    let item = DerivedKeys.item(section: section, link: 2)
    try test.store.write(.program) { try $0.set("RatingQuestion", item, ["rating": .integer(3_000_000)]) }
    #expect(try isDeleted(test.store, section: section) == false)
  }

  private func copiedSection(_ test: TestStore) throws -> (section: String, operation: OperationID) {
    try test.loadSmallExam()
    try test.store.write(.program) { try $0.set("TypeSection", "1", ["duplicable": .bool(true)]) }
    return try test.store.write(.program) { transaction in
      let key = try SheetGenerator.makeSheets(entry: SmallExam.entry(1), seat: .lead, in: transaction)[0]
      let sheet = try #require(try Sheet.read(key, in: transaction.db))
      let copy = try SectionCopies.add(sheet.sections[0], of: sheet, in: transaction)
      return (copy.key, try #require(copy.operation))
    }
  }

  @Test("heads keep their text form", arguments: ["", "018f0000-0000-7000-8000-000000000001:a,b"])
  func headsText(text: String) {
    #expect(HeadsColumn(text: text).text == text)
  }

  @Test("of every entity one statement tells whether a row or one above it is deleted") func deletedAbove() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    try exam.store.read { db in
      for entity in Catalogue.standard.entities {
        let isDeleted = try RowTable.of(entity.name).isDeletedOrBelowDeleted("0", in: db)
        #expect(!isDeleted, "\(entity.name)")
      }
    }
    func isDeleted() throws -> Bool {
      try exam.store.read { try RowTable.of("RatingQuestion").isDeletedOrBelowDeleted(sheet.items[0].key, in: $0) }
    }
    #expect(try isDeleted() == false)
    try exam.store.write(exam.author) { _ = try $0.delete("ClinicGroup", "1") }
    #expect(try isDeleted() == true)
    try exam.store.write(exam.author) {
      _ = try Marking($0).mark(sheet.items[0], level: sheet.items[0].template.levels[1])
    }
    #expect(try isDeleted() == false)
  }
}
