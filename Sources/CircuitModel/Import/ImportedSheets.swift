import ExamStore
import GRDB
import Journal

/// Makes whole the mark sheets that come in files: one need not say from which version of its template a sheet was made.
struct ImportedSheets {
  /// The field of a row of a sheet that says what it was made from.
  static let origins = [Stored.DataForm.entityName: "version"]

  private let transaction: JournalTransaction
  private let locks: LockGuard?
  private var current: [Int: String?] = [:]

  private init(in transaction: JournalTransaction) throws {
    self.transaction = transaction
    locks = try LockGuard(transaction.db)
  }

  /// Completes every sheet that has no version. What is deleted or locked stays as it is.
  static func complete(in transaction: JournalTransaction) throws {
    let sheets = try ReadRow.fetchAll(
      transaction.db, sql: "SELECT uuid FROM dataForm WHERE versionID IS NULL AND dsDeleted = 0 ORDER BY uuid")
    if sheets.isEmpty { return }
    var imported = try ImportedSheets(in: transaction)
    for sheet in sheets { try imported.complete(sheet[0]) }
  }

  private mutating func complete(_ sheet: String) throws {
    let db = transaction.db
    let row = RowKey(entity: Stored.DataForm.entityName, id: sheet)
    // A change below a row that was deleted would bring that one back.
    guard try RowTable.of(row.entity).isInView(sheet, in: db), try locks?.keeps(row, in: db) != true else { return }
    let statement = try db.cachedStatement(sql: "SELECT typeID FROM dataForm WHERE uuid = ?")
    guard let form = try ReadRow.fetchOne(statement, arguments: [sheet]).flatMap({ $0[0] as Int? }),
      let version = try current(form)
    else { return }
    try transaction.set(row.entity, sheet, ["version": .text(version)], source: BundleImport.source)
  }

  /// The version of a form as it stands; nil where the form is gone, or nothing is asked in it yet.
  private mutating func current(_ form: Int) throws -> String? {
    if let known = current[form] { return known }
    var made: String?
    if try TemplateReader.read(form: form, in: transaction.db)?.items.isEmpty == false {
      made = try FormVersions.current(of: form, in: transaction).key
    }
    current[form] = .some(made)
    return made
  }
}
