/// What a hub says of an operation that it has stored.
///
/// Its text is that of the hub's log, and of `Operation.result`: the word, and after a colon the code where there is
/// one, such as `rejected:role`.
public enum HubResult: Hashable, Sendable, CustomStringConvertible {
  /// It counts.
  case applied
  /// It counts, and a field holds two values now.
  case conflict
  /// It is kept as a stub: its direction keeps the content where it was made.
  case withheld
  /// It does not count yet.
  case deferred(Delay)
  /// It counts for nothing, anywhere; the code is nil where a pack or an older program gave none.
  case rejected(Rejection?)
  /// It counts for nothing until a person admits it.
  case quarantined(Quarantine)

  /// What an operation waits for at the hub.
  public enum Delay: String, CaseIterable, Sendable {
    /// An operation that it names.
    case causeMissing = "cause_missing"
    /// Others of its transaction.
    case transactionIncomplete = "tx_incomplete"
  }

  /// Why an operation counts for nothing.
  public enum Rejection: String, CaseIterable, Sendable {
    case notAfter = "not_after"
    case unreadableBody = "unreadable_body"
    case deleteSetsFields = "delete_sets_fields"
    case transactionForm = "transaction_form"
    case twoVersions = "two_versions"
    case withTransaction = "with_transaction"
    case role
    case direction
    case valueType = "value_type"
    case denyRule = "deny_rule"
  }

  /// Why an operation is kept for a person.
  public enum Quarantine: String, CaseIterable, Sendable {
    case unknown
    case locked
    case scope
    case session
    case clockPartition = "clock_partition"
    case clockAhead = "clock_ahead"
    case revoked
  }

  /// Reads a result as it is stored; nil for what no hub says.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let code = parts.count > 1 ? parts[1] : nil
    switch parts[0] {
    case "applied" where code == nil: self = .applied
    case "conflict" where code == nil: self = .conflict
    case "withheld" where code == nil: self = .withheld
    case "deferred":
      guard let delay = code.flatMap({ Delay(rawValue: $0) }) else { return nil }
      self = .deferred(delay)
    case "rejected":
      guard let code else {
        self = .rejected(nil)
        return
      }
      guard let rejection = Rejection(rawValue: code) else { return nil }
      self = .rejected(rejection)
    case "quarantined":
      guard let quarantine = code.flatMap({ Quarantine(rawValue: $0) }) else { return nil }
      self = .quarantined(quarantine)
    default: return nil
    }
  }

  /// Reads a result as it travels, word and code apart; nil for what no hub says.
  public init?(word: String, code: String?) {
    if word.contains(":") { return nil }
    self.init(code.map { "\(word):\($0)" } ?? word)
  }

  /// The word of the text that is stored.
  public var word: String { String(description.prefix { $0 != ":" }) }

  /// The code of the text that is stored; nil where there is none.
  public var code: String? {
    let text = description
    return text.firstIndex(of: ":").map { String(text[text.index(after: $0)...]) }
  }

  /// The text that is stored.
  public var description: String {
    switch self {
    case .applied: "applied"
    case .conflict: "conflict"
    case .withheld: "withheld"
    case .deferred(let delay): "deferred:" + delay.rawValue
    case .rejected(let rejection): rejection.map { "rejected:" + $0.rawValue } ?? "rejected"
    case .quarantined(let quarantine): "quarantined:" + quarantine.rawValue
    }
  }

  private static let counting: [HubResult] = [.applied, .conflict]

  /// Whether an operation with this answer counts.
  public var counts: Bool { Self.counting.contains(self) }

  /// The texts of answers with which an operation counts, as SQL lists them.
  public static let countingList = "(" + counting.map { "'\($0)'" }.joined(separator: ", ") + ")"

  /// Whether an operation with this answer is not decided yet.
  public var isDeferred: Bool { if case .deferred = self { true } else { false } }

  /// Whether a hub judged by what stood there as the operation came: nobody finds that out again later.
  public var isOfItsTime: Bool {
    switch self {
    case .rejected(.role), .rejected(.direction), .rejected(.denyRule), .quarantined: true
    case .rejected, .applied, .conflict, .withheld, .deferred: false
    }
  }

  /// Why an operation with this answer does not count, now or for good; nil where it counts, or says nothing.
  public var refusal: Refusal? {
    switch self {
    case .rejected: .rejected
    case .quarantined: .quarantined
    case .applied, .conflict, .withheld, .deferred: nil
    }
  }
}

/// What a person ruled on an operation that the hub did not take as it is, as `Operation.verdict` has it.
public enum Verdict: String, CaseIterable, Sendable {
  /// It takes part like any other.
  case applied
  /// It counts for nothing.
  case rejected
  /// Its author took it back.
  case withdrawn
}

/// Why the content of an operation is not here, as `Operation.absent` has it: its header and hash are, and verify.
public enum AbsentContent: String, CaseIterable, Sendable {
  /// Its direction keeps it where it was made.
  case withheld
  /// It was destroyed on purpose.
  case erased
  /// This device's scope does not hold it.
  case scope
  /// The disk of its author lost it.
  case damaged
}
