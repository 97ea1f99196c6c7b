import Catalogue
import Journal

/// The rows of an exam as they are once the operations that are looked at count.
struct ComingRows {
  let rows: ExamRows
  /// What they set.
  private let fields: [RowKey: [String: Value]]

  /// - Parameter transaction: the operations that come together, as far as they are here.
  init(_ log: ExamLog, _ transaction: [OpenedOperation]) {
    rows = ExamRows(log)
    var fields: [RowKey: [String: Value]] = [:]
    for opened in transaction { fields[opened.operation.row, default: [:]].merge(opened.body?.fields ?? [:]) { $1 } }
    self.fields = fields
  }

  /// What of a row the operations themselves set.
  func coming(_ field: String, of row: RowKey) -> Value? { fields[row]?[field] }

  /// The value of a field; nil where it was never set.
  func value(_ field: String, of row: RowKey) throws -> Value? {
    try coming(field, of: row) ?? rows.value(field, of: row)
  }

  /// A text in a field; nil where there is none.
  func text(_ field: String, of row: RowKey) throws -> String? {
    if case .text(let text)? = try value(field, of: row) { text } else { nil }
  }

  /// A row of one of some entities to which a row belongs, or which it is itself; nil where there is none here.
  func nearest(_ entities: Set<String>, above row: RowKey) throws -> RowKey? {
    var (open, seen) = ([row], Set<RowKey>())
    while let next = open.popLast(), seen.count < Self.deepest {
      guard seen.insert(next).inserted else { continue }
      if entities.contains(next.entity) { return next }
      guard let entity = Catalogue.standard[next.entity] else { continue }
      let links = Catalogue.standard.storedRelationships(of: entity).filter {
        $0.isOwner || entities.contains($0.destination)
      }
      for link in links { if let above = try self.row(link, of: next) { open.append(above) } }
    }
    return nil
  }

  /// The row that a relationship names.
  func row(_ link: Relationship, of row: RowKey) throws -> RowKey? {
    RowKey(try value(link.name, of: row), of: link.destination)
  }

  private static let deepest = 16
}
