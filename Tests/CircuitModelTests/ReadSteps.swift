import GRDB
import GRDBSQLite

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

/// Counts the instructions that SQLite carries out for reads of a store: what a read costs, without a clock.
enum ReadSteps {
  private final class Count {
    var steps = 0
  }

  /// - Returns: how many instructions the reads in `body` took. A read that was made before is counted without the
  ///   making of its statements.
  static func of(_ store: ExamStore, _ body: () throws -> Void) throws -> Int {
    let count = Count()
    func watch(_ isOn: Bool) {
      store.reader.inDatabase { db in
        let context = Unmanaged.passUnretained(count).toOpaque()
        sqlite3_progress_handler(
          db.sqliteConnection, isOn ? 1 : 0,
          { context in
            if let context { Unmanaged<Count>.fromOpaque(context).takeUnretainedValue().steps += 1 }
            return 0
          }, context)
      }
    }
    watch(true)
    defer { watch(false) }
    try body()
    return count.steps
  }
}
