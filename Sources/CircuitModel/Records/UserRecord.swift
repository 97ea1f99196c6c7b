// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of User. What staff and candidates have in common.
public struct UserRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "user"
  /// The entity's name in the catalogue.
  public static let entityName = "User"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "entity", "dsid", "username", "forename", "surname", "title", "email", "active", "dsAdviserId", "passcodeHash",
    "dsDeleted",
  ]

  /// The entity that the row is of: User or one that inherits from it.
  public var entity: String

  /// The row's key.
  public var dsid: Int

  /// User.username.
  public var username: String?

  /// User.forename.
  public var forename: String?

  /// User.surname.
  public var surname: String?

  /// User.title.
  public var title: String?

  /// User.email.
  public var email: String?

  /// User.active.
  public var active: Bool

  /// User.dsAdviserId. The dsid of the adviser among staff; not a relationship.
  public var dsAdviserId: Int?

  /// User.passcodeHash. scrypt, with its parameters and salt in the string; no value: no passcode.
  public var passcodeHash: String?

  /// User.dsDeleted. Soft delete. Not indexed: nearly every row holds the same value.
  public var dsDeleted: Bool

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    entity = try row.decode(forColumn: "entity")
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
  }
}
