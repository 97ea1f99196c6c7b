import GRDB
import Journal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("What an open sheet reads does not grow with what was marked before")
struct LongHistoryTests {
  /// Steps of the reads of a sheet whose first item was given so many values.
  private struct Cost {
    let sheet: Int
    let item: Int
    let places: Int
    let strip: Int
    let stripAfterOne: Int
    let changes: Int

    var all: [Int] { [sheet, item, places, strip, stripAfterOne, changes] }
  }

  private func cost(values: Int, hasHub: Bool) throws -> Cost {
    let exam = try MarkedExam()
    let key = try exam.open(1).key
    let item = try exam.sheet(key).items[1]
    func mark(_ count: Int) throws {
      try exam.store.write(exam.author) { transaction in
        var item = item
        item.shown = .unknown
        for number in 0..<count { _ = try Marking(transaction).mark(item, level: item.template.levels[number % 3]) }
      }
    }
    try mark(values)
    if hasHub { try exam.acknowledge() }
    let before = try exam.store.lastSequence()
    try mark(1)
    let sheet = try exam.sheet(key)
    let store = exam.store
    func steps(_ body: (Database) throws -> Void) throws -> Int {
      try store.read { try body($0) }
      return try ReadSteps.of(store) { try store.read { try body($0) } }
    }
    let known = try store.read { try RecentMarks.last(8, of: sheet.items, in: $0) }
    return Cost(
      sheet: try steps { _ = try Sheet.read(key, in: $0) }, item: try steps { _ = try SheetItem.read(item, in: $0) },
      places: try steps { _ = try SheetPlaces.read(sheet: key, in: $0) },
      strip: try steps { _ = try RecentMarks.last(8, of: sheet.items, in: $0) },
      stripAfterOne: try steps { _ = try RecentMarks.last(8, of: [item], beside: known, in: $0) },
      changes: try steps { _ = try StoreChanges.read(after: before, except: [:], in: $0) })
  }

  @Test("an item with 500 values is read like one with ten", arguments: [false, true])
  func isBounded(hasHub: Bool) throws {
    let short = try cost(values: 10, hasHub: hasHub)
    #expect(short.places > 20 && short.strip > 20)
    let long = try cost(values: 500, hasHub: hasHub)
    // The keys of changes made in one millisecond are in a random order, which moves a look-up by some steps; a read of
    // the history would take more than one step for each of its 490 further values.
    for (long, short) in zip(long.all, short.all) {
      #expect(long < short + 50, "\(long), not \(short)")
    }
  }

  @Test("queries that an open sheet makes with every save find their rows by an index")
  func usesIndexes() throws {
    let exam = try MarkedExam()
    func plan(_ sql: String) throws -> String {
      try exam.store.read { db in
        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql).map { $0["detail"] as String }.joined(separator: "; ")
      }
    }
    let refused =
      "SELECT 1 FROM operation o WHERE o.entity = 'a' AND o.entityID = 'b' AND \(RefusedChanges.condition(of: "o"))"
    #expect(try plan(refused).contains("operation_unsettled"))
    #expect(
      try plan("SELECT DISTINCT entityID FROM operation WHERE \(RefusedChanges.condition())").contains(
        "operation_unsettled"))
    #expect(try plan("SELECT 1 FROM sitting s WHERE s.openSheet = 'a'").contains("sitting_openSheet"))
  }
}
