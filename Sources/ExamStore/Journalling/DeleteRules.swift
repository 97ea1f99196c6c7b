import Catalogue
import GRDB
import Journal

/// What the catalogue's delete rules ask for beside the rows below, which the journal takes along by itself.
package enum DeleteRules {
  /// A row in view that refuses the deletion of a row, or of one that would go with it: the row names it, its rule is
  /// `deny`, and it would not go itself. Nil if there is none.
  package static func denial(of row: RowKey, in db: Database) throws -> RowKey? {
    let family = try OwnedRows.inView(below: row, in: db)
    let isGoing = Set(family)
    for member in family {
      for (entity, relationship) in namers(of: member.entity, .deny) {
        for namer in try OwnedRows.rows(of: entity, naming: member, by: relationship, in: db)
        where !isGoing.contains(namer) {
          if try !RowTable.of(namer.entity).isDeletedOrBelowDeleted(namer.id, in: db) { return namer }
        }
      }
    }
    return nil
  }

  /// The rows in view that are to forget a row that goes, each with its field, in a fixed order.
  package static func forgetters(of row: RowKey, in db: Database) throws -> [(row: RowKey, field: String)] {
    try namers(of: row.entity, .nullify).flatMap { entity, relationship in
      try OwnedRows.rows(of: entity, naming: row, by: relationship, in: db).filter {
        try !RowTable.of($0.entity).isDeletedOrBelowDeleted($0.id, in: db)
      }.map { ($0, relationship.name) }
    }
  }

  /// Whether the rows that name another by a stored relationship forget it when it is deleted.
  package static func forgets(_ relationship: Relationship) -> Bool {
    let catalogue = Catalogue.standard
    guard relationship.column != nil, let destination = catalogue[relationship.destination] else { return false }
    return catalogue.relationship(relationship.inverse, of: destination)?.deleteRule == .nullify
  }

  /// The stored relationships that lead to an entity from where the way back has a rule.
  private static func namers(of entity: String, _ rule: DeleteRule) -> [(Entity, Relationship)] {
    let catalogue = Catalogue.standard
    guard let declared = catalogue[entity] else { return [] }
    return catalogue.allRelationships(of: declared).compactMap { relationship in
      guard relationship.deleteRule == rule, relationship.column == nil,
        let destination = catalogue[relationship.destination],
        let inverse = catalogue.relationship(relationship.inverse, of: destination), inverse.column != nil
      else { return nil }
      return (destination, inverse)
    }
  }
}
