import Catalogue
import ExamStore
import GRDB
import Journal

/// Brings rows from files into a store one by one, and collects what is left to do and to say when all are there.
struct RowImport {
  private let transaction: JournalTransaction
  private let passcodes: PreparedPasscodes
  /// The fields that hold contradicting values, by row.
  private let contradicting: [RowKey: Set<String>]
  /// What the rows delete.
  private var deletes: ImportedDeletes
  private var deleted: DeletedRows
  /// What was done so far.
  private(set) var report = ImportReport()

  init(_ rows: [ImportRow], _ passcodes: PreparedPasscodes, in transaction: JournalTransaction) throws {
    self.transaction = transaction
    self.passcodes = passcodes
    deletes = ImportedDeletes(in: transaction)
    deleted = DeletedRows(rows, in: transaction.db)
    var contradicting: [RowKey: Set<String>] = [:]
    for row in try ReadRow.fetchAll(transaction.db, sql: "SELECT entity, entityID, field FROM fork") {
      contradicting[RowKey(entity: row[0], id: row[1]), default: []].insert(row[2])
    }
    self.contradicting = contradicting
  }

  /// Brings a row to what the files say, but for what a person changed here, and for its deletion.
  mutating func apply(_ row: ImportRow) throws {
    let table = try RowTable.of(row.row.entity)
    let standing = try table.values(of: row.row.id, in: transaction.db)
    var fields = try prepared(row, table, standing)
    // A deletion is never a field: it goes the way of every other, after all rows are there.
    let isDeletion = fields["dsDeleted"] == .bool(true)
    if isDeletion { fields["dsDeleted"] = nil }
    guard let standing else { return try create(row, fields, table.entity, isDeletion: isDeletion) }
    let heads = try table.heads(of: row.row.id, in: transaction.db) ?? HeadsColumn()
    var changes = try changes(of: row.row, to: fields, table.entity, standing, heads)
    if try deleted.stays(row.row, &deletes) {
      let isOtherwise = !changes.settled.isSuperset(of: changes.fields.keys)
      changes.fields = [:]
      if !isDeletion {
        if !changes.isRemovedByHand { report.leftDeleted.append(row.row) }
        if isOtherwise { return }
      }
    }
    try write(changes, row, isDeletion: isDeletion)
  }

  /// Deletes what the rows delete, once all of them are there.
  mutating func carryOutDeletes() throws { try deletes.carryOut(&report) }

  /// The fields that a row states, as they are stored.
  private func prepared(
    _ row: ImportRow, _ table: RowTable, _ standing: [String: Value]?
  ) throws -> [String: Value] {
    var fields = row.fields
    fields[table.entity.storageKey] = nil
    // What a sheet was made from is found where a file does not say it: nothing there takes nothing away.
    if let origin = ImportedSheets.origins[row.row.entity], fields[origin] == .null { fields[origin] = nil }
    if row.row.entity == Stored.Staff.entityName {
      // The reference writes a name in either of two ways; one is shown.
      for (shown, other) in [("forename", "firstName"), ("surname", "lastName")] where fields[shown] == nil {
        let before = standing?[shown] ?? .null
        if before == .null || before == standing?[other] { fields[shown] = fields[other] }
      }
    }
    if row.row.entity == Stored.AssistanceRequested.entityName, fields["status"] == nil {
      fields["status"] = HelpCalls.status(
        isRequired: fields["assistanceRequired"], before: standing?["assistanceRequired"])
    }
    if case .text(let passcode)? = fields.removeValue(forKey: "passcode"), !passcode.isEmpty {
      let claim = PreparedPasscodes.Claim(
        username: Self.text(fields["username"] ?? standing?["username"]) ?? "", passcode: passcode)
      if let hash = try passcodes.hash(claim, standing: Self.text(standing?["passcodeHash"])) {
        fields["passcodeHash"] = .text(hash)
      } else if contradicting[row.row]?.contains("passcodeHash") == true {
        // It fits what counts for now: of two imports with salts of their own that one stands.
        fields["passcodeHash"] = standing?["passcodeHash"]
      }
    }
    return fields
  }

  private mutating func create(
    _ row: ImportRow, _ fields: [String: Value], _ entity: Entity, isDeletion: Bool
  ) throws {
    if try deleted.stays(row.row, &deletes) { return report.leftDeleted.append(row.row) }
    if isDeletion { deletes.add(row, isChanged: true) }
    var given: [String: Value] = [:]
    for (field, value) in fields.sorted(by: { $0.key < $1.key }) where value != .null {
      if try deleted.isForgotten(field, value, of: entity, &deletes) {
        report.kept.append(ImportReport.KeptField(row: row.row, field: field, reason: .namesDeleted))
      } else {
        given[field] = value
      }
    }
    try transaction.create(row.row.entity, row.row.id, given, source: OperationBody.imported)
    report.created += 1
  }

  /// What becomes of a row that is there.
  private struct Changes {
    var fields: [String: Value] = [:]
    /// Stores that imported one folder each for itself have a value from each: the files speak for all of them.
    var replaced = ShownHeads.unknown
    /// The fields that have their value already, and of which others are settled.
    var settled: Set<String> = []
    /// Whether a person deleted the row, which the files have.
    var isRemovedByHand = false
  }

  /// What the files change of a row; what they have otherwise and is kept is reported.
  private mutating func changes(
    of row: RowKey, to fields: [String: Value], _ entity: Entity, _ standing: [String: Value], _ heads: HeadsColumn
  ) throws -> Changes {
    var changes = Changes()
    for (field, value) in fields.sorted(by: { $0.key < $1.key }) {
      let isReturn = field == "dsDeleted"
      if (standing[field] ?? .null) == value {
        if !isReturn, contradicting[row]?.contains(field) == true, try isImported(heads[field]) {
          changes.fields[field] = value
          changes.replaced[field] = heads[field]
          changes.settled.insert(field)
        }
      } else if try isReturn ? !deletes.canBringBack(row) : !isImported(heads[field]) {
        changes.isRemovedByHand = changes.isRemovedByHand || isReturn
        report.kept.append(ImportReport.KeptField(row: row, field: field))
      } else if try deletes.protects(field, of: row) {
        report.kept.append(ImportReport.KeptField(row: row, field: field, reason: .recordedHere))
      } else if try deleted.isForgotten(field, value, of: entity, &deletes) {
        report.kept.append(ImportReport.KeptField(row: row, field: field, reason: .namesDeleted))
      } else {
        changes.fields[field] = value
        if heads[field].count > 1, !isReturn { changes.replaced[field] = heads[field] }
      }
    }
    return changes
  }

  private mutating func write(_ changes: Changes, _ row: ImportRow, isDeletion: Bool) throws {
    if !changes.fields.isEmpty {
      try transaction.set(
        row.row.entity, row.row.id, changes.fields, shown: changes.replaced, source: OperationBody.imported)
      report.changed += 1
    }
    if isDeletion {
      deletes.add(row, isChanged: !changes.fields.isEmpty)
    } else if changes.fields.isEmpty {
      report.unchanged += 1
    }
  }

  /// Whether imports alone have given a field these values.
  private mutating func isImported(_ heads: [OperationID]) throws -> Bool {
    for head in heads where try !deletes.isImported(head) { return false }
    return true
  }

  private static func text(_ value: Value?) -> String? { if case .text(let text)? = value { text } else { nil } }
}
