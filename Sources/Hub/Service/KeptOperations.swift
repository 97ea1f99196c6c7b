import Characters
import CircuitModel
import ExamStore
import Journal
import Sync

/// An operation that counts for nothing, as a list for the person who runs the hub names it.
public struct KeptOperation: Sendable {
  /// The operation.
  public let id: OperationID
  /// What is said of it, such as `quarantined:session`.
  public let result: String
  /// The device that made it, and what people call that.
  public let device: (id: UUIDBytes, name: String)
  /// What it does, such as `set`, and the row that it does it to.
  public let kind: String
  /// The row.
  public let row: RowKey
  /// What of it: of a clock's event its word, such as `pause`, else the fields; empty where its content is not here.
  public let what: String
  /// The key of who acted; nil for the program.
  public let staff: Int64?
  /// When it was made, by its author's clock, milliseconds since 1970-01-01T00:00:00Z.
  public let made: Int64
}

extension Hub {
  /// The operations that are kept for a person, in the order in which they came.
  /// - Parameter rejected: also those that count for nothing for good, unless a person admits them.
  public func keptOperations(of exam: UUIDBytes, rejected: Bool = false) async throws -> [KeptOperation] {
    try await database.read { [clock] connection in
      let log = try ExamLog(exam, in: connection, at: clock.now(), forChange: false)
      let devices = DeviceTable(connection: connection, exam: exam)
      let names = Dictionary(try devices.all().map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
      var seen: Set<OperationID> = []
      return try OperationStore(log: log).refused(isRejectedToo: rejected).compactMap { stored in
        let operation = stored.operation
        guard seen.insert(operation.id).inserted else { return nil }
        return KeptOperation(
          id: operation.id, result: stored.fate.text, device: (operation.device, names[operation.device] ?? ""),
          kind: operation.kind.rawValue, row: operation.row, what: Hub.what(operation), staff: operation.staff,
          made: operation.wallTime)
      }
    }
  }

  private static func what(_ operation: Journal.Operation) -> String {
    guard let body = try? operation.body() else { return "" }
    if operation.row.entity == Stored.ClockEvent.entityName, case .text(let word)? = body.fields["kind"] { return word }
    return body.fields.keys.sorted().joined(separator: ", ")
  }

  /// Rules on an operation, as an operation of the hub's own device: lets it in, or rejects it for good.
  /// - Returns: what is said of it now.
  /// - Throws: `HubRefusal` where there is no such operation, or no reason.
  public func rule(
    _ verdict: Verdict, on id: OperationID, in exam: UUIDBytes, reason: String
  ) async throws -> String {
    guard reason.hasWords else { throw HubRefusal("a ruling needs a reason") }
    let now = clock.now()
    let (said, head) = try await database.write(weight: 1) { connection in
      let log = try ExamLog(exam, in: connection, at: now, forChange: true)
      let operations = OperationStore(log: log)
      guard let target = try operations.versions(of: id).first else {
        throw HubRefusal("the hub knows no operation \(id)")
      }
      if target.fate.counts && verdict == .applied { throw HubRefusal("operation \(id) counts already") }
      if verdict == .applied, !EntryCheck.hasTimeAfter(target.operation.hlc) {
        throw HubRefusal("operation \(id) has the last time there is: nothing could replace it; nothing was changed")
      }
      var device = try DeviceTable.own(of: log)
      let ruling = try Hub.seal(verdict, on: target.operation, reason, by: device, in: log, operations)
      _ = try Push(log).take([OpenedOperation(ruling)], of: &device)
      try log.close()
      return (try operations.versions(of: id).first?.fate.text ?? "", log.head.seq)
    }
    ring(exam, head: head)
    return said
  }

  private static func seal(
    _ verdict: Verdict, on target: Journal.Operation, _ reason: String, by device: DeviceRecord, in log: ExamLog,
    _ operations: OperationStore
  ) throws -> Journal.Operation {
    let row = Ruling.row(of: target.id)
    let heads = try HeadTable(log: log, operations: operations).heads(of: row)[Ruling.field] ?? []
    let before = try heads.compactMap { try operations.versions(of: $0).first?.operation.hlc }
    // Not after what is ruled on: that may be dated so far ahead that the ruling would be kept back, too.
    let last = before.reduce(device.lastTime, max)
    return device.seal(
      Ruling.kind(of: verdict), row,
      OperationBody(
        fields: [Ruling.field: .text(verdict.rawValue)], replaces: heads.isEmpty ? [:] : [Ruling.field: heads],
        reason: reason),
      hlc: HybridTime.next(after: last, wall: log.now), at: log.now)
  }
}
