import ExamStore
import GRDB
import Synchronization

/// Which row of `Config` holds at this terminal.
///
/// Where the terminal's configuration file names a university, the settings of a row with another university's code do
/// not hold; those of a row with its own code do before those of a row without any. Else every row's hold. The exam's
/// name and time zone are not settings: the plan's times are in that zone, wherever it is read.
public enum ConfigInForce {
  private static let own = Mutex<String?>(nil)

  /// The university that this terminal belongs to; nil: it belongs to none, and no code matters.
  public static var university: String? { own.withLock { $0 } }

  /// Takes what the configuration file says, for the whole process.
  public static func use(university: String?) { own.withLock { $0 = university?.isEmpty == true ? nil : university } }

  /// In SQL with `:university`, whether a row's settings hold.
  static let condition =
    "(:university IS NULL OR \(code) = '' OR \(code) = trim(:university) COLLATE NOCASE)"

  /// In SQL with `:university`, the order in which rows count.
  static let order = "\(condition) DESC, (:university IS NOT NULL AND \(code) <> '') DESC, dsid"

  private static let code = "trim(coalesce(universityCode, ''))"

  /// The code of the university whose settings are here and do not hold; nil where all is as the exam says.
  package static func foreignCode(_ db: Database, for university: String? = university) throws -> String? {
    let row = try ReadRow.fetchOne(
      db.cachedStatement(
        sql: "SELECT universityCode, \(condition) FROM config WHERE dsDeleted = 0 ORDER BY \(order)"),
      arguments: ["university": university])
    guard let row, row[1] == false else { return nil }
    return row[0]
  }
}
