import Catalogue
import GRDB
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

  @Test("every record type reads the columns of its entity") func records() throws {
    for (name, columns) in AllRecords.columns {
      let entity = try #require(Catalogue.standard[name])
      let attributes = Catalogue.standard.allAttributes(of: entity).compactMap(\.column)
      let relationships = Catalogue.standard.allRelationships(of: entity).compactMap(\.column)
      let family = Catalogue.standard.children(of: entity).isEmpty ? [] : [StoredTable.discriminatorColumn]
      #expect(Set(columns) == Set(attributes + relationships + family), "\(name)")
    }
    #expect(Set(AllRecords.columns.keys) == Set(Catalogue.standard.entities.map(\.name)))
  }
}
