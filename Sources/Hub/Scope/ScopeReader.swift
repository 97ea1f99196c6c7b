import Journal
import Sync

/// Reads operations as a device is given them: whole where they are in its part of the exam, without their content where
/// others of their transaction are, else not at all.
final class ScopeReader {
  let device: DeviceRecord
  let held: HeldAtoms
  /// What it has now: what it names of an earlier version is no proof that it has that still.
  private let current: HeldAtoms
  private let log: ExamLog
  /// The devices whose place this one took, and itself: what they made is its own.
  private let lineage: Set<UUIDBytes>
  /// The parts that the device had and lost: it may hold what came into the log until then.
  private let former: [DeviceScope.Part]
  /// From which number of the log on the device gets something of a transaction; nil: never.
  private var transactions: [String: Int64?] = [:]

  /// - Parameter version: of the device's scope; nil: as it is now.
  init(_ log: ExamLog, _ device: DeviceRecord, version: Int64? = nil) throws {
    self.log = log
    self.device = device
    current = HeldAtoms(device.scope.atoms)
    held =
      try version.map {
        try DeviceScope(connection: log.connection, exam: log.exam).held(by: device.id, at: $0)
      } ?? current
    former =
      held.isAll
      ? [] : try DeviceScope(connection: log.connection, exam: log.exam).parts(of: device.id).filter { $0.ended != nil }
    lineage =
      device.continues == nil
      ? [device.id] : Set(try DeviceTable(connection: log.connection, exam: log.exam).lineage(of: device.id))
  }

  private var exam: HubValue { HubValue(log.exam) }

  /// An operation as the device gets it at a number of the log; nil where it does not. What it may hold of a part that
  /// it lost it gets without its content: who reads the log from its begin again gives that up so.
  /// - Parameter time: when the operation came into the log.
  func content(of operation: LoggedOperation, at seq: Int64, _ time: Int64) throws -> WireOperation.Parts? {
    let (parts, atoms) = (operation.parts, operation.atoms)
    if lineage.contains(operation.author) { return parts }
    if held.see(atoms, at: seq) { return current.see(atoms, at: seq) ? parts : parts.withoutBody }
    if mayHold(atoms, at: time) { return parts.withoutBody }
    guard operation.part.count > 1, try isPart(of: operation.tx, operation.author, at: seq) else { return nil }
    return parts.withoutBody
  }

  /// Whether the device may hold, of a part that it lost, what came into the log at a time.
  private func mayHold(_ atoms: String, at time: Int64) -> Bool {
    former.contains { time <= $0.ended ?? .max && $0.atoms.see(atoms, at: .max) }
  }

  /// Whether the device is to give up an operation of a part that it lost and that counts for nothing, though it is not
  /// shown such: it counted for a while, or the device was shown such where it was then.
  /// - Parameter time: when the operation came into the log.
  func takesBackRefused(_ operation: LoggedOperation, at seq: Int64, _ time: Int64) throws -> Bool {
    if lineage.contains(operation.author) || held.see(operation.atoms, at: seq) { return false }
    if !mayHold(operation.atoms, at: time) { return false }
    let wasShown = former.contains { $0.atoms.isAll || $0.atoms.atoms.contains(ScopeAtom.closing) }
    return try wasShown || EntryReader.hasCounted(operation.id, log, device)
  }

  /// Whether the device gets a member of a transaction, once it has the log up to a number.
  private func isPart(of tx: String, _ author: UUIDBytes, at seq: Int64) throws -> Bool {
    let key = "\(author) \(tx)"
    if transactions[key] == nil {
      var first: Int64?
      for row in try log.connection.rows(
        "SELECT seq, atoms, device FROM op WHERE exam = ? AND tx = ?", [exam, .text(tx)])
      where try row.id(2) == author {
        guard let since = try held.sees(row.text(1)) else { continue }
        // One that it gets as it comes makes all others of its transaction travel with it, those before it too.
        first = min(first ?? .max, try since <= row.integer(0) ? 0 : since)
      }
      transactions[key] = .some(first)
    }
    return (transactions[key] ?? nil).map { $0 <= seq } ?? false
  }

  /// Whether the device is told what becomes of an operation.
  func sees(_ id: OperationID, at seq: Int64) throws -> Bool {
    if held.isAll { return true }
    let row = try log.connection.row(
      "SELECT device, atoms FROM op WHERE exam = ? AND id = ? ORDER BY +seq LIMIT 1", [exam, HubValue(id)])
    guard let row else { return false }
    return try lineage.contains(row.id(0)) || held.see(row.text(1), at: seq)
  }

  // MARK: What comes after later ones

  /// The rows that are called by more atoms from numbers within a stretch of the log on.
  func late(after start: Int64, upTo last: Int64) throws -> [(since: Int64, row: RowKey)] {
    if held.isAll { return [] }
    return try log.connection.rows(
      """
      SELECT since, entity, entityID FROM late WHERE exam = ? AND since > ? AND since <= ?
      ORDER BY since, entity, entityID
      """, [exam, .integer(start), .integer(last)]
    ).map { (try $0.integer(0), RowKey(entity: try $0.text(1), id: try $0.text(2))) }
  }

  private static let columns = "o.seq, l.time, o.result, \(LoggedOperation.columns)"

  /// An entry that comes after later ones: its number, and whether the device gets its content.
  struct Late {
    let seq: Int64
    let isWhole: Bool
  }

  /// What came of rows before the number from which on the device gets them, in order; and the others of their
  /// transactions, without content, where the device has nothing of those yet.
  func earlier(_ rows: [RowKey], since: Int64) throws -> [Late] {
    var (whole, stubs): (Set<Int64>, Set<Int64>) = ([], [])
    var asked: Set<String> = []
    for row in rows {
      let found = try log.connection.rows(
        """
        SELECT seq, device, atoms, tx, txSize FROM op WHERE exam = ? AND entityID = ? AND entity = ? AND seq < ?
        """, [exam, HubValue(key: row.id), HubValue(key: row.entity), .integer(since)])
      for member in found {
        let (atoms, author, tx) = (try member.text(2), try member.id(1), try member.text(3))
        guard !lineage.contains(author), held.see(atoms, at: since), !held.see(atoms, at: since - 1) else { continue }
        whole.insert(try member.integer(0))
        guard try member.integer(4) > 1, asked.insert("\(author) \(tx)").inserted,
          try !isPart(of: tx, author, at: since - 1)
        else { continue }
        for other in try log.connection.rows(
          "SELECT seq, device FROM op WHERE exam = ? AND tx = ? AND seq < ?", [exam, .text(tx), .integer(since)])
        where try other.id(1) == author {
          stubs.insert(try other.integer(0))
        }
      }
    }
    return whole.union(stubs).sorted().map { Late(seq: $0, isWhole: whole.contains($0)) }
  }

  /// Such an entry as it travels; nil where it is not shown to the device.
  func entry(of late: Late) throws -> [UInt8]? {
    let row = try log.connection.row(
      """
      SELECT \(Self.columns) FROM op o JOIN log l ON l.exam = o.exam AND l.seq = o.seq WHERE o.exam = ? AND o.seq = ?
      """, [exam, .integer(late.seq)])
    guard let row else { throw HubDamage(what: "entry \(late.seq) of a log is missing") }
    return try entry(row, LoggedOperation(row, from: 3), isWhole: late.isWhole)
  }

  /// Gives what one version of the scope has and another had not, up to a number of the log, and takes back what only
  /// the other had.
  /// - Returns: how far it came, and whether that is all.
  func change(
    from old: Int64, to new: Int64, after start: Int64, upTo last: Int64, most: Int64,
    entries: inout [[UInt8]]
  ) throws -> (Int64, Bool) {
    let scopes = DeviceScope(connection: log.connection, exam: log.exam)
    let (before, after) = (try scopes.held(by: device.id, at: old), try scopes.held(by: device.id, at: new))
    if before == after { return (last, true) }
    let reader = try ScopeReader(log, device, version: new)
    var (end, hasAll, bytes) = (start, true, 0)
    try log.connection.forEach(
      """
      SELECT \(Self.columns) FROM op o JOIN log l ON l.exam = o.exam AND l.seq = o.seq
      WHERE o.exam = ? AND o.seq > ? AND o.seq <= ? ORDER BY o.seq
      """, [exam, .integer(start), .integer(last)]
    ) { row in
      if entries.count >= most {
        hasAll = false
        return false
      }
      let reached = end
      end = try row.integer(0)
      let operation = try LoggedOperation(row, from: 3)
      if lineage.contains(operation.author) { return true }
      let (had, has) = (before.see(operation.atoms, at: last), after.see(operation.atoms, at: last))
      // Who does not know any more what it has gives up whatever it may have had.
      let isLost = try !has && (had || old == 0 && reader.mayHold(operation.atoms, at: row.integer(1)))
      let isGiven =
        try has && !had || isLost
        || !has && operation.part.count > 1 && reader.isPart(of: operation.tx, operation.author, at: last)
      if isGiven, let entry = try entry(row, operation, isWhole: has && current.see(operation.atoms, at: last)) {
        guard LogPage.hasRoom(for: entry, after: bytes) else {
          (end, hasAll) = (reached, false)
          return false
        }
        bytes += entry.count + 1
        entries.append(entry)
      }
      return true
    }
    return (end, hasAll)
  }

  private func entry(_ row: HubRow, _ operation: LoggedOperation, isWhole: Bool) throws -> [UInt8]? {
    let (seq, time) = (try row.integer(0), try row.integer(1))
    let result = try LogEntry.Fate(stored: row.text(2)).answer
    if result.refusal != nil && !device.seesOthers {
      guard !isWhole, try takesBackRefused(operation, at: .max, time) else { return nil }
    }
    var bytes: [UInt8] = []
    LogEntry.write(
      seq: seq, time: time, isWhole ? operation.parts : operation.parts.withoutBody, result, operation.part,
      isBack: true, to: &bytes)
    return bytes
  }
}
