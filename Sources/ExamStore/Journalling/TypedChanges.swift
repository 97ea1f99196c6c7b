import Catalogue
import GRDB
import Journal
import Timer

/// An entity of the catalogue as a type. A change that names the type can name only fields that the entity has, and
/// give them only values that they hold: a misspelt field would otherwise fail in the exam, not in the build.
package protocol StoredEntity {
  /// The key of its rows.
  associatedtype Key: CustomStringConvertible
  /// The fields that a change may set, by name. Not among them: the key, and the mark of a deletion, which `delete`
  /// alone sets.
  associatedtype Field: StoredField
  /// The entity's name in the catalogue.
  static var entityName: String { get }
}

/// An entity whose rows can be deleted.
package protocol DeletableEntity: StoredEntity {}

/// The names of an entity's fields.
package protocol StoredField: RawRepresentable, CaseIterable, Hashable, Sendable where RawValue == String {}

extension StoredEntity {
  /// The place of a row.
  package static func row(_ key: Key) -> RowKey { RowKey(entity: entityName, id: key.description) }
}

/// What a field can hold.
package protocol FieldContent {
  /// The content as the journal carries it.
  var journalled: Value { get }
}

extension Bool: FieldContent {
  package var journalled: Value { .bool(self) }
}
extension Int: FieldContent {
  package var journalled: Value { .integer(Int64(self)) }
}
extension Int64: FieldContent {
  package var journalled: Value { .integer(self) }
}
extension String: FieldContent {
  package var journalled: Value { .text(self) }
}
extension Instant: FieldContent {
  package var journalled: Value { .integer(milliseconds) }
}
extension Optional: FieldContent where Wrapped: FieldContent {
  package var journalled: Value { self?.journalled ?? .null }
}

/// One field of an entity's rows with the value that it is to have; nil takes the value back.
package struct FieldChange<Entity: StoredEntity>: Hashable, Sendable {
  let field: String
  let value: Value

  /// For the functions that are generated from the catalogue, which know what each field holds.
  package init(_ field: String, _ content: some FieldContent) {
    self.field = field
    value = content.journalled
  }

  private init(standing value: Value, in field: Entity.Field) {
    self.field = field.rawValue
    self.value = value
  }

  /// What stands in fields of a row, as the changes that give it to another row; none if there is no such row.
  package static func standing(
    in fields: [Entity.Field], of key: Entity.Key, in db: Database
  ) throws -> [FieldChange] {
    guard let values = try RowTable.of(Entity.self).values(of: key.description, in: db) else { return [] }
    return fields.map { FieldChange(standing: values[$0] ?? .null, in: $0) }
  }
}

extension JournalTransaction {
  /// Makes a row. A field that is left out or nil has no value yet.
  /// - Parameter source: `import` for what follows from files.
  /// - Returns: the operation; nil, with nothing changed, if the row is already there (rows with derived keys may be).
  @discardableResult package func create<Entity: StoredEntity>(
    _ entity: Entity.Type, _ key: Entity.Key, _ changes: [FieldChange<Entity>], kind: OperationKind = .create,
    source: String? = nil
  ) throws -> OperationID? {
    let row = Entity.row(key)
    return try create(row.entity, row.id, values(changes).filter { $0.value != .null }, kind: kind, source: source)
  }

  /// Sets fields of a row, also those that hold the value already.
  /// - Parameters:
  ///   - shown: for each field, the operations whose value the author was shown; without it, those that stand.
  ///   - undoing: the operations that this one takes back; see `SessionUndo`.
  /// - Throws: `RowRefusal` if there is no such row.
  @discardableResult package func set<Entity: StoredEntity>(
    _ entity: Entity.Type, _ key: Entity.Key, _ changes: [FieldChange<Entity>], shown: ShownHeads = .unknown,
    kind: OperationKind = .set, undoing: [OperationID] = []
  ) throws -> OperationID {
    let row = Entity.row(key)
    return try set(row.entity, row.id, values(changes), shown: shown, kind: kind, undoing: undoing)
  }

  /// Sets fields of a row that may be of the entity or of one that inherits from it: the row's own entity was read
  /// with it, and its operations must go on naming that one.
  /// - Throws: `StoreError` if the row is of neither, `RowRefusal` if it is not there.
  @discardableResult package func set<Entity: StoredEntity>(
    _ row: RowKey, _ changes: [FieldChange<Entity>], shown: ShownHeads = .unknown, kind: OperationKind = .set
  ) throws -> OperationID {
    guard Catalogue.standard.isKind(row.entity, of: Entity.entityName) else {
      throw StoreError("\(row) is not a \(Entity.entityName)")
    }
    return try set(row.entity, row.id, values(changes), shown: shown, kind: kind)
  }

  /// Removes a row and what belongs to it from view; a change that this one did not see brings it back.
  @discardableResult package func delete<Entity: DeletableEntity>(
    _ entity: Entity.Type, _ key: Entity.Key
  ) throws -> OperationID {
    try delete(Entity.entityName, key.description)
  }

  /// Of two changes of one field the later counts.
  private func values<Entity>(_ changes: [FieldChange<Entity>]) -> [String: Value] {
    Dictionary(changes.map { ($0.field, $0.value) }) { $1 }
  }
}

// MARK: Fields by name

extension RowTable {
  /// The rows of an entity.
  package static func of<Entity: StoredEntity>(_ entity: Entity.Type) throws -> RowTable {
    try of(Entity.entityName)
  }
}

extension [String: Value] {
  /// What an operation or a row has in a field; nil where it does not name the field.
  package subscript(field: some StoredField) -> Value? { self[field.rawValue] }
}

extension HeadsColumn {
  /// The operations that stand on a field.
  package subscript(field: some StoredField) -> [OperationID] { self[field.rawValue] }
}

extension ShownHeads {
  /// Only what was shown in some fields. Who did it and when need no ruling where the value itself is agreed on: such
  /// fields follow whatever stands.
  package func limited<Field: StoredField>(to fields: Set<Field>) -> ShownHeads {
    limited(to: Set(fields.map(\.rawValue)))
  }
}
