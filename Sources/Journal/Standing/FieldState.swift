/// A value that no other applied operation replaces.
public struct Head: Hashable, Sendable {
  /// The operation that set it.
  public let op: OperationID
  /// That operation's place in the order.
  public let hlc: HybridTime
  /// The value.
  public let value: Value

  /// A value with the operation that set it.
  public init(op: OperationID, hlc: HybridTime, value: Value) {
    self.op = op
    self.hlc = hlc
    self.value = value
  }

  /// The order in which heads stand: by time, then by identifier.
  func precedes(_ other: Head) -> Bool {
    hlc != other.hlc ? hlc < other.hlc : op < other.op
  }
}

/// What a field holds: usually one head, several after edits that did not know of each other.
public struct FieldState: Hashable, Sendable {
  /// The heads in the order in which they stand, the standing one last.
  public private(set) var heads: [Head]

  /// A field with these heads, in any order.
  public init(heads: [Head] = []) {
    self.heads = heads.sorted { $0.precedes($1) }
  }

  /// The value that is shown: the head with the largest (hlc, id). Nil when the field was never set.
  public var standing: Head? { heads.last }

  /// Whether heads differ in value, so that a person must rule.
  public var isForked: Bool {
    heads.dropFirst().contains { $0.value != heads[0].value }
  }

  /// What an ordinary edit names: the heads that carry the standing value, for all of them were shown by showing it.
  ///
  /// Heads with another value are not among them, so that a fork stays one until a person rules.
  public var shown: [OperationID] {
    guard let standing else { return [] }
    return heads.filter { $0.value == standing.value }.map(\.op).sorted()
  }

  /// What a ruling names, and a delete: every head.
  public var all: [OperationID] { heads.map(\.op).sorted() }

  /// The heads that stay beside an operation that names some of them.
  ///
  /// Code that keeps only the identifiers of heads asks this first: none left means that the operation's value stands
  /// alone and that no other operation need be read.
  public static func remaining(_ heads: [OperationID], after named: [OperationID]) -> [OperationID] {
    if heads.isEmpty || heads == named { return [] }
    let named = Set(named)
    return heads.filter { !named.contains($0) }
  }

  /// Takes an applied operation's value in place of the heads that it names.
  public mutating func apply(_ head: Head, replacing named: [OperationID]) {
    let remaining = Self.remaining(heads.map(\.op), after: named)
    heads.removeAll { !remaining.contains($0.op) }
    let place = heads.firstIndex { head.precedes($0) } ?? heads.endIndex
    heads.insert(head, at: place)
  }
}
