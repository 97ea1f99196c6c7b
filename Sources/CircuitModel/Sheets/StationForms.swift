import ExamStore
import GRDB

/// Which mark sheets a station asks for.
package struct StationForms {
  /// The keys of the templates, in the station's order.
  package let ids: [Int]
  /// Whether each assessor fills one of them only.
  package let isOne: Bool

  /// - Parameters:
  ///   - ids: the keys of the templates, in the station's order.
  ///   - isOne: whether each assessor fills one of them only.
  package init(ids: [Int], isOne: Bool) { (self.ids, self.isOne) = (ids, isOne) }

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

  /// What a seat has of each form that it is asked for, in the station's order.
  ///
  /// Where each assessor fills one of several forms, that is the sheet in use alone: of the first form while there is none.
  /// - Parameters:
  ///   - held: the seat's sheets.
  ///   - form: the form of a sheet.
  ///   - claim: what speaks for a sheet of several.
  package func wanted<Sheet>(
    from held: [Sheet], form: (Sheet) -> Int, claim: (Sheet) throws -> SheetInUse.Claim
  ) rethrows -> [(form: Int, sheet: Sheet?)] {
    guard isOne else { return ids.map { id in (form: id, sheet: held.first { form($0) == id }) } }
    let used = try SheetInUse.chosen(of: held.filter { ids.contains(form($0)) }, claim)
    guard let id = used.map(form) ?? ids.first else { return [] }
    return [(form: id, sheet: used)]
  }
}
