/// What happens to the destination of a relationship when the row that has it is deleted.
public enum DeleteRule: String, Sendable, CaseIterable {
  /// The destination stays and forgets the row.
  case nullify
  /// The destination is deleted with the row.
  case cascade
  /// The row cannot be deleted while a destination exists.
  case deny
  /// Nothing: the destination goes on naming the row, which a soft delete keeps; or the relationship is derived from
  /// another one, whose rule decides.
  case noAction
}

/// One relationship of an entity, seen from one of its two ends.
public struct Relationship: Sendable, Equatable {
  /// The relationship's name, spelled as in bundles and in the journal.
  public let name: String
  /// The entity at the other end.
  public let destination: String
  /// Whether there may be several rows at the other end.
  public let toMany: Bool
  /// The relationship of `destination` that leads back.
  public let inverse: String
  /// What a deletion here does there.
  public internal(set) var deleteRule: DeleteRule
  /// The column that holds the destination's key; nil for to-many, derived and transient ones.
  public internal(set) var column: String?
  /// Whether its column has an index.
  public internal(set) var isIndexed = true
  /// Whether a row may leave it out.
  public internal(set) var isOptional: Bool
  /// Whether the row belongs to its destination and is deleted with it.
  public internal(set) var isOwner: Bool
  /// Whether it lives only in memory.
  public internal(set) var isTransient: Bool
  /// Whether this product added it to the reference's model.
  public internal(set) var isExtension: Bool
  /// Its direction where it differs from its entity's; nil: as the entity.
  public internal(set) var sync: SyncDirection?
  /// Why it is there, or how it differs from the reference.
  public internal(set) var note: String?

  /// Whether a row without a destination is refused.
  public var isRequired: Bool { !isOptional }
}
