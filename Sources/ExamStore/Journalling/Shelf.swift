/// Where an operation lies, by the name of its table: what is written of one is written wherever it is.
package enum Shelf: String, CaseIterable {
  /// The journal: what counts, and all that this device made itself.
  case journal = "operation"
  /// Aside: what waits or is refused.
  case aside = "pending"

  /// The tables of all.
  package static let tables = allCases.map(\.rawValue)
}
