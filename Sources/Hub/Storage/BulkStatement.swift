/// A statement about many rows of one of an exam's tables. A database in the hub's own process runs it row by row; one to
/// which each statement is a way there and back sends all of it together.
public struct BulkStatement: Sendable {
  /// What a column holds.
  public enum Kind: String, Hashable, Sendable {
    case integer
    case text
    case bytes

    fileprivate var array: String {
      switch self {
      case .integer: "bigint[]"
      case .text: "text[]"
      case .bytes: "bytea[]"
      }
    }
  }

  /// For one row.
  public let single: String
  /// What the values of a row are, in their order.
  public let kinds: [Kind]
  /// For all rows at once: `$1` and so on are arrays, one for each of `kinds`, and the last is the exam. Nil where a server
  /// might go through all of an exam to find the rows: it joins as it likes what is changed with what is given.
  public let many: String?
  /// Where in the arguments of one row the exam is.
  private let place: Int

  /// The arguments for one row.
  public func arguments(_ exam: HubValue, _ row: [HubValue]) -> [HubValue] {
    Array(row[..<place]) + [exam] + row[place...]
  }

  /// The rows of a table that have some values in some columns: all their columns but the exam.
  init(select table: HubSchema.Table, by key: [String]) {
    let list = table.held.map(\.name).joined(separator: ", ")
    let given: [String] = key.enumerated().map { " AND \($1) = k\($0)" }
    // With an offset it has to look for each key by itself, and does that by the index that is made for it.
    self.init(
      "SELECT \(list) FROM \(table.name) WHERE exam = ?\(Self.matches(key))", table.kinds(of: key)
    ) { arrays, exam in
      "SELECT found.* FROM \(arrays), LATERAL (SELECT \(list) FROM \(table.name) "
        + "WHERE exam = \(exam)\(given.joined()) OFFSET 0) found"
    }
  }

  /// Adds rows of all columns but the exam.
  /// - Parameter mayBeThere: whether a row with the key of one that is there is left out; otherwise it fails.
  init(insert table: HubSchema.Table, mayBeThere: Bool) {
    let names = table.held.map(\.name)
    let list = names.joined(separator: ", ")
    let places = String(repeating: ", ?", count: names.count)
    let end = mayBeThere ? " ON CONFLICT DO NOTHING" : ""
    self.init(
      "INSERT INTO \(table.name) (exam, \(list)) VALUES (?\(places))\(end)", table.kinds(of: names)
    ) { arrays, exam in
      "INSERT INTO \(table.name) (\(list), exam) SELECT given.*, \(exam)::text FROM \(arrays)\(end)"
    }
  }

  /// Writes some columns of rows that are found by some others; the values to be written come first.
  init(update table: HubSchema.Table, _ columns: [String], by key: [String]) {
    let changes: [String] = columns.map { "\($0) = ?" }
    self.init(
      "UPDATE \(table.name) SET \(changes.joined(separator: ", ")) WHERE exam = ?\(Self.matches(key))",
      table.kinds(of: columns + key),
      place: columns.count)
  }

  /// Removes the rows that are found by some columns.
  init(delete table: HubSchema.Table, by key: [String]) {
    self.init("DELETE FROM \(table.name) WHERE exam = ?\(Self.matches(key))", table.kinds(of: key))
  }

  /// - Parameter many: of the arrays, as rows `given` of columns `k0` and so on, and the exam.
  private init(
    _ single: String, _ kinds: [Kind], place: Int = 0, _ many: ((_ arrays: String, _ exam: String) -> String)? = nil
  ) {
    (self.single, self.kinds, self.place) = (single, kinds, place)
    let arrays: [String] = kinds.enumerated().map { number, kind in "$\(number + 1)::\(kind.array)" }
    let names: [String] = kinds.indices.map { "k\($0)" }
    let given = "unnest(\(arrays.joined(separator: ", "))) AS given (\(names.joined(separator: ", ")))"
    self.many = many?(given, "$\(kinds.count + 1)")
  }

  private static func matches(_ key: [String]) -> String {
    let conditions: [String] = key.map { " AND \($0) = ?" }
    return conditions.joined()
  }
}
