// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of Staff. An assessor or another member of staff.
public struct StaffRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "user"
  /// The entity's name in the catalogue.
  public static let entityName = "Staff"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "dsid", "username", "forename", "surname", "title", "email", "active", "dsAdviserId", "passcodeHash", "dsDeleted",
    "firstName", "lastName",
  ]

  /// The row's key.
  public var dsid: Int

  /// Staff.username.
  public var username: String?

  /// Staff.forename.
  public var forename: String?

  /// Staff.surname.
  public var surname: String?

  /// Staff.title.
  public var title: String?

  /// Staff.email.
  public var email: String?

  /// Staff.active.
  public var active: Bool

  /// Staff.dsAdviserId. The dsid of the adviser among staff; not a relationship.
  public var dsAdviserId: Int?

  /// Staff.passcodeHash. scrypt, with its parameters and salt in the string; no value: no passcode.
  public var passcodeHash: String?

  /// Staff.dsDeleted. Soft delete. Not indexed: nearly every row holds the same value.
  public var dsDeleted: Bool

  /// Staff.firstName. Duplicates forename, which is what is shown; kept for bundles that carry it.
  public var firstName: String?

  /// Staff.lastName. Duplicates surname, which is what is shown; kept for bundles that carry it.
  public var lastName: String?

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
    firstName = try row.decode(forColumn: "firstName")
    lastName = try row.decode(forColumn: "lastName")
  }
}
