import Journal

/// Why a row is not changed or deleted.
public enum RowRefusal: RuleRefusal {
  /// There is no such row.
  case unknown(RowKey)
  /// Rows of this entity are never deleted.
  case neverDeleted(entity: String)
  /// Another row, which is in use, needs it.
  case needed(RowKey, by: RowKey)
}
