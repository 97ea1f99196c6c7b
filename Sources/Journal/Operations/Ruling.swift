/// A person's ruling on an operation that did not count, or was revoked: an operation itself, on the row `Operation`
/// with the other's identifier. It changes no row: what comes of it a hub says to everybody, as a verdict.
public enum Ruling {
  /// The entity of the row that it is on.
  public static let entity = "Operation"
  /// The field that it sets.
  public static let field = "verdict"

  /// The kind of operation that says a verdict.
  public static func kind(of verdict: Verdict) -> OperationKind { verdict == .withdrawn ? .withdraw : .admit }

  /// The row of the rulings on an operation.
  public static func row(of operation: OperationID) -> RowKey { RowKey(entity: entity, id: operation.description) }

  /// Whether an operation on that entity is a ruling: it says a verdict of its kind on another operation, and why.
  public static func isOne(_ opened: OpenedOperation) -> Bool {
    guard OperationID(opened.operation.row.id) != nil, let body = opened.body, Set(body.fields.keys) == [field],
      case .text(let word)? = body.fields[field], let verdict = Verdict(rawValue: word)
    else { return false }
    return opened.operation.kind == kind(of: verdict) && opened.reason != nil
  }
}

extension OperationKind {
  /// A lead or the office lets an operation in, or rejects it.
  public static let admit = OperationKind(rawValue: "admit")
  /// Its author takes an operation back that does not count yet.
  public static let withdraw = OperationKind(rawValue: "withdraw")
}
