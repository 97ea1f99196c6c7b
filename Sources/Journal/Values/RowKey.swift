/// The place of a row: its entity's name and its primary key as text.
///
/// Compared byte by byte, entity first.
public struct RowKey: Sendable {
  /// The entity's name as the catalogue has it.
  public let entity: String
  /// The primary key: a number in decimal digits, or a UUID in lowercase.
  public let id: String

  /// Names a row.
  public init(entity: String, id: String) {
    self.entity = entity
    self.id = id
  }

  /// The row of an entity that a value of a relationship names; nil where it names none.
  public init?(_ value: Value?, of entity: String) {
    switch value {
    case .integer(let key): self.init(entity: entity, id: String(key))
    case .text(let key): self.init(entity: entity, id: key)
    default: return nil
    }
  }
}

extension RowKey: Hashable, Comparable, CustomStringConvertible {
  /// Equal when the bytes of both texts are.
  public static func == (left: RowKey, right: RowKey) -> Bool {
    left.id.hasBytes(of: right.id) && left.entity.hasBytes(of: right.entity)
  }

  /// Feeds the bytes of both texts.
  public func hash(into hasher: inout Hasher) {
    hasher.combineBytes(of: entity)
    hasher.combineBytes(of: id)
  }

  /// Orders by the bytes of the entity, then of the key.
  public static func < (left: RowKey, right: RowKey) -> Bool {
    left.entity.hasBytes(of: right.entity)
      ? left.id.utf8.lexicographicallyPrecedes(right.id.utf8)
      : left.entity.utf8.lexicographicallyPrecedes(right.entity.utf8)
  }

  /// Entity and key with a stroke between.
  public var description: String { "\(entity)/\(id)" }
}
