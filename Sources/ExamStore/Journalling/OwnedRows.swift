import Catalogue
import GRDB
import Journal

/// The rows that belong to a row, by the catalogue's owner relationships.
package enum OwnedRows {
  /// The heads of a row and of every row below it: what a deletion must name.
  static func heads(of row: RowKey, in db: Database) throws -> [RowKey: [String: [OperationID]]] {
    var found: [RowKey: [String: [OperationID]]] = [:]
    var open = [row]
    while let next = open.popLast() {
      guard found[next] == nil else { continue }
      found[next] = try RowTable.of(next.entity).heads(of: next.id, in: db)?.operations ?? [:]
      open += try children(of: next, in: db)
    }
    return found
  }

  /// A row and the rows below it that are in view: those that were deleted, and what is below them, are left out.
  static func inView(below row: RowKey, in db: Database) throws -> [RowKey] {
    var found: [RowKey] = []
    try forEachInView(below: row, in: db) {
      found.append($0)
      return true
    }
    return found
  }

  /// Calls `body` with a row and each row below it that is in view, until it returns false.
  package static func forEachInView(below row: RowKey, in db: Database, _ body: (RowKey) throws -> Bool) throws {
    var open = [row]
    var seen: Set<RowKey> = []
    while let next = open.popLast() {
      guard seen.insert(next).inserted,
        let state = try RowTable.of(next.entity).ownership(of: next.id, in: db), next == row || !state.isDeleted
      else { continue }
      if try !body(next) { return }
      open += try children(of: next, in: db)
    }
  }

  /// The rows directly below a row.
  static func children(of row: RowKey, in db: Database) throws -> [RowKey] {
    var rows: [RowKey] = []
    // Rows that only this store has take part in no deletion.
    for entity in Catalogue.standard.entities where entity.sync != .local {
      for relationship in entity.relationships
      where relationship.isOwner && Catalogue.standard.isKind(row.entity, of: relationship.destination) {
        rows += try self.rows(of: entity, naming: row, by: relationship, in: db)
      }
    }
    return rows
  }

  /// The rows of an entity, or of its children, that name a row, in the order of their keys.
  static func rows(
    of entity: Entity, naming row: RowKey, by relationship: Relationship, in db: Database
  ) throws -> [RowKey] {
    guard let column = relationship.column else { return [] }
    let discriminator = Catalogue.standard.table(named: entity.table)?.discriminator
    let name = discriminator.map { Tables.quoted($0) } ?? "'\(entity.name)'"
    let statement = try db.cachedStatement(
      sql: """
        SELECT \(name), \(Tables.quoted(entity.storageKey)) FROM \(Tables.quoted(entity.table))
        WHERE \(Tables.quoted(column)) = ? ORDER BY \(Tables.quoted(entity.storageKey))
        """)
    return try ReadRow.fetchAll(statement, arguments: [row.id]).map {
      RowKey(entity: $0[0], id: $0.key(1) ?? "")
    }
  }
}
