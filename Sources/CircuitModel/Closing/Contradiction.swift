import ExamStore
import GRDB
import Journal
import Timer

/// A row of which two values of a field stand, because terminals that had not met each set one. An ordinary change
/// replaces only what its author was shown, so it is settled by an exam lead alone, who says which is right.
public struct Contradiction: Equatable, Sendable {
  /// The row.
  public let row: RowKey
  /// Since when it is known here.
  public let since: Instant
  /// What stands, each from one change; the first has what counts for now.
  public let choices: [Choice]

  /// One change, with what it set in the fields that hold other values, too. What the withdrawal of a settlement brought
  /// back is told as the change that gave it.
  public struct Choice: Equatable, Sendable {
    /// The change.
    public let id: OperationID
    /// What it set, by field.
    public let fields: [String: Value]
    /// The key of who made it; nil: the program.
    public let staff: Int?
    /// When it was made.
    public let time: Instant
    /// The fields in which it counts for now.
    let standing: Set<String>
    /// Whether it counts for now in one of the fields.
    public var isStanding: Bool { !standing.isEmpty }
  }

  /// Every row with a contradiction, the longest known first.
  public static func all(in db: Database) throws -> [Contradiction] {
    try rows(in: db).compactMap { try read($0.row, since: $0.since, in: db) }
  }

  /// The rows of which two values stand, the longest known first, whether or not the values can be read here.
  package static func rows(in db: Database) throws -> [(row: RowKey, since: Instant)] {
    try ReadRow.fetchAll(
      db,
      sql: "SELECT entity, entityID, min(openedAt) FROM fork GROUP BY entity, entityID ORDER BY 3, entity, entityID"
    ).map { (RowKey(entity: $0[0] ?? "?", id: $0[1] ?? "?"), Instant(stored: $0[2] ?? 0)) }
  }

  /// The contradiction of a row; nil where there is none.
  public static func find(_ row: RowKey, in db: Database) throws -> Contradiction? {
    let since = try Int64.fetchOne(
      db, sql: "SELECT min(openedAt) FROM fork WHERE entity = ? AND entityID = ?", arguments: [row.entity, row.id])
    return try since.flatMap { try read(row, since: Instant(stored: $0), in: db) }
  }

  private static func read(_ row: RowKey, since: Instant, in db: Database) throws -> Contradiction? {
    let choices = try choices(of: row, in: db)
    return choices.count > 1 ? Contradiction(row: row, since: since, choices: choices) : nil
  }

  /// The changes that set what stands in the fields of which two values do, as far as they can be read here.
  static func choices(of row: RowKey, in db: Database) throws -> [Choice] {
    guard let table = try? RowTable.of(row.entity), let heads = try table.heads(of: row.id, in: db) else { return [] }
    let forked = try String.fetchAll(
      db, sql: "SELECT field FROM fork WHERE entity = ? AND entityID = ? ORDER BY field",
      arguments: [row.entity, row.id])
    var operations: [OperationID: (operation: Operation, fields: [String: Value], standing: Set<String>)] = [:]
    for field in forked {
      var held: [Head] = []
      for id in heads.operations[field] ?? [] {
        guard let operation = try operations[id]?.operation ?? OperationTable.find(id, in: db),
          let value = OpenedOperation(operation).body?.fields[field]
        else { continue }
        operations[id, default: (operation, [:], [])].fields[field] = value
        held.append(Head(op: id, hlc: operation.hlc, value: value))
      }
      if let standing = FieldState(heads: held).standing { operations[standing.op]?.standing.insert(field) }
    }
    return try operations.values.map { found in
      let origin = try Settlement.origin(of: found.operation, setting: found.fields, in: db)
      return Choice(
        id: found.operation.id, fields: found.fields, staff: origin.staff.map { Int($0) },
        time: origin.madeAt, standing: found.standing)
    }.sorted { ($0.isStanding ? 0 : 1, $1.time, $1.id) < ($1.isStanding ? 0 : 1, $0.time, $0.id) }
  }

  /// Says that what one of the changes set is right: it stands alone afterwards, here and wherever this arrives.
  /// - Throws: `RulingRefusal` without a reason, or where other values stand by now.
  /// - Returns: the key by which that is withdrawn.
  @discardableResult public func settle(
    for choice: OperationID, reason: String, by lead: ExamLead, _ transaction: JournalTransaction
  ) throws -> String {
    let reason = try Rulings.checked(reason, shortest: 1)
    guard let standing = try Contradiction.find(row, in: transaction.db), standing.choices == choices,
      let chosen = choices.first(where: { $0.id == choice })
    else { throw RulingRefusal.changedMeanwhile }
    var replaced: [String: [OperationID]] = [:]
    for field in chosen.fields.keys {
      replaced[field] = choices.filter { $0.fields[field] != nil }.map(\.id).sorted()
    }
    transaction.author.reason = Settlement.reasonPrefix + reason
    return try transaction.set(row.entity, row.id, chosen.fields, shown: ShownHeads(replaced), kind: .ruling)
      .description
  }
}
