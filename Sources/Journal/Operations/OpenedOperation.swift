/// An operation with its body decoded once.
public struct OpenedOperation: Hashable, Sendable {
  /// What became of the body.
  public enum Content: Hashable, Sendable {
    /// It can be read.
    case readable(OperationBody)
    /// It was destroyed: the operation counts as here and sets nothing.
    case destroyed
    /// Its bytes are not a body.
    case unreadable(OperationBodyProblem)
  }

  /// The operation.
  public let operation: Operation
  /// Its body.
  public let content: Content

  /// Decodes an operation's body; bytes that are no body are kept as such.
  public init(_ operation: Operation) {
    self.operation = operation
    do {
      content = if let body = try operation.body() { .readable(body) } else { .destroyed }
    } catch {
      content = .unreadable(error)
    }
  }

  /// Decodes some operations, and looks for what is wrong with each alone.
  package static func open(_ operations: [Operation]) -> [(opened: OpenedOperation, damage: ChainProblem.Kind?)] {
    operations.map { (OpenedOperation($0), $0.damage) }
  }

  /// Why, where a reason was asked: of the header in schema 1, else of the body.
  public var reason: String? { operation.schema == 1 ? operation.headerReason : body?.reason }

  /// The body where it can be read.
  public var body: OperationBody? {
    if case .readable(let body) = content { body } else { nil }
  }
}
