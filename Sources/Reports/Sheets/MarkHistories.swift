import CircuitModel
import ExamStore
import GRDB
import Journal
import Timer

/// When marks were first given and how often they were changed, as the journal has it.
struct MarkHistories {
  /// An item's answers over time.
  struct History: Equatable {
    /// When an answer was given for the first time.
    var first: Instant?
    /// How often the answer became another one after that.
    var changes = 0
  }

  /// Items of which more than one operation may have given an answer. The others need no look into the journal.
  private let changed: Set<String>

  init(_ db: Database) throws {
    // An item of an imported sheet may have been made with its answer; any other is made blank.
    changed = try String.fetchSet(
      db,
      sql: """
        SELECT entityID FROM operation WHERE entity IN ('DataQuestion', 'RatingQuestion')
        GROUP BY entity, entityID HAVING count(*) > 2 OR count(*) = 2 AND entityID IN (
          SELECT q.uuid FROM operation o CROSS JOIN dataSection s ON s.dataFormID = o.entityID
            CROSS JOIN dataQuestion q ON q.dataSectionID = s.uuid
          WHERE o.entity = 'DataForm' AND o.kind = 'create' AND instr(o.body, CAST(? AS BLOB)) > 0
        )
        """, arguments: ["\"source\":\"\(OperationBody.imported)\""])
  }

  func history(of item: HeldItem, in db: Database) throws -> History {
    guard isChanged(item) else { return History(first: item.isBlank ? nil : item.markedAt) }
    let kind = item.template.kind
    let fields: [Stored.RatingQuestion.Field] =
      kind.isWritten ? [.feedback] : [.rating, .unable, .descriptor] + (kind.isKnown ? [] : [.feedback])
    var history = History()
    var answer: [Stored.RatingQuestion.Field: Value] = [:]
    for operation in try operations(of: item, in: db) {
      guard let body = try? operation.body() else { continue }
      var next = answer
      for field in fields {
        if let value = body.fields[field] { next[field] = value.isAnswer ? value : nil }
      }
      if next == answer { continue }
      if history.first != nil {
        history.changes += 1
      } else if !next.isEmpty {
        history.first = body.markedAt ?? Instant(stored: operation.hlc.milliseconds)
      }
      answer = next
    }
    return history
  }

  /// Whether more than one operation may have given an item an answer.
  func isChanged(_ item: HeldItem) -> Bool { changed.contains(item.key) }

  /// The operations on an item, oldest first.
  func operations(of item: HeldItem, in db: Database) throws -> [Operation] {
    // A kind that is not known may be stored as either, and answered by any field.
    let kind = item.template.kind
    let written = Stored.DataQuestion.row(item.key), rated = Stored.RatingQuestion.row(item.key)
    let rows = kind.isKnown ? [kind.isWritten ? written : rated] : [written, rated]
    return try rows.flatMap { try OperationTable.history(of: $0, in: db) }
      .sorted { ($0.hlc, $0.id) < ($1.hlc, $1.id) }
  }
}

extension Value {
  /// Whether the value says something: not null, not "no", not an empty text.
  var isAnswer: Bool { self != .null && self != .bool(false) && self != .text("") }
}

extension OperationBody {
  /// When an answer was given, where the operation says it.
  var markedAt: Instant? {
    guard case .integer(let milliseconds) = fields[Stored.DataQuestion.Field.markedAt] else { return nil }
    return Instant(stored: milliseconds)
  }
}
