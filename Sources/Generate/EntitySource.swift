import Catalogue

/// The Swift source of one category's entities as types: for each its name, its key and its fields, and for each field
/// the function that makes a typed change of it.
///
/// Left out are local entities, whose rows the store keeps without the journal, and what `delete` alone may set.
struct EntitySource {
  let category: Category
  let catalogue: Catalogue

  static let folder = "Sources/CircuitModel/Entities"

  /// Where the source belongs, from the root of the project.
  var path: String {
    let words = category.rawValue.split(separator: " ")
    return "\(Self.folder)/Stored\(words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()).swift"
  }

  func text() -> String {
    let entities = Self.journalled(in: catalogue).filter { $0.category == category }
    let hasInstants = entities.contains { StoredFields(of: $0, in: catalogue).all.contains { $0.type == "Instant" } }
    var lines = ["// Generated from the catalogue by script/generate; edit the catalogue, not this file."]
    lines += hasInstants ? ["import ExamStore", "import Timer"] : ["import ExamStore"]
    for entity in entities { lines += [""] + type(of: entity) + [""] + changes(of: entity) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The entities whose rows are changed through the journal.
  static func journalled(in catalogue: Catalogue) -> [Entity] { catalogue.entities.filter { $0.sync != .local } }

  private func type(of entity: Entity) -> [String] {
    let isParent = !catalogue.children(of: entity).isEmpty
    let family = isParent ? entity.name : entity.parent
    let traits = [family.map { "\($0)Family" } ?? "StoredEntity"] + (entity.softDelete ? ["DeletableEntity"] : [])
    let key = StoredFields.keyType(of: entity, in: catalogue)
    var lines = ["extension Stored {"]
    if isParent {
      lines += [
        "  /// \(entity.name) and the entities that inherit from it.",
        "  package protocol \(entity.name)Family: StoredEntity where Key == \(key) {}", "",
      ]
    }
    lines += commented(entity.purpose, indent: "  ")
    lines += [
      "  package enum \(entity.name): \(traits.joined(separator: ", ")) {",
      "    package typealias Key = \(key)",
      "    package static let entityName = \"\(entity.name)\"",
      "    package enum Field: String, StoredField {",
    ]
    lines += cases(StoredFields(of: entity, in: catalogue).all.map(\.name))
    return lines + ["    }", "  }", "}"]
  }

  private func changes(of entity: Entity) -> [String] {
    let isParent = !catalogue.children(of: entity).isEmpty
    let condition = isParent ? "Entity: Stored.\(entity.name)Family" : "Entity == Stored.\(entity.name)"
    var lines = ["extension FieldChange where \(condition) {"]
    for field in StoredFields(of: entity, in: catalogue).own {
      lines += field.note.map { commented($0, indent: "  ") } ?? []
      let head = "  package static func \(field.name)(_ value: \(field.type)\(field.isOptional ? "?" : "")) -> Self {"
      let body = "Self(\"\(field.name)\", value)"
      let line = "\(head) \(body) }"
      lines += line.count <= 120 ? [line] : [head, "    \(body)", "  }"]
    }
    return lines + ["}"]
  }

  private func cases(_ names: [String]) -> [String] {
    var lines: [String] = []
    for name in names {
      if let last = lines.last, last.count + name.count + 2 <= 120 {
        lines[lines.count - 1] += ", \(name)"
      } else {
        lines.append("      case \(name)")
      }
    }
    return lines
  }

  /// A comment over as many lines as it needs.
  private func commented(_ text: String, indent: String) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + word.count < 120 {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append("\(indent)/// \(word)")
      }
    }
    return lines
  }
}

/// The fields of an entity that a change may set, with what each holds in Swift.
struct StoredFields {
  struct Field {
    let name: String
    let type: String
    let isOptional: Bool
    let note: String?
    /// A value of the type, for tests.
    let sample: String
  }

  /// Without inherited ones.
  let own: [Field]
  /// Inherited ones first.
  let all: [Field]

  init(of entity: Entity, in catalogue: Catalogue) {
    func fields(_ attributes: [Attribute], _ relationships: [Relationship]) -> [Field] {
      let settable = attributes.filter {
        $0.column != nil && $0.name != entity.storageKey && $0.name != "dsDeleted"
      }
      let values = settable.map { attribute in
        let (type, sample) = Self.content(of: attribute.type)
        let text = Self.text(in: attribute.bounds).map { "#\"\($0)\"#" }
        return Field(
          name: attribute.name, type: type, isOptional: attribute.isNullable, note: attribute.note,
          sample: text ?? sample)
      }
      let keys = relationships.filter { $0.column != nil }.map { relationship in
        let keyType = catalogue[relationship.destination].map { Self.keyType(of: $0, in: catalogue) }
        return Field(
          name: relationship.name, type: "Stored.\(relationship.destination).Key",
          isOptional: relationship.isOptional, note: relationship.note, sample: keyType == "Int" ? "7" : "\"7\"")
      }
      return values + keys
    }
    own = fields(entity.attributes, entity.relationships)
    all = fields(catalogue.allAttributes(of: entity), catalogue.allRelationships(of: entity))
  }

  static func keyType(of entity: Entity, in catalogue: Catalogue) -> String {
    catalogue.keyStorage(of: entity) == .integer ? "Int" : "String"
  }

  /// A text that the bounds allow; nil where any does.
  private static func text(in bounds: Bounds) -> String? {
    switch bounds {
    case .text(.day, _): "2026-12-07"
    case .text(.timeOfDay, _): "09:00"
    case .text(.word(let words), _): words.first
    case .json(let shape, _): shape.sample
    case .text(.free, _), .anything, .whole, .number: nil
    }
  }

  private static func content(of type: AttributeType) -> (type: String, sample: String) {
    switch type {
    case .integer16, .integer32: ("Int", "7")
    case .integer64: ("Int64", "7")
    case .double: ("MarkValue", "MarkValue(scaled: 7)")
    case .string, .transformable, .json: ("String", "\"7\"")
    case .boolean: ("Bool", "true")
    case .date: ("Instant", "Instant(milliseconds: 7)")
    // The journal carries no bytes.
    case .data: ("Never", "")
    }
  }
}
