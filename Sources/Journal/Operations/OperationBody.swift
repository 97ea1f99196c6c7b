/// What an operation says: the part of it that can be destroyed on its own.
public struct OperationBody: Hashable, Sendable {
  /// What the fields are set to, by field name.
  public let fields: [String: Value]
  /// The operations that the author was shown in each field, each list sorted and without repeats.
  ///
  /// A field that is named here but not set only makes the operation wait for those named.
  public let replaces: [String: [OperationID]]
  /// For a delete, the heads of the row and of every row below it, each list sorted and without repeats.
  ///
  /// On any other kind they only make the operation wait for those named.
  public let covers: [RowKey: [String: [OperationID]]]
  /// Why, where a reason was asked; only in bodies of schema 2.
  public let reason: String?
  /// Where the values come from: `import`, or nil when a person gave them.
  public let source: String?

  /// Makes a body; lists of operations are sorted and freed of repeats.
  public init(
    fields: [String: Value] = [:], replaces: [String: [OperationID]] = [:],
    covers: [RowKey: [String: [OperationID]]] = [:], reason: String? = nil, source: String? = nil
  ) {
    self.fields = fields
    self.replaces = replaces.mapValues(Self.sortedUnique)
    self.covers = covers.mapValues { $0.mapValues(Self.sortedUnique) }
    self.reason = reason
    self.source = source
  }

  /// This body with another reason.
  public func because(_ reason: String?) -> OperationBody {
    OperationBody(inOrder: fields, replaces, covers, reason: reason, source: source)
  }

  /// What `source` says of values that come from files.
  public static let imported = "import"

  /// The name under which an erasure lists the operations whose content is destroyed. It is no field, so it only says
  /// that they come before.
  public static let erased = "erase"

  /// The name under which an operation lists those that it takes back. It is no field, so it only says that they
  /// come before.
  public static let undoing = "undo"

  /// The operations that it takes back; none where it is no undo.
  public var undone: [OperationID] { replaces[Self.undoing] ?? [] }

  /// Every operation named, in replaces and covers.
  public var causes: Set<OperationID> {
    var causes: Set<OperationID> = []
    for named in replaces.values { causes.formUnion(named) }
    for row in covers.values {
      for named in row.values { causes.formUnion(named) }
    }
    return causes
  }

  private static func sortedUnique(_ ids: [OperationID]) -> [OperationID] {
    ids.count < 2 ? ids : Set(ids).sorted()
  }
}

/// Why bytes are not an operation's body.
public enum OperationBodyProblem: Error, Hashable, Sendable {
  /// They are not canonical JSON.
  case notCanonical(CanonicalJSON.Problem)
  /// They are, but not in a body's only form.
  case form
}

extension OperationBody {
  /// The canonical bytes: an object with `fields` and `replaces`, and with `covers` (entity, key, field, operations),
  /// `reason` and `source` only where there are any.
  public func encode() -> [UInt8] {
    var members: [CanonicalJSON.Member] = []
    if !covers.isEmpty { members.append(CanonicalJSON.Member("covers", Self.node(ofCovers: covers))) }
    members.append(CanonicalJSON.Member("fields", .object(fields.map { CanonicalJSON.Member($0, Self.node($1)) })))
    if let reason { members.append(CanonicalJSON.Member("reason", .text(reason))) }
    members.append(CanonicalJSON.Member("replaces", Self.node(ofNamed: replaces)))
    if let source { members.append(CanonicalJSON.Member("source", .text(source))) }
    return CanonicalJSON.encode(.object(members))
  }

  /// The body of canonical bytes; what it accepts, `encode` writes back byte for byte.
  ///
  /// - Throws: `OperationBodyProblem`.
  public static func decode(_ bytes: [UInt8]) throws(OperationBodyProblem) -> OperationBody {
    try bytes.withUnsafeBufferPointer { (bytes) throws(OperationBodyProblem) in try decode(bytes) }
  }

  /// The body that is kept behind its salt.
  ///
  /// - Throws: `OperationBodyProblem`.
  public static func decode(sealed bytes: [UInt8]) throws(OperationBodyProblem) -> OperationBody {
    guard bytes.count > Operation.saltLength else { throw .form }
    return try bytes.withUnsafeBufferPointer { (bytes) throws(OperationBodyProblem) in
      try decode(UnsafeBufferPointer(rebasing: bytes[Operation.saltLength...]))
    }
  }

  static func decode(_ bytes: UnsafeBufferPointer<UInt8>) throws(OperationBodyProblem) -> OperationBody {
    if let body = OperationBodyReader.read(bytes) { return body }
    // Bytes that are not canonical are refused for that, wherever it shows; only others for their form.
    do { _ = try CanonicalJSON.decode(bytes) } catch { throw .notCanonical(error) }
    throw .form
  }

  /// A body whose lists of operations are sorted and have no repeats.
  init(
    inOrder fields: [String: Value], _ replaces: [String: [OperationID]],
    _ covers: [RowKey: [String: [OperationID]]], reason: String?, source: String?
  ) {
    (self.fields, self.replaces, self.covers) = (fields, replaces, covers)
    (self.reason, self.source) = (reason, source)
  }

  private static func node(_ value: Value) -> CanonicalJSON.Node {
    switch value {
    case .null: .null
    case .bool(let bool): .bool(bool)
    case .integer(let integer): .integer(integer)
    case .text(let text): .text(text)
    }
  }

  private static func node(ofNamed named: [String: [OperationID]]) -> CanonicalJSON.Node {
    .object(named.map { CanonicalJSON.Member($0, .array($1.map { .text($0.description) })) })
  }

  private static func node(ofCovers covers: [RowKey: [String: [OperationID]]]) -> CanonicalJSON.Node {
    let byEntity = Dictionary(grouping: covers) { $0.key.entity }
    return .object(
      byEntity.map { entity, rows in
        CanonicalJSON.Member(entity, .object(rows.map { CanonicalJSON.Member($0.key.id, node(ofNamed: $0.value)) }))
      })
  }
}
