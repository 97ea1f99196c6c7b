import CircuitModel
import ExamStore
import Journal
import Sync

/// Holds operations against what two people have locked: what was made without knowing of it waits for a person.
struct LockCheck {
  private let locks: [Lock]
  private let rows: ComingRows

  /// A lock that stands.
  struct Lock {
    let scope: ExamLock.Scope
    /// Where each device's chain ended when it was locked: what is before belongs to what was locked.
    let ends: [String: Int64]
  }

  init(_ tables: IngestTables, _ rows: ComingRows, transaction: [OpenedOperation]) throws {
    self.rows = rows
    // What two people answer for, a lock, its opening or an amendment, is held against none.
    let isLifted = transaction.contains { LockChange.isLifting($0.operation.row.entity, $0.body?.fields ?? [:]) }
    locks = try isLifted ? [] : tables.memory.standingLocks { try Self.standing(rows.rows) }
  }

  /// Whether an operation touches what is locked, and is none of what was locked.
  func isLocked(_ opened: OpenedOperation) throws -> Bool {
    guard !locks.isEmpty, let body = opened.body else { return false }
    let (operation, entity) = (opened.operation, opened.operation.row.entity)
    if LockGuard.isFree(entity, body.fields) || entity == Ruling.entity { return false }
    let late = locks.filter { operation.deviceSeq > $0.ends[operation.device.description] ?? 0 }
    if late.isEmpty { return false }
    if late.contains(where: \.scope.isExam) { return true }
    // A lock goes by the circuit's name, and one of a session by those of all that may have it.
    if let name = try nameBefore(operation.row, body.fields) {
      return late.contains { $0.scope.circuit == nil || $0.scope.circuit == name }
    }
    guard let place = try place(of: operation.row) else { return false }
    return late.contains { $0.scope.covers(circuit: place.circuit, session: place.session) }
  }

  /// The name of a circuit that is given another one; nil of what is no circuit, or keeps its name.
  private func nameBefore(_ row: RowKey, _ fields: [String: Value]) throws -> String? {
    guard row.entity == Stored.ClinicGroup.entityName, let name = fields[Stored.ClinicGroup.Field.name],
      let before = try rows.rows.text("name", of: row), name != .text(before)
    else { return nil }
    return before
  }

  /// The locks that stand.
  private static func standing(_ rows: ExamRows) throws -> [Lock] {
    try rows.keys(of: Stored.ExamLock.entityName, having: "lockedAt").compactMap { key in
      let row = Stored.ExamLock.row(key)
      guard case .integer? = try rows.value("lockedAt", of: row), try rows.integer("reopenedAt", of: row) == nil,
        try rows.integer("amendment", of: row) ?? 0 == 0, try !rows.isGone(row)
      else { return nil }
      let scope = ExamLock.Scope(circuit: try rows.text("circuit", of: row), session: try rows.text("session", of: row))
      return Lock(scope: scope, ends: ends(in: try rows.text("content", of: row) ?? ""))
    }
  }

  private static func ends(in content: String) -> [String: Int64] {
    guard case .array(let heads)? = (try? WireJSON.decode(Array(content.utf8)))?["heads"] else { return [:] }
    return Dictionary(
      heads.compactMap { head in head["device"]?.text.flatMap { device in head["seq"]?.integer.map { (device, $0) } } },
      uniquingKeysWith: { max($0, $1) })
  }

  /// The session that a row belongs to; nil where it belongs to none that is known here.
  private func place(of row: RowKey) throws -> (circuit: String, session: String)? {
    let holders: Set = [Stored.Timetable.entityName, Stored.CircuitRun.entityName, Stored.SlotTable.entityName]
    guard let holder = try rows.nearest(holders, above: row) else { return nil }
    let circuit =
      holder.entity == Stored.Timetable.entityName
      ? try rows.value("activityType", of: holder).flatMap { try circuitOfStation($0) }
      : try rows.value("circuit", of: holder)
    guard case .integer(let key)? = circuit else { return nil }
    let name = try rows.text("name", of: Stored.ClinicGroup.row(Int(key))) ?? ""
    let (date, start) = (try rows.text("date", of: holder) ?? "", try rows.text("startTime", of: holder) ?? "")
    return (name, "\(date) \(start)")
  }

  private func circuitOfStation(_ station: Value) throws -> Value? {
    guard case .integer(let key) = station else { return nil }
    return try rows.value("clinicGroup", of: Stored.ActivityType.row(Int(key)))
  }
}
