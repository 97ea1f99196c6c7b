import Catalogue
import CircuitModel

/// Rows in the catalogue's own names: what an import applies, and `{"entities": {entity: [row]}}` as a file.
public struct Bundle: Sendable {
  /// A value of a row.
  public enum Value: Sendable, Hashable {
    /// No value: an import takes away what stands there.
    case null
    /// True or false.
    case bool(Bool)
    /// A whole number, a key, or an instant in milliseconds since 1970.
    case integer(Int64)
    /// A number.
    case double(Double)
    /// A text, a UUID, or JSON as text.
    case text(String)
  }

  /// One row.
  public struct Row: Sendable {
    /// Its entity.
    public let entity: String
    /// Attributes by name, and to-one relationships by name with the destination's key. What is left out is not said.
    public var values: [String: Value]
    /// Where it was written.
    public let place: Place

    /// Makes a row.
    public init(_ entity: String, _ values: [String: Value], place: Place) {
      self.entity = entity
      self.values = values
      self.place = place
    }
  }

  /// Every row; destinations need not come first.
  public var rows: [Row]

  /// Makes a bundle.
  public init(rows: [Row]) { self.rows = rows }
}

extension Bundle.Value {
  /// The value as JSON.
  var json: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .double(let value): WrittenNumber.text(value)
    case .text(let value): JSONText.quoted(value)
    }
  }

  /// The value as the text of a key.
  var key: String? {
    switch self {
    case .integer(let value): String(value)
    case .text(let value): value
    case .null, .bool, .double: nil
    }
  }
}

extension Entity {
  /// The key under which a store has a row that says this; nil if it states none.
  func storedKey(_ values: [String: Bundle.Value]) -> String? {
    if let key = values[storageKey]?.key { return key }
    return localKey == nil ? nil : values[primaryKey]?.key.map { DerivedKeys.key(name, $0) }
  }
}
