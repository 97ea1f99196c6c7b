import ExamStore
import GRDB
import Journal

/// Who took back that a candidate is here, and from which terminal.
public struct ClearedAttendance: Equatable, Sendable {
  /// The name of who did it; nil where nobody was signed in.
  public let by: String?
  /// The terminal, as `pts/5`; nil where it is not known.
  public let terminal: String?
  /// The sitting in which it was done; nil for none.
  public let sitting: UUIDBytes?

  /// - Returns: nil where attendance is recorded, or was never.
  public static func read(_ entry: RosterEntry, in db: Database) throws -> ClearedAttendance? {
    guard entry.isPresent == nil, let operation = entry.shown["present"]?.last else { return nil }
    return try ReadRow.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT u.title, u.forename, u.surname, s.tty, o.sitting
          FROM operation o LEFT JOIN user u ON u.dsid = o.staff LEFT JOIN sitting s ON s.uuid = o.sitting
          WHERE o.id = ? AND o.kind = 'set'
          """), arguments: [operation.description]
    ).map { row in
      let tty: String? = row[3]
      return ClearedAttendance(
        by: personName(title: row[0], forename: row[1], surname: row[2]),
        terminal: tty.map(TerminalInfo.shortName),
        sitting: (row[4] as String?).flatMap { UUIDBytes($0) })
    }
  }
}
