import CircuitModel
import Journal

extension SealReport {
  /// What a pack proves of a locked exam: its chains, and the record of the lock. Values and results cannot be computed
  /// from it, for the plan stays where it was imported; the record's heads pin every operation that they follow from.
  /// - Parameters:
  ///   - pack: calls its argument with each operation of the pack, chain by chain; it is gone through twice.
  ///   - expected: the hash as it was printed, spaces and all; nil: none.
  public static func read(
    pack: (_ body: (WireOperation) -> Void) throws -> Void, expected: String?
  ) throws -> SealReport {
    var locks: [String: [String: Value]] = [:]
    try pack { wire in
      let operation = wire.operation
      guard operation.row.entity == Stored.ExamLock.entityName, let body = OpenedOperation(operation).body else {
        return
      }
      locks[operation.row.id, default: [:]].merge(body.fields) { $1 }
    }
    let records = locks.values.compactMap { fields in
      SealRecord(fields).map { (record: $0, isReopened: SealRecord.isReopened(fields)) }
    }
    let standing = records.filter { !$0.isReopened }.map(\.record).sorted { $0.amendment < $1.amendment }
    var wanted = Set(SealRecord.lasts(of: standing).flatMap { $0.sealed?.heads ?? [] }.filter { $0.seq > 0 })
    var verifier = ChainVerifier()
    var problem: ChainProblem?
    try pack { wire in
      let operation = wire.operation
      problem = problem ?? verifier.feed(operation)
      wanted.remove(
        .init(
          device: operation.device.description, hash: Hexadecimal.text(operation.hash), seq: operation.deviceSeq))
    }
    let missing = wanted.min { ($0.device, $0.seq) < ($1.device, $1.seq) }
    let chains =
      problem.map { "chains: operation \($0.deviceSeq) of device \($0.device) is not what was sealed" }
      ?? missing.map { "the chain of device \($0.device) has not what it ended with" }
    return SealReport(
      standing, reopened: records.filter(\.isReopened).map(\.record.hash), chains: Finding(chains), expected: expected)
  }
}

extension SealRecord {
  /// Whether a row says that two people opened the lock again.
  fileprivate static func isReopened(_ fields: [String: Value]) -> Bool {
    if case .integer? = fields[Stored.ExamLock.Field.reopenedAt.rawValue] { true } else { false }
  }

  /// Reads one from the fields of its row; nil where it is none.
  fileprivate init?(_ fields: [String: Value]) {
    func text(_ field: Stored.ExamLock.Field) -> String? {
      if case .text(let text)? = fields[field.rawValue] { text } else { nil }
    }
    guard let content = text(.content), let hash = text(.hash),
      case .integer(let amendment)? = fields[Stored.ExamLock.Field.amendment.rawValue]
    else { return nil }
    self.init(
      scope: .init(circuit: text(.circuit), session: text(.session)), amendment: Int(amendment), content: content,
      hash: hash)
  }
}
