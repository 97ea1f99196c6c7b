import Catalogue
import CircuitModel
import Journal
import Sync

/// Looks up together what the decisions on some operations will ask for one by one. What it leaves out is found anyway,
/// by a statement of its own.
struct ArrivalRows {
  private let log: ExamLog
  private let operations: OperationStore
  private let heads: HeadTable

  init(_ log: ExamLog) {
    self.log = log
    operations = OperationStore(log: log)
    heads = HeadTable(log: log, operations: operations)
  }

  /// The relationships by which it is found out at which station session a row is.
  static let ways: [String: [Relationship]] = Dictionary(
    uniqueKeysWithValues: Catalogue.standard.entities.map { entity in
      let links = Catalogue.standard.storedRelationships(of: entity).filter {
        $0.isOwner || $0.destination == Stored.Timetable.entityName
      }
      return (entity.name, links)
    })

  /// How many steps a row is from its session at most.
  private static let deepest = 8

  func load(_ opened: [OpenedOperation]) throws {
    let arrivals = opened.map(\.operation)
    try log.held.load(.operationsByID, arrivals.map { [HubValue($0.id)] })
    try log.held.load(.waitersByCause, arrivals.map { [HubValue($0.id)] })
    try log.held.load(.headsByField, [[HubValue(key: Ruling.entity), HubValue(key: Ruling.field)]])
    try loadTransactions(arrivals)
    var rows = Set(opened.map(\.operation.row))
    var named: Set<RowKey> = []
    for opened in opened {
      let (row, fields) = (opened.operation.row, opened.body?.fields ?? [:])
      named.formUnion(links(of: row, fields) + ScopeTable.followers(of: row, fields))
    }
    try loadUpwards(from: rows.union(named), causes: opened.flatMap { $0.body?.causes.map { $0 } ?? [] })
    rows.formUnion(named)
    try log.held.load(.placesByRow, rows.map(\.held))
    let moved = opened.flatMap { rowsMoved(by: $0) }
    let traces = opened.filter { Rules.classes(of: $0).contains(.traces) }.map(\.operation.row)
    try log.held.load(.operationsByRow, (moved + traces).map(\.held))
    try log.held.load(.flowsBySource, moved.map(\.held))
  }

  /// The rows that may be at other places from an operation on: what is of them goes with them.
  private func rowsMoved(by opened: OpenedOperation) -> [RowKey] {
    let (row, fields) = (opened.operation.row, opened.body?.fields ?? [:])
    let names = RowKind.links(of: row.entity).map(\.name) + ["seat"]
    let places = [Stored.ClinicGroup.entityName, Stored.ActivityType.entityName, Stored.Timetable.entityName]
    let isPlace = places.contains(row.entity)
    guard isPlace || names.contains(where: { fields[$0] != nil }) else { return [] }
    return [row] + ScopeTable.followers(of: row, fields)
  }

  /// The members that are here of transactions that do not come whole.
  private func loadTransactions(_ arrivals: [Journal.Operation]) throws {
    let parts = Dictionary(grouping: arrivals) { $0.tx }.filter { $1.count != $1[0].txSize }
    try log.held.load(.operationsByTransaction, parts.keys.map { [HubValue($0)] })
  }

  /// What stands in rows and in all above them.
  private func loadUpwards(from rows: Set<RowKey>, causes: [OperationID]) throws {
    var (open, seen, ids) = (rows, rows, Set(causes))
    for _ in 0..<Self.deepest where !open.isEmpty {
      try log.held.load(.headsByRow, open.map(\.held))
      var standing: [RowKey: Set<OperationID>] = [:]
      for row in open { standing[row] = Set(try heads.heads(of: row).values.joined()) }
      for found in standing.values { ids.formUnion(found) }
      try log.held.load(.operationsByID, ids.map { [HubValue($0)] })
      var next: Set<RowKey> = []
      for (row, found) in standing {
        for id in found {
          guard let stored = try operations.versions(of: id).first else { continue }
          next.formUnion(links(of: row, OpenedOperation(stored.operation).body?.fields ?? [:]))
        }
      }
      open = next.subtracting(seen)
      seen.formUnion(open)
    }
  }

  /// The rows that an operation's fields say a row belongs to.
  private func links(of row: RowKey, _ fields: [String: Value]) -> [RowKey] {
    ((Self.ways[row.entity] ?? []) + RowKind.links(of: row.entity)).compactMap {
      RowKey(fields[$0.name], of: $0.destination)
    }
  }
}
