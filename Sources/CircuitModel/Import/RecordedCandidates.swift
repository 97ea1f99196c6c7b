import ExamStore
import GRDB
import Journal

/// Who comes with each roster entry of which something is recorded, as changes of slots have it: no import gives it to
/// another candidate. The entry itself is not all that says so: a slot table, and the date, start and circuit by which it
/// is found, and the round decide as well, and a file may hold any of them.
struct RecordedCandidates {
  private let candidates: [String: Int]

  /// - Returns: nil where nobody has changed slots, nor would by these rows: each entry says who comes.
  static func read(_ db: Database, before rows: [ImportRow]) throws -> RecordedCandidates? {
    let hasChanges = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM slotTable)") ?? false
    guard hasChanges || rows.contains(where: { $0.row.entity == Stored.SlotTable.entityName }) else { return nil }
    return RecordedCandidates(candidates: try recorded(db))
  }

  /// - Throws: `ImportRefusal` with the first entry with which somebody else comes now.
  func check(_ db: Database) throws {
    let now = try RecordedCandidates.recorded(db)
    let others = candidates.filter { entry, candidate in now[entry].map { $0 != candidate } ?? false }
    guard let (entry, candidate) = others.min(by: { $0.key < $1.key }) else { return }
    let station = try String.fetchOne(
      db,
      sql: """
        SELECT \(StationSession.codeSQL) FROM timetableAttendanceLog e
        JOIN timetable t ON t.dsid = e.timetableID JOIN activityType a ON a.dsid = t.activityTypeID WHERE e.uuid = ?
        """, arguments: [entry])
    let number = try Roster.candidate(candidate, in: db)?.number
    throw ImportRefusal.otherCandidate(number: number ?? "\(candidate)", station: station ?? "")
  }

  private static func recorded(_ db: Database) throws -> [String: Int] {
    let rows = try ReadRow.fetchCursor(
      db,
      sql: """
        SELECT e.uuid, \(SlotChanges.candidate) FROM timetableAttendanceLog e
        WHERE e.dsDeleted = 0 AND e.studentID IS NOT NULL AND \(UsedEntry.condition)
        """)
    var found: [String: Int] = [:]
    while let row = try rows.next() { found[row[0]] = row[1] as Int? }
    return found
  }
}
