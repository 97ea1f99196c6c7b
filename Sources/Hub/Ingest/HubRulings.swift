import Journal
import Sync

/// What people ruled on operations, carried out as soon as both are here.
extension Settling {
  /// Carries out what was ruled on operations before they came: a hub that was restored gets them again in any order.
  func ruleOn(_ ids: [OperationID]) throws {
    if ids.isEmpty { return }
    let ruled = try tables.memory.ruledOn { Set(try tables.heads.keys(of: Ruling.entity, having: Ruling.field)) }
    for id in ids where ruled.contains(id.description) {
      guard let standing = try tables.heads.standing(Ruling.field, of: Ruling.row(of: id)),
        let ruling = try tables.operations.versions(of: standing.op).first
      else { continue }
      try rule(on: ruling.operation)
    }
  }

  /// Carries out what was ruled on an operation: admitted, rejected or revoked.
  func rule(on ruling: Journal.Operation) throws {
    guard let target = OperationID(ruling.row.id), let stored = try tables.operations.versions(of: target).first,
      case .text(let word)? = try tables.heads.standing(Ruling.field, of: ruling.row)?.value,
      let verdict = Verdict(rawValue: word)
    else { return }
    let key = TransactionKey(stored.operation)
    let members = try tables.members(of: key)
    try tables.log.audit(
      .ruling(ruling.kind), by: ruling.device == tables.log.hubDevice ? Audit.operator : ruling.device.description,
      "\(verdict.rawValue) \(target)")
    switch verdict {
    case .applied:
      if stored.fate.counts { return }
      try settle(members, key, for: .person(ruling: ruling.id))
    case .rejected, .withdrawn:
      // What counts is undone, not revoked.
      if verdict == .withdrawn && stored.fate.counts { return }
      let said: LogEntry.Fate = verdict == .withdrawn ? .withdrawn : .result(.rejected(nil))
      for member in members {
        guard let before = member.stored?.fate, !member.isSecondVersion, before != said else { continue }
        try close(member.operation, before, as: said, by: ruling.id)
      }
    }
    try wake(members.map(\.operation.id))
  }
}
