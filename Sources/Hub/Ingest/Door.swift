import ExamStore
import Journal
import Sync
import Timer

/// The devices that passed operations on, by the operations' hashes; what a device brings itself has none.
typealias Relayers = [[UInt8]: DeviceRecord]

/// What speaks against an operation because of who sends it, and when: asked once, as it comes.
struct Door {
  private let tables: IngestTables
  private let sender: DeviceRecord
  private let relayers: Relayers
  private let rules: RuleCheck
  private let locks: LockCheck
  private let clock: ClockCheck
  private var log: ExamLog { tables.log }

  /// - Parameters:
  ///   - sender: the device that made what comes.
  ///   - relayers: who passed on what of it.
  ///   - transaction: the operations that come together, as far as they are here.
  init(
    _ tables: IngestTables, _ sender: DeviceRecord, _ relayers: Relayers, transaction: [OpenedOperation]
  ) throws {
    self.tables = tables
    self.sender = sender
    self.relayers = relayers
    let rows = ComingRows(tables.log, transaction)
    rules = RuleCheck(tables, sender, rows)
    locks = try LockCheck(tables, rows, transaction: transaction)
    clock = ClockCheck(tables: tables, rows: rows)
  }

  /// Why an operation does not count; nil where nothing speaks against it.
  func refusal(of opened: OpenedOperation) throws -> HubResult? {
    let operation = opened.operation
    if sender.isRevoked { return .quarantined(.revoked) }
    if try !isInTime(opened) { return .quarantined(.clockAhead) }
    if let relayer = relayers[operation.hash], !log.mayHaveLost(operation),
      try !rules.mayPassOn(opened, relayer)
    {
      return .quarantined(.session)
    }
    guard let role = sender.role else { return nil }
    // A hub that is filled takes what another decided before, of devices whose role it does not know either: who passes
    // a chain on may be given less than who made it.
    if log.isFilling { return tables.former[operation] }
    if operation.absent == nil, SendRule(role: role).sends(operation) == false { return .rejected(.direction) }
    if let refusal = try rules.refusal(of: opened) { return refusal }
    if try rules.withdrawsWhatCounts(opened) { return .rejected(.denyRule) }
    if try locks.isLocked(opened) { return .quarantined(.locked) }
    if try isOutOfScope(opened) { return .quarantined(.scope) }
    return try clock.isPartitioned(opened) ? .quarantined(.clockPartition) : nil
  }

  private func isInTime(_ opened: OpenedOperation) throws -> Bool {
    try EntryCheck.isInTime(opened.operation, now: Instant(milliseconds: log.now)) {
      var times = try tables.lineage(of: sender.id).compactMap { try tables.operations.latestTime(of: $0) }
      for cause in opened.body?.causes ?? [] {
        if case .applied(let time)? = try tables.operations.admission(of: cause) { times.append(time) }
      }
      return times.max()
    }
  }

  /// Whether the device had lost that part of the exam when it wrote there, or marked in one that it never had and nobody
  /// answers for being there: whose station it is says the rule on the person, where there is one.
  private func isOutOfScope(_ opened: OpenedOperation) throws -> Bool {
    let held = HeldAtoms(sender.atoms)
    if held.isAll { return false }
    let atoms = try tables.scope.atoms(for: opened, at: log.head.seq, counts: false)
    if atoms.isEmpty || held.see(atoms, at: .max) { return false }
    let devices = DeviceScope(connection: log.beside, exam: log.exam)
    let parts = try tables.memory.parts(of: sender.id) { try devices.parts(of: sender.id) }
    if parts.contains(where: { $0.atoms.see(atoms, at: .max) }) {
      return DeviceScope.hadLost(atoms, among: parts, at: opened.operation.hlc.milliseconds)
    }
    // A device that was never given a place has no part, and what it made comes with others. One that is at a station is
    // there for each of its seats.
    if parts.isEmpty || log.mayHaveLost(opened.operation) { return false }
    let stations = atoms.split(separator: " ").map { $0.prefix { $0 != "/" && $0 != "@" } }.joined(separator: " ")
    return try !parts.contains { $0.atoms.see(stations, at: .max) } && rules.isUnattendedMark(opened)
  }
}
