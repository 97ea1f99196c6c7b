/// One column of a table.
public struct StoredColumn: Sendable, Equatable {
  /// The column's name; quote it, because a few are words of SQL.
  public let name: String
  /// Its SQLite type.
  public let storage: Storage
  /// Whether it is the table's primary key.
  public let isKey: Bool
  /// Whether every row holds a value: required in the whole family, or with a default.
  public let isNotNull: Bool
  /// Whether it is to have an index. The key has one of its own and says false.
  public let needsIndex: Bool
  /// Its default, if any.
  public let defaultValue: DefaultValue?
  /// The entity whose key it holds, for the column of a relationship.
  public let destination: String?
}

/// One SQLite table, with the family of entities that share it.
public struct StoredTable: Sendable, Equatable {
  /// The table's name.
  public let name: String
  /// The entities whose rows it holds, the parent first.
  public let entities: [String]
  /// Its primary key column.
  public let key: String
  /// How its rows are told apart.
  public let keyKind: KeyKind
  /// The column that holds the entity's name, in the table of a family; nil: one entity only.
  public let discriminator: String?
  /// All its columns, key first, then the discriminator.
  public let columns: [StoredColumn]
}

extension StoredTable {
  /// The column that tells the entities of a family apart.
  public static let discriminatorColumn = "entity"

  init(root: Entity, children: [Entity]) {
    let family = [root] + children
    var columns: [StoredColumn] = []
    for entity in family {
      let isRoot = entity.name == root.name
      for attribute in entity.attributes {
        guard let name = attribute.column else { continue }
        let isKey = name == root.storageKey
        columns.append(
          StoredColumn(
            name: name, storage: attribute.type.storage, isKey: isKey,
            isNotNull: isKey || attribute.defaultValue != nil || (attribute.isRequired && isRoot),
            needsIndex: attribute.isIndexed && !isKey, defaultValue: attribute.defaultValue, destination: nil))
      }
    }
    columns.sort { $0.isKey && !$1.isKey }
    if !children.isEmpty {
      columns.insert(
        StoredColumn(
          name: Self.discriminatorColumn, storage: .text, isKey: false, isNotNull: true, needsIndex: true,
          defaultValue: nil, destination: nil), at: 1)
    }
    self.init(
      name: root.table, entities: family.map(\.name), key: root.storageKey, keyKind: root.key,
      discriminator: children.isEmpty ? nil : Self.discriminatorColumn, columns: columns)
  }

  /// The same table with the columns of its to-one relationships.
  func adding(_ relationshipColumns: [StoredColumn]) -> StoredTable {
    StoredTable(
      name: name, entities: entities, key: key, keyKind: keyKind, discriminator: discriminator,
      columns: columns + relationshipColumns)
  }
}
