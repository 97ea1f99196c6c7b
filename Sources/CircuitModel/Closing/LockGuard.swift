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
    "Sitting", "Device", "PasscodeAttempt", "StaffSignIn", "SyncInformation", "LastUpdate", "AssistanceRequested",
    "HallMessage", "Comment", "CommentMetaCircuit", "CommentMetaStation", "CommentMetaStationCandidate", "Jot",
  ]

  /// Whether a change goes on after a lock, by its entity and the fields that it sets.
  package static func isFree(_ entity: String, _ fields: [String: Value]) -> Bool {
    free.contains(entity) || (entity == "ExamRuling" && fields["kind"] == .text(ExamRuling.Kind.answer.rawValue))
  }

  private let locks: [ExamLock]

  /// - Returns: nil where nothing is locked.
  init?(_ db: Database) throws {
    let any = try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM examLock WHERE reopenedAt IS NULL AND dsDeleted = 0)")
    guard any == true else { return nil }
    locks = try ExamLock.standing(in: db).filter { $0.amendment == 0 }
    if locks.isEmpty { return nil }
  }

  /// - Throws: `LockRefusal` where a change would touch what is locked.
  func check(_ entity: Entity, _ key: String, _ fields: [String: Value], in db: Database) throws {
    if LockGuard.isFree(entity.name, fields) { return }
    if let lock = locks.first(where: \.scope.isExam) { throw LockRefusal(lock) }
    for place in try places(of: RowKey(entity: entity.name, id: key), creating: fields, in: db) {
      if let lock = locks.first(where: { $0.scope.covers(circuit: place.circuit, session: place.session) }) {
        throw LockRefusal(lock)
      }
    }
  }

  /// The sessions that a row belongs to, found by what it belongs to.
  private func places(
    of row: RowKey, creating fields: [String: Value], in db: Database
  ) throws -> [(circuit: String, session: String)] {
    var open = [row]
    var seen: Set<RowKey> = []
    // A row that is being made has no owners yet but those that it is given.
    if let entity = Catalogue.standard[row.entity] {
      for relationship in entity.relationships where relationship.isOwner {
        switch fields[relationship.name] {
        case .integer(let number): open.append(RowKey(entity: relationship.destination, id: String(number)))
        case .text(let text): open.append(RowKey(entity: relationship.destination, id: text))
        default: break
        }
      }
    }
    while let next = open.popLast() {
      guard seen.insert(next).inserted else { continue }
      if let found = try LockGuard.sessions(of: next, in: db) { return found }
      open += try RowTable.of(next.entity).ownership(of: next.id, in: db)?.owners ?? []
    }
    return []
  }

  /// The sessions of a row that has them itself; nil where it has not.
  private static func sessions(of row: RowKey, in db: Database) throws -> [(circuit: String, session: String)]? {
    let source: String
    switch row.entity {
    case "Timetable":
      source = """
        timetable t JOIN activityType a ON a.dsid = t.activityTypeID JOIN clinicGroup c ON c.dsid = a.clinicGroupID
        WHERE t.dsid
        """
    case "CircuitRun": source = "circuitRun t JOIN clinicGroup c ON c.dsid = t.circuitID WHERE t.uuid"
    case "SlotTable": source = "slotTable t JOIN clinicGroup c ON c.dsid = t.circuitID WHERE t.uuid"
    default: return nil
    }
    return try ReadRow.fetchAll(
      db.cachedStatement(sql: "SELECT c.name, t.date, t.startTime FROM \(source) = ?"), arguments: [row.id]
    ).map { ($0[0] ?? "", "\($0[1] ?? "") \($0[2] ?? "")") }
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
