import ExamStore
import GRDB
import Journal
import Timer

/// The last changes of a sheet's items, from the journal: what the strip over a sheet shows.
public enum RecentMarks {
  /// One change.
  public struct Mark: Equatable, Sendable {
    /// The operation.
    public let operation: OperationID
    /// Its number in the order of arrival.
    public let sequence: Int64
    /// The item's key.
    public let item: String
    /// What it was set to.
    public let change: AnswerChange
    /// When, on the exam's clock; on the wall's where no exam time was kept.
    public let time: Instant
    /// Who, by name; nil where that is not known.
    public let name: String?
  }

  /// The last changes of items, the newest first. Each item is looked through from its newest change back only as far
  /// as the changes are among the last, so a long history costs nothing.
  /// - Parameter known: marks that were read before; of items that are not looked at they stay.
  public static func last(
    _ count: Int, of items: [SheetItem], beside known: [Mark] = [], in db: Database
  ) throws -> [Mark] {
    let looked = Set(items.lazy.map(\.key))
    var last = known.filter { !looked.contains($0.item) }.sorted { $0.sequence > $1.sequence }
    for item in items {
      let rows = try ReadRow.fetchCursor(
        db.cachedStatement(
          sql: """
            SELECT o.seq, o.id, u.title, u.forename, u.surname FROM operation o LEFT JOIN user u ON u.dsid = o.staff
            WHERE o.entity = ? AND o.entityID = ? ORDER BY o.seq DESC
            """), arguments: [item.entity, item.key])
      while let row = try rows.next() {
        let sequence: Int64 = row[0]
        if last.count >= count, sequence < last[count - 1].sequence { break }
        guard let mark = try mark(row, of: item, in: db) else { continue }
        last.insert(mark, at: last.firstIndex { $0.sequence < sequence } ?? last.count)
      }
    }
    return Array(last.prefix(count))
  }

  private static func mark(_ row: ReadRow, of item: SheetItem, in db: Database) throws -> Mark? {
    guard let id = OperationID(row[1]), let operation = try OperationTable.find(id, in: db),
      operation.kind != .create, let body = try operation.body(),
      let change = AnswerChange(body.fields, on: item.template)
    else { return nil }
    return Mark(
      operation: id, sequence: row[0], item: item.key, change: change,
      time: operation.madeAt,
      name: personName(title: row[2], forename: row[3], surname: row[4]))
  }
}
