import Catalogue
import GRDB
import Journal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Catalogue, tables and records agree") struct TablesTests {
  @Test("every table has exactly the columns that the catalogue declares, and the heads of its rows")
  func columns() throws {
    let test = try TestStore()
    try test.store.read { db in
      for table in Catalogue.standard.tables {
        let found = try db.columns(in: table.name)
        #expect(Set(found.map(\.name)) == Set(table.columns.map(\.name) + ["heads"]), "\(table.name)")
        for column in table.columns {
          let stored = try #require(found.first { $0.name == column.name })
          #expect(stored.type == column.storage.rawValue, "\(table.name).\(column.name)")
        }
      }
    }
  }

  @Test("every relationship with a column is a foreign key to its destination's table")
  func foreignKeys() throws {
    let test = try TestStore()
    try test.store.read { db in
      for table in Catalogue.standard.tables {
        let keys = try db.foreignKeys(on: table.name)
        for column in table.columns {
          guard let destination = column.destination.flatMap({ Catalogue.standard[$0] }) else { continue }
          #expect(
            keys.contains { $0.destinationTable == destination.table && $0.originColumns == [column.name] },
            "\(table.name).\(column.name)")
        }
      }
    }
  }

  @Test("every indexed attribute has its index") func indexes() throws {
    let test = try TestStore()
    try test.store.read { db in
      for table in Catalogue.standard.tables {
        let indexed = try db.indexes(on: table.name).compactMap(\.columns.first)
        for column in table.columns where column.needsIndex {
          #expect(indexed.contains(column.name), "\(table.name).\(column.name)")
        }
      }
    }
  }

  @Test("every journalled entity has a type with the key and the fields that the catalogue declares")
  func types() throws {
    let journalled = Catalogue.standard.entities.filter { $0.sync != .local }
    #expect(Set(EntitySamples.all.map(\.entity)) == Set(journalled.map(\.name)))
    for sample in EntitySamples.all {
      let entity = try #require(Catalogue.standard[sample.entity])
      #expect(sample.hasNumberAsKey == (Catalogue.standard.keyStorage(of: entity) == .integer), "\(entity.name)")
      #expect(sample.canBeDeleted == entity.softDelete, "\(entity.name)")
      let stored =
        Catalogue.standard.allAttributes(of: entity).filter { $0.column != nil }.map(\.name)
        + Catalogue.standard.storedRelationships(of: entity).map(\.name)
      #expect(Set(sample.fields) == Set(stored).subtracting([entity.storageKey, "dsDeleted"]), "\(entity.name)")
      #expect(Set(sample.changes.map(\.field)) == Set(sample.fields), "\(entity.name)")
    }
  }

  @Test("a typed change of every field is stored as it was made, and one without a value where the table allows none")
  func changes() throws {
    struct TakenBack: Error {}
    let test = try TestStore()
    // What the relationships lead to is not there: the rows are looked at before the transaction ends, and given up.
    #expect(throws: TakenBack.self) {
      try test.store.write(.program) { transaction in
        for sample in EntitySamples.all {
          let table = try RowTable.of(sample.entity)
          #expect(try sample.create(in: transaction) != nil, "\(sample.entity)")
          let made = try #require(try table.values(of: sample.key, in: transaction.db))
          for (field, value) in sample.changes { #expect(made[field] == value, "\(sample.entity).\(field)") }
          try sample.empty(in: transaction)
          let left = try #require(try table.values(of: sample.key, in: transaction.db))
          let nullable = sample.changes.map(\.field).filter { left[$0] == .null }
          #expect(Set(nullable) == Set(sample.emptied), "\(sample.entity)")
          if sample.canBeDeleted { try transaction.delete(sample.entity, sample.key) }
        }
        throw TakenBack()
      }
    }
  }
}

/// A sample of an entity, whichever it is.
protocol AnyEntitySample: Sendable {
  var entity: String { get }
  var key: String { get }
  var hasNumberAsKey: Bool { get }
  var canBeDeleted: Bool { get }
  var fields: [String] { get }
  var changes: [(field: String, value: Value)] { get }
  var emptied: [String] { get }
  func create(in transaction: JournalTransaction) throws -> OperationID?
  func empty(in transaction: JournalTransaction) throws
}

/// A change of every field of an entity, and one without a value of every field that may have none.
struct EntitySample<Entity: StoredEntity>: AnyEntitySample where Entity.Key: Sendable {
  private let rowKey: Entity.Key
  private let all: [FieldChange<Entity>]
  private let withoutValues: [FieldChange<Entity>]

  init(_ key: Entity.Key, _ all: [FieldChange<Entity>], withoutValues: [FieldChange<Entity>]) {
    rowKey = key
    self.all = all
    self.withoutValues = withoutValues
  }

  var entity: String { Entity.entityName }
  var key: String { rowKey.description }
  var hasNumberAsKey: Bool { Entity.Key.self == Int.self }
  var canBeDeleted: Bool { Entity.self is any DeletableEntity.Type }
  var fields: [String] { Entity.Field.allCases.map(\.rawValue) }
  var changes: [(field: String, value: Value)] { all.map { ($0.field, $0.value) } }
  var emptied: [String] { withoutValues.map(\.field) }

  func create(in transaction: JournalTransaction) throws -> OperationID? {
    try transaction.create(Entity.self, rowKey, all)
  }

  func empty(in transaction: JournalTransaction) throws {
    if !withoutValues.isEmpty { try transaction.set(Entity.self, rowKey, withoutValues) }
  }
}
