import Catalogue
import GRDB
import Journal

/// The rows that belong to a row, by the catalogue's owner relationships.
enum OwnedRows {
  /// The heads of a row and of every row below it: what a deletion must name.
  static func heads(of row: RowKey, in db: Database) throws -> [RowKey: [String: [OperationID]]] {
    var found: [RowKey: [String: [OperationID]]] = [:]
    var open = [row]
    while let next = open.popLast() {
      guard found[next] == nil, let heads = try RowTable.of(next.entity).heads(of: next.id, in: db) else { continue }
      found[next] = heads.operations
      open += try children(of: next, in: db)
    }
    return found
  }

  /// The rows directly below a row.
  static func children(of row: RowKey, in db: Database) throws -> [RowKey] {
    var rows: [RowKey] = []
    for entity in Catalogue.standard.entities {
      for relationship in entity.relationships where relationship.isOwner {
        guard let column = relationship.column,
          Catalogue.standard.isKind(row.entity, of: relationship.destination)
        else { continue }
        let discriminator = Catalogue.standard.table(named: entity.table)?.discriminator
        let name = discriminator.map { Tables.quoted($0) } ?? "'\(entity.name)'"
        let sql = """
          SELECT \(name), \(Tables.quoted(entity.storageKey)) FROM \(Tables.quoted(entity.table))
          WHERE \(Tables.quoted(column)) = ?
          """
        rows += try Row.fetchAll(db, sql: sql, arguments: [row.id]).map {
          RowKey(entity: $0[0], id: keyText($0[1]))
        }
      }
    }
    return rows
  }

  /// The text form of a key column's value.
  private static func keyText(_ value: DatabaseValue) -> String {
    switch value.storage {
    case .int64(let number): String(number)
    case .string(let text): text
    default: ""
    }
  }
}
