import Characters
import ExamStore
import GRDB
import Journal
import Timer

/// Lines noted while watching a candidate: for their author alone, and offered again when a comment is written.
public enum Jots {
  /// A line.
  public struct Line: Equatable, Sendable {
    /// The key in `Jot`.
    public let key: String
    /// The text.
    public let text: String
    /// When it was noted.
    public let time: Instant?
    /// Phase, round and time left when it was noted, in words.
    public let phase: String?
  }

  /// Notes a line.
  /// - Parameters:
  ///   - entry: the candidate at the station.
  ///   - phase: phase, round and time left now, in words; nil where no clock runs.
  /// - Returns: its key and the operation, which undoing takes back.
  /// - Throws: `JotRefusal` if there is nothing in the line.
  @discardableResult public static func add(
    _ text: String, entry: String, phase: String?, in transaction: JournalTransaction
  ) throws -> (key: String, operation: OperationID?) {
    guard text.hasWords else { throw JotRefusal.empty }
    let key = UUIDBytes.random().description
    let operation = try transaction.create(
      Stored.Jot.self, key,
      [
        .text(text), .attendanceLog(entry), .time(transaction.clock.now), .phase(phase),
        .author(transaction.author.staff),
      ])
    return (key, operation)
  }

  /// The lines that a person noted of a candidate, oldest first.
  public static func all(entry: String, author: Int, in db: Database) throws -> [Line] {
    try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT uuid, text, time, phase FROM jot WHERE attendanceLogID = ? AND authorID = ? AND dsDeleted = 0
          ORDER BY time, rowid
          """), arguments: [entry, author]
    ).map { row in
      Line(
        key: row[0], text: row[1], time: (row[2] as Int64?).map { Instant(stored: $0) }, phase: row[3])
    }
  }
}
