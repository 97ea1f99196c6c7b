import Catalogue
import CircuitModel
import Journal

extension Bundle.Row {
  /// The row's key in a store. Rows that come with another key, or with none, get one that follows from what they say,
  /// so that a second import finds them again.
  var key: RowKey? {
    guard let declared = Catalogue.standard[entity] else { return nil }
    if let key = declared.storedKey(values) { return RowKey(entity: entity, id: key) }
    guard declared.key == .automatic else { return nil }
    let text = values.sorted { $0.key < $1.key }.map { $0.key + "=" + $0.value.json }.joined(separator: ",")
    let digest = UUIDBytes.v5(namespace: DerivedKeys.namespace, name: entity + "\u{1F}" + text)
    // 48 bits: SQLite goes on counting from the largest key, and must have room to.
    return RowKey(entity: entity, id: String(digest.high >> 16))
  }

  /// The row as the store takes it; nil if it has no key, which a checked bundle never has.
  var importRow: ImportRow? {
    guard let key else { return nil }
    return ImportRow(key, values.mapValues(\.journalled))
  }
}

extension Bundle.Value {
  /// The value as the journal carries it. Numbers with more than six places were refused before.
  var journalled: Value {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .double(let value): Scaled.encode(value).map { .integer($0) } ?? .null
    case .text(let value): .text(value)
    }
  }
}
