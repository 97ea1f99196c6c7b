import CircuitModel
import ExamStore
import GRDB
import Timer

/// Who sits at a terminal of this machine now, and with which sheet open.
public struct OpenTerminal: Equatable, Sendable {
  /// The sheet that is open; nil: none.
  public let sheet: String?
  /// The key of the person in `Staff`.
  public let staff: Int?
  /// The person's username.
  public let username: String?
  /// The terminal, as `pts/3`.
  public let terminal: String
  /// Since when.
  public let since: Instant?

  /// Every one that is alive, the longest first.
  public static func all(in db: Database) throws -> [OpenTerminal] {
    try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT s.openSheet, s.process, s.processStart, s.tty, u.username, s.began, s.staffID
          FROM sitting s LEFT JOIN user u ON u.dsid = s.staffID
          WHERE s.ended IS NULL AND s.deviceID = (SELECT value FROM storeInfo WHERE key = 'device')
          ORDER BY s.began, s.uuid
          """)
    ).compactMap { row in
      guard let process = row[1] as Int32?, OpenSheets.isAlive(process, startedAt: row[2]) else { return nil }
      return OpenTerminal(
        sheet: row[0], staff: row[6], username: row[4], terminal: row[3] ?? "process \(process)",
        since: (row[5] as Int64?).map { Instant(stored: $0) })
    }
  }
}
