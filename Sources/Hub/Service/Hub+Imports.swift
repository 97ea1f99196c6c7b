import CircuitModel
import Journal
import Sync

/// How an exam comes to the hub, and what is brought to it in files.
extension Hub {
  /// Makes an exam with an empty log.
  /// - Parameters:
  ///   - device: the hub's own device there.
  ///   - isFilling: whether its devices fill it before it gives anything.
  /// - Throws: `HubRefusal` where there is one with this identifier.
  public func makeExam(
    _ exam: UUIDBytes, named name: String, device: UUIDBytes, isFilling: Bool = false
  ) async throws {
    let now = clock.now()
    try await database.write(weight: 1) { connection in
      try connection.hold(exam)
      if try connection.row("SELECT 1 FROM exam WHERE exam = ?", [HubValue(exam)]) != nil { throw Self.isHere }
      try Self.insert(exam, named: name, device: device, isFilling: isFilling, connection, at: now)
    }
  }

  /// Makes an exam that is not to be used before `endImport`. What an import left that did not get there goes.
  /// - Parameter device: the hub's own device there, whose chain holds imports.
  /// - Returns: the number by which `endImport` knows this import from another that begins meanwhile.
  /// - Throws: `HubRefusal` where there is one with this identifier, or another import has just made one of this name.
  public func beginImport(_ exam: UUIDBytes, named name: String, device: UUIDBytes) async throws -> Int64 {
    let now = clock.now()
    return try await database.write(weight: 1) { connection in
      try connection.hold(exam)
      let end = connection.lockingClause
      let former = try connection.row("SELECT importing FROM exam WHERE exam = ?\(end)", [HubValue(exam)])
      var number = now
      if let former {
        guard let last = try former.integer(ifAny: 0) else { throw Self.isHere }
        number = max(now, last + 1)
        // Nobody has a place at it, and nobody would ever complete a transaction of which only a part came.
        for table in HubSchema.tables where table.name != "audit" {
          try connection.run("DELETE FROM \(table.name) WHERE exam = ?", [HubValue(exam)])
        }
      } else {
        try Self.refuse(twinOf: name, connection)
      }
      try Self.insert(exam, named: name, device: device, importing: number, connection, at: now)
      return number
    }
  }

  private static let isHere = HubRefusal("the hub has this exam already")

  /// - Parameter importing: the number of its import; nil: it has none.
  private static func insert(
    _ exam: UUIDBytes, named name: String, device: UUIDBytes, isFilling: Bool = false, importing: Int64? = nil,
    _ connection: any HubConnection, at now: Int64
  ) throws {
    try connection.run(
      """
      INSERT INTO exam (exam, epoch, name, head, headHash, hubDevice, filling, made, cursorKey, importing)
      VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, ?)
      """,
      [
        HubValue(exam), HubValue(UUIDBytes.v7(milliseconds: now)), .text(name),
        .bytes(LogHash.start(of: exam).hash), HubValue(device), HubValue(isFilling), .integer(now),
        .bytes(Secret.random()), HubValue(importing),
      ])
    try DeviceTable(connection: connection, exam: exam).insert(DeviceRecord(device, name: "hub", role: nil))
    try Audit(connection: connection, exam: exam).note(.make, by: Audit.operator, name, at: now)
  }

  /// What no exam is: held by who makes one for an import, so that of two that begin at once the second sees the first's.
  private static let importTurn = UUIDBytes(high: 0, low: 0)

  /// - Throws: `HubRefusal` where there is an exam of a name that an import wants to make one of.
  private static func refuse(twinOf name: String, _ connection: any HubConnection) throws {
    try connection.hold(importTurn)
    if try connection.row("SELECT 1 FROM exam WHERE name = ?", [.text(name)]) != nil {
      throw HubRefusal("another import has just begun to make '\(name)'; nothing was imported")
    }
  }

  /// Notes that all of an exam is here that its import brings.
  /// - Parameter number: the import's, as `beginImport` gave it.
  /// - Throws: `HubRefusal` where another import of the exam began since, which took away what this one had brought.
  public func endImport(_ exam: UUIDBytes, number: Int64) async throws {
    try await database.write(weight: 1) { connection in
      let ended = try connection.run(
        "UPDATE exam SET importing = NULL WHERE exam = ? AND importing = ?", [HubValue(exam), .integer(number)])
      if ended != 1 { throw HubRefusal("another import of this exam began meanwhile; nothing of this one is kept") }
    }
  }

  /// When another import of an exam began that is in the place of one, by the hub's clock; nil: none did.
  /// - Parameter number: that one's, as `beginImport` gave it.
  public func laterImport(of exam: UUIDBytes, than number: Int64) async throws -> Int64? {
    try await database.read { connection in
      let found = try connection.row("SELECT importing, made FROM exam WHERE exam = ?", [HubValue(exam)])
      guard let found, try found.integer(ifAny: 0) != number else { return nil }
      return try found.integer(1)
    }
  }

  /// What an exam's folders and bundles call it; nothing where none says.
  public func titles(of exam: UUIDBytes) async throws -> Set<String> {
    let found = try await database.read { [clock] connection in
      let rows = try ExamRows(ExamLog(exam, in: connection, at: clock.now(), forChange: false))
      return try rows.standing("examName", of: Stored.Config.entityName)
    }
    return Set(found.compactMap { _, value in if case .text(let text) = value { text } else { nil } })
  }

  /// Takes operations of a device of the hub's own, in the order of its chain: what an import made.
  /// - Throws: `HubRefusal` where they do not follow what is here.
  public func adopt(_ operations: [Journal.Operation], from device: UUIDBytes, in exam: UUIDBytes) async throws {
    let now = clock.now()
    let head = try await database.write(weight: operations.count) { connection in
      let log = try ExamLog(exam, in: connection, at: now, forChange: true)
      let devices = DeviceTable(connection: connection, exam: exam)
      if try devices.find(device) == nil { try devices.insert(DeviceRecord(device, name: "hub", role: nil)) }
      guard var record = try devices.find(device) else { throw HubDamage(what: "a device is missing") }
      _ = try Push(log).take(operations.map { OpenedOperation($0) }, of: &record)
      try log.close()
      try log.audit(.import, "\(operations.count)")
      return log.head.seq
    }
    ring(exam, head: head)
  }

  /// What became of operations that came in a file.
  public struct PassedOn: Equatable, Sendable {
    /// How many are new here and count.
    public var applied: Int
    /// How many were here before.
    public var known: Int
    /// How many are new here and do not count, or not yet.
    public var others: Int
    /// How many wait for one before them.
    public var waiting: Int

    /// So many of each.
    public init(applied: Int = 0, known: Int = 0, others: Int = 0, waiting: Int = 0) {
      (self.applied, self.known, self.others, self.waiting) = (applied, known, others, waiting)
    }
  }

  /// Takes operations that came in a file, chain by chain, as from a device that passes on what it holds of others. The
  /// person who runs the hub answers for the file; what the hub's own device wrote it has itself.
  public func passOn(_ operations: [WireOperation], in exam: UUIDBytes) async throws -> PassedOn {
    let now = clock.now()
    let (results, head) = try await database.write(weight: operations.count) { connection in
      let log = try ExamLog(exam, in: connection, at: now, forChange: true)
      let device = try DeviceTable.own(of: log)
      let push = Push(log)
      try push.noteAnswers(to: operations, by: device)
      let results = try push.relay(operations.map { OpenedOperation($0.operation) }, from: device)
      try log.close()
      return (results, log.head.seq)
    }
    ring(exam, head: head)
    return results.reduce(into: PassedOn()) { counts, result in
      switch result.outcome {
      case .hole: counts.waiting += 1
      case .stored where result.isDuplicate: counts.known += 1
      case .stored(let result) where result.counts: counts.applied += 1
      case .stored: counts.others += 1
      }
    }
  }
}
