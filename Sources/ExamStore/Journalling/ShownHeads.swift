import Journal

/// What the author of an edit had on the screen: for each field the operations whose value was shown, and none for a
/// field that was shown blank. An edit names them, so that two people who fill one blank at once are both kept.
public struct ShownHeads: Equatable, Sendable {
  private var heads: [String: [OperationID]]
  /// Fields on which several operations stand: which of them carry the shown value is found when the edit is written.
  private var undecided: Set<String>
  private let isKnown: Bool
  private var scope: Set<String>?

  /// Nothing is known: the edit follows whatever stands when it is written. For changes that no screen precedes, and
  /// for a field whose last change is still on its way to the disk.
  public static let unknown = ShownHeads(heads: [:], undecided: [], isKnown: false)

  private init(heads: [String: [OperationID]], undecided: Set<String>, isKnown: Bool) {
    self.heads = heads
    self.undecided = undecided
    self.isKnown = isKnown
  }

  func limited(to fields: Set<String>) -> ShownHeads {
    var limited = self
    limited.scope = scope?.intersection(fields) ?? fields
    return limited
  }

  /// - Parameter heads: the operations shown; a field that is left out was blank.
  public init(_ heads: [String: [OperationID]]) {
    self.init(heads: heads, undecided: [], isKnown: true)
  }

  package init(_ column: HeadsColumn) {
    let forked = column.operations.filter { $0.value.count > 1 }
    self.init(
      heads: forked.isEmpty ? column.operations : column.operations.filter { $0.value.count == 1 },
      undecided: Set(forked.keys), isKnown: true)
  }

  /// The operations shown in a field; nil where that is to be found when the edit is written.
  public subscript(field: String) -> [OperationID]? {
    get {
      if let scope, !scope.contains(field) { return nil }
      return !isKnown || undecided.contains(field) ? heads[field] : heads[field] ?? []
    }
    set {
      heads[field] = newValue
      undecided.remove(field)
    }
  }
}

extension ShownHeads: ExpressibleByDictionaryLiteral {
  /// As `init(_:)`.
  public init(dictionaryLiteral elements: (String, [OperationID])...) {
    self.init(Dictionary(elements) { first, _ in first })
  }
}
