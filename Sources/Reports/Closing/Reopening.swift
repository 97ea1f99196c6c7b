import CircuitModel
import ExamStore
import GRDB
import Timer

/// A lock that two people opened again, with its amendments.
struct Reopening: Sendable {
  /// What was locked.
  let scope: ExamLock.Scope
  /// When it was locked.
  let lockedAt: Instant?
  /// The last final hash that it had.
  private(set) var hash: String
  /// When it was opened again.
  let at: Instant?
  let reason: String
  /// Who opened it, by username.
  let staff: [String]

  /// All of them, in order.
  static func all(in db: Database) throws -> [Reopening] {
    guard try db.tableExists("examLock") else { return [] }
    let rows = try ReadRow.fetchAll(
      db,
      sql: """
        SELECT l.circuit, l.session, l.lockedAt, l.hash, l.reopenedAt, l.reopenReason, s.username, x.username,
          l.amendment
        FROM examLock l LEFT JOIN user s ON s.dsid = l.reopenedByID LEFT JOIN user x ON x.dsid = l.secondReopenedByID
        WHERE l.dsDeleted = 0 AND l.reopenedAt IS NOT NULL
        ORDER BY l.lockedAt, l.amendment, l.uuid
        """)
    return rows.reduce(into: []) { found, row in
      let scope = ExamLock.Scope(circuit: row[0], session: row[1])
      let isAmendment = (row[8] as Int? ?? 0) > 0
      if isAmendment, let lock = found.lastIndex(where: { $0.scope == scope }) {
        found[lock].hash = row[3] ?? ""
        return
      }
      let at = (row[4] as Int64?).map { Instant(stored: $0) }
      found.append(
        Reopening(
          scope: scope, lockedAt: (row[2] as Int64?).map { Instant(stored: $0) }, hash: row[3] ?? "", at: at,
          reason: row[5] ?? "", staff: [row[6] as String?, row[7]].compactMap { $0 }))
    }
  }

  /// What was opened, why, by whom and when, and which hash is void by that.
  var words: String {
    let locked = lockedAt.map { ", locked \($0.localMoment)" } ?? ""
    let by = [staff.joined(separator: " and "), at?.localMoment ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
    return "reopening · \(scope.name)\(locked), hash \(hash.prefix(8))…: \(reason) (\(by))"
  }
}
