import Catalogue
import GRDB
import Journal
import Timer

/// What this store owes a hub, and what of it a person must look at: the one definition that header, status, doctor,
/// exports and the outbox share.
///
/// An operation waits while it is to be sent and no hub has given it a number, no matter who made it: a restored store
/// also owes what its former device did not send. Where the store is not enrolled the same operations wait, for a hub
/// that may come. Waiting follows from the operations themselves; no counter is kept that could be wrong.
public enum Outbox {
  // MARK: What waits

  /// Whether an operation waits, in SQL.
  /// - Parameter row: what the query calls the operation, where it names several tables.
  package static func waits(_ row: String = "") -> String {
    let prefix = row.isEmpty ? "" : row + "."
    return "\(prefix)hubSeq IS NULL AND \(prefix)sends IS NOT 0"
  }

  /// Whether an operation waits that lies in `pending`, and not in the journal too, in SQL: other devices' that came in
  /// a file. What came without its content is theirs to send.
  package static func waitsAside(_ row: String) -> String {
    """
    \(row).hubSeq IS NULL AND \(row).body IS NOT NULL AND \(OperationTable.isAsideAlone(row))
    """
  }

  /// Whether a value that stands in a row waits: an earlier one that was replaced by what the hub has makes no
  /// difference to where the row is. It costs what stands, however long the row's history is.
  package static func isWaiting(_ heads: HeadsColumn, in db: Database) throws -> Bool {
    let statement = try db.cachedStatement(sql: "SELECT \(waits()) FROM operation WHERE id = ?")
    return try Set(heads.operations.values.joined()).sorted(by: >).contains { id in
      try Bool.fetchOne(statement, arguments: [id.description]) ?? false
    }
  }

  /// The same in SQL, for many rows: the query's name for a row has `entity`, `uuid` and `heads`.
  package static func hasWaitingHead(_ row: String) -> String {
    """
    EXISTS (SELECT 1 FROM operation o WHERE o.entity = \(row).entity AND o.entityID = \(row).uuid
      AND \(waits("o")) AND instr(\(row).heads, o.id) > 0)
    """
  }

  /// The rows of a table of an enrolled store that have a head which waits: it costs what waits, however many rows there
  /// are.
  /// - Parameter table: has `entity`, `uuid` and `heads`.
  package static func waitingRows(of table: String, _ db: Database) throws -> Set<String> {
    try String.fetchSet(
      db,
      sql: """
        SELECT o.entityID FROM operation o
          CROSS JOIN \(Tables.quoted(table)) q ON q.uuid = o.entityID AND q.entity = o.entity
        WHERE o.sends = 1 AND o.hubSeq IS NULL AND instr(q.heads, o.id) > 0
        """)
  }

  /// How many operations wait.
  ///
  /// It costs as much as waits where the store is enrolled. Where it is not, everything waits but for what never
  /// leaves: both are counted in an index, and nothing was written to one when they were made.
  public static func waiting(_ db: Database) throws -> Int {
    let journal =
      try Enrolment.exists(db)
      ? "SELECT count(*) FROM operation WHERE sends = 1 AND hubSeq IS NULL"
      : "SELECT (SELECT count(*) FROM operation) - (SELECT count(*) FROM operation WHERE sends = 0)"
    let aside = "SELECT count(*) FROM pending p WHERE \(waitsAside("p"))"
    return try Int.fetchOne(db.cachedStatement(sql: "SELECT (\(journal)) + (\(aside))")) ?? 0
  }

  // MARK: What a person must look at

  /// Operations and fields at which a person must look.
  public struct Attention: Equatable, Sendable {
    /// Operations that count for nothing, and on which nobody has ruled.
    public var refused = 0
    /// Operations that came after a lock without knowing of it, and on which two people have not ruled.
    public var late = 0
    /// Operations that have waited for others for longer than others take to come.
    public var deferred = 0
    /// Fields on which concurrent edits left different values.
    public var forks = 0

    /// All of them.
    public var count: Int { refused + late + deferred + forks }
  }

  /// How long an operation may wait for others before a person should know, in milliseconds.
  package static let patience: Int64 = 60_000

  /// The operations at which a person must look, in SQL: `id`, `entity`, `entityID`, `why`, `since`, who made them as
  /// `staff`, and their place in their chain, `device` and `deviceSeq`; each once for each answer. `?1` is the instant
  /// before which those that wait for others were put off.
  package static let attention = """
    SELECT id, entity, entityID, result AS why, coalesce(answeredAt, wallTime) AS since, staff, device, deviceSeq
    FROM operation
    WHERE \(RefusedChanges.unsettled())
      AND (NOT \(RefusedChanges.deferredSQL("result")) OR coalesce(answeredAt, wallTime) < ?1)
    UNION ALL
    SELECT id, entity, entityID, why, min(since), staff, device, deviceSeq FROM (
      SELECT id, entity, entityID, since, staff, device, deviceSeq, CASE
        WHEN state = 'parked' THEN 'deferred:' || why
        WHEN \(RefusedChanges.condition()) THEN result
        WHEN why IN ('rejected', 'quarantined') THEN why
        WHEN why IN ('unknown', 'clock_ahead', 'locked') THEN 'quarantined:' || why
        ELSE 'rejected:' || why END AS why
      FROM pending p WHERE verdict IS NULL AND (state <> 'parked' OR since < ?1) AND NOT EXISTS (
        SELECT 1 FROM operation o WHERE o.id = p.id AND \(RefusedChanges.unsettled("o"))))
    GROUP BY id
    """

  /// Counts what a person must look at.
  /// - Parameter now: the exam's time.
  public static func attention(_ db: Database, at now: Instant) throws -> Attention {
    var found = Attention()
    let rows = try ReadRow.fetchCursor(
      db, sql: "SELECT \(RefusedChanges.deferredSQL("why")), count(*) FROM (\(attention)) GROUP BY 1",
      arguments: [now.milliseconds - patience])
    while let row = try rows.next() {
      if row[0] { found.deferred = row[1] } else { found.refused = row[1] }
    }
    found.late = try LateOperation.count(in: db)
    found.refused = max(0, found.refused - found.late)
    found.forks = try Int.fetchOne(db, sql: "SELECT count(*) FROM fork") ?? 0
    return found
  }

  /// How many operations do not count, or not yet, however short the time.
  package static func unsettled(_ db: Database) throws -> Int {
    let journal = "SELECT id FROM operation WHERE \(RefusedChanges.unsettled())"
    let all = journal + " UNION SELECT id FROM pending WHERE verdict IS NULL"
    return try Int.fetchOne(db, sql: "SELECT count(*) FROM (\(all))") ?? 0
  }

  // MARK: The column

  /// Whether an operation is to be sent, as the column has it: false for one that stays here, true once there is a hub.
  static func stored(_ isSent: Bool, as role: DeviceRole?) -> Bool? { isSent ? (role == nil ? nil : true) : false }

  /// Makes the indexes of the outbox: one of what waits, which is empty until the store is enrolled, so that a mark
  /// writes to it only where there is a hub; and one of what never leaves, which no mark is.
  static func createIndexes(in db: Database) throws {
    try db.execute(
      sql: """
        CREATE INDEX operation_waiting ON operation (sends, hubSeq) WHERE sends = 1 AND hubSeq IS NULL;
        CREATE INDEX operation_kept ON operation (sends, hubSeq) WHERE sends = 0;
        """)
  }

  /// Decides again of every operation whether it is to be sent.
  static func judgeAll(as role: DeviceRole?, in db: Database) throws {
    if role != nil { try db.execute(sql: "UPDATE operation SET sends = 1 WHERE sends IS NULL") }
    let update = try db.makeStatement(sql: "UPDATE operation SET sends = ? WHERE seq = ?")
    // What came from another device was sent by it.
    let own = try db.makeStatement(
      sql: """
        SELECT \(OperationTable.columns), seq FROM operation o WHERE entity = ? AND body IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM merged m WHERE m.device = o.device AND m.tx = o.tx)
        """)
    for entity in Catalogue.standard.entities where SendRule(role: nil).mayWithhold(entity) {
      let operations = try ReadRow.fetchCursor(own, arguments: [entity.name])
      var decided: [(number: Int64, sends: Bool?)] = []
      while let row = try operations.next() {
        let isSent = SendRule(role: role).owes(try OperationTable.operation(row)) ?? true
        decided.append((row[OperationTable.extra], stored(isSent, as: role)))
      }
      for (number, sends) in decided { try update.execute(arguments: [sends, number]) }
    }
  }
}
