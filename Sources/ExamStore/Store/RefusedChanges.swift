/// The changes that the hub refused.
package enum RefusedChanges {
  /// What the hub may say of an operation that is no cause for concern.
  private static let harmlessResults = ["applied", "duplicate", "deferred"]

  /// Whether the hub's answer is a refusal; there is no answer yet where it has no value.
  package static func isRefusal(_ result: String?) -> Bool { result.map { !harmlessResults.contains($0) } ?? false }

  /// The same in SQL, of an operation. The index of refused changes has these words, so that queries with them use it.
  /// A list with IN would be made into a table of its own at each insert.
  /// - Parameter row: what the query calls the operation, where it names several tables.
  package static func condition(of row: String = "") -> String {
    let column = row.isEmpty ? "result" : row + ".result"
    return harmlessResults.map { "\(column) <> '\($0)'" }.joined(separator: " AND ")
  }
}
