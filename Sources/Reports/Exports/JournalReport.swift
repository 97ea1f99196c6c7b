import Catalogue
import CircuitModel
import ExamStore
import GRDB
import Journal
import Timer

/// One operation of the journal with what it changed.
public struct JournalEntry: Sendable {
  /// The order of arrival in this store.
  public let sequence: Int64
  /// The operation.
  public let operation: Operation
  /// The username of who acted.
  public let staff: String?
  /// Why, where a reason was asked.
  public let reason: String?
  /// What it changed, by field; empty where the body was destroyed.
  public let changes: [Change]

  /// A field that an operation set.
  public struct Change: Sendable {
    /// The field.
    public let field: String
    /// What the author was shown before; null where it had never been set.
    public let old: JSONDocument
    /// What it was set to.
    public let new: JSONDocument
    /// Whether the value still stands; a field may have two standing values until a person rules between them.
    public let isStanding: Bool
  }
}

/// Reads the journal for `osce journal` and its export.
public enum JournalReport {
  /// Calls `body` with each operation in the order of arrival.
  /// - Parameter row: only those on this row.
  public static func forEach(
    row: RowKey? = nil, in db: Database, _ body: (JournalEntry) throws -> Void
  ) throws {
    let usernames = try Usernames(db)
    try forEachOperation(row: row, in: db) { sequence, operation in
      let opened = OpenedOperation(operation)
      if case .unreadable(let problem) = opened.content { throw problem }
      let changes = try opened.body.map { try self.changes(of: opened, $0, in: db) } ?? []
      try body(
        JournalEntry(
          sequence: sequence, operation: operation, staff: operation.staff.flatMap { usernames[Int($0)] },
          reason: opened.reason, changes: changes))
    }
  }

  /// Whether the row is or was in the store.
  public static func isKnown(_ row: RowKey, in db: Database) throws -> Bool {
    try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM operation WHERE entity = ? AND entityID = ?)",
      arguments: [row.entity, row.id]) ?? false
  }

  private static func forEachOperation(
    row: RowKey?, in db: Database, _ body: (Int64, Operation) throws -> Void
  ) throws {
    guard let row else { return try OperationTable.forEachNumbered(in: db, body) }
    let sequences = try Int64.fetchAll(
      db, sql: "SELECT seq FROM operation WHERE entity = ? AND entityID = ? ORDER BY seq",
      arguments: [row.entity, row.id])
    for (sequence, operation) in try zip(sequences, OperationTable.history(of: row, in: db)) {
      try body(sequence, operation)
    }
  }

  private static func changes(
    of opened: OpenedOperation, _ content: OperationBody, in db: Database
  ) throws -> [JournalEntry.Change] {
    let operation = opened.operation
    if operation.kind == .delete {
      let values = try RowTable.of(operation.row.entity).values(of: operation.row.id, in: db)
      return [
        JournalEntry.Change(
          field: "dsDeleted", old: .bool(false), new: .bool(true), isStanding: values?["dsDeleted"] == .bool(true))
      ]
    }
    let heads = try heads(of: operation.row, in: db)
    // The fields of an operation mostly replace what one other set: it is looked up once.
    var known: [OperationID: OpenedOperation?] = [:]
    func earlier(_ id: OperationID) throws -> OpenedOperation? {
      if let found = known[id] { return found }
      let found = try OperationTable.applied(id, in: db)
      known[id] = .some(found)
      return found
    }
    return try content.fields.sorted { $0.key < $1.key }.map { field, value in
      let before = try Undo.valueBefore(opened, field, find: earlier)
      return JournalEntry.Change(
        field: field,
        old: shown(before ?? .null, field: field, of: operation.row.entity),
        new: shown(value, field: field, of: operation.row.entity),
        isStanding: heads?[field].contains(operation.id) ?? false)
    }
  }

  private static func heads(of row: RowKey, in db: Database) throws -> HeadsColumn? {
    try (try? RowTable.of(row.entity))?.heads(of: row.id, in: db)
  }

  /// A value as people read it: numbers with decimals as such, instants in UTC, hashes of passcodes not at all.
  static func shown(_ value: Value, field: String, of entity: String) -> JSONDocument {
    if field == "passcodeHash", value != .null { return .text("(hidden)") }
    let attribute = Catalogue.standard[entity].flatMap { Catalogue.standard.attribute(field, of: $0) }
    switch value {
    case .null: return .null
    case .bool(let bool): return .bool(bool)
    case .text(let text): return .text(text)
    case .integer(let number):
      if attribute?.bounds == .whole(Bounds.instants) { return .time(Instant(milliseconds: number)) }
      switch attribute?.type {
      case .double: return .mark(MarkValue(scaled: number))
      case .date: return .time(Instant(milliseconds: number))
      default: return .integer(number)
      }
    }
  }
}

extension JournalEntry {
  /// `{"seq","id","device","deviceSeq","tx","kind","entity","entityID","fields":[{"name","old","new","standing"}],
  /// "staff","wallTime","examTime","sitting","reason","hubSeq","result","erased"}`.
  public var json: JSONDocument {
    .object([
      ("seq", .integer(sequence)), ("id", .text(operation.id.description)),
      ("device", .text(operation.device.description)), ("deviceSeq", .integer(operation.deviceSeq)),
      ("tx", .text(operation.tx.description)), ("kind", .text(operation.kind.rawValue)),
      ("entity", .text(operation.row.entity)), ("entityID", .text(operation.row.id)),
      (
        "fields",
        .array(
          changes.map {
            .object([("name", .text($0.field)), ("old", $0.old), ("new", $0.new), ("standing", .bool($0.isStanding))])
          })
      ),
      ("staff", .optional(staff)), ("wallTime", .time(Instant(stored: operation.wallTime))),
      ("examTime", .time(operation.examTime.map { Instant(stored: $0.milliseconds) })),
      ("sitting", .optional(operation.sitting?.description)), ("reason", .optional(reason)),
      ("hubSeq", .number(operation.hubSeq)), ("result", .optional(operation.result)),
      ("erased", .bool(operation.sealedBody == nil && (operation.absent ?? .erased) == .erased)),
    ])
  }
}

/// `osce export journal`: one row per field of every operation.
enum JournalExport {
  static let columns = [
    "seq", "id", "device", "device_seq", "tx", "kind", "entity", "entity_id", "field", "old", "new", "standing",
    "staff",
    "wall_time", "exam_time", "sitting", "reason", "hub_seq", "result",
  ]

  static func forEachRow(in db: Database, _ body: ([ExportCell]) throws -> Void) throws {
    try JournalReport.forEach(in: db) { entry in
      let operation = entry.operation
      let head: [ExportCell] = [
        .integer(entry.sequence), .text(operation.id.description), .text(operation.device.description),
        .integer(operation.deviceSeq), .text(operation.tx.description), .text(operation.kind.rawValue),
        .text(operation.row.entity), .text(operation.row.id),
      ]
      let tail: [ExportCell] = [
        .optional(entry.staff), .time(Instant(stored: operation.wallTime)),
        .milliseconds(operation.examTime?.milliseconds), .optional(operation.sitting?.description),
        .optional(entry.reason), .number(operation.hubSeq), .optional(operation.result),
      ]
      for change in entry.changes {
        try body(
          head + [.text(change.field), ExportCell(change.old), ExportCell(change.new), .bool(change.isStanding)] + tail)
      }
      if entry.changes.isEmpty { try body(head + [.empty, .empty, .empty, .empty] + tail) }
    }
  }
}

extension ExportCell {
  fileprivate init(_ value: JSONDocument) {
    switch value {
    case .null, .array, .object: self = .empty
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .mark(let value): self = .mark(value)
    case .real(let value): self = .real(value)
    case .text(let value): self = .text(value)
    }
  }
}
