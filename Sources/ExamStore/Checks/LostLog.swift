import GRDB
import Timer

/// What the log of a store had lost when the store was opened. SQLite forgets it with that opening, so the store notes
/// it.
package struct LostLog: Equatable, Sendable {
  /// When it was found, by the wall clock.
  package let foundAt: Instant
  /// What was found, as `LogCheck` says it.
  package let detail: String

  /// Under which key the store notes it.
  static let noteKey = "lostLog"

  /// For how long each opening says it, in milliseconds; `doctor` goes on.
  private static let saidMs: Int64 = 86_400_000

  /// What is noted; nil if nothing is.
  package static func read(_ db: Database) throws -> LostLog? {
    let statement = try db.cachedStatement(sql: "SELECT value FROM storeInfo WHERE key = ?")
    let words = try String.fetchOne(statement, arguments: [noteKey])?.split(separator: " ", maxSplits: 1)
    guard let words, words.count == 2, let found = Int64(words[0]) else { return nil }
    return LostLog(foundAt: Instant(stored: found), detail: String(words[1]))
  }

  /// Notes it.
  /// - Returns: false where the store has no table for it: that was in the log too.
  func note(_ db: Database) throws -> Bool {
    guard try db.holdsTable("storeInfo") else { return false }
    try db.execute(
      sql: "INSERT OR REPLACE INTO storeInfo (key, value) VALUES (?, ?)",
      arguments: [LostLog.noteKey, "\(foundAt.milliseconds) \(detail)"])
    return true
  }

  /// What is said of it for a day; nil later.
  func line(at wall: Instant) -> String? {
    guard wall - foundAt <= LostLog.saidMs else { return nil }
    return "SAVED CHANGES ARE LOST: the store's log was \(detail); check the last marks"
  }
}
