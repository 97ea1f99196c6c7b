import Journal

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
    while let last = lineage.last, let before = try former(of: last), !lineage.contains(before) {
      lineage.append(before)
    }
    return lineage
  }

  private func former(of device: UUIDBytes) throws -> UUIDBytes? {
    let row = try connection.row(
      "SELECT continues FROM device WHERE exam = ? AND device = ?", [HubValue(exam), HubValue(device)])
    return try row?.text(ifAny: 0).flatMap { UUIDBytes($0) }
  }
}
