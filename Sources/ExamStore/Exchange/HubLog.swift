import GRDB
import Journal

import struct Foundation.Data

extension Enrolment {
  /// Notes how far the hub's log is here.
  /// - Parameter end: where the log ended then, if the hub has said something of what comes after the cursor: a hub that
  ///   lacks it was restored, and what it said holds no more.
  /// - Throws: `StoreError` where there is no hub.
  static func move(to cursor: ExchangeCursor, scope: String?, end: LogMark? = nil, in db: Database) throws {
    try db.execute(
      sql: "UPDATE hub SET epoch = ?, cursor = ?, cursorHash = ?, scope = coalesce(?, scope)",
      arguments: [cursor.epoch.description, cursor.text, Data(cursor.hash), scope])
    if db.changesCount != 1 { throw StoreError("this store has no place at a hub; enrol it first") }
    guard let seq = cursor.seq else { return }
    for mark in [LogMark(seq: seq, hash: cursor.hash), end].compactMap({ $0 }) {
      try db.execute(
        sql: "INSERT OR REPLACE INTO hubMark (seq, hash) VALUES (?, ?)", arguments: [mark.seq, Data(mark.hash)])
    }
    let kept = Set(LogMark.thinned(try LogMark.all(db).map(\.seq)))
    for mark in try LogMark.all(db) where !kept.contains(mark.seq) {
      try db.execute(sql: "DELETE FROM hubMark WHERE seq = ?", arguments: [mark.seq])
    }
  }
}

extension LogMark {
  /// How many places are remembered.
  static let most = 16

  /// The places that are remembered, the latest first.
  package static func all(_ db: Database) throws -> [LogMark] {
    let statement = try db.cachedStatement(sql: "SELECT seq, hash FROM hubMark ORDER BY seq DESC")
    return try ReadRow.fetchAll(statement).map { LogMark(seq: $0[0], hash: [UInt8]($0[1] as Data)) }
  }

  /// Which of some numbers are kept: the latest, and of all that are as far from it to within a factor of two, the
  /// oldest, which grows into the next such span.
  static func thinned(_ numbers: [Int64]) -> [Int64] {
    guard let latest = numbers.max() else { return [] }
    var oldest: [Int: Int64] = [:]
    for number in numbers where number < latest && number >= 0 {
      let span = Int64.bitWidth - (latest - number).leadingZeroBitCount
      oldest[span] = min(oldest[span] ?? number, number)
    }
    return [latest] + oldest.sorted { $0.key < $1.key }.map(\.value).prefix(most - 1)
  }
}
