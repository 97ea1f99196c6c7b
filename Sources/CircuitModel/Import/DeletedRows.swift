import Catalogue
import ExamStore
import GRDB
import Journal

/// Which rows of files stay out of view.
///
/// A change of a row voids every deletion that had not seen it, of the row and of all rows above it. A person's hand
/// may do that; a file does it only where it says of each deleted row that it is not, and files had deleted it.
struct DeletedRows {
  private let db: Database
  private let rows: [RowKey: ImportRow]
  private var known: [RowKey: Bool] = [:]

  /// - Parameter rows: all rows of the import, for one may bring back what another is below.
  init(_ rows: [ImportRow], in db: Database) {
    self.db = db
    self.rows = Dictionary(rows.map { (DeletedRows.place(of: $0.row), $0) }) { $1 }
  }

  /// Whether a row, or one above it, is deleted and stays so.
  mutating func stays(_ row: RowKey, _ deletes: inout ImportedDeletes) throws -> Bool {
    let place = DeletedRows.place(of: row)
    if let known = known[place] { return known }
    // Rows that own each other in a ring are met once.
    known[place] = false
    let (given, standing) = (rows[place], try RowTable.of(row.entity).ownership(of: row.id, in: db))
    var stays = false
    if standing?.isDeleted == true {
      stays = try given?.fields["dsDeleted"] != .bool(false) || !deletes.canBringBack(given?.row ?? row)
    }
    for owner in (standing?.owners ?? []) + (given.map(DeletedRows.owners) ?? []) where !stays {
      stays = try self.stays(owner, &deletes)
    }
    known[place] = stays
    return stays
  }

  /// The rows directly above a row as a file has it.
  private static func owners(of row: ImportRow) -> [RowKey] {
    guard let entity = Catalogue.standard[row.row.entity] else { return [] }
    return Catalogue.standard.owners(of: entity).compactMap { RowKey(row.fields[$0.name], of: $0.destination) }
  }

  /// Whether a field names a row that stays deleted, and is one that forgets its row with the deletion.
  mutating func isForgotten(
    _ field: String, _ value: Value, of entity: Entity, _ deletes: inout ImportedDeletes
  ) throws -> Bool {
    guard let relationship = Catalogue.standard.relationship(field, of: entity), DeleteRules.forgets(relationship),
      let destination = RowKey(value, of: relationship.destination)
    else { return false }
    return try stays(destination, &deletes)
  }

  /// A row by its table and key: an owner is named by the parent of its family.
  private static func place(of row: RowKey) -> RowKey {
    RowKey(entity: Catalogue.standard[row.entity]?.table ?? row.entity, id: row.id)
  }
}
