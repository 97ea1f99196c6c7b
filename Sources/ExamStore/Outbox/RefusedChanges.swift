/// The changes that the hub did not take as they are.
package enum RefusedChanges {
  /// What the hub may say of an operation that needs nobody.
  private static let harmlessResults = ["applied", "conflict", "withheld", "duplicate"]

  /// Whether the hub refuses a change, or keeps it for a person: there is no answer yet where the result has no value,
  /// and one that only waits for others is not refused.
  package static func isRefusal(_ result: String?) -> Bool {
    result.map { !harmlessResults.contains($0) && !isDeferred($0) } ?? false
  }

  private static let deferred = "deferred"

  /// Whether an answer says that a change waits for others. For what it waits an older program did not store.
  package static func isDeferred(_ answer: String) -> Bool { answer.hasPrefix(deferred) }

  /// The same in SQL.
  static func deferredSQL(_ answer: String) -> String { "substr(\(answer), 1, \(deferred.count)) = '\(deferred)'" }

  /// Whether the hub's answer leaves something open and nobody has ruled on it, in SQL, of an operation. The index of
  /// such changes has these words, so that queries with them use it. A list with IN would be made into a table of its
  /// own at each insert.
  /// - Parameter row: what the query calls the operation, where it names several tables.
  package static func unsettled(_ row: String = "") -> String {
    let prefix = row.isEmpty ? "" : row + "."
    return (harmlessResults.map { "\(prefix)result <> '\($0)'" } + ["\(prefix)verdict IS NULL"])
      .joined(separator: " AND ")
  }

  /// The condition for changes that the hub refused or keeps for a person.
  package static func condition(of row: String = "") -> String {
    unsettled(row) + " AND NOT \(deferredSQL((row.isEmpty ? "" : row + ".") + "result"))"
  }

  /// The words of the index before those of `unsettled`.
  static let formerCondition = "result <> 'applied' AND result <> 'duplicate' AND result <> 'deferred'"
}
