import Catalogue

/// The Swift source of one typed change of every field, for the test that holds declaration, table and type against
/// each other. Generated, so that a new entity is tested without anybody thinking of it.
struct EntitySamples {
  let catalogue: Catalogue

  static let path = "Tests/CircuitModelTests/EntitySamples.swift"

  func text() -> String {
    let entities = EntitySource.journalled(in: catalogue)
    var lines = [
      "// Generated from the catalogue by script/generate; edit the catalogue, not this file.",
      "import ExamStore", "import Timer", "",
      "@testable import CircuitModel", "",
      "/// For every entity a change of every field, and one without a value of every field that may have none.",
      "enum EntitySamples {",
      "  static let all: [any AnyEntitySample] = [",
    ]
    lines += wrapped(entities.map(name), indent: "   ") + ["  ]"]
    // Every row has a key of its own, because a family shares one table.
    for (number, entity) in entities.enumerated() {
      let fields = StoredFields(of: entity, in: catalogue).all
      let key = StoredFields.keyType(of: entity, in: catalogue) == "Int" ? "\(number)" : "\"\(number)\""
      let head = "  private static let \(name(of: entity)) = EntitySample<Stored.\(entity.name)>("
      lines += ["", head, "    \(key),"]
      lines += list(fields.map { ".\($0.name)(\($0.sample))" }, after: "    ", before: ",")
      lines += list(fields.filter(\.isOptional).map { ".\($0.name)(nil)" }, after: "    withoutValues: ", before: ")")
    }
    return (lines + ["}", ""]).joined(separator: "\n")
  }

  private func name(of entity: Entity) -> String { entity.name.prefix(1).lowercased() + entity.name.dropFirst() }

  private func list(_ items: [String], after head: String, before end: String) -> [String] {
    if items.count < 2 { return ["\(head)[\(items.joined())]\(end)"] }
    return ["\(head)["] + wrapped(items, indent: "     ") + ["    ]\(end)"]
  }

  private func wrapped(_ items: [String], indent: String) -> [String] {
    var lines = [indent]
    for item in items {
      if lines[lines.count - 1].count + item.count + 2 > 120 { lines.append(indent) }
      lines[lines.count - 1] += " \(item),"
    }
    return lines
  }
}
