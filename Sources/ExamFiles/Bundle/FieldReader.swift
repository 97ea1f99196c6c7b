import Catalogue
import CircuitModel

/// Reads one field of a bundle's row as the catalogue declares it.
struct FieldReader {
  enum Outcome {
    /// A value to import, under this name.
    case value(String, Bundle.Value)
    /// A to-one relationship that follows from others: its destination is checked, nothing is imported.
    case reference(Relationship, Bundle.Value)
    /// A field that is known and not stored.
    case nothing
    case wrong(String)
  }

  /// Foreign keys that are written under their own names, with the relationships that they stand for.
  static let foreignKeys = [
    "typeID": "type", "attendanceLogID": "attendanceLog", "clinic_group_id": "clinicGroup",
    "discipline_id": "discipline",
  ]

  let catalogue: Catalogue
  let entity: Entity

  func read(_ field: JSONTree.Entry) -> Outcome {
    if let attribute = catalogue.attribute(field.key, of: entity) { return read(field, attribute) }
    if let relationship = catalogue.relationship(field.key, of: entity) { return read(field, relationship) }
    let names = catalogue.allAttributes(of: entity).map(\.name) + catalogue.allRelationships(of: entity).map(\.name)
    return .wrong("unknown attribute \(Visible.quoted(field.key))" + NearestName.hint(for: field.key, among: names))
  }

  private func read(_ field: JSONTree.Entry, _ attribute: Attribute) -> Outcome {
    let isKey = attribute.name == entity.primaryKey || attribute.name == entity.storageKey
    if case .null = field.value.content {
      if attribute.isRequired || isKey { return .nothing }
      if attribute.defaultValue != nil { return .wrong("'\(attribute.name)' cannot be null") }
      return attribute.column == nil ? .nothing : .value(attribute.name, .null)
    }
    guard let value = value(field.value, attribute) else {
      let (expected, found) = (Self.expected(attribute), Self.found(field.value, attribute))
      return .wrong("'\(attribute.name)' must be \(expected), not \(found)")
    }
    if case .integer(let number) = value, case .whole(let range) = attribute.bounds,
      Self.range(attribute.type)?.contains(number) == false
    {
      return .wrong("'\(attribute.name)' is \(number), outside \(range.lowerBound) to \(range.upperBound)")
    }
    if isKey, entity.key == .uuid || entity.localKey != nil, case .text(let text) = value, !Self.isKey(text) {
      return .wrong(
        "'\(attribute.name)' \(Visible.quoted(text)) cannot be a key: 1 to 128 printable characters without spaces")
    }
    if let fault = Self.fault(of: value, attribute) { return .wrong(fault) }
    if attribute.column == nil, Self.foreignKeys[attribute.name] == nil, attribute.name != "passcode" {
      return .nothing
    }
    return .value(attribute.name, value)
  }

  private func read(_ field: JSONTree.Entry, _ relationship: Relationship) -> Outcome {
    if relationship.toMany {
      return .wrong(
        "'\(relationship.name)' is to-many and is not written; each \(relationship.destination) names its "
          + "'\(relationship.inverse)'")
    }
    if case .null = field.value.content {
      return relationship.column == nil || relationship.isRequired ? .nothing : .value(relationship.name, .null)
    }
    guard let destination = catalogue[relationship.destination] else { return .nothing }
    let wantsNumber = catalogue.keyStorage(of: destination) == .integer
    switch field.value.content {
    case .integer(let number) where wantsNumber || destination.localKey != nil:
      guard Self.int32.contains(number) else {
        return .wrong(
          "'\(relationship.name)' is \(number), outside \(Self.int32.lowerBound) to \(Self.int32.upperBound)")
      }
      // A row that is keyed at terminals has the exam office's number beside its key.
      return outcome(
        relationship, wantsNumber ? .integer(number) : .text(DerivedKeys.key(destination.name, String(number))))
    case .text(let text) where !wantsNumber:
      return outcome(relationship, .text(text))
    default:
      return .wrong(
        "'\(relationship.name)' must be the key of a row of \(destination.name), "
          + "\(wantsNumber ? "a whole number" : "a text"), "
          + "not \(field.value.kind)")
    }
  }

  private func outcome(_ relationship: Relationship, _ value: Bundle.Value) -> Outcome {
    relationship.column == nil ? .reference(relationship, value) : .value(relationship.name, value)
  }

  private func value(_ tree: JSONTree, _ attribute: Attribute) -> Bundle.Value? {
    switch (attribute.type, tree.content) {
    case (.integer16, .integer(let number)), (.integer32, .integer(let number)), (.integer64, .integer(let number)),
      (.date, .integer(let number)):
      return .integer(number)
    // The reference calls manualStart a Boolean-like number.
    case (.integer16, .bool(let flag)) where attribute.name == "manualStart": return .integer(flag ? 1 : 0)
    case (.double, .integer(let number)) where number.magnitude <= 1_000_000_000: return .double(Double(number))
    case (.double, .double(let number)) where Self.isExact(number): return .double(number)
    case (.string, .text(let text)): return .text(text)
    case (.boolean, .bool(let flag)): return .bool(flag)
    case (.date, .text(let text)): return WrittenInstant.milliseconds(text).map { .integer($0) }
    case (.json, .list), (.json, .object): return .text(JSONText.of(tree))
    case (.json, .text("liftupp")) where attribute.name == "warnings": return .text(JSONText.quoted("liftupp"))
    case (.json, .text(let text)): return (try? JSONReader.read(text)).map { .text(JSONText.of($0)) }
    case (.transformable, _): return .text("")
    default: return nil
    }
  }

  /// What the catalogue's bounds say against a value.
  private static func fault(of value: Bundle.Value, _ attribute: Attribute) -> String? {
    let fault: String? =
      switch value {
      case .integer(let number): attribute.bounds.fault(whole: number)
      case .double(let number): attribute.bounds.fault(number: number)
      case .text(let text): attribute.bounds.fault(text: text)
      case .null, .bool: nil
      }
    return fault.map { BundleRules.text(for: value, in: attribute) ?? "'\(attribute.name)' \($0)" }
  }

  private static let int32 = Int64(Int32.min)...Int64(Int32.max)

  private static func range(_ type: AttributeType) -> ClosedRange<Int64>? {
    switch type {
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: int32
    default: nil
    }
  }

  /// Marks are kept in millionths.
  private static func isExact(_ number: Double) -> Bool {
    abs(number) <= 1_000_000_000 && (number * 1_000_000).rounded() / 1_000_000 == number
  }

  private static func isKey(_ text: String) -> Bool {
    1...128 ~= text.utf8.count && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
  }

  /// A text stands for a document, or is a word that may stand in the place of one: it is shown itself.
  private static func found(_ tree: JSONTree, _ attribute: Attribute) -> String {
    if attribute.type == .json, case .text(let text) = tree.content { Visible.quoted(text) } else { tree.kind }
  }

  private static func expected(_ attribute: Attribute) -> String {
    switch attribute.type {
    case .integer16, .integer32, .integer64: "a whole number"
    case .double: "a number with at most six decimal places"
    case .string: "a text"
    case .boolean: "true or false"
    case .date: "an instant (milliseconds since 1970, or a text such as 2026-12-07T09:00:00.000Z)"
    case .json: attribute.bounds.text(besides: attribute.type) ?? "JSON"
    case .transformable: "JSON"
    case .data: "absent: bytes are not imported"
    }
  }
}
