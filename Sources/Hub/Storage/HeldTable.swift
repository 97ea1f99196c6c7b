/// A table of exams of which a transaction holds rows in memory.
struct HeldTable: Sendable {
  /// Its place among them.
  let place: Int
  let name: String
  /// Where in a row its key is.
  let key: [Int]
  let indexes: [HeldIndex]
  let insert: BulkStatement
  let delete: BulkStatement
  /// Whether an exam has no row in it as a rule: that is asked once and not for each key.
  let isOftenEmpty: Bool
  /// A row of an exam, where there is one.
  var any: String { "SELECT 1 FROM \(name) WHERE exam = ? LIMIT 1" }
  private let table: HubSchema.Table

  /// Where in a row a column is.
  func column(_ name: String) -> Int { table.place(of: name) }

  /// Writes some columns of rows that are found by their keys.
  func update(_ columns: [Int]) -> BulkStatement {
    let names = table.held.map(\.name)
    return BulkStatement(update: table, columns.map { names[$0] }, by: key.map { names[$0] })
  }

  private init(
    _ place: Int, _ name: String, by indexes: [[String]] = [], mayBeThere: Bool = true, isOftenEmpty: Bool = false
  ) {
    guard let table = HubSchema.tables.first(where: { $0.name == name }) else {
      preconditionFailure("no table \(name)")
    }
    let key = table.key.split(separator: ", ").dropFirst().map(String.init)
    (self.place, self.name, self.table, self.isOftenEmpty) = (place, name, table, isOftenEmpty)
    self.key = key.map { table.place(of: $0) }
    insert = BulkStatement(insert: table, mayBeThere: mayBeThere)
    delete = BulkStatement(delete: table, by: key)
    self.indexes = indexes.enumerated().map { number, columns in
      HeldIndex(
        table: place, place: number, columns: columns.map { table.place(of: $0) },
        select: BulkStatement(select: table, by: columns))
    }
  }

  // MARK: Those that there are

  static let operations = HeldTable(
    0, "op", by: [["id"], ["device", "deviceSeq"], ["tx"], ["entity", "entityID"]], mayBeThere: false)
  static let entries = HeldTable(1, "log", mayBeThere: false)
  static let heads = HeldTable(2, "head", by: [["entity", "entityID"], ["entity", "field"]], mayBeThere: false)
  static let waiters = HeldTable(3, "parked", by: [["cause"]], isOftenEmpty: true)
  static let places = HeldTable(4, "row_atom", by: [["entity", "entityID"]], mayBeThere: false)
  static let flows = HeldTable(5, "flow", by: [["source", "sourceID"]])
  static let late = HeldTable(6, "late")
  static let all = [operations, entries, heads, waiters, places, flows, late]
}

/// Some columns by which rows of a table are found together.
struct HeldIndex: Sendable {
  let table: Int
  let place: Int
  let columns: [Int]
  let select: BulkStatement

  static let operationsByID = HeldTable.operations.indexes[0]
  static let operationsByChain = HeldTable.operations.indexes[1]
  static let operationsByTransaction = HeldTable.operations.indexes[2]
  static let operationsByRow = HeldTable.operations.indexes[3]
  static let headsByRow = HeldTable.heads.indexes[0]
  static let headsByField = HeldTable.heads.indexes[1]
  static let waitersByCause = HeldTable.waiters.indexes[0]
  static let placesByRow = HeldTable.places.indexes[0]
  static let flowsBySource = HeldTable.flows.indexes[0]
}
