import Catalogue
import GRDB
import Journal

/// How what was imported here differs from what a hub has.
package struct ImportDifferences: Sendable {
  /// Rows that hold something else at the hub, whose import stands.
  package let differing: Set<RowKey>
  /// Rows of which the hub was given no content, and that came from nobody else.
  package let onlyHere: Set<RowKey>
  /// People whose passcode was imported here, and of whom another hash stands that the hub gave.
  package let passcodes: Set<RowKey>
  /// Whether an import of this store is a side of a field that has two values.
  package let hasConflict: Bool

  /// Those that were not there earlier: the others were told then.
  package func since(_ earlier: ImportDifferences) -> ImportDifferences {
    ImportDifferences(
      differing: differing.subtracting(earlier.differing), onlyHere: onlyHere.subtracting(earlier.onlyHere),
      passcodes: passcodes.subtracting(earlier.passcodes), hasConflict: hasConflict)
  }

  /// Looks at what this store imported.
  package static func read(_ db: Database) throws -> ImportDifferences {
    guard let device = try DeviceBinding.known(db) else {
      return ImportDifferences(differing: [], onlyHere: [], passcodes: [], hasConflict: false)
    }
    return ImportDifferences(
      differing: try WithheldContent.differingRows(db), onlyHere: try onlyHere(device, db),
      passcodes: try passcodes(device, db), hasConflict: try hasConflict(device, db))
  }

  /// Of a part of the exam nothing says what the hub has of the rest.
  private static func onlyHere(_ device: UUIDBytes, _ db: Database) throws -> Set<RowKey> {
    if try Enrolment.isPartial(db) { return [] }
    let withheld = try OperationTable.fetch(
      """
      device = ?1 AND kind = 'create' AND result = ?2 AND body IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM operation x WHERE x.entity = operation.entity AND x.entityID = operation.entityID
          AND x.device <> ?1 AND x.hubSeq IS NOT NULL)
      """, [device.description, HubResult.withheld.description], in: db)
    return Set(withheld.filter { SendRule.isImported($0) }.map(\.row))
  }

  private static func passcodes(_ device: UUIDBytes, _ db: Database) throws -> Set<RowKey> {
    let kept = try WithheldContent.bodies(in: db)
    var found: Set<RowKey> = []
    for entity in Catalogue.standard.entities {
      let salted = Catalogue.standard.allAttributes(of: entity).filter(\.isSalted).map(\.name)
      if salted.isEmpty { continue }
      let made = try OperationTable.fetch(
        "device = ? AND entity = ? AND kind = 'create'", [device.description, entity.name], in: db)
      for row in made.map(\.row) {
        let values = try RowTable.of(row.entity).values(of: row.id, in: db) ?? [:]
        // Most candidates have none, and need no look at their history.
        if salted.allSatisfy({ values[$0] ?? .null == .null }) { continue }
        let history = try OperationTable.history(of: row, in: db)
        let own = history.filter { $0.device == device }.compactMap { OpenedOperation($0).body } + (kept[row] ?? [])
        let ofHub = history.filter { $0.device != device && $0.hubSeq != nil }.compactMap { OpenedOperation($0).body }
        let differs = salted.contains { field in
          let standing = values[field] ?? .null
          let imported = own.filter { $0.source == OperationBody.imported }.compactMap { $0.fields[field] }
          return standing != .null && ofHub.contains { $0.fields[field] == standing }
            && imported.contains { $0 != .null && $0 != standing }
        }
        if differs { found.insert(row) }
      }
    }
    return found
  }

  private static func hasConflict(_ device: UUIDBytes, _ db: Database) throws -> Bool {
    for fork in try ReadRow.fetchAll(db, sql: "SELECT entity, entityID, field FROM fork") {
      let heads = try RowTable.of(fork[0] as String).heads(of: fork[1], in: db)?[fork[2] as String] ?? []
      let operations = try heads.compactMap { try OperationTable.find($0, in: db) }
      if operations.contains(where: { $0.device == device && SendRule.isImported($0) }) { return true }
    }
    return false
  }
}
