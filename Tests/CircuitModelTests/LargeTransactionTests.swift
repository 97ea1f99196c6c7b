import GRDB
import GRDBSQLite
import Journal
import Testing

@testable import CircuitModel
@testable import ExamStore

@Suite("A large transaction from elsewhere") struct LargeTransactionTests {
  @Test("takes as many steps for each operation as a small one, in whatever pages it comes") func steps() throws {
    let (small, large) = (try steps(of: 100), try steps(of: 800))
    #expect(large < 2 * small, "\(small) and \(large) steps for each operation")
  }

  @Test("takes as many steps for a hub's word on each operation as in a small one") func words() throws {
    let (small, large) = (try stepsOfWords(on: 50), try stepsOfWords(on: 400))
    #expect(large < 2 * small, "\(small) and \(large) steps for each word")
  }

  /// SQLite's instructions for each operation of an import of so many candidates that another store takes in.
  private func steps(of candidates: Int) throws -> Int {
    let pair = try TwoStores()
    let counter = Counter()
    try take(candidates, pair, counter)
    #expect(try pair.there.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM pending") } == 0)
    return counter.steps / candidates
  }

  /// The same for each operation of which a hub says afterwards that it counts.
  private func stepsOfWords(on candidates: Int) throws -> Int {
    let pair = try TwoStores()
    let operations = try take(candidates, pair, nil)
    let counter = Counter()
    counter.watch(pair.there.store)
    try pair.there.store.ingest { ingest in
      for operation in operations { try ingest.take(.outcome(operation.id, .applied), bytes: []) }
    }
    return counter.steps / candidates
  }

  /// Makes candidates in one transaction of a store, which the other takes in page by page.
  @discardableResult private func take(
    _ candidates: Int, _ pair: TwoStores, _ counter: Counter?
  ) throws -> [Journal.Operation] {
    let before = try pair.here.store.operations().count
    try pair.here.store.write(.program) { transaction in
      for number in 0..<candidates {
        try transaction.create("Student", "\(5000 + number)", ["surname": .text("Okoro")])
      }
    }
    let operations = Array(try pair.here.store.operations().dropFirst(before))
    counter?.watch(pair.there.store)
    for start in stride(from: 0, to: operations.count, by: 200) {
      try pair.there.store.ingest { ingest in
        for operation in operations.dropFirst(start).prefix(200) { try ingest.take(.operation(operation), bytes: []) }
      }
    }
    return operations
  }

  /// Counts every instruction of a store's writer.
  private final class Counter {
    private(set) var steps = 0

    func watch(_ store: ExamStore) {
      store.writer.inDatabase { db in
        sqlite3_progress_handler(
          db.sqliteConnection, 1,
          { context in
            if let context { Unmanaged<Counter>.fromOpaque(context).takeUnretainedValue().steps += 1 }
            return 0
          }, Unmanaged.passUnretained(self).toOpaque())
      }
    }
  }
}
