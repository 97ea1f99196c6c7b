import ExamStore
import GRDB

/// A member of staff as they are chosen and shown.
public struct StaffMember: Hashable, Sendable {
  /// The key in `Staff`.
  public let id: Int
  /// The name by which commands know them.
  public let username: String
  /// Title, forename and surname.
  public let name: String
  /// Whether signing in asks for a passcode.
  public let hasPasscode: Bool

  /// The active staff, by surname.
  public static func active(_ db: Database) throws -> [StaffMember] {
    try ReadRow.fetchAll(
      db,
      sql: """
        SELECT dsid, username, title, forename, surname, passcodeHash IS NOT NULL FROM user
        WHERE entity = 'Staff' AND active = 1 AND dsDeleted = 0 ORDER BY surname, forename, dsid
        """
    ).map { member($0) }
  }

  /// The active member of staff with this username.
  /// - Throws: `StaffRefusal` if there is none.
  public static func find(username: String, in db: Database) throws -> StaffMember {
    let rows = try ReadRow.fetchAll(
      db,
      sql: """
        SELECT dsid, username, title, forename, surname, passcodeHash IS NOT NULL FROM user
        WHERE entity = 'Staff' AND active = 1 AND dsDeleted = 0 AND username = ?
        """, arguments: [username])
    guard let row = rows.first else {
      throw StaffRefusal.unknown(username)
    }
    // One of them might have a passcode and the other none.
    if rows.count > 1 {
      throw StaffRefusal.ambiguous(username, count: rows.count)
    }
    return member(row)
  }

  private static func member(_ row: ReadRow) -> StaffMember {
    StaffMember(
      id: row[0], username: row[1] ?? "", name: personName(title: row[2], forename: row[3], surname: row[4]) ?? "",
      hasPasscode: row[5])
  }
}

/// Title, forename and surname with single blanks; nil if all are missing.
package func personName(title: String?, forename: String?, surname: String?) -> String? {
  let parts = [title, forename, surname].compactMap { $0 }.filter { !$0.isEmpty }
  return parts.isEmpty ? nil : parts.joined(separator: " ")
}

/// The name of a person by their key in `User`, whatever has become of them since; nil where nobody has it.
package func personName(of person: Int64, in db: Database) throws -> String? {
  try ReadRow.fetchOne(
    db.cachedStatement(sql: "SELECT title, forename, surname FROM user WHERE dsid = ?"), arguments: [person]
  ).flatMap { personName(title: $0[0], forename: $0[1], surname: $0[2]) }
}
