import Catalogue
import ExamStore
import GRDB
import Journal
import Timer

/// Keeps changes away from what two people have locked. Every change of this machine is asked about where it is
/// written, so that no rule can forget to ask.
package struct LockGuard {
  /// What goes on after a lock: who sits where, help, messages and comments.
  private static let free: Set<String> = [
    "LastUpdate", Stored.Sitting.entityName, Stored.Device.entityName, Stored.PasscodeAttempt.entityName,
    Stored.StaffSignIn.entityName, Stored.SyncInformation.entityName, Stored.AssistanceRequested.entityName,
    Stored.HallMessage.entityName, Stored.Comment.entityName, Stored.CommentMetaCircuit.entityName,
    Stored.CommentMetaStation.entityName, Stored.CommentMetaStationCandidate.entityName, Stored.Jot.entityName,
  ]

  /// Whether a change goes on after a lock, by its entity and the fields that it sets.
  package static func isFree(_ entity: String, _ fields: [String: Value]) -> Bool {
    free.contains(entity)
      || (entity == Stored.ExamRuling.entityName
        && fields[Stored.ExamRuling.Field.kind] == .text(ExamRuling.Kind.answer.rawValue))
  }

  private let locks: [ExamLock]

  /// - Returns: nil where nothing is locked.
  package init?(_ db: Database) throws {
    let any = try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM examLock WHERE reopenedAt IS NULL AND dsDeleted = 0)"))
    guard any == true else { return nil }
    locks = try ExamLock.standing(in: db).filter { $0.amendment == 0 }
    if locks.isEmpty { return nil }
  }

  /// - Throws: `LockRefusal` where a change would touch what is locked.
  func check(_ entity: Entity, _ key: String, _ fields: [String: Value], in db: Database) throws {
    if LockGuard.isFree(entity.name, fields) { return }
    let row = RowKey(entity: entity.name, id: key)
    if let lock = try ExamLock.keeping(places(of: row, creating: fields, in: db), among: locks) {
      throw LockRefusal(lock)
    }
  }

  /// Whether a row is locked.
  func keeps(_ row: RowKey, in db: Database) throws -> Bool {
    try ExamLock.keeping(places(of: row, creating: [:], in: db), among: locks) != nil
  }

  /// Tells whether an operation touches what is locked, and is none of what was locked: its device's chain had ended
  /// there.
  func late() -> (Journal.Operation, [String: Value], Database) throws -> Bool {
    let recorded = locks.map { lock in
      (lock: lock, ends: Dictionary(LockHead.recorded(by: lock).map { ($0.device, $0.seq) }, uniquingKeysWith: max))
    }
    return { operation, fields, db in
      let row = operation.row
      if LockGuard.isFree(row.entity, fields) || row.entity == Ruling.entity { return false }
      let passed = recorded.filter { operation.deviceSeq > $0.ends[operation.device.description] ?? 0 }
      return try ExamLock.keeping(places(of: row, creating: fields, in: db), among: passed.map(\.lock)) != nil
    }
  }

  /// The lock, or its last amendment, that covers a row; nil where none does.
  package static func covering(
    _ row: RowKey, creating fields: [String: Value], in db: Database
  ) throws -> ExamLock? {
    guard let here = try LockGuard(db) else { return nil }
    return try ExamLock.covering(here.places(of: row, creating: fields, in: db), in: db)
  }

  /// The sessions that a row belongs to, found by what it belongs to.
  private func places(
    of row: RowKey, creating fields: [String: Value], in db: Database
  ) throws -> [ExamLock.Place] {
    let renamed = try LockGuard.sessions(renamed: row, fields, in: db)
    if !renamed.isEmpty { return renamed }
    var rows = [row]
    // A row that is being made has no owners yet but those that it is given.
    if let entity = Catalogue.standard[row.entity] {
      let owners = entity.relationships.filter(\.isOwner)
      rows += owners.compactMap { RowKey(fields[$0.name], of: $0.destination) }
    }
    var sessions: [ExamLock.Place]?
    try RowTable.walkUp(from: rows, in: db) { row in
      sessions =
        try row.entity == Stored.ExamRuling.entityName
        ? LockGuard.sessions(ruled: row.id, creating: fields, in: db) : LockGuard.sessions(of: row, in: db)
      return sessions == nil
    }
    return sessions ?? []
  }

  /// The place of a row with a circuit's name, a date and a start.
  private static func place(_ row: ReadRow) -> ExamLock.Place {
    (row[0] ?? "", "\(row[1] as String? ?? "") \(row[2] as String? ?? "")")
  }

  /// The sessions of a circuit that is given another name; none of what is no circuit, or keeps its name. A lock goes by
  /// that name.
  private static func sessions(
    renamed row: RowKey, _ fields: [String: Value], in db: Database
  ) throws -> [ExamLock.Place] {
    guard row.entity == Stored.ClinicGroup.entityName, let name = fields[Stored.ClinicGroup.Field.name]
    else { return [] }
    return try ReadRow.fetchAll(
      db,
      sql: """
        SELECT DISTINCT c.name, t.date, t.startTime FROM timetable t JOIN activityType a ON a.dsid = t.activityTypeID
        JOIN clinicGroup c ON c.dsid = a.clinicGroupID WHERE c.dsid = ?
        """, arguments: [row.id]
    ).map(place).filter { .text($0.circuit) != name }
  }

  /// The sessions whose result a ruling may change. A waiver that names no place is of none.
  private static func sessions(
    ruled key: String, creating fields: [String: Value], in db: Database
  ) throws -> [ExamLock.Place] {
    let names = ["kind", "circuit", "session", "station", "candidate", "sheet"]
    let stored = try ReadRow.fetchOne(
      db, sql: "SELECT \(names.joined(separator: ", ")) FROM examRuling WHERE uuid = ?", arguments: [key])
    let told = names.enumerated().map { place, name -> String? in
      if case .text(let text) = fields[name] { text } else { stored.flatMap { $0[place] } }
    }
    if told[0] == ExamRuling.Kind.waiver.rawValue, told.dropFirst().allSatisfy({ $0 == nil }) { return [] }
    return try ReadRow.fetchAll(
      db,
      sql: """
        SELECT DISTINCT g.name, t.date, t.startTime FROM timetable t JOIN activityType a ON a.dsid = t.activityTypeID
        JOIN clinicGroup g ON g.dsid = a.clinicGroupID
        WHERE (?1 IS NULL OR g.name = ?1) AND (?2 IS NULL OR \(Session.nameSQL) = ?2)
          AND (?3 IS NULL OR \(StationSession.codeSQL) = ?3)
          AND (?4 IS NULL OR EXISTS (
            SELECT 1 FROM timetableAttendanceLog e JOIN user u ON u.dsid = \(SlotChanges.candidate)
            WHERE e.timetableID = t.dsid AND e.dsDeleted = 0 AND ?4 IN (u.studentNumber, \(CandidateLabel.column))))
          AND (?5 IS NULL OR EXISTS (
            SELECT 1 FROM dataForm f JOIN timetableAttendanceLog e ON e.uuid = f.attendanceLogID
            WHERE f.uuid = ?5 AND e.timetableID = t.dsid))
        """, arguments: StatementArguments(told.dropFirst().map { $0?.databaseValue ?? .null })
    ).map(place)
  }

  /// The sessions of a row that has them itself; nil where it has not.
  private static func sessions(of row: RowKey, in db: Database) throws -> [ExamLock.Place]? {
    let source: String
    switch row.entity {
    case Stored.Timetable.entityName:
      source = """
        timetable t JOIN activityType a ON a.dsid = t.activityTypeID JOIN clinicGroup c ON c.dsid = a.clinicGroupID
        WHERE t.dsid
        """
    case Stored.CircuitRun.entityName: source = "circuitRun t JOIN clinicGroup c ON c.dsid = t.circuitID WHERE t.uuid"
    case Stored.SlotTable.entityName: source = "slotTable t JOIN clinicGroup c ON c.dsid = t.circuitID WHERE t.uuid"
    default: return nil
    }
    return try ReadRow.fetchAll(
      db.cachedStatement(sql: "SELECT c.name, t.date, t.startTime FROM \(source) = ?"), arguments: [row.id]
    ).map(place)
  }
}

/// Why a change of something locked is not made.
public struct LockRefusal: RuleRefusal {
  /// What is locked.
  public let scope: ExamLock.Scope
  /// When it was locked.
  public let at: Instant?
  /// Who locked it, by username.
  public let staff: [String]

  init(_ lock: ExamLock) { (scope, at, staff) = (lock.scope, lock.lockedAt, lock.staff) }
}
