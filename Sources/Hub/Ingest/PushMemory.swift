import Catalogue
import Journal
import Sync

/// What the checks of one push found out of the exam's rows, so that a sheet's marks ask for it once. It lives no longer
/// than the database's transaction, and forgets all as soon as an operation may have changed it.
final class PushMemory {
  /// A person at a station session.
  struct Seat: Hashable {
    let staff: Int64
    let timetable: Int64
  }

  private var lineages: [UUIDBytes: [UUIDBytes]] = [:]
  private var roles: [Int64: PersonRole?] = [:]
  private var seats: [Seat: Bool] = [:]
  private var sessions: [RowKey: RowKey?] = [:]
  private var locks: [LockCheck.Lock]?
  private var ruled: Set<String>?

  func lineage(of device: UUIDBytes, _ find: () throws -> [UUIDBytes]) rethrows -> [UUIDBytes] {
    try Self.known(device, &lineages, find)
  }

  func role(of staff: Int64, _ find: () throws -> PersonRole?) rethrows -> PersonRole? {
    try Self.known(staff, &roles, find)
  }

  func belongs(_ seat: Seat, _ find: () throws -> Bool) rethrows -> Bool { try Self.known(seat, &seats, find) }

  func session(above row: RowKey, _ find: () throws -> RowKey?) rethrows -> RowKey? {
    try Self.known(row, &sessions, find)
  }

  func standingLocks(_ find: () throws -> [LockCheck.Lock]) rethrows -> [LockCheck.Lock] {
    if let locks { return locks }
    let found = try find()
    locks = found
    return found
  }

  /// The operations on which a ruling stands, here or not.
  func ruledOn(_ find: () throws -> Set<String>) rethrows -> Set<String> {
    if let ruled { return ruled }
    let found = try find()
    ruled = found
    return found
  }

  private static func known<Key: Hashable, Found>(
    _ key: Key, _ known: inout [Key: Found], _ find: () throws -> Found
  ) rethrows -> Found {
    if let found = known[key] { return found }
    let found = try find()
    known[key] = found
    return found
  }

  /// Forgets what the operations of a transaction may have changed: all, unless they only fill in what is there.
  func note(_ transaction: [OpenedOperation]) {
    if !transaction.allSatisfy({ Self.isHarmless($0) }) { forget() }
  }

  /// Forgets everything.
  func forget() {
    (lineages, roles, seats, sessions, locks, ruled) = ([:], [:], [:], [:], nil, nil)
  }

  private static func isHarmless(_ opened: OpenedOperation) -> Bool {
    guard opened.operation.kind != .delete, let links = leaves[opened.operation.row.entity] else { return false }
    return opened.body?.fields.keys.allSatisfy { !links.contains($0) } ?? true
  }

  /// The entities of what is recorded, which no check asks about, by the fields that say what a row belongs to.
  private static let leaves: [String: Set<String>] = Dictionary(
    uniqueKeysWithValues: [
      "RatingQuestion", "DataQuestion", "DataSection", "DataForm", "Jot", "Comment", "CommentMetaCircuit",
      "CommentMetaStation", "CommentMetaStationCandidate", "TimetableAttendanceLog", "Sitting",
    ].compactMap { name in
      Catalogue.standard[name].map { (name, Set(Catalogue.standard.owners(of: $0).map(\.name) + ["timetable"])) }
    })
}
