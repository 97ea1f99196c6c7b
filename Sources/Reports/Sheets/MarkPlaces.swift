import CircuitModel
import ExamStore
import GRDB

/// Where the marks of a store are.
struct MarkPlaces {
  private let attention: Set<String>
  private let hasHub: Bool

  init(_ db: Database) throws {
    let forks = try String.fetchSet(db, sql: "SELECT DISTINCT entityID FROM fork")
    let refused = try String.fetchSet(
      db, sql: "SELECT DISTINCT entityID FROM operation WHERE \(RefusedChanges.condition)")
    attention = forks.union(refused)
    hasHub = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM operation WHERE hubSeq IS NOT NULL)") ?? false
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

  func place(of item: HeldItem, notAtHub: Set<String>?) -> MarkPlace {
    if attention.contains(item.key) { return .attention }
    if item.isBlank { return .empty }
    guard let notAtHub else { return .disk }
    return notAtHub.contains(item.key) ? .disk : .hub
  }
}
