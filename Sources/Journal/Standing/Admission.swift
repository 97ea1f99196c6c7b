/// What became of an operation, as far as those that name it need to know.
public enum AdmissionResult: Hashable, Sendable {
  /// It is applied.
  case applied(HybridTime)
  /// It is here or known and counts for nothing: refused, rejected at the hub, or its body destroyed.
  case void
}

/// Why an operation is refused.
public enum Refusal: Hashable, Sendable {
  /// Its time is not later than that of an operation that it names.
  case notAfter(OperationID)
  /// Its body cannot be read.
  case unreadableBody
  /// A delete that also sets fields.
  case deleteSetsFields
  /// The operations of its transaction contradict each other in size or place.
  case transactionForm
  /// Two different operations carry this identifier.
  case twoVersions
  /// The hub rejected it.
  case rejected
  /// The hub keeps it until a person admits it.
  case quarantined
  /// Another operation of its transaction is refused.
  case withTransaction(OperationID)
  /// It is on an entity, a row or a field that is not of the data model; the name says which.
  case unknown(String)
  /// It sets a field to what the field cannot hold.
  case valueType(String)
  /// Its time is too far in the future: after it nothing else could stand.
  case clockAhead
  /// It touches what two people have locked here, and was made without knowing of that.
  case locked

  /// The reason as it is stored and sent.
  public var code: String {
    switch self {
    case .notAfter: "not_after"
    case .unreadableBody: "unreadable_body"
    case .deleteSetsFields: "delete_sets_fields"
    case .transactionForm: "transaction_form"
    case .twoVersions: "two_versions"
    case .rejected: "rejected"
    case .quarantined: "quarantined"
    case .withTransaction: "with_transaction"
    case .unknown: "unknown"
    case .valueType: "value_type"
    case .clockAhead: "clock_ahead"
    case .locked: "locked"
    }
  }
}

/// Whether the operations of a transaction can be applied now.
///
/// The answer depends only on the operations that are here, never on the order in which they came: a transaction is
/// decided when it is complete and all that it names outside itself is decided, and then for good.
public enum Admission: Hashable, Sendable {
  /// Apply all, in this order.
  case apply([OpenedOperation])
  /// Park all: so many of its own operations and these others are still to come or to be decided.
  case wait(missing: Int, causes: Set<OperationID>)
  /// Refuse all, each for its reason. Those that name them go on as if nothing had been named.
  case refuse([OperationID: Refusal])

  /// Decides on the operations of one transaction of one device that are here, each once.
  ///
  /// The transaction is complete when it has as many operations as the smallest `txSize` among them says. Where all that
  /// are here are void it waits for no more: what would complete it may never be sent.
  /// - Parameters:
  ///   - check: what speaks against an operation by itself, whatever else is here; asked where its body can be read.
  ///   - fate: of any operation; nil while it is not here or parked. A member that is void already, because it is
  ///     rejected or has two versions, takes the whole transaction with it.
  public static func decide(
    _ members: [OpenedOperation], check: (OpenedOperation) throws -> Refusal?,
    fate: (OperationID) throws -> AdmissionResult?
  ) rethrows -> Admission {
    let size = members.map(\.operation.txSize).min() ?? 0
    let missing = size > members.count ? size - members.count : 0
    let void = try members.map(\.operation.id).filter { try fate($0) == .void }
    if missing == 0, let refusals = try formRefusals(members, barred: void.min(), check: check) {
      return .refuse(refusals)
    }
    if let barred = void.min(), void.count == members.count { return .refuse(withTransaction(barred, members)) }
    let own = Dictionary(members.map { ($0.operation.id, $0.operation.hlc) }, uniquingKeysWith: max)
    var waiting: Set<OperationID> = []
    var refusals: [OperationID: Refusal] = [:]
    for member in members {
      let operation = member.operation
      for cause in (member.body?.causes ?? []).sorted() {
        if let time = own[cause] {
          if time >= operation.hlc { refusals[operation.id] = refusals[operation.id] ?? .notAfter(cause) }
        } else {
          switch try fate(cause) {
          case .applied(let time) where time >= operation.hlc:
            refusals[operation.id] = refusals[operation.id] ?? .notAfter(cause)
          case .applied, .void: break
          case nil: waiting.insert(cause)
          }
        }
      }
    }
    guard missing == 0, waiting.isEmpty else { return .wait(missing: missing, causes: waiting) }
    guard refusals.isEmpty else { return .refuse(spread(refusals, over: members)) }
    return .apply(members.sorted(by: inOrder))
  }

  private static func inOrder(_ left: OpenedOperation, _ right: OpenedOperation) -> Bool {
    left.operation.hlc != right.operation.hlc
      ? left.operation.hlc < right.operation.hlc : left.operation.id < right.operation.id
  }

  /// The refusals that need no other operation to be seen.
  private static func formRefusals(
    _ members: [OpenedOperation], barred: OperationID?, check: (OpenedOperation) throws -> Refusal?
  ) rethrows -> [OperationID: Refusal]? {
    let places = Set(members.map(\.operation.txIndex))
    let ids = Set(members.map(\.operation.id))
    let fits =
      places.count == members.count && ids.count == members.count
      && members.allSatisfy { $0.operation.txSize == members.count && 0..<members.count ~= $0.operation.txIndex }
    guard fits else {
      return Dictionary(members.map { ($0.operation.id, .transactionForm) }, uniquingKeysWith: { first, _ in first })
    }
    if let barred { return withTransaction(barred, members) }
    var refusals: [OperationID: Refusal] = [:]
    for member in members {
      let id = member.operation.id
      switch member.content {
      case .unreadable: refusals[id] = .unreadableBody
      case .readable(let body) where member.operation.kind == .delete && !body.fields.isEmpty:
        refusals[id] = .deleteSetsFields
      case .readable: refusals[id] = try check(member)
      case .destroyed: break
      }
    }
    return refusals.isEmpty ? nil : spread(refusals, over: members)
  }

  private static func withTransaction(
    _ barred: OperationID, _ members: [OpenedOperation]
  ) -> [OperationID: Refusal] {
    Dictionary(members.map { ($0.operation.id, .withTransaction(barred)) }, uniquingKeysWith: { first, _ in first })
  }

  private static func spread(
    _ refusals: [OperationID: Refusal], over members: [OpenedOperation]
  ) -> [OperationID: Refusal] {
    guard let first = refusals.keys.min() else { return [:] }
    return Dictionary(
      uniqueKeysWithValues: members.map { ($0.operation.id, refusals[$0.operation.id] ?? .withTransaction(first)) })
  }
}
