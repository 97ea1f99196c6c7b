import Characters
import ExamStore
import GRDB
import Journal

/// Comments from one person to another, in the exam's categories.
public enum GeneralComments {
  /// A category.
  public struct Category: Hashable, Sendable {
    /// The key in `CommentGroup`.
    public let id: Int
    /// Its name.
    public let name: String
  }

  /// A comment to a person.
  public struct PersonalComment: Equatable, Sendable {
    /// The key in `Comment`.
    public let key: String
    /// The text.
    public let text: String
    /// The category; nil where it has none.
    public let category: String?
    /// Who wrote it, by name.
    public let writer: String?
    /// The key of who wrote it.
    public let writerID: Int?
    /// When, as it is stored: RFC 3339 where it was written here.
    public let date: String?
  }

  /// The exam's categories, in the order in which they were written.
  public static func categories(in db: Database) throws -> [Category] {
    try ReadRow.fetchAll(db, sql: "SELECT dsid, name FROM commentGroup WHERE dsDeleted = 0 ORDER BY dsid")
      .map { Category(id: $0[0], name: $0[1]) }
  }

  /// The comments to a person, oldest first.
  /// - Parameters:
  ///   - recipient: the key of a candidate or a member of staff.
  ///   - writer: only those of this person.
  public static func all(to recipient: Int, by writer: Int? = nil, in db: Database) throws -> [PersonalComment] {
    try ReadRow.fetchAll(
      db,
      sql: """
        SELECT m.uuid, m.text, m.date, m.writerID, g.name AS category, w.title, w.forename, w.surname FROM comment m
        LEFT JOIN commentGroup g ON g.dsid = m.groupID LEFT JOIN user w ON w.dsid = m.writerID
        WHERE m.recipientID = ? AND m.dsDeleted = 0 ORDER BY m.date, m.rowid
        """, arguments: [recipient]
    ).filter { writer == nil || $0["writerID"] as Int? == writer }.map { row in
      PersonalComment(
        key: row["uuid"], text: row["text"], category: row["category"],
        writer: personName(title: row["title"], forename: row["forename"], surname: row["surname"]),
        writerID: row["writerID"], date: row["date"])
    }
  }

  /// Writes a comment to a person.
  /// - Throws: `CommentRefusal` without a text, or if there is no such person or category.
  /// - Returns: its key and the operation, which undoing takes back.
  @discardableResult public static func add(
    _ text: String, to recipient: Int, category: Int?, in transaction: JournalTransaction
  ) throws -> (key: String, operation: OperationID?) {
    guard text.hasWords else { throw CommentRefusal.empty }
    guard try isThere("user", recipient, transaction.db) else { throw CommentRefusal.unknownPerson(recipient) }
    if let category, try !isThere("commentGroup", category, transaction.db) {
      throw CommentRefusal.unknownCategory(category)
    }
    let key = UUIDBytes.random().description
    let operation = try transaction.create(
      Stored.Comment.self, key,
      [
        .text(text), .recipient(recipient), .date(Timestamp.text(transaction.clock.now)), .group(category),
        .writer(transaction.author.staff),
      ])
    return (key, operation)
  }

  /// Changes a comment's text; the earlier one stays in its history.
  /// - Throws: `CommentRefusal` if somebody else wrote it, or it is not there.
  @discardableResult public static func edit(
    _ key: String, text: String, in transaction: JournalTransaction
  ) throws -> OperationID {
    let row = try ReadRow.fetchOne(
      transaction.db, sql: "SELECT writerID FROM comment WHERE uuid = ? AND dsDeleted = 0", arguments: [key])
    guard let row else { throw CommentRefusal.gone }
    if row[0] as Int? != transaction.author.staff {
      throw CommentRefusal.ofAnother
    }
    return try transaction.set(Stored.Comment.self, key, [.text(text)])
  }

  private static func isThere(_ table: String, _ key: Int, _ db: Database) throws -> Bool {
    try Bool.fetchOne(db, sql: "SELECT 1 FROM \(table) WHERE dsid = ? AND dsDeleted = 0", arguments: [key]) == true
  }
}
