import Catalogue
import CircuitModel
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

  /// A person on a device: what is passed on together is of several.
  struct SignIn: Hashable {
    let staff: Int64
    let device: UUIDBytes
  }

  private var lineages: [UUIDBytes: [UUIDBytes]] = [:]
  private var roles: [Int64: PersonRole?] = [:]
  private var seats: [Seat: Bool] = [:]
  private var sessions: [RowKey: RowKey?] = [:]
  private var locks: [LockCheck.Lock]?
  private var ruled: Set<String>?
  private var signIns: [SignIn: [SessionTable.Span]] = [:]
  private var parts: [UUIDBytes: [DeviceScope.Part]] = [:]
  private var owned: [RowKey: (device: UUIDBytes, isOwn: Bool)] = [:]

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

  /// Whether nobody but a device, and those whose place it took, wrote a row.
  func isOwn(_ row: RowKey, of device: UUIDBytes, _ find: () throws -> Bool) rethrows -> Bool {
    if let known = owned[row], known.device == device { return known.isOwn }
    let found = try find()
    owned[row] = (device, found)
    return found
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

  /// When a person had sessions open on a device, or those whose place it took: no operation changes that.
  func spans(of signIn: SignIn, _ find: () throws -> [SessionTable.Span]) rethrows -> [SessionTable.Span] {
    try Self.known(signIn, &signIns, find)
  }

  /// What of the exam a device has and had: no operation changes that.
  func parts(of device: UUIDBytes, _ find: () throws -> [DeviceScope.Part]) rethrows -> [DeviceScope.Part] {
    try Self.known(device, &parts, find)
  }

  private static func known<Key: Hashable, Found>(
    _ key: Key, _ known: inout [Key: Found], _ find: () throws -> Found
  ) rethrows -> Found {
    if let found = known[key] { return found }
    let found = try find()
    known[key] = found
    return found
  }

  /// Forgets what the operations of a transaction may have changed.
  func note(_ transaction: [OpenedOperation]) {
    for opened in transaction {
      let operation = opened.operation
      // What the device itself writes changes nothing of whose the row is.
      if let known = owned[operation.row], known.device != operation.device { owned[operation.row] = nil }
      switch operation.row.entity {
      case Stored.Staff.entityName, Stored.Config.entityName: roles = [:]
      case Stored.Timetable.entityName, Stored.AdditionalStaff.entityName: seats = [:]
      case Stored.ExamLock.entityName: locks = nil
      // It lets in what was kept back, whatever that is.
      case Ruling.entity: forget()
      default: break
      }
      if Self.mayMove(opened) { sessions = [:] }
    }
  }

  /// Forgets everything that operations can change.
  func forget() {
    (lineages, roles, seats, sessions, locks, ruled, owned) = ([:], [:], [:], [:], nil, nil, [:])
  }

  /// Whether an operation says what a row belongs to.
  private static func mayMove(_ opened: OpenedOperation) -> Bool {
    guard let links = links[opened.operation.row.entity] else { return true }
    return opened.body?.fields.keys.contains { links.contains($0) } ?? true
  }

  private static let links = ArrivalRows.ways.mapValues { Set($0.map(\.name)) }
}
