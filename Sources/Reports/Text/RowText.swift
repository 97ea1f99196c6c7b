import ExamStore
import Journal

extension RowRefusal: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    switch self {
    case .unknown(let row): "there is no \(name(row))"
    case .neverDeleted(let entity): "a \(entity) is never deleted"
    case .needed(let row, let user): "\(name(row)) cannot be deleted: \(name(user)) needs it"
    }
  }

  private func name(_ row: RowKey) -> String { "\(row.entity) \(row.id)" }
}
