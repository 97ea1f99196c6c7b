import CircuitModel
import ExamStore
import GRDB
import Journal
import Timer

/// Who made a change, when and why, as the journal has it.
public struct RecordedBy: Equatable, Sendable {
  /// The username of who made it; nil where nobody was signed in.
  public let staff: String?
  /// The name of who made it.
  public let name: String?
  /// When.
  public let time: Instant
  /// Why; nil where no reason was given.
  public let reason: String?
  /// The session's date: a change of another day says its own.
  private let day: String

  init(_ operation: Operation, of session: Session, _ usernames: Usernames, in db: Database) throws {
    day = session.date
    staff = operation.staff.flatMap { usernames[Int($0)] }
    name = try operation.staff.flatMap { try personName(of: $0, in: db) }
    time = operation.madeAt
    reason = OpenedOperation(operation).reason
  }

  /// `by Dr Davies at 10:02:11: fell ill`.
  var text: String {
    "by \(name ?? staff ?? "nobody known") at \(time.text(on: day))" + (reason.map { ": \($0)" } ?? "")
  }
}

/// That two candidates changed places from a round on, or that this was undone.
public struct SwapNote: Equatable, Sendable {
  /// The other candidate's number; nil where the exam does not know the candidate any more.
  public let other: String?
  /// From which round on.
  public let round: Int
  /// Whether it undid an earlier swap.
  public let isUndo: Bool
  /// Who recorded it, when and why.
  public let recorded: RecordedBy

  /// In one line: `Swapped places with 30102 from round 3 on by Dr Davies at 10:02:11: needs the lift`.
  public var text: String {
    "\(isUndo ? "Swap undone" : "Swapped places") with \(other ?? "nobody known") from round \(round) on \(recorded.text)"
  }
}

/// Why a candidate was absent, late, or added on the day.
public struct AttendanceNote: Equatable, Sendable {
  /// What was recorded of a candidate. The raw values are stable.
  public enum What: String, Sendable {
    /// The candidate was put on the roster on the day.
    case added
    /// The candidate was not there.
    case absent
    /// The candidate came late.
    case late
  }

  /// What was recorded.
  public let what: What
  /// Who recorded it, when and why.
  public let recorded: RecordedBy

  /// In one line: `Recorded absent by Dr Davies at 10:02:11: fell ill`.
  public var text: String {
    (what == .added ? "Added on the day" : "Recorded \(what.rawValue)") + " \(recorded.text)"
  }

  /// What stands of a roster entry's attendance.
  /// - Parameter swaps: the transactions of swaps: what they moved along was recorded at the other entry, with its own
  ///   reason.
  static func all(
    of entry: RosterEntry, in session: Session, swaps: Set<UUIDBytes>, _ usernames: Usernames, in db: Database
  ) throws -> [AttendanceNote] {
    var fields: [(AttendanceNote.What, Stored.TimetableAttendanceLog.Field)] = []
    if entry.isAdditional { fields.append((.added, .addedInApp)) }
    if entry.isPresent == false { fields.append((.absent, .present)) }
    if entry.lateAt != nil { fields.append((.late, .lateAt)) }
    var seen: Set<UUIDBytes> = []
    var notes: [AttendanceNote] = []
    for (what, field) in fields {
      guard let id = entry.shown[field.rawValue]?.last,
        let operation = try recorded(id, field.rawValue, swaps: swaps, in: db),
        operation.staff != nil, !seen.contains(operation.tx)
      else { continue }
      // Who is added after a round is recorded absent in it by the same change.
      seen.insert(operation.tx)
      notes.append(AttendanceNote(what: what, recorded: try RecordedBy(operation, of: session, usernames, in: db)))
    }
    return notes
  }

  /// The operation that recorded a value which stands by another: of a swap, the one that stood at the other entry of
  /// the round before; nil where nobody recorded it.
  private static func recorded(
    _ id: OperationID, _ field: String, swaps: Set<UUIDBytes>, in db: Database
  ) throws -> Operation? {
    var next = id
    // A swap that is undone and done again leads back and forth, but never to the same operation twice.
    var seen: Set<OperationID> = []
    while seen.insert(next).inserted, let operation = try OperationTable.find(next, in: db) {
      if !swaps.contains(operation.tx) { return operation }
      let first = operation.deviceSeq - Int64(operation.txIndex)
      let other = try String.fetchOne(
        db,
        sql: """
          SELECT o.id FROM operation o JOIN timetableAttendanceLog x ON x.uuid = o.entityID
            JOIN timetableAttendanceLog e ON e.uuid = ?1 AND e."order" = x."order"
          WHERE o.device = ?2 AND o.deviceSeq BETWEEN ?3 AND ?4 AND o.tx = ?5
            AND o.entity = 'TimetableAttendanceLog' AND o.entityID <> ?1
          """,
        arguments: [
          operation.row.id, operation.device.description, first, first + Int64(operation.txSize) - 1,
          operation.tx.description,
        ])
      guard let other = other.flatMap({ OperationID($0) }), let moved = try OperationTable.find(other, in: db),
        let before = OpenedOperation(moved).body?.replaces[field]?.last
      else { return nil }
      next = before
    }
    return nil
  }
}
