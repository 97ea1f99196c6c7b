/// The data model as text, for `osce schema`.
public enum SchemaDocument {
  /// The model as one JSON document, without a line break at the end:
  ///
  /// `{"entities":[{"name","parent","primaryKey","sync","softDelete","table","extension","attributes":[{"name",
  /// "column","type","optional","indexed","extension","personal"}],"relationships":[{"name","destination","toMany",
  /// "inverse","deleteRule","column","extension"}]}]}`. An entity lists its own attributes, not inherited ones. `parent`
  /// is null where there is none, `column` where a value is transient or derived, `personal` where it tells of nobody.
  public static func json(_ catalogue: Catalogue) -> String {
    SchemaJSON.object([("entities", .array(catalogue.entities.map(json)))]).rendered()
  }

  private static func json(_ entity: Entity) -> SchemaJSON {
    .object([
      ("name", .string(entity.name)),
      ("parent", .optional(entity.parent)),
      ("primaryKey", .string(entity.primaryKey)),
      ("sync", .string(entity.sync.rawValue)),
      ("softDelete", .boolean(entity.softDelete)),
      ("table", .string(entity.table)),
      ("extension", .boolean(entity.isExtension)),
      ("attributes", .array(entity.attributes.map(json))),
      ("relationships", .array(entity.relationships.map(json))),
    ])
  }

  private static func json(_ attribute: Attribute) -> SchemaJSON {
    .object([
      ("name", .string(attribute.name)),
      ("column", .optional(attribute.column)),
      ("type", .string(attribute.type.rawValue)),
      ("optional", .boolean(attribute.isOptional)),
      ("indexed", .boolean(attribute.isIndexed)),
      ("extension", .boolean(attribute.isExtension)),
      ("personal", .optional(attribute.personal?.text)),
      ("default", attribute.defaultValue.map(json) ?? .null),
      ("bounds", .optional(attribute.bounds.text(besides: attribute.type))),
    ])
  }

  private static func json(_ value: DefaultValue) -> SchemaJSON {
    switch value {
    case .integer(let number): .number("\(number)")
    case .double(let number): .number("\(number)")
    case .string(let text): .string(text)
    case .boolean(let flag): .boolean(flag)
    }
  }

  private static func json(_ relationship: Relationship) -> SchemaJSON {
    .object([
      ("name", .string(relationship.name)),
      ("destination", .string(relationship.destination)),
      ("toMany", .boolean(relationship.toMany)),
      ("inverse", .string(relationship.inverse)),
      ("deleteRule", .string(relationship.deleteRule.rawValue)),
      ("column", .optional(relationship.column)),
      ("extension", .boolean(relationship.isExtension)),
    ])
  }

  /// The model as plain text, one entity after the other, columns aligned; a `+` marks what this product added. Ends
  /// with a line break.
  public static func text(_ catalogue: Catalogue) -> String {
    catalogue.entities.map(text).joined(separator: "\n")
  }

  private static func text(_ entity: Entity) -> String {
    let family = entity.parent.map { ", a \($0)" } ?? ""
    let deletion = entity.softDelete ? ", soft delete" : ""
    var rows: [[String]] = []
    for attribute in entity.attributes {
      rows.append([
        attribute.isExtension ? "+" : "", attribute.name, attribute.type.rawValue,
        attribute.isRequired ? "required" : "", attribute.isIndexed ? "indexed" : "",
        attribute.column == nil ? "not stored" : "", attribute.personal.map { "personal \($0.text)" } ?? "",
      ])
    }
    for relationship in entity.relationships {
      let destination = relationship.toMany ? "[\(relationship.destination)]" : relationship.destination
      rows.append([
        relationship.isExtension ? "+" : "", relationship.name, "-> \(destination)",
        relationship.isRequired ? "required" : "", "on delete \(relationship.deleteRule.rawValue)",
        "inverse \(relationship.inverse)",
      ])
    }
    let heading =
      "\(entity.isExtension ? "+ " : "")\(entity.name)\(family): \(entity.purpose)\n"
      + "  table \(entity.table), key \(entity.primaryKey), sync \(entity.sync.rawValue)\(deletion)\n"
    return heading + aligned(rows)
  }

  private static func aligned(_ rows: [[String]]) -> String {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.utf8.count)
      }
    }
    return rows.map { row in
      var line = "   "
      for (cell, width) in zip(row, widths) where width > 0 {
        line += " " + cell + String(repeating: " ", count: width - cell.utf8.count)
      }
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}
