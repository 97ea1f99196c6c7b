import ExamStore
import GRDB
import Timer

/// Who recorded whether a candidate is here, when, and where: at the station or at the desk.
public struct AttendanceSource: Equatable, Sendable {
  /// When it was recorded.
  public let at: Instant
  /// The name of who recorded it; nil where nobody was signed in.
  public let by: String?
  /// Whether it was recorded at a station, by who examines there.
  public let isFromStation: Bool

  /// - Returns: nil where nothing is recorded, where two records contradict each other, and for what came with an
  ///   import.
  public static func read(_ entry: RosterEntry, in db: Database) throws -> AttendanceSource? {
    guard entry.isPresent != nil, let operation = entry.shown["present"]?.last else { return nil }
    return try ReadRow.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT coalesce(o.examTime, o.wallTime), u.title, u.forename, u.surname, s.timetableID
          FROM operation o LEFT JOIN user u ON u.dsid = o.staff LEFT JOIN sitting s ON s.uuid = o.sitting
          WHERE o.id = ? AND o.staff IS NOT NULL
          """), arguments: [operation.description]
    ).map { row in
      AttendanceSource(
        at: Instant(stored: row[0]), by: personName(title: row[1], forename: row[2], surname: row[3]),
        isFromStation: (row[4] as Int?) != nil)
    }
  }
}

extension RosterEntry {
  /// Whether an assessor has seen the candidate: the identity step was passed, marks were typed from paper, or a station
  /// recorded presence, and nobody has recorded absence since.
  func wasSeen(in db: Database) throws -> Bool {
    if isPresent == false { return false }
    return try identityCheckedAt != nil || UsedEntry.isMarked(key, in: db)
      || AttendanceSource.read(self, in: db)?.isFromStation == true
  }
}
