/// The data model, declared once. Import, store, exchange, validation, `osce schema` and the data model page all read
/// this declaration; to change a direction or a rule, change it here.
///
/// This module holds no rows, reads no files and knows no database.
public struct Catalogue: Sendable {
  /// The model of this product: the reference's 37 entities and the extensions.
  public static let standard = Catalogue(
    entities: Entity.scheduling + Entity.templates + Entity.sheets + Entity.people + Entity.commentary
      + Entity.configuration + Entity.syncAndState + Entity.hall + Entity.closing + Entity.clock + Entity.journal)

  /// All entities, parents before their children.
  public let entities: [Entity]
  /// The tables that hold them, one for each family.
  public let tables: [StoredTable]

  private let indexByName: [String: Int]
  private let indexByTable: [String: Int]

  init(entities: [Entity]) {
    self.entities = entities
    indexByName = Dictionary(
      entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    let keys = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    tables = entities.filter { $0.parent == nil }.map { root in
      let children = entities.filter { $0.parent == root.name }
      return StoredTable(root: root, children: children).adding(
        ([root] + children).flatMap { entity in
          entity.relationships.compactMap { Self.column(of: $0, in: entity, keys) }
        })
    }
    indexByTable = Dictionary(
      tables.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private static func column(
    of relationship: Relationship, in entity: Entity, _ entities: [String: Entity]
  ) -> StoredColumn? {
    guard let name = relationship.column else { return nil }
    let holdsNumbers = entities[relationship.destination].map(keyStorage) == .integer
    return StoredColumn(
      name: name, storage: holdsNumbers ? .integer : .text, isKey: false,
      isNotNull: relationship.isRequired && entity.parent == nil, needsIndex: relationship.isIndexed,
      defaultValue: nil,
      destination: relationship.destination)
  }

  private static func keyStorage(of entity: Entity) -> Storage {
    if entity.localKey != nil { return .text }
    return switch entity.key {
    case .dsid, .automatic: .integer
    case .uuid, .name: .text
    }
  }

  /// The entity of this name, or nil.
  public subscript(name: String) -> Entity? {
    indexByName[name].map { entities[$0] }
  }

  /// The table of this name, or nil.
  public func table(named name: String) -> StoredTable? {
    indexByTable[name].map { tables[$0] }
  }

  /// The columns of the table of this name, key first; empty where there is no such table.
  public func columns(ofTable name: String) -> [StoredColumn] {
    table(named: name)?.columns ?? []
  }

  /// The SQLite type of the key by which relationships to the entity are stored.
  public func keyStorage(of entity: Entity) -> Storage {
    Self.keyStorage(of: entity)
  }

  /// The entity's parent, or nil.
  public func parent(of entity: Entity) -> Entity? {
    entity.parent.flatMap { self[$0] }
  }

  /// The entities that inherit from this one.
  public func children(of entity: Entity) -> [Entity] {
    entities.filter { $0.parent == entity.name }
  }

  /// Whether a row of `entity` may stand where a row of `ancestor` is asked for.
  public func isKind(_ entity: String, of ancestor: String) -> Bool {
    entity == ancestor || self[entity]?.parent == ancestor
  }

  /// The attributes of the entity, inherited ones first.
  public func allAttributes(of entity: Entity) -> [Attribute] {
    (parent(of: entity)?.attributes ?? []) + entity.attributes
  }

  /// The relationships of the entity, inherited ones first.
  public func allRelationships(of entity: Entity) -> [Relationship] {
    (parent(of: entity)?.relationships ?? []) + entity.relationships
  }

  /// Those of them by which a row names another one: its table has a column for the key.
  public func storedRelationships(of entity: Entity) -> [Relationship] {
    allRelationships(of: entity).filter { $0.column != nil }
  }

  /// The attribute of this name, its own or inherited, or nil.
  public func attribute(_ name: String, of entity: Entity) -> Attribute? {
    entity.attributes.first { $0.name == name } ?? parent(of: entity)?.attributes.first { $0.name == name }
  }

  /// Whether each value of an entity's field has a salt of its own.
  public func isSalted(_ field: String, of entity: String) -> Bool {
    self[entity].flatMap { attribute(field, of: $0) }?.isSalted ?? false
  }

  /// The relationship of this name, its own or inherited, or nil.
  public func relationship(_ name: String, of entity: Entity) -> Relationship? {
    entity.relationships.first { $0.name == name } ?? parent(of: entity)?.relationships.first { $0.name == name }
  }

  /// The relationships by which a row belongs to the row above it, its own or inherited.
  public func owners(of entity: Entity) -> [Relationship] {
    allRelationships(of: entity).filter(\.isOwner)
  }

  /// The way a field of the entity travels: its relationship's own direction, or the entity's.
  public func sync(ofField name: String, in entity: Entity) -> SyncDirection {
    relationship(name, of: entity)?.sync ?? entity.sync
  }
}
