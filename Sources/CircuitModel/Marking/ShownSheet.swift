import ExamStore
import GRDB
import Journal

/// A sheet and the roster entry on which a terminal shows it: sheets can change candidates while they are open.
public struct ShownSheet: Sendable {
  /// The key in `DataForm`.
  public let sheet: String
  /// The roster entry that it is shown on.
  public let entry: String

  /// - Parameters:
  ///   - sheet: the key in `DataForm`.
  ///   - entry: the roster entry that it is shown on.
  public init(sheet: String, entry: String) { (self.sheet, self.entry) = (sheet, entry) }

  /// - Throws: `MarkingRefusal` if the sheet is another candidate's by now.
  public func check(in db: Database) throws {
    let place = try RowPlace.of(Stored.DataForm.row(sheet), in: db)
    guard place?.entry == entry else {
      throw MarkingRefusal.movedMeanwhile
    }
  }

  /// - Throws: `MarkingRefusal` if any of these operations changed another sheet.
  public func check(_ step: [OperationID], in db: Database) throws {
    try check(in: db)
    for id in step {
      guard let operation = try OperationTable.find(id, in: db), let place = try RowPlace.of(operation.row, in: db)
      else { continue }
      if place.sheet != sheet { throw MarkingRefusal.onAnotherSheet }
    }
  }

  /// The sheets of other seats on a roster entry.
  public static func others(onEntry entry: String, not seat: Seat, in db: Database) throws -> Set<String> {
    try String.fetchSet(
      db.cachedStatement(sql: "SELECT uuid FROM dataForm WHERE attendanceLogID = ? AND seat <> ? AND dsDeleted = 0"),
      arguments: [entry, seat.name])
  }

  /// The number of the candidate whom a sheet is on now; nil for the practice sheet and for one that is gone.
  public static func number(ofCandidateOn sheet: String, seat: Seat, in db: Database) throws -> String? {
    guard let place = try RowPlace.of(Stored.DataForm.row(sheet), in: db) else { return nil }
    return try Roster.entry(place.entry, seat: seat, in: db)?.candidate?.number
  }
}
