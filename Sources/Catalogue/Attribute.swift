/// What kind of value an attribute holds, in the words of the data model.
public enum AttributeType: String, Sendable, CaseIterable {
  /// A whole number, -32768…32767.
  case integer16
  /// A whole number, -2147483648…2147483647.
  case integer32
  /// A whole number of 64 bits.
  case integer64
  /// A floating point number; never infinite, never NaN.
  case double
  /// Text.
  case string
  /// True or false, stored as 1 or 0.
  case boolean
  /// An instant, stored as whole milliseconds since 1970-01-01T00:00:00Z.
  case date
  /// An object that the reference archives; stored as JSON text where it is stored at all.
  case transformable
  /// A JSON document, stored as text.
  case json
  /// Bytes.
  case data

  /// How SQLite stores it.
  public var storage: Storage {
    switch self {
    case .integer16, .integer32, .integer64, .boolean, .date: .integer
    case .double: .real
    case .string, .transformable, .json: .text
    case .data: .blob
    }
  }
}

/// The SQLite type of a column.
public enum Storage: String, Sendable {
  /// Whole numbers, booleans and instants.
  case integer = "INTEGER"
  /// Floating point numbers.
  case real = "REAL"
  /// Text and JSON.
  case text = "TEXT"
  /// Bytes.
  case blob = "BLOB"
}

/// The value of an attribute that a row does not name.
public enum DefaultValue: Sendable, Equatable {
  /// For the integer types.
  case integer(Int64)
  /// For `double`.
  case double(Double)
  /// For `string`.
  case string(String)
  /// For `boolean`.
  case boolean(Bool)
}

/// One attribute of an entity.
public struct Attribute: Sendable, Equatable {
  /// The attribute's name, spelled as in bundles and in the journal.
  public let name: String
  /// Its column, or nil where the value is transient or derived.
  public internal(set) var column: String?
  /// The kind of its values.
  public let type: AttributeType
  /// Whether a row may leave it out. An attribute with a default may always be left out.
  public internal(set) var isOptional: Bool
  /// Whether its column has an index. The primary key counts as indexed.
  public internal(set) var isIndexed: Bool
  /// Whether this product added it to the reference's model.
  public internal(set) var isExtension: Bool
  /// The value where a row leaves it out; nil: no value.
  public internal(set) var defaultValue: DefaultValue?
  /// Whether it lives only in memory.
  public internal(set) var isTransient: Bool
  /// Why it is there, or how it differs from the reference.
  public internal(set) var note: String?
  /// What its values are held to, beyond the type.
  public internal(set) var bounds: Bounds
  /// Whether each value has a salt of its own, so that two of one secret differ.
  public internal(set) var isSalted = false
  /// Whose person its values tell of; nil: they tell of nobody.
  public internal(set) var personal: PersonalSubject?
  /// Why a text tells of nobody; nil for what is personal or no text.
  public internal(set) var impersonal: Impersonal?

  /// Whether a row without a value is refused.
  public var isRequired: Bool { !isOptional }
  /// Whether a stored row may hold no value: neither required nor with a default.
  public var isNullable: Bool { isOptional && defaultValue == nil }
}
