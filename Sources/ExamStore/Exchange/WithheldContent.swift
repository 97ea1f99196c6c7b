import Catalogue
import GRDB
import Journal

import struct Foundation.Data

/// The content of operations that the hub has without it: a plan that was imported here before the store was enrolled.
///
/// On a row of which others have sent something it counts for nothing any more, as it does for them, and is kept here. A
/// row that only this store has stays as it is: nothing stands in its place.
package enum WithheldContent {
  static func createTable(in db: Database) throws {
    try db.execute(
      sql: "CREATE TABLE withheldContent (id TEXT NOT NULL, hash BLOB NOT NULL, body BLOB NOT NULL, "
        + "PRIMARY KEY (id, hash)) WITHOUT ROWID")
  }

  /// The operations whose content is kept so.
  static func operations(_ db: Database) throws -> Set<OperationID> {
    guard try db.holdsTable("withheldContent") else { return [] }
    return Set(try String.fetchAll(db, sql: "SELECT id FROM withheldContent").compactMap { OperationID($0) })
  }

  /// Whether what was imported of an entity gives way to what comes from others.
  static func givesWay(_ entity: String) -> Bool {
    let direction = Catalogue.standard[entity]?.sync
    return direction == .down || direction == .both
  }

  /// Whether a hub has what operations of one device set on a row: each value is one that the row has had there. Of
  /// two values with a salt each nothing says whether they are of one secret.
  /// - Parameter history: all that is here of the row.
  static func areAtHub(_ operations: [Operation], in history: [Operation]) -> Bool {
    let ofHub = history.filter { $0.device != operations.first?.device && $0.hubSeq != nil }
    // What was erased there, or is no longer given to this device, can have been the same.
    if ofHub.contains(where: { $0.sealedBody == nil && $0.absent != .withheld }) { return true }
    return areAtHub(
      operations.compactMap { OpenedOperation($0).body }, of: operations.first?.row.entity ?? "", among: ofHub)
  }

  private static func areAtHub(_ bodies: [OperationBody], of entity: String, among ofHub: [Operation]) -> Bool {
    var known: [String: Set<Value>] = [:]
    for body in ofHub.compactMap({ OpenedOperation($0).body }) {
      for (field, value) in body.fields { known[field, default: [.null]].insert(value) }
    }
    var own: [String: Value] = [:]
    for body in bodies { own.merge(body.fields) { $1 } }
    return own.allSatisfy { field, value in
      let values = known[field, default: [.null]]
      let isSalted = value != .null && Catalogue.standard.isSalted(field, of: entity)
      return values.contains(value) || isSalted && values.contains { $0 != .null }
    }
  }

  /// The rows that were imported here and hold something else at the hub, whose import stands.
  static func differingRows(_ db: Database) throws -> Set<RowKey> {
    Set(
      try bodies(in: db).filter { row, bodies in
        let ofHub = try OperationTable.history(of: row, in: db).filter { $0.hubSeq != nil && $0.sealedBody != nil }
        return !areAtHub(bodies, of: row.entity, among: ofHub)
      }.keys)
  }

  /// What is kept of each row, in the order of the journal.
  static func bodies(in db: Database) throws -> [RowKey: [OperationBody]] {
    guard try db.holdsTable("withheldContent") else { return [:] }
    var bodies: [RowKey: [OperationBody]] = [:]
    let kept = try ReadRow.fetchCursor(
      db,
      sql: """
        SELECT o.entity, o.entityID, w.body FROM withheldContent w JOIN operation o ON o.id = w.id AND o.hash = w.hash
        ORDER BY o.seq
        """)
    while let row = try kept.next() {
      let (entity, key): (String, String) = (try row.held(0), try row.held(1))
      if let bytes = try row.bytes(2), let body = try? OperationBody.decode(sealed: bytes) {
        bodies[RowKey(entity: entity, id: key), default: []].append(body)
      }
    }
    return bodies
  }

  /// Destroys what is kept of an operation.
  /// - Returns: whether there was any.
  static func destroy(_ id: OperationID, in db: Database) throws -> Bool {
    guard try db.holdsTable("withheldContent") else { return false }
    try db.cachedStatement(sql: "DELETE FROM withheldContent WHERE id = ?").execute(arguments: [id.description])
    return db.changesCount > 0
  }

  fileprivate static func keep(_ operation: Operation, in db: Database) throws {
    guard let body = operation.sealedBody else { return }
    try db.cachedStatement(sql: "INSERT OR IGNORE INTO withheldContent (id, hash, body) VALUES (?, ?, ?)").execute(
      arguments: [operation.id.description, Data(operation.hash), Data(body)])
  }
}

extension MergeTransaction {
  /// Keeps from the hub what this device imported of rows that are in the hub's import, too: two imports of one folder
  /// differ in the salts of its passcodes. The first pull comes before the first push, so nothing of it was sent.
  ///
  /// What a role that sends the plan imported otherwise than the hub is sent: a person says which of the values stands.
  func withholdOwnImport() throws {
    let sendsDown = try Enrolment.role(db)?.sendsDown ?? false
    let made = try OperationTable.fetch(
      """
      sends = 1 AND hubSeq IS NULL AND device = ?1 AND kind = 'create' AND EXISTS (
        SELECT 1 FROM operation x WHERE x.entity = operation.entity AND x.entityID = operation.entityID
          AND x.kind = 'create' AND x.device <> ?1 AND x.body IS NOT NULL
          AND x.hubSeq IS NOT NULL)
      """, [device.description], in: db)
    for row in Set(try made.filter { try isImported($0) }.map(\.row)).sorted() {
      let history = try OperationTable.history(of: row, in: db)
      let imported = try history.filter { try $0.device == device && $0.hubSeq == nil && isImported($0) }
      if sendsDown, !WithheldContent.areAtHub(imported, in: history) { continue }
      for operation in imported {
        try db.cachedStatement(sql: "UPDATE operation SET sends = 0 WHERE id = ? AND hash = ?").execute(
          arguments: [operation.id.description, Data(operation.hash)])
      }
    }
  }

  /// Lets the hub's value of a salted field stand on rows that were imported here and are sent for the sake of their
  /// other fields: nobody can choose between two hashes.
  func settleImportedSecrets(by clock: ExamClock) throws {
    guard try Enrolment.role(db)?.sendsDown == true else { return }
    let forks = try ReadRow.fetchAll(
      db,
      sql: """
        SELECT DISTINCT f.entity, f.entityID, f.field
        FROM fork f JOIN operation o ON o.entity = f.entity AND o.entityID = f.entityID
        WHERE o.device = ? AND o.kind = 'create' AND o.sends = 1 AND o.hubSeq IS NULL ORDER BY 1, 2, 3
        """, arguments: [device.description]
    ).map { (row: RowKey(entity: $0[0], id: $0[1]), field: $0[2] as String) }
      .filter { Catalogue.standard.isSalted($0.field, of: $0.row.entity) }
    if forks.isEmpty { return }
    let transaction = try JournalTransaction(db, author: .program, device: device, knowing: knowledge, clock: clock)
    // What a lock closes the hub decides, as of the import itself.
    transaction.isLockLifted = true
    for (row, field) in forks {
      let heads = try RowTable.of(row.entity).heads(of: row.id, in: db)?[field] ?? []
      let operations = try heads.compactMap { try OperationTable.find($0, in: db) }
      let own = operations.filter { $0.device == device }
      let ofHub = operations.filter { $0.device != device && $0.hubSeq != nil }.max { $0.hlc < $1.hlc }
      guard let ofHub, let value = OpenedOperation(ofHub).body?.fields[field], value != .null,
        try own.allSatisfy({ try isImported($0) })
      else { continue }
      try transaction.set(
        row.entity, row.id, [field: value], shown: [field: heads], source: OperationBody.imported)
    }
    try transaction.seal()
  }

  private func isImported(_ operation: Journal.Operation) throws -> Bool {
    try operation.body().map { SendRule.isImported(operation.row, $0) } ?? false
  }

  /// Puts aside what this device set on rows and the hub has without content, where others have set something there.
  func giveWay(on rows: Set<RowKey>) throws {
    // Next to no store has imported anything before it was enrolled: its rows are not looked at one by one.
    let holdsPlan = try Bool.fetchOne(
      db.cachedStatement(
        sql: "SELECT EXISTS (SELECT 1 FROM operation WHERE sends = 0 AND result = ? AND body IS NOT NULL)"),
      arguments: [HubResult.withheld.description])
    guard holdsPlan == true else { return }
    var aside: [Journal.Operation] = []
    for row in rows.sorted() where WithheldContent.givesWay(row.entity) {
      let history = try OperationTable.history(of: row, in: db)
      guard history.contains(where: { $0.device != device && $0.sealedBody != nil }) else { continue }
      aside += try history.filter { operation in
        try operation.device == device && operation.sealedBody != nil
          && operation.result == HubResult.withheld.description && isOfPlan(operation)
      }
    }
    for operation in aside { try WithheldContent.keep(operation, in: db) }
    try withhold(aside)
  }

  private func isOfPlan(_ operation: Journal.Operation) throws -> Bool {
    let entity = Catalogue.standard[operation.row.entity]
    if entity?.sync == .down || entity?.isRecordOfPlan == true { return true }
    return try operation.body().map { SendRule.isImportedPlan(operation.row, $0) } ?? false
  }
}
