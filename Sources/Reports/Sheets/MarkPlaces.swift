import CircuitModel
import ExamStore
import GRDB

/// Where the marks of a store are.
struct MarkPlaces {
  private let attention: Set<String>
  /// The items of which a value that stands waits for the hub.
  private let waiting: Set<String>
  let hasHub: Bool

  init(_ db: Database) throws {
    let forks = try String.fetchSet(db, sql: "SELECT DISTINCT entityID FROM fork")
    let refused = try String.fetchSet(
      db, sql: "SELECT DISTINCT entityID FROM operation WHERE \(RefusedChanges.condition())")
    attention = forks.union(refused)
    hasHub = try Enrolment.exists(db)
    waiting = hasHub ? try Outbox.waitingRows(of: "dataQuestion", db) : []
  }

  /// What a person must look at on each sheet: items in all, and those of them that have an answer.
  func attention(in db: Database) throws -> [String: (items: Int, answered: Int)] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT s.dataFormID, \(AnsweredItem.condition)
        FROM dataQuestion q JOIN dataSection s ON s.uuid = q.dataSectionID
        WHERE q.uuid = ? AND q.dsDeleted = 0 AND s.dsDeleted = 0
        """)
    var found: [String: (items: Int, answered: Int)] = [:]
    for key in attention {
      guard let row = try ReadRow.fetchOne(statement, arguments: [key]) else { continue }
      let isAnswered: Bool = row[1]
      found[row[0], default: (0, 0)].items += 1
      found[row[0], default: (0, 0)].answered += isAnswered ? 1 : 0
    }
    return found
  }

  func place(of item: HeldItem) -> MarkPlace {
    if attention.contains(item.key) { return .attention }
    if item.isBlank { return .empty }
    return hasHub && !waiting.contains(item.key) ? .hub : .disk
  }
}
