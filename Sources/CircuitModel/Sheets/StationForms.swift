import ExamStore
import GRDB

/// Which mark sheets a station asks for.
package struct StationForms {
  /// The keys of the templates, in the station's order.
  package let ids: [Int]
  /// Whether each marker fills one of them only.
  package let isOne: Bool

  /// - Parameter station: the key in `ActivityType`.
  package static func read(station: Int, in db: Database) throws -> StationForms {
    let ids = try Int.fetchAll(
      db.cachedStatement(
        sql: "SELECT typeFormID FROM availableForm WHERE activityTypeID = ? AND dsDeleted = 0 ORDER BY \"order\", dsid"),
      arguments: [station])
    let rule = try String.fetchOne(
      db.cachedStatement(sql: "SELECT forms FROM activityType WHERE dsid = ?"), arguments: [station])
    return StationForms(ids: ids, isOne: rule == "one")
  }
}
