import ExamStore
import GRDB
import Journal

extension HallAction {
  /// - Throws: `LockRefusal` where it changed something that is locked by now: it is neither undone nor done again.
  package func check(_ locks: LockGuard?, in db: Database) throws {
    guard let locks else { return }
    for operation in try operations.compactMap({ try OperationTable.find($0, in: db) }) {
      let row = operation.row
      try locks.check(RowTable.of(row.entity).entity, row.id, operation.body()?.fields ?? [:], in: db)
    }
  }

  /// Takes the action back where it is not one of the clock, or does it again where it is such an undoing.
  /// - Throws: `UndoRefusal` if somebody has changed the same since, `SlotSwapRefusal` if a candidate would lose a place
  ///   to which something binds them by now.
  public func takeBack(_ transaction: JournalTransaction) throws {
    var others: [OperationID] = []
    var additions: [Operation] = []
    var isExtra = false
    if case .extra = what { isExtra = true }
    let made = try operations.map { id in
      guard let operation = try OperationTable.find(id, in: transaction.db) else { throw UndoRefusal.nothingLeft }
      return operation
    }
    let rows = made.map(\.row)
    let boards = try boardsOfSwaps(among: rows, in: transaction.db)
    for operation in made {
      let id = operation.id
      // These rows are found by keys that follow from what they are about: one that was deleted could not be made
      // again.
      switch (operation.kind, operation.row.entity) {
      case (.create, Stored.SlotTable.entityName):
        try transaction.emptySlots(operation)
      case (.create, Stored.RerunEntry.entityName):
        try RerunQueue.withdraw(operation.row.id, undoing: [id], transaction)
      // A place in the queue that came back with its candidate was set, not made.
      case (.set, Stored.RerunEntry.entityName)
      where try isExtra
        && operation.body()?.fields[Stored.RerunEntry.Field.status] == .text(RerunItem.Status.queued.rawValue):
        try RerunQueue.withdraw(operation.row.id, undoing: [id], transaction)
      case (_, Stored.TimetableAttendanceLog.entityName) where try HallActions.adds(operation):
        additions.append(operation)
      // A candidate who came back with the entries stays known: nothing is left that names a station.
      case (.set, Stored.Student.entityName) where isExtra: continue
      default: others.append(id)
      }
    }
    for operation in additions.reversed() { try transaction.takeOff(operation) }
    let seen = try checkedEntries(among: rows, in: transaction.db)
    if !others.isEmpty { try transaction.undo(others) }
    for key in seen { try transaction.keepPresent(key) }
    for board in boards { try SlotChanges.checkMoves(since: board, in: transaction.db) }
  }

  /// The roster entries that the action changed at which the identity step was passed, or marks were typed from paper,
  /// and nobody has recorded absence since.
  private func checkedEntries(among rows: [RowKey], in db: Database) throws -> [String] {
    let entries = rows.filter { $0.entity == Stored.TimetableAttendanceLog.entityName }.map(\.id)
    return try Roster.entries(keys: Set(entries).sorted(), in: db).values
      .filter { try $0.isPresent == true && ($0.identityCheckedAt != nil || UsedEntry.isMarked($0.key, in: db)) }
      .map(\.key)
  }

  /// The sessions whose slot tables the action changed, as they stand.
  private func boardsOfSwaps(among rows: [RowKey], in db: Database) throws -> [HallBoard] {
    let tables = rows.filter { $0.entity == Stored.SlotTable.entityName }
    return try Set(tables).compactMap { table in
      try ReadRow.fetchOne(
        db, sql: "SELECT circuitID, date, startTime FROM slotTable WHERE uuid = ?", arguments: [table.id])
    }.map { try HallBoard.read(Session(circuit: $0[0], date: $0[1], startTime: $0[2]), in: db) }
  }
}

extension JournalTransaction {
  /// Takes an entry of an extra candidate off its roster; what was queued for the re-run goes with it.
  /// - Throws: `UndoRefusal` if something is recorded of it by now.
  fileprivate func takeOff(_ addition: Operation) throws {
    let row = addition.row
    let isUsed = try Bool.fetchOne(
      db,
      sql: """
        SELECT coalesce(e.present, 0) = 1 OR e.identityCheckedAt IS NOT NULL OR \(UsedEntry.hasNotes) OR \(UsedEntry.isMarked)
        FROM timetableAttendanceLog e WHERE e.uuid = ? AND e.dsDeleted = 0
        """, arguments: [row.id])
    guard let isUsed else { throw UndoRefusal.nothingLeft }
    if isUsed { throw UndoRefusal.changedSince(by: nil) }
    _ = try delete(row.entity, row.id, undoing: [addition.id])
  }

  /// Records a candidate whom an assessor has seen as present where an undo has taken that away.
  fileprivate func keepPresent(_ key: String) throws {
    guard let entry = try Roster.entry(key, seat: .lead, in: db), entry.isPresent != true else { return }
    try Attendance.set([.present(true)], of: entry, in: self)
  }

  /// - Throws: `UndoRefusal` if the table holds other places than those it was made with.
  fileprivate func emptySlots(_ operation: Journal.Operation) throws {
    let (key, made) = (operation.row.id, try operation.body()?.fields[Stored.SlotTable.Field.places])
    let places = try String.fetchOne(db, sql: "SELECT places FROM slotTable WHERE uuid = ?", arguments: [key])
    guard let places, made == .text(places) else { throw UndoRefusal.changedSince(by: nil) }
    try set(Stored.SlotTable.self, key, [.places("[]")], undoing: [operation.id])
  }
}
