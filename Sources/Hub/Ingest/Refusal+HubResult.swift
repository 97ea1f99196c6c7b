import Journal

extension HubResult {
  /// What the hub answers where the rules of `Journal` refuse an operation.
  init(_ refusal: Refusal) {
    self =
      switch refusal {
      case .notAfter: .rejected(.notAfter)
      case .unreadableBody: .rejected(.unreadableBody)
      case .deleteSetsFields: .rejected(.deleteSetsFields)
      case .transactionForm: .rejected(.transactionForm)
      case .twoVersions: .rejected(.twoVersions)
      case .withTransaction: .rejected(.withTransaction)
      case .valueType: .rejected(.valueType)
      case .rejected: .rejected(nil)
      case .unknown, .quarantined: .quarantined(.unknown)
      case .clockAhead: .quarantined(.clockAhead)
      case .locked: .quarantined(.locked)
      }
  }
}

/// What was said of refused operations.
extension [OperationID: HubResult] {
  /// Refuses with them the other members of their transaction, which counts whole or not at all.
  func spread(over members: [Journal.Operation]) -> [OperationID: HubResult] {
    var results = self
    let quarantine = sorted { $0.key < $1.key }.first {
      if case .quarantined = $0.value { true } else { false }
    }
    let isOnlyKept = values.allSatisfy { if case .quarantined = $0 { true } else { false } }
    for member in members where results[member.id] == nil {
      results[member.id] = isOnlyKept ? quarantine?.value : .rejected(.withTransaction)
    }
    return results
  }
}
