import ExamStore
import Journal

/// The places of devices at an exam, as the person who runs the hub gives and takes them.
extension Hub {
  /// Keeps a one-time code by which a device gets a place.
  /// - Parameters:
  ///   - code: twelve letters and digits, as `EnrolmentCode` has them.
  ///   - uses: how many devices may use it.
  ///   - seconds: how long it lives.
  ///   - scope: the part of the exam that its devices are given.
  public func keep(
    code: String, for role: DeviceRole, in exam: UUIDBytes, uses: Int64 = 1, seconds: Int64 = CodeTable.life / 1000,
    scope: CodeScope = CodeScope()
  ) async throws {
    let now = clock.now()
    try await database.write(weight: 1) { connection in
      let log = try ExamLog(exam, in: connection, at: now, forChange: true)
      let codes = CodeTable(connection: connection)
      try codes.tidy(exam, at: now)
      try codes.insert(
        code, exam: exam, role: role, atoms: ScopeAtom.base(of: role, scope), uses: uses, expires: now + seconds * 1000)
      try log.audit(.code, role.rawValue)
    }
  }

  /// Takes a device's place away: from the next request on it is refused, and what others pass on of it waits for a
  /// person.
  /// - Throws: `HubRefusal` where there is no such device.
  public func revoke(_ device: UUIDBytes, in exam: UUIDBytes) async throws {
    let now = clock.now()
    try await database.write(weight: 1) { connection in
      let log = try ExamLog(exam, in: connection, at: now, forChange: true)
      let devices = DeviceTable(connection: connection, exam: exam)
      guard var record = try devices.find(device) else { throw HubRefusal("the hub knows no such device") }
      if record.role == nil { throw HubRefusal("that is the hub's own device, which cannot be revoked") }
      if record.isRevoked { throw HubRefusal("that device is revoked already") }
      record.isRevoked = true
      try devices.savePlace(of: record)
      try log.audit(.revoke, device.description)
    }
  }
}
