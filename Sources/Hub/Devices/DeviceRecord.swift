import ExamStore
import Journal
import Sync

/// A device as the hub keeps it: one chain of operations, and a place at one exam.
struct DeviceRecord {
  let id: UUIDBytes
  var name: String
  /// What it may do; nil: it is the hub's own, and may do all.
  var role: DeviceRole?
  var tokenHash: [UInt8]?
  /// Where its chain ends here.
  var last: ChainTip
  /// The latest time of its operations.
  var lastTime: HybridTime
  /// Up to this number of the log everything lies on its disk.
  var held: Int64
  var note: DeviceNote
  /// When it last asked.
  var seen: Int64?
  var scopeVersion: Int64
  /// What of the exam it is given now.
  var atoms: [String] = []
  /// The device whose place it took after a fork.
  var continues: UUIDBytes?
  var isRevoked: Bool

  /// A device of which nothing came yet.
  init(_ id: UUIDBytes, name: String, role: DeviceRole?) {
    self.id = id
    self.name = name
    self.role = role
    last = ChainTip(device: id, deviceSeq: 0, hash: Operation.genesisHash)
    lastTime = HybridTime(raw: 0)
    (held, scopeVersion, isRevoked) = (0, 1, false)
    note = DeviceNote(waiting: 0)
  }

  /// As answers name it.
  var described: HubDevice {
    HubDevice(id: id, role: roleName, last: last, scope: scope)
  }

  var roleName: String { role?.rawValue ?? Self.hubRole }

  /// What of the exam it is given.
  var scope: SyncScope { SyncScope(version: scopeVersion, atoms: role == nil ? [ScopeAtom.all] : atoms) }

  /// Whether it is shown what did not count of others.
  var seesRefused: Bool {
    switch role {
    case nil, .lead, .office, .auditor: true
    case .station, .desk, .display: false
    }
  }

  private static let hubRole = "hub"

  fileprivate init(_ row: HubRow) throws {
    id = try row.id(0)
    name = try row.text(1)
    let word = try row.text(2)
    role = DeviceRole(rawValue: word)
    if role == nil && word != Self.hubRole { throw HubDamage(what: "a device has no known role") }
    tokenHash = try row.bytes(ifAny: 3)
    last = ChainTip(device: id, deviceSeq: try row.integer(4), hash: try row.bytes(5))
    lastTime = HybridTime(raw: try row.integer(6))
    held = try row.integer(7)
    let (offset, bound) = (try row.integer(ifAny: 10), try row.integer(ifAny: 11))
    note = DeviceNote(
      waiting: try row.integer(8),
      clock: offset.flatMap { offset in bound.map { DeviceNote.Clock(offset: offset, bound: $0) } })
    seen = try row.integer(ifAny: 9)
    scopeVersion = try row.integer(12)
    continues = try row.text(ifAny: 13).flatMap { UUIDBytes($0) }
    isRevoked = try row.flag(14)
  }
}

/// The devices of one exam.
struct DeviceTable {
  let connection: any HubConnection
  let exam: UUIDBytes

  private static let columns = """
    device, name, role, tokenHash, last, lastHash, lastHlc, held, waiting, seen, clockOffset, clockBound, scopeVersion, \
    continues, revoked
    """

  func find(_ device: UUIDBytes) throws -> DeviceRecord? {
    try connection.row(
      "SELECT \(Self.columns) FROM device WHERE exam = ? AND device = ?", [HubValue(exam), HubValue(device)]
    ).map { row in
      var record = try DeviceRecord(row)
      record.atoms = try DeviceScope(connection: connection, exam: exam).current(of: device)
      return record
    }
  }

  /// The hub's own device, whose chain holds imports and rulings.
  static func own(of log: ExamLog) throws -> DeviceRecord {
    guard let device = try DeviceTable(connection: log.beside, exam: log.exam).find(log.hubDevice) else {
      throw HubDamage(what: "the hub's own device is missing")
    }
    return device
  }

  /// All of them, in the order in which they came.
  func all() throws -> [DeviceRecord] {
    try connection.rows("SELECT \(Self.columns) FROM device WHERE exam = ? ORDER BY number", [HubValue(exam)])
      .map { try DeviceRecord($0) }
  }

  func insert(_ device: DeviceRecord) throws {
    try connection.run(
      """
      INSERT INTO device (exam, device, number, name, role, tokenHash, last, lastHash, lastHlc, held, waiting, seen,
        scopeVersion, continues, revoked)
      VALUES (?, ?, (SELECT coalesce(max(number), 0) + 1 FROM device WHERE exam = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        HubValue(exam), HubValue(device.id), HubValue(exam), .text(device.name), .text(device.roleName),
        HubValue(device.tokenHash), .integer(device.last.deviceSeq), .bytes(device.last.hash),
        .integer(device.lastTime.raw), .integer(device.held), .integer(device.note.waiting), HubValue(device.seen),
        .integer(device.scopeVersion), HubValue(device.continues?.description), HubValue(device.isRevoked),
      ])
  }

  /// Writes what a place at the exam is: name, role, token, whether it was revoked.
  func savePlace(of device: DeviceRecord) throws {
    try connection.run(
      "UPDATE device SET name = ?, role = ?, tokenHash = ?, revoked = ? WHERE exam = ? AND device = ?",
      [
        .text(device.name), .text(device.roleName), HubValue(device.tokenHash), HubValue(device.isRevoked),
        HubValue(exam),
        HubValue(device.id),
      ])
  }

  /// Writes in whose place a device goes on.
  func saveContinuation(of device: DeviceRecord) throws {
    try connection.run(
      "UPDATE device SET continues = ? WHERE exam = ? AND device = ?",
      [HubValue(device.continues?.description), HubValue(exam), HubValue(device.id)])
  }

  /// Writes where a device's chain ends.
  func saveEnd(of device: DeviceRecord) throws {
    try connection.run(
      "UPDATE device SET last = ?, lastHash = ?, lastHlc = ? WHERE exam = ? AND device = ?",
      [
        .integer(device.last.deviceSeq), .bytes(device.last.hash), .integer(device.lastTime.raw), HubValue(exam),
        HubValue(device.id),
      ])
  }

  /// Writes what a device said of itself, and when.
  func saveContact(of device: DeviceRecord) throws {
    try connection.run(
      """
      UPDATE device SET held = ?, waiting = ?, seen = ?, clockOffset = ?, clockBound = ? WHERE exam = ? AND device = ?
      """,
      [
        .integer(device.held), .integer(device.note.waiting), HubValue(device.seen),
        HubValue(device.note.clock?.offset), HubValue(device.note.clock?.bound), HubValue(exam), HubValue(device.id),
      ])
  }

  /// A device and those whose places it took, the nearest first.
  func lineage(of device: UUIDBytes) throws -> [UUIDBytes] {
    var lineage = [device]
    while let last = lineage.last, let before = try find(last)?.continues, !lineage.contains(before) {
      lineage.append(before)
    }
    return lineage
  }
}
