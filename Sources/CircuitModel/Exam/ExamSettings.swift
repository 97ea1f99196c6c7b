import ExamStore
import GRDB

/// What holds for the exam as a whole: the row of `Config`.
public struct ExamSettings: Equatable, Sendable {
  /// The exam's name; nil where none was given.
  public var name: String?
  /// The IANA name of the exam's time zone; nil: the machine's own.
  public var timeZone: String?
  /// What holds at every station.
  public var stations = StationRules()
  /// Where and how often a second copy of the store is made; nil: not at all.
  public var backup: BackupSettings?

  /// The settings as they are stored, for who reads a part of its own of them; nil where there are none.
  static func json(_ db: Database) throws -> String? {
    try String.fetchOne(db, sql: "SELECT settings FROM config WHERE dsDeleted = 0 ORDER BY dsid")
  }

  /// Reads the settings; a store without a `Config` row has none.
  public static func read(_ db: Database) throws -> ExamSettings {
    guard
      let row = try Row.fetchOne(
        db, sql: "SELECT examName, timeZone, settings FROM config WHERE dsDeleted = 0 ORDER BY dsid")
    else { return ExamSettings() }
    return ExamSettings(
      name: row["examName"], timeZone: row["timeZone"], stations: StationRules(json: row["settings"]),
      backup: BackupSettings(json: row["settings"]))
  }
}
