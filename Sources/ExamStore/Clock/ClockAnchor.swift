import GRDB
import Timer

/// What is stored of the exam's time for one start of the machine.
package struct ClockAnchor: Equatable, Sendable {
  /// Milliseconds from the boot clock to the exam's time, where no hub says more.
  let offset: Int64
  /// The wall clock when it was fixed, milliseconds since the Unix epoch.
  let wall: Int64
  /// Why it may be wrong; nil if nothing speaks against it.
  package let doubt: ClockDiscrepancy?
  /// What the hub says of the exam's time; nil where none has answered since the machine was started.
  package var hub: HubOffset?

  /// Milliseconds from the boot clock to the exam's time when the boot clock reads `boot`.
  package func offset(at boot: Int64) -> Int64 { hub?.offset(at: boot) ?? offset }

  /// What is stored for a start of the machine; nil if the store was not opened since.
  package static func read(_ db: Database, bootID: String) throws -> ClockAnchor? {
    let statement = try db.cachedStatement(
      sql: "SELECT offset, anchoredAt, lastRecord FROM bootClock WHERE bootID = ?")
    let hub = try HubClock.read(db, bootID: bootID)
    return try ReadRow.fetchOne(statement, arguments: [bootID]).map { row in
      let last: Int64? = row[2]
      return ClockAnchor(
        offset: Instant(stored: row[0]).milliseconds, wall: Instant(stored: row[1]).milliseconds,
        doubt: last.map { ClockDiscrepancy(wall: Instant(stored: row[1]), lastRecord: Instant(stored: $0)) }, hub: hub)
    }
  }

  func write(_ db: Database, bootID: String) throws {
    try db.inSavepoint {
      try db.execute(
        sql: "INSERT OR REPLACE INTO bootClock (bootID, offset, anchoredAt, lastRecord) VALUES (?, ?, ?, ?)",
        arguments: [bootID, offset, wall, doubt?.lastRecord.milliseconds])
      try db.execute(
        sql: "INSERT OR REPLACE INTO storeInfo (key, value) VALUES (?, ?)",
        arguments: [ClockAnchor.noteKey, try ClockAnchor.note(db)])
      return .commit
    }
  }

  /// Under which key the store notes its anchors once more: no chain knows of them, so that one is held against the
  /// other.
  static let noteKey = "anchors"

  /// The anchors as they are noted.
  static func note(_ db: Database) throws -> String {
    let rows = try String?.fetchAll(
      db,
      sql: """
        SELECT bootID || ' ' || offset || ' ' || anchoredAt || ' ' || coalesce(lastRecord, 'none')
        FROM bootClock ORDER BY bootID
        """)
    return rows.map { $0 ?? "" }.joined(separator: "; ")
  }

  /// Reads what is stored for this start of the machine, or fixes it now: by the wall clock, and where that cannot be
  /// right by the last record, from which the exam's time then goes on until a person has said what is right.
  static func fix(_ db: Database, system: SystemClock, knowing knowledge: ExamKnowledge) throws -> ClockAnchor {
    let bootID = system.bootID()
    if let anchor = try read(db, bootID: bootID) { return anchor }
    let anchor = try found(db, system: system, knowing: knowledge)
    try anchor.write(db, bootID: bootID)
    return anchor
  }

  /// What `fix` gives, with nothing written.
  static func found(_ db: Database, system: SystemClock, knowing knowledge: ExamKnowledge) throws -> ClockAnchor {
    if let anchor = try read(db, bootID: system.bootID()) { return anchor }
    let wall = system.wall()
    let doubt = try ClockDiscrepancy.found(db, wall: Instant(milliseconds: wall), knowing: knowledge)
    return ClockAnchor(
      offset: (doubt?.lastRecord.milliseconds ?? wall) - system.boot(), wall: wall, doubt: doubt, hub: nil)
  }
}

/// A wall clock that cannot be believed: the machine was restarted while a run was open, and its clock stands before
/// the store's last record, or more than two hours after it.
public struct ClockDiscrepancy: Equatable, Sendable {
  /// The wall clock when the store was first opened after the start of the machine.
  public let wall: Instant
  /// The exam's time of the store's last record.
  public let lastRecord: Instant

  /// How far after the last record the wall clock may stand without a word, in milliseconds.
  private static let believedMs: Int64 = 7_200_000

  /// What speaks against a wall clock; nil if nothing does.
  package static func found(_ db: Database, wall: Instant, knowing knowledge: ExamKnowledge) throws -> ClockDiscrepancy?
  {
    guard let last = try lastRecord(db), wall < last || wall - last > believedMs else { return nil }
    return try knowledge.openSessions(db, last).isEmpty ? nil : ClockDiscrepancy(wall: wall, lastRecord: last)
  }

  /// When the store's newest operation was made that did not come from elsewhere: another device may send what it made
  /// days ago, or by a clock of its own. A store that was restored on another machine goes on from what it holds.
  static func lastRecord(_ db: Database) throws -> Instant? {
    let isOwn =
      try db.holdsTable("merged")
      ? "NOT EXISTS (SELECT 1 FROM merged m WHERE m.device = o.device AND m.tx = o.tx)" : "true"
    let last = try Int64.fetchOne(
      db, sql: "SELECT CAST(wallTime - clockError AS INTEGER) FROM operation o WHERE \(isOwn) ORDER BY seq DESC LIMIT 1"
    )
    return last.map { Instant(stored: $0) }
  }
}
