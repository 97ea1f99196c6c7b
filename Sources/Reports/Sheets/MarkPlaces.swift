import CircuitModel
import ExamStore
import GRDB

/// Where the marks of a store are.
struct MarkPlaces {
  private let attention: Set<String>
  let hasHub: Bool

  init(_ db: Database) throws {
    let forks = try String.fetchSet(db, sql: "SELECT DISTINCT entityID FROM fork")
    let refused = try String.fetchSet(
      db, sql: "SELECT DISTINCT entityID FROM operation WHERE \(RefusedChanges.condition())")
    attention = forks.union(refused)
    hasHub = try HubContact.isEnrolled(db)
  }

  /// The items of a sheet of which some change is not at the hub; nil where there is no hub.
  func notAtHub(sheet: String, in db: Database) throws -> Set<String>? {
    guard hasHub else { return nil }
    return try String.fetchSet(
      db.cachedStatement(
        sql: """
          SELECT q.uuid FROM dataSection s CROSS JOIN dataQuestion q ON q.dataSectionID = s.uuid
          WHERE s.dataFormID = ? AND EXISTS (
            SELECT 1 FROM operation o WHERE o.entity = q.entity AND o.entityID = q.uuid AND o.hubSeq IS NULL)
          """), arguments: [sheet])
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

  func place(of item: HeldItem, notAtHub: Set<String>?) -> MarkPlace {
    if attention.contains(item.key) { return .attention }
    if item.isBlank { return .empty }
    guard let notAtHub else { return .disk }
    return notAtHub.contains(item.key) ? .disk : .hub
  }
}
