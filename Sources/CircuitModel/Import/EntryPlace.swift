import ExamStore
import GRDB
import Journal

/// Where a roster entry stands, as people name it: who comes to which station, in which round.
public struct EntryPlace: Hashable, Sendable {
  /// The candidate's number.
  public let candidate: String
  /// The station's code.
  public let station: String
  /// From 1; nil for an entry without a round.
  public let round: Int?

  /// The place of a roster entry, or of that to which a sheet, a section or an item belongs; nil for any other row, and
  /// where nobody comes.
  static func of(_ row: RowKey, in db: Database) throws -> EntryPlace? {
    let isEntry = row.entity == Stored.TimetableAttendanceLog.entityName
    guard let entry = try isEntry ? row.id : RowPlace.of(row, in: db)?.entry else { return nil }
    let found = try ReadRow.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT u.studentNumber, \(StationSession.codeSQL), e."order" FROM timetableAttendanceLog e
            JOIN timetable t ON t.dsid = e.timetableID JOIN activityType a ON a.dsid = t.activityTypeID
            JOIN user u ON u.dsid = \(SlotChanges.candidate)
          WHERE e.uuid = ?
          """), arguments: [entry])
    return found.map { EntryPlace(candidate: $0[0], station: $0[1], round: $0[2]) }
  }
}

extension ImportReport {
  /// How many rows that were not deleted, or stayed so, are listed one by one.
  package static let longestList = 36

  /// Finds the places of the rows that are listed one by one, and the names of those without one: a key tells nobody
  /// which row it is.
  mutating func findPlaces(in db: Database) throws {
    let most = ImportReport.longestList
    let listed =
      kept.map(\.row) + leftDeleted.prefix(most)
      + notDeleted.prefix(most).flatMap { [$0.row, $0.obstacle.row] }
    for row in Set(listed) {
      places[row] = try EntryPlace.of(row, in: db)
      if places[row] == nil { names[row] = try Self.name(of: row, in: db) }
    }
  }

  /// `candidate Ada Okoro`, `station CHEST`: a person, a circuit, a station or a station session; nil for any other row.
  private static func name(of row: RowKey, in db: Database) throws -> String? {
    guard let key = Int64(row.id) else { return nil }
    func read(_ sql: String) throws -> String? { try String.fetchOne(db, sql: sql, arguments: [key]) }
    switch row.entity {
    case Stored.Staff.entityName: return try personName(of: key, in: db)
    case Stored.Student.entityName: return try personName(of: key, in: db).map { "candidate \($0)" }
    case Stored.ClinicGroup.entityName:
      return try Circuit.name(of: Int(key), in: db).map { "circuit \($0)" }
    case Stored.ActivityType.entityName:
      return try read("SELECT \(StationSession.codeSQL) FROM activityType a WHERE a.dsid = ?").map { "station \($0)" }
    case Stored.Timetable.entityName:
      return (try? StationSession.find(Int(key), in: db)).map { "station \($0.stationCode), \($0.session.name)" }
    default: return nil
    }
  }
}
