import GRDB
import Journal

extension JournalTransaction {
  /// Brings back a row that was just changed, and the rows above it, where they had been deleted: a deletion is void
  /// as soon as something stands there that it had not seen.
  func bringBack(from row: RowKey) throws {
    // Nearly always nothing there is deleted, which one statement tells.
    guard try RowTable.of(row.entity).isDeletedOrBelowDeleted(row.id, in: db) else { return }
    var open = [row]
    var seen: Set<RowKey> = []
    while let next = open.popLast() {
      guard seen.insert(next).inserted else { continue }
      let table = try RowTable.of(next.entity)
      guard let state = try table.ownership(of: next.id, in: db) else { continue }
      if state.isDeleted { try bringBack(next, table) }
      open += state.owners
    }
  }

  /// What remains without its deletions is what the row's own field says, which an import may have set.
  private func bringBack(_ row: RowKey, _ table: RowTable) throws {
    guard let heads = try table.heads(of: row.id, in: db) else { return }
    let standing = FieldState(heads: try self.heads(heads["dsDeleted"], field: "dsDeleted")).standing?.value
    if standing != .bool(true) {
      try table.update(row.id, fields: ["dsDeleted": .bool(false)], heads: heads, in: db)
    }
  }
}
