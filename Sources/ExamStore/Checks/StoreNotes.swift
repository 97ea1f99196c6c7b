import Catalogue
import GRDB
import Journal

import struct Foundation.Data

/// Looks at what a store notes for itself, of which no chain knows: as far as it follows from what is in the chains it
/// must be just that, and else be such that every reader can rely on it.
package struct StoreNotes {
  private let db: Database
  private let journal: JournalCheck
  private var problems = Problems()

  package static func run(_ db: Database, _ journal: JournalCheck, _ diagnosis: inout Diagnosis) throws {
    var notes = StoreNotes(db: db, journal: journal)
    try notes.compareNumbers()
    try notes.compareClock()
    try notes.compareBarred()
    try notes.comparePending()
    try notes.compareCauses()
    try notes.compareMerged()
    diagnosis.add("notes", problems: notes.problems, sound: "what the store notes for itself agrees with its journal")
  }

  private init(db: Database, journal: JournalCheck) {
    self.db = db
    self.journal = journal
  }

  // MARK: The store itself

  /// The keys under which a store notes something of itself.
  private static let keys = ["device", "place", ClockAnchor.noteKey, LostLog.noteKey]

  /// What a store notes of itself.
  static func info(_ db: Database) throws -> (values: [String: String], problems: Problems) {
    var values: [String: String] = [:]
    var problems = Problems()
    try RawRow.forEach(db, "SELECT key, value FROM storeInfo") { row in
      guard let key = row.text(0), let value = row.text(1) else {
        return problems.add("what the store notes of itself is no text")
      }
      if !keys.contains(key) { problems.add("the store notes '\(key)' of itself, which this program does not know") }
      values[key] = value
    }
    return (values, problems)
  }

  // MARK: The order of arrival

  /// Every number was given once, to an operation or to a change without one.
  private mutating func compareNumbers() throws {
    var (count, last) = journal.numbers
    var problems = Problems()
    try RawRow.forEach(db, "SELECT seq, entity, entityID FROM rowChange ORDER BY seq") { row in
      guard let number = row.integer(0), let entity = row.text(1), row.text(2) != nil,
        Catalogue.standard[entity] != nil
      else { return problems.add("a change without an operation is of no row") }
      count += 1
      last = max(last, number)
    }
    let stranger = """
      SELECT seq FROM rowChange r
      WHERE NOT EXISTS (SELECT 1 FROM operation o WHERE o.entity = r.entity AND o.entityID = r.entityID)
        AND NOT EXISTS (SELECT 1 FROM pending p WHERE p.entity = r.entity AND p.entityID = r.entityID)
      """
    try RawRow.forEach(db, stranger) { row in
      problems.add("change \(row.integer(0) ?? 0) is of a row that no operation is on")
    }
    let twice = "SELECT seq FROM rowChange WHERE seq IN (SELECT seq FROM operation)"
    try RawRow.forEach(db, twice) { row in
      problems.add("the number \(row.integer(0) ?? 0) of the arrivals is there twice")
    }
    if problems.isEmpty && count != last {
      problems.add("of \(last) numbers in the order of arrival \(count) are there")
    }
    self.problems.add(problems)
  }

  // MARK: The clock

  /// Instants before the year 2262, so that no sum of two of them overflows.
  private static let instants: ClosedRange<Int64> = -(1 << 53)...(1 << 53)

  private mutating func compareClock() throws {
    var problems = Problems()
    try RawRow.forEach(db, "SELECT bootID, offset, anchoredAt, lastRecord FROM bootClock") { row in
      guard let boot = row.text(0), !boot.isEmpty, let offset = row.integer(1), let wall = row.integer(2),
        row.isNull(3) || row.integer(3) != nil
      else { return problems.add("the exam's time is noted with what is no time") }
      let last = row.integer(3)
      guard [offset, wall, last ?? 0].allSatisfy({ StoreNotes.instants.contains($0) }) else {
        return problems.add("the exam's time is noted with a time that cannot be")
      }
    }
    // Stores that were opened last by an older version have no note.
    if problems.isEmpty, let note = try StoreNotes.info(db).values[ClockAnchor.noteKey],
      try note != ClockAnchor.note(db)
    {
      problems.add("the exam's time is not the one that was fixed")
    }
    self.problems.add(problems)
  }

  // MARK: What other devices sent

  /// Why an operation may be barred for good.
  private static let reasons: Set<String> = [
    Journal.Refusal.rejected.code, Journal.Refusal.quarantined.code, Journal.Refusal.twoVersions.code,
    Journal.Refusal.clockAhead.code, Journal.Refusal.locked.code, Journal.Refusal.unknown("").code,
  ]

  private mutating func compareBarred() throws {
    var problems = Problems()
    try RawRow.forEach(db, "SELECT id, why FROM barred") { row in
      guard row.id(0) != nil, let why = row.text(1), StoreNotes.reasons.contains(why) else {
        return problems.add("the list of what counts for nothing holds what is no operation, or no reason")
      }
    }
    let absent = """
      SELECT id FROM barred b WHERE why NOT IN ('rejected', 'quarantined') AND NOT EXISTS (SELECT 1 FROM pending p WHERE p.id = b.id)
      """
    try RawRow.forEach(db, absent) { row in
      problems.add("operation \(row.text(0) ?? "?") is listed as counting for nothing, and is not here")
    }
    self.problems.add(problems)
  }

  private mutating func comparePending() throws {
    var problems = Problems()
    let (journal, barred) = (journal, journal.barred)
    try RawRow.forEach(db, "SELECT id, device, tx, state, why, since, hash FROM pending") { row in
      guard let id = row.id(0), let device = row.id(1), let tx = row.id(2), let state = row.text(3),
        let why = row.text(4), row.integer(5) != nil
      else { return problems.add("an operation is kept aside with what is no state, reason or time") }
      if let hash = row.bytes(6), journal.isOutvoted(hash) {
        if !isOutvoted(id, hash) { problems.add("operation \(id) is kept as one of two, and there is no other") }
        return
      }
      let members = journal.waiting[TransactionKey(device: device, tx: tx)]
      if state == PendingOperations.State.parked.rawValue {
        if members == nil { problems.add("operation \(id) is kept as waiting, and waits for nothing") }
      } else if state != PendingOperations.State.refused.rawValue {
        problems.add("operation \(id) is kept aside as '\(state)', which says nothing")
      } else if journal.isApplied(id) || members != nil {
        problems.add("operation \(id) is kept as refused, and nothing speaks against it")
      } else if let known = barred[id] ?? journal.refusals[id]?.code, why != known {
        problems.add("operation \(id) is kept as refused for '\(why)', and is for '\(known)'")
      }
    }
    self.problems.add(problems)
  }

  /// Whether another operation has the identifier of one: it is here, or a hub said so.
  private func isOutvoted(_ id: OperationID, _ hash: [UInt8]) -> Bool {
    let sql = """
      SELECT EXISTS (SELECT 1 FROM operation WHERE id = ?1 AND hash <> ?2)
        OR EXISTS (SELECT 1 FROM pending WHERE id = ?1 AND (hash <> ?2 OR result = '\(HubResult.rejected(.twoVersions))'))
      """
    return (try? Bool.fetchOne(db, sql: sql, arguments: [id.description, Data(hash)])) ?? false
  }

  /// Each operation that a transaction waits for is noted, else nobody would look at the transaction when it comes.
  private mutating func compareCauses() throws {
    var noted: [TransactionKey: Set<OperationID>] = [:]
    var problems = Problems()
    try RawRow.forEach(db, "SELECT cause, device, tx FROM pendingCause") { row in
      guard let cause = row.id(0), let device = row.id(1), let tx = row.id(2) else {
        return problems.add("an operation that is waited for is noted with what is none")
      }
      noted[TransactionKey(device: device, tx: tx), default: []].insert(cause)
    }
    for (key, members) in journal.waiting where key.device != journal.ownDevice {
      guard case .wait(let missing, let causes) = journal.verdict(on: key, members) else { continue }
      // While some of it is missing it is looked at again when that comes, whatever else it names.
      if missing == 0, !causes.subtracting(noted[key] ?? []).isEmpty {
        problems.add("transaction \(key.tx) waits for operations that are not noted")
      }
      let why = (missing > 0 ? HubResult.Delay.transactionIncomplete : .causeMissing).rawValue
      let other = "SELECT id FROM pending WHERE device = ? AND tx = ? AND state = 'parked' AND why <> ?"
      try RawRow.forEach(db, other, [key.device.description, key.tx.description, why]) { row in
        problems.add("operation \(row.text(0) ?? "?") waits for another reason than is noted")
      }
    }
    let stranger = """
      SELECT cause FROM pendingCause c
      WHERE NOT EXISTS (SELECT 1 FROM pending p WHERE p.device = c.device AND p.tx = c.tx)
        AND NOT EXISTS (SELECT 1 FROM operation o WHERE o.device = c.device AND o.tx = c.tx)
      """
    try RawRow.forEach(db, stranger) { row in
      problems.add("a transaction that is not here is noted as waiting for \(row.text(0) ?? "?")")
    }
    self.problems.add(problems)
  }

  private mutating func compareMerged() throws {
    var problems = Problems()
    let sql = """
      SELECT m.device, m.tx, m.firstSeq, m.lastSeq, count(o.id), min(o.deviceSeq), max(o.deviceSeq), max(o.txSize),
        EXISTS (SELECT 1 FROM pending p WHERE p.device = m.device AND p.tx = m.tx)
      FROM merged m LEFT JOIN operation o
        ON o.device = m.device AND o.deviceSeq BETWEEN m.firstSeq AND m.lastSeq AND o.tx = m.tx
      GROUP BY m.device, m.tx
      """
    try RawRow.forEach(db, sql) { row in
      guard row.id(0) != nil, let tx = row.id(1), let first = row.integer(2), let last = row.integer(3) else {
        return problems.add("a transaction that arrived is noted with what is none")
      }
      let isWhole = row.integer(4) == row.integer(7) && row.integer(5) == first && row.integer(6) == last
      if !isWhole && row.integer(8) != 1 {
        problems.add("transaction \(tx) is noted as arrived with operations that are not those that are here")
      }
    }
    let own = journal.ownDevice?.description
    let unnoted = """
      SELECT o.id FROM operation o
      WHERE o.device <> ?1 AND o.seq > (SELECT min(seq) FROM operation WHERE device = ?1)
        AND NOT EXISTS (SELECT 1 FROM merged m WHERE m.device = o.device AND m.tx = o.tx)
      """
    try RawRow.forEach(db, unnoted, [own]) { row in
      problems.add("operation \(row.text(0) ?? "?") came from elsewhere, and its arrival is not noted")
    }
    self.problems.add(problems)
  }
}
