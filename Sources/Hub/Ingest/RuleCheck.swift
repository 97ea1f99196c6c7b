import Catalogue
import CircuitModel
import ExamStore
import Journal
import Sync

/// Holds operations against the rules: whether the person who acted may do it, and whether the device may.
struct RuleCheck {
  private let tables: IngestTables
  private let rows: ComingRows
  private let people: ExamPeople
  private let sender: DeviceRecord
  private var log: ExamLog { tables.log }

  init(_ tables: IngestTables, _ sender: DeviceRecord, _ rows: ComingRows) {
    self.tables = tables
    self.sender = sender
    self.rows = rows
    people = ExamPeople(rows: rows.rows)
  }

  /// Why an operation does not count because of who made it; nil where nothing speaks against it.
  func refusal(of opened: OpenedOperation) throws -> HubResult? {
    // The hub's own device carries out what the person who runs the hub asked for.
    guard let deviceRole = sender.role, opened.body != nil else { return nil }
    let operation = opened.operation
    let (lineage, classes, isOwnRow) = try facts(of: opened)
    let person = try operation.staff.flatMap { try role(of: $0) }
    if let person, let staff = operation.staff {
      let place = Rules.Place(
        isOwnStation: try isAtOwnStation(opened, staff), isOwnRow: isOwnRow, hasReason: opened.reason != nil)
      if !classes.allSatisfy({ Rules.allows(person, $0, at: place) }) { return .rejected(.role) }
    }
    let isDevices = classes.allSatisfy {
      Rules.deviceAllows(PersonRole(deviceRole), $0, isOwnRow: isOwnRow)
    }
    if isDevices { return nil }
    guard let staff = operation.staff, person != nil else { return .rejected(.role) }
    let signIns = try tables.memory.spans(of: .init(staff: staff, device: operation.device)) {
      try SessionTable(connection: log.beside, exam: log.exam).spans(of: staff, on: lineage)
    }
    return signIns.contains { $0.holds(operation.hlc.milliseconds) } ? nil : .quarantined(.session)
  }

  /// Whether an operation marks, and nobody of whom the exam says that they may do it there did so: the program, or
  /// somebody without a role at a station that is not theirs.
  func isUnattendedMark(_ opened: OpenedOperation) throws -> Bool {
    guard Rules.classes(of: opened).contains(.marks) else { return false }
    guard let staff = opened.operation.staff else { return true }
    return try role(of: staff) == nil && !isAtOwnStation(opened, staff)
  }

  /// Whether a device may bring an operation of another. A chain is signed by nobody, so an operation counts for no more
  /// than what the device that brings it may do itself; the hub's own device brings what it does itself.
  func mayPassOn(_ opened: OpenedOperation, _ relayer: DeviceRecord) throws -> Bool {
    if sender.role == nil { return false }
    guard let role = relayer.role, opened.body != nil, relayer.id != sender.id else { return true }
    if SendRule(role: role).sends(opened.operation) == false { return false }
    let (_, classes, isOwnRow) = try facts(of: opened)
    return classes.allSatisfy { Rules.deviceAllows(PersonRole(role), $0, isOwnRow: isOwnRow) }
  }

  /// Whether an operation withdraws one that counts: what counts is undone. What a former run of the log may have had is
  /// not asked, for that ruled on operations that may have come in another order.
  func withdrawsWhatCounts(_ opened: OpenedOperation) throws -> Bool {
    let operation = opened.operation
    guard operation.row.entity == Ruling.entity, operation.kind == .withdraw, !log.mayHaveLost(operation),
      let target = OperationID(operation.row.id)
    else { return false }
    return try tables.operations.versions(of: target).first?.fate.counts ?? false
  }

  // MARK: Whose it is

  /// What a person is; nil where the exam does not say.
  private func role(of staff: Int64) throws -> PersonRole? {
    try tables.memory.role(of: staff) { try people.role(of: staff) }
  }

  /// What the rules ask of an operation: its device with those whose place that took, what it changes, and whether it
  /// keeps to its own row.
  private func facts(
    of opened: OpenedOperation
  ) throws -> (lineage: [UUIDBytes], classes: Set<Rules.Class>, isOwnRow: Bool) {
    let operation = opened.operation
    let lineage = try tables.lineage(of: operation.device)
    let classes = Rules.classes(of: opened, isOfOther: try isOfOther(operation, lineage))
    return (lineage, classes, try !classes.contains(.traces) || isOwn(opened, lineage))
  }

  /// Whether a row is one that the operation's device made, or nobody did before, and that is of no other device.
  private func isOwn(_ opened: OpenedOperation, _ lineage: [UUIDBytes]) throws -> Bool {
    let operation = opened.operation
    if operation.row.entity == Ruling.entity { return true }
    // A former run of the log may have known in whose place a device went on.
    if let device = Self.device(of: opened), !log.mayHaveLost(operation),
      !lineage.contains(where: { $0.description == device })
    {
      return false
    }
    return try tables.memory.isOwn(operation.row, of: operation.device) {
      try tables.operations.writers(of: operation.row).isSubset(of: lineage)
    }
  }

  /// The device of which a row is a trace, as far as an operation says; nil: it does not.
  private static func device(of opened: OpenedOperation) -> String? {
    let row = opened.operation.row
    if row.entity == Stored.Device.entityName || row.entity == ExamLog.contactRecord { return row.id }
    return if case .text(let device)? = opened.body?.fields["device"] { device } else { nil }
  }

  /// Whether a ruling is on an operation that another device made, or that is not here.
  private func isOfOther(_ operation: Journal.Operation, _ lineage: [UUIDBytes]) throws -> Bool {
    guard operation.row.entity == Ruling.entity, let target = OperationID(operation.row.id) else { return true }
    let author = try tables.operations.versions(of: target).first?.operation.device
    return author.map { !lineage.contains($0) } ?? true
  }

  // MARK: Where it is

  /// Whether an operation is at a station session that is its person's. What is at none, or at one that is not known
  /// here, is nobody's in particular.
  private func isAtOwnStation(_ opened: OpenedOperation, _ staff: Int64) throws -> Bool {
    let row = opened.operation.row
    let session = try tables.memory.session(above: row) { try rows.nearest([Self.session], above: row) }
    if let session, try !isOwn(session, staff) { return false }
    // Who moves a row to another station must have it where it was, too.
    guard let entity = Catalogue.standard[row.entity],
      Catalogue.standard.owners(of: entity).contains(where: { opened.body?.fields[$0.name] != nil }),
      let former = try ComingRows(log, []).nearest([Self.session], above: row)
    else { return true }
    return try isOwn(former, staff)
  }

  private static let session = Stored.Timetable.entityName

  private func isOwn(_ session: RowKey, _ staff: Int64) throws -> Bool {
    guard let key = Int64(session.id) else { return true }
    // A person who sits down as a cover says so in the same breath.
    if rows.coming("coverStaff", of: session) == .integer(staff) { return true }
    return try tables.memory.belongs(PushMemory.Seat(staff: staff, timetable: key)) {
      try people.belongs(staff, to: key)
    }
  }
}

extension PersonRole {
  /// The person for whom a device of a role is there.
  init(_ device: DeviceRole) {
    self =
      switch device {
      case .station: .assessor
      case .desk: .invigilator
      case .lead: .lead
      case .office: .office
      case .auditor: .auditor
      case .display: .display
      }
  }
}
