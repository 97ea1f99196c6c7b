import ExamStore
import GRDB
import Journal

/// Who comes with each roster entry of which something is recorded, and in which round: no import gives it to another
/// candidate, nor to another round once the clock of its session was started. The entry itself is not all that says who:
/// a slot table, and the date, start and circuit by which it is found, decide as well, and a file may hold any of them.
struct RecordedCandidates {
  private let places: [String: Place]

  private struct Place {
    let candidate: Int?
    let round: Int?
    let isBegun: Bool

    /// Whether what is recorded would come elsewhere. An entry without a round, as that of an extra candidate, may be
    /// given one.
    func isLost(to now: Place) -> Bool {
      candidate != now.candidate || isBegun && round != nil && round != now.round
    }
  }

  /// - Returns: nil where nobody has changed slots, nor would by these rows, and no clock was ever started.
  static func read(_ db: Database, before rows: [ImportRow]) throws -> RecordedCandidates? {
    let sql = "SELECT EXISTS (SELECT 1 FROM slotTable) OR EXISTS (SELECT 1 FROM circuitRun)"
    let isBound = try Bool.fetchOne(db, sql: sql) ?? false
    guard isBound || rows.contains(where: { $0.row.entity == Stored.SlotTable.entityName }) else { return nil }
    return RecordedCandidates(places: try recorded(db))
  }

  /// - Throws: `ImportRefusal` with the first entry with which somebody else comes now, or in another round.
  func check(_ db: Database) throws {
    let now = try RecordedCandidates.recorded(db)
    let lost = places.compactMap { entry, place in
      now[entry].flatMap { place.isLost(to: $0) ? (entry: entry, place: place, now: $0) : nil }
    }
    guard let first = lost.min(by: { $0.entry < $1.entry }) else { return }
    let station = try String.fetchOne(
      db,
      sql: """
        SELECT \(StationSession.codeSQL) FROM timetableAttendanceLog e
        JOIN timetable t ON t.dsid = e.timetableID JOIN activityType a ON a.dsid = t.activityTypeID WHERE e.uuid = ?
        """, arguments: [first.entry])
    let number = try first.place.candidate.flatMap { try Roster.candidate($0, in: db)?.number ?? "\($0)" } ?? ""
    if first.place.candidate == first.now.candidate, let round = first.place.round {
      throw ImportRefusal.otherRound(number: number, station: station ?? "", round: round)
    }
    throw ImportRefusal.otherCandidate(number: number, station: station ?? "")
  }

  private static func recorded(_ db: Database) throws -> [String: Place] {
    let rows = try ReadRow.fetchCursor(
      db,
      sql: """
        SELECT e.uuid, \(SlotChanges.candidate), e."order", EXISTS (
          SELECT 1 FROM timetable rt JOIN activityType ra ON ra.dsid = rt.activityTypeID
            JOIN circuitRun r ON r.circuitID = ra.clinicGroupID AND r.date = rt.date AND r.startTime = rt.startTime
            JOIN clockEvent s ON s.runID = r.uuid AND s.kind = 'start'
          WHERE rt.dsid = e.timetableID
            AND NOT EXISTS (SELECT 1 FROM clockEvent x WHERE x.runID = r.uuid AND x.target = s.uuid))
        FROM timetableAttendanceLog e
        WHERE e.dsDeleted = 0 AND e.studentID IS NOT NULL AND \(UsedEntry.condition)
        """)
    var found: [String: Place] = [:]
    while let row = try rows.next() { found[row[0]] = Place(candidate: row[1], round: row[2], isBegun: row[3]) }
    return found
  }
}
