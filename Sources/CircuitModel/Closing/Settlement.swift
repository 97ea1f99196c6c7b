import ExamStore
import GRDB
import Journal
import Timer

/// What an exam lead ruled of values that contradicted each other: which is right. It has no row of its own; the change
/// that left one value standing says it.
public struct Settlement: Equatable, Sendable {
  /// The change by which it was ruled.
  public let id: OperationID
  /// The key by which it is withdrawn.
  public var key: String { id.description }
  /// The row.
  public let row: RowKey
  /// What was found right, by field.
  public let fields: [String: Value]
  /// Why.
  public let reason: String
  /// The key of who ruled; nil: the program.
  public let staff: Int?
  /// When.
  public let time: Instant
  /// Whether its values are still those that were ruled; false: someone has set others since.
  public let isStanding: Bool

  /// What the journal has before the reason of one.
  package static let reasonPrefix = "settled: "
  private static let withdrawnPrefix = "withdrawn: "

  /// Every one that nobody has withdrawn, in the order in which they came here.
  public static func all(in db: Database) throws -> [Settlement] {
    let rulings = try String.fetchAll(
      db, sql: "SELECT id FROM operation WHERE kind = ? ORDER BY seq", arguments: [OperationKind.ruling.rawValue]
    ).compactMap { try OperationID($0).flatMap { try OperationTable.applied($0, in: db) } }
    let withdrawn = Set(rulings.flatMap { $0.body?.undone ?? [] })
    return try rulings.compactMap { opened in
      let operation = opened.operation
      guard let body = opened.body, body.undone.isEmpty,
        !withdrawn.contains(operation.id), let table = try? RowTable.of(operation.row.entity)
      else { return nil }
      let heads = try table.heads(of: operation.row.id, in: db)
      let reason = opened.reason ?? ""
      return Settlement(
        id: operation.id, row: operation.row, fields: body.fields,
        reason: reason.hasPrefix(reasonPrefix) ? String(reason.dropFirst(reasonPrefix.count)) : reason,
        staff: operation.staff.map { Int($0) },
        time: operation.madeAt,
        isStanding: body.fields.keys.allSatisfy { heads?.operations[$0] == [operation.id] })
    }
  }

  /// Withdraws it: the values contradict each other again, here and wherever this arrives, and the one that counted before
  /// counts. The journal keeps what was ruled.
  /// - Throws: `RulingRefusal` without a reason, or where one of the values was set again since or is not here.
  func withdraw(reason: String, by lead: ExamLead, _ transaction: JournalTransaction) throws {
    let reason = try Rulings.checked(reason, shortest: 1)
    let replaced = try OperationTable.applied(id, in: transaction.db)?.body?.replaces ?? [:]
    let former = try Set(fields.keys.flatMap { replaced[$0] ?? [] }).compactMap { former in
      try OperationTable.find(former, in: transaction.db).map { operation in
        (
          operation,
          (OpenedOperation(operation).body?.fields ?? [:]).filter { replaced[$0.key]?.contains(former) ?? false }
        )
      }
    }.filter { !$0.1.isEmpty }
    guard isStanding, former.count > 1 else { throw RulingRefusal.setSince }
    transaction.author.reason = Settlement.withdrawnPrefix + reason
    // In the order of their making, so that of each field the same value counts as before.
    for (operation, values) in former.sorted(by: { ($0.0.hlc, $0.0.id) < ($1.0.hlc, $1.0.id) }) {
      try transaction.set(
        operation.row.entity, operation.row.id, values, shown: ShownHeads(values.mapValues { _ in [id] }),
        kind: .ruling,
        undoing: [id])
    }
  }

  /// The change that gave values which the withdrawal of a settlement brought back: its author is the one to ask.
  /// - Parameter fields: what a change set.
  /// - Returns: the change itself, where it brought nothing back.
  static func origin(of operation: Operation, setting fields: [String: Value], in db: Database) throws -> Operation {
    var origin = operation
    while origin.kind == .ruling,
      let settled = OpenedOperation(origin).body?.undone.first,
      let replaced = try OperationTable.find(settled, in: db).flatMap({ OpenedOperation($0).body?.replaces }),
      let given = try Set(fields.keys.flatMap { replaced[$0] ?? [] }).sorted().lazy
        .compactMap({ try OperationTable.find($0, in: db) })
        .first(where: { given in
          let set = OpenedOperation(given).body?.fields
          return fields.allSatisfy { set?[$0.key] == $0.value }
        }),
      // What a change names is earlier; in a damaged store it might lead back.
      given.hlc < origin.hlc
    { origin = given }
    return origin
  }
}
