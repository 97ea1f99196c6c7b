import CircuitModel
import Journal
import Sync

/// The runs of an exam's log: another begins where the hub may have lost what devices saw.
extension Hub {
  /// Begins another run of an exam's log, after it was restored from a copy: devices that have read further find out by
  /// it, and bring again what the copy lacks.
  ///
  /// The hub's own device goes on as a new one, as that of any restored store does: what it wrote after the copy was made
  /// comes back under its numbers.
  public func beginAnew(_ exam: UUIDBytes) async throws {
    let now = clock.now()
    try await database.write(weight: 1) { connection in
      let log = try ExamLog(exam, in: connection, at: now, forChange: true)
      try Hub.beginAnew(log, after: log.epoch, notedBy: Audit.operator)
    }
  }

  /// Begins another run of a log where a device shows that this hub was restored from a copy, and nobody told it.
  /// - Returns: whether it does.
  func beginAnew(_ exam: UUIDBytes, shownBy asked: SyncRequest, at now: Int64) async throws -> Bool {
    let head = try await database.write(weight: 1) { connection -> Int64? in
      let log = try ExamLog(exam, in: connection, at: now, forChange: true)
      guard try log.hasLost(asked.cursor, asked.hash) else { return nil }
      try Hub.beginAnew(log, after: asked.cursor.epoch, notedBy: asked.device.description)
      return log.head.seq
    }
    if let head { ring(exam, head: head) }
    return head != nil
  }

  /// - Parameter shown: a run that devices have seen.
  private static func beginAnew(_ log: ExamLog, after shown: UUIDBytes, notedBy actor: String) throws {
    let (exam, now, connection) = (log.exam, log.now, log.connection)
    let devices = DeviceTable(connection: connection, exam: exam)
    let former = try DeviceTable.own(of: log)
    var device = DeviceRecord(.random(), name: former.name, role: nil)
    device.continues = former.id
    try devices.insert(device)
    try connection.run(
      "UPDATE exam SET epoch = ?, hubDevice = ? WHERE exam = ?",
      [HubValue(run(after: [log.epoch, shown], at: now)), HubValue(device.id), HubValue(exam)])
    let start = device.seal(
      .create, Stored.Device.row(device.id.description),
      OperationBody(fields: [
        "name": .text(device.name), "created": .integer(now),
        Stored.Device.Field.continues.rawValue: .text(former.id.description),
      ]),
      hlc: HybridTime.next(after: former.lastTime, wall: now), at: now)
    _ = try Push(log).take([OpenedOperation(start)], of: &device)
    try log.close()
    try log.audit(.restore, by: actor, "")
  }

  /// A run that is later than others by its identifier, also where the hub's clock was ahead when they began: a run that
  /// looked earlier would be left at once for the next.
  private static func run(after others: [UUIDBytes], at now: Int64) -> UUIDBytes {
    let next = others.map { ExamLog.start(of: $0) + 1 }
    return .v7(milliseconds: next.reduce(now, max))
  }

  /// Ends the filling of an exam: from now on the hub gives what it has. What still lacks a predecessor is listed, and
  /// let in; what stores have as erased is named in the log, for those who missed that.
  /// - Returns: what did not come.
  @discardableResult public func endFilling(_ exam: UUIDBytes) async throws -> FillingReport {
    let now = clock.now()
    return try await database.write(weight: 1) { connection in
      let log = try ExamLog(exam, in: connection, at: now, forChange: true)
      let holes = try Push(log).admitLoose()
      let erased = try OperationStore(log: log).unnamedErasures()
      if !erased.isEmpty { log.append(.erase(subject: .random(), bodies: erased)) }
      try log.close()
      try connection.run(
        "UPDATE exam SET epoch = ?, filling = 0 WHERE exam = ?",
        [HubValue(Hub.run(after: [log.epoch], at: now)), HubValue(exam)])
      try log.audit(.fill, "\(holes.count) holes")
      return FillingReport(holes: holes, emptyRows: try OperationStore(log: log).emptyRows())
    }
  }
}
