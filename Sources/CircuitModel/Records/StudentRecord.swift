// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of Student. A candidate.
public struct StudentRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "user"
  /// The entity's name in the catalogue.
  public static let entityName = "Student"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "dsid", "username", "forename", "surname", "title", "email", "active", "dsAdviserId", "passcodeHash", "dsDeleted",
    "studentNumber", "year", "extraReadingSeconds", "extraStationSeconds", "access",
  ]

  /// The row's key.
  public var dsid: Int

  /// Student.username.
  public var username: String?

  /// Student.forename.
  public var forename: String?

  /// Student.surname.
  public var surname: String?

  /// Student.title.
  public var title: String?

  /// Student.email.
  public var email: String?

  /// Student.active.
  public var active: Bool

  /// Student.dsAdviserId. The dsid of the adviser among staff; not a relationship.
  public var dsAdviserId: Int?

  /// Student.passcodeHash. scrypt, with its parameters and salt in the string; no value: no passcode.
  public var passcodeHash: String?

  /// Student.dsDeleted. Soft delete. Not indexed: nearly every row holds the same value.
  public var dsDeleted: Bool

  /// Student.studentNumber.
  public var studentNumber: String?

  /// Student.year.
  public var year: String?

  /// Student.extraReadingSeconds. An adjustment: reading time beyond everybody's, in seconds.
  public var extraReadingSeconds: Int

  /// Student.extraStationSeconds. An adjustment: time at a station beyond everybody's, in seconds.
  public var extraStationSeconds: Int

  /// Student.access. Any other adjustment, in words for the assessor.
  public var access: String?

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    dsid = try row.decode(forColumn: "dsid")
    username = try row.decode(forColumn: "username")
    forename = try row.decode(forColumn: "forename")
    surname = try row.decode(forColumn: "surname")
    title = try row.decode(forColumn: "title")
    email = try row.decode(forColumn: "email")
    active = try row.decode(forColumn: "active")
    dsAdviserId = try row.decode(forColumn: "dsAdviserId")
    passcodeHash = try row.decode(forColumn: "passcodeHash")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    studentNumber = try row.decode(forColumn: "studentNumber")
    year = try row.decode(forColumn: "year")
    extraReadingSeconds = try row.decode(forColumn: "extraReadingSeconds")
    extraStationSeconds = try row.decode(forColumn: "extraStationSeconds")
    access = try row.decode(forColumn: "access")
  }
}
