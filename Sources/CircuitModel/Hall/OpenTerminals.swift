import ExamStore
import GRDB
import Timer

/// Who sits at a terminal now, and with which sheet open.
public struct OpenTerminal: Equatable, Sendable {
  /// The sheet that is open; nil: none.
  public let sheet: String?
  /// The key of the station session in `Timetable`; nil: none, as an invigilator's.
  public let timetable: Int?
  /// The key of the person in `Staff`.
  public let staff: Int?
  /// The person's username.
  public let username: String?
  /// The terminal, as `pts/3`; of another machine, the machine's name.
  public let terminal: String
  /// Whether it is of this machine: of another's nobody knows whether its program still runs.
  public let isHere: Bool
  /// Since when.
  public let since: Instant?

  /// What another machine began longer before the newest sign-in has ended without a word, in milliseconds.
  private static let day = 86_400_000

  /// Every one that is alive, those of this machine first, then the longest first.
  public static func all(in db: Database) throws -> [OpenTerminal] {
    try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT s.openSheet, s.process, s.processStart, s.tty, u.username, s.began, s.staffID, d.name, s.timetableID,
            s.deviceID = (SELECT value FROM storeInfo WHERE key = 'device') AS isHere
          FROM sitting s LEFT JOIN user u ON u.dsid = s.staffID LEFT JOIN device d ON d.uuid = s.deviceID
          WHERE s.ended IS NULL AND (isHere OR s.began > (SELECT max(began) FROM sitting) - \(day))
          ORDER BY isHere DESC, s.began, s.uuid
          """)
    ).compactMap { row in
      let process: Int32? = row[1]
      let isHere = row[9] == 1
      if isHere {
        guard let process, OpenSheets.isAlive(process, startedAt: row[2]) else { return nil }
      }
      let terminal: String? = isHere ? row[3] ?? process.map { "process \($0)" } : row[7]
      return OpenTerminal(
        sheet: row[0], timetable: row[8], staff: row[6], username: row[4], terminal: terminal ?? "another machine",
        isHere: isHere, since: (row[5] as Int64?).map { Instant(stored: $0) })
    }
  }
}
