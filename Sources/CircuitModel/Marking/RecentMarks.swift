import GRDB
import Journal
import Timer

/// The last changes of a sheet's items, from the journal: what the strip over a sheet shows.
public enum RecentMarks {
  /// One change.
  public struct Mark: Equatable, Sendable {
    /// The operation.
    public let operation: OperationID
    /// The item's key.
    public let item: String
    /// What it was set to, in words.
    public let words: String
    /// When, on the exam's clock; on the wall's where no exam time was kept.
    public let time: Instant
    /// Who, by name; nil where that is not known.
    public let name: String?
  }

  /// The last changes, the newest first.
  public static func last(_ count: Int, of sheet: Sheet, in db: Database) throws -> [Mark] {
    let templates = Dictionary(sheet.items.map { ($0.key, $0.template) }) { first, _ in first }
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT o.id, q.uuid, u.title, u.forename, u.surname
          FROM dataSection s CROSS JOIN dataQuestion q ON q.dataSectionID = s.uuid
            CROSS JOIN operation o ON o.entity = q.entity AND o.entityID = q.uuid
            LEFT JOIN user u ON u.dsid = o.staff
          WHERE s.dataFormID = ? AND o.kind <> 'create' ORDER BY o.seq DESC
          """), arguments: [sheet.key])
    var marks: [Mark] = []
    while marks.count < count, let row = try rows.next() {
      let item: String = row[1]
      guard let template = templates[item], let id = OperationID(row[0]),
        let operation = try OperationTable.find(id, in: db), let body = try operation.body()
      else { continue }
      let words = AnswerWords.of(body.fields, on: template)
      if words.isEmpty { continue }
      marks.append(
        Mark(
          operation: id, item: item, words: words,
          time: Instant(milliseconds: operation.examTime?.milliseconds ?? operation.wallTime),
          name: personName(title: row[2], forename: row[3], surname: row[4])))
    }
    return marks
  }
}
