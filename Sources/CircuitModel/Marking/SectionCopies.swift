import ExamStore
import GRDB
import Journal

/// Sections that are recorded more than once.
public enum SectionCopies {
  /// Adds a copy of a section after those that are there.
  /// - Returns: the copy's key, which is fresh, so that two terminals that copy at once make two copies; and the
  ///   operation that undoing takes back.
  /// - Throws: `SheetRefusal` if the section cannot be copied or has all the copies that it may have.
  public static func add(
    _ section: SheetSection, of sheet: Sheet, in transaction: JournalTransaction
  ) throws -> (key: String, operation: OperationID?) {
    if sheet.isSigned { throw MarkingRefusal.signed }
    guard section.template.isDuplicable else { throw SheetRefusal.notCopied }
    let copies = try Int.fetchAll(
      transaction.db,
      sql: "SELECT copy FROM dataSection WHERE dataFormID = ? AND sectionToFormLinkID = ? AND dsDeleted = 0",
      arguments: [sheet.key, section.template.link])
    let most = section.template.maximumQuantity
    if most > 0 && copies.count >= most { throw SheetRefusal.mostCopies(most) }
    let key = UUIDBytes.random().description
    let operation = try SheetGenerator.make(
      section.template, copy: (copies.max() ?? 0) + 1, key: key, order: section.order, sheet: sheet.key, in: transaction
    )
    return (key, operation)
  }
}
