import GRDB
import Timer

/// What the log of a store had lost when the store was opened. SQLite forgets it with that opening, so the store notes
/// it.
package struct LostLog: Equatable, Sendable {
  /// When it was found, by the wall clock.
  package let foundAt: Instant
  /// What was found, as `LogCheck` says it.
  package let detail: String
  /// When a person said that it is known; nil: nobody has.
  package var acknowledgedAt: Instant?

  /// Under which key the store notes it.
  static let noteKey = "lostLog"

  /// For how long each opening says it, in milliseconds; `doctor` goes on until it is acknowledged.
  private static let saidMs: Int64 = 86_400_000

  /// What is noted; nil if nothing is.
  package static func read(_ db: Database) throws -> LostLog? {
    let statement = try db.cachedStatement(sql: "SELECT value FROM storeInfo WHERE key = ?")
    let words = try String.fetchOne(statement, arguments: [noteKey])?.split(separator: " ", maxSplits: 1)
    guard let words, words.count == 2 else { return nil }
    let times = words[0].split(separator: "/").map { Int64($0).map { Instant(stored: $0) } }
    guard let found = times.first ?? nil else { return nil }
    return LostLog(
      foundAt: found, detail: String(words[1]), acknowledgedAt: times.count > 1 ? times[1] : nil)
  }

  /// Notes it.
  /// - Returns: false where the store has no table for it: that was in the log too.
  func note(_ db: Database) throws -> Bool {
    guard try db.holdsTable("storeInfo") else { return false }
    let times = [foundAt, acknowledgedAt].compactMap { $0 }.map { "\($0.milliseconds)" }.joined(separator: "/")
    try db.execute(
      sql: "INSERT OR REPLACE INTO storeInfo (key, value) VALUES (?, ?)",
      arguments: [LostLog.noteKey, "\(times) \(detail)"])
    return true
  }

  /// What is said of it for a day; nil later.
  func line(at wall: Instant) -> String? {
    guard acknowledgedAt == nil, wall - foundAt <= LostLog.saidMs else { return nil }
    return "SAVED CHANGES ARE LOST: the store's log was \(detail); check the last marks"
  }
}

extension ExamStore {
  /// Notes that what the store's log had lost is known: no opening says it any more, and `doctor` warns of it no more.
  /// - Throws: `StoreError` if nothing is noted that was not acknowledged before, if the disk or the store refuses.
  public func acknowledgeLostLog() throws {
    let now = Instant(milliseconds: clock.wall)
    let isThere = try outsideTransaction { db in
      guard var lost = try LostLog.read(db), lost.acknowledgedAt == nil else { return false }
      lost.acknowledgedAt = now
      return try lost.note(db)
    }
    if !isThere { throw StoreError("no loss to acknowledge is noted in \(location.path); nothing was changed") }
  }
}
