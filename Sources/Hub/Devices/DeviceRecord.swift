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

  /// Whether it is told of the other devices: what each has, and what of theirs does not count.
  var seesOthers: Bool { role?.seesOthers ?? true }

  /// Seals an operation of the hub's own device, the next of its chain.
  func seal(
    _ kind: OperationKind, _ row: RowKey, _ body: OperationBody, hlc: HybridTime, at now: Int64
  ) -> Journal.Operation {
    .seal(
      id: .v7(milliseconds: now), device: id, deviceSeq: last.deviceSeq + 1, tx: .random(), kind: kind, row: row,
      body: body, hlc: hlc, wallTime: now, schema: Int(Operation.schemas.upperBound), prevHash: last.hash)
  }

  private static let hubRole = "hub"

  /// Reads it as `DeviceTable` keeps it.
  init(_ row: HubRow) throws {
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
