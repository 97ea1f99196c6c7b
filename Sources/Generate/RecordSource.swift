import Catalogue

/// The Swift source of the record type of one entity.
struct RecordSource {
  let entity: Entity
  let catalogue: Catalogue

  static let folder = "Sources/CircuitModel/Records"

  /// Where the source belongs, from the root of the project.
  var path: String { "\(Self.folder)/\(typeName).swift" }

  private var typeName: String { entity.name + "Record" }

  private struct Property {
    let name: String
    let column: String
    let type: String
    let comment: String
  }

  func text() -> String {
    let properties = properties()
    let attributes = catalogue.allAttributes(of: entity)
    let usesData = attributes.contains { $0.column != nil && $0.type == .data }
    var lines = ["// Generated from the catalogue by script/generate; edit the catalogue, not this file."]
    lines += usesData ? ["import Foundation", "import GRDB"] : ["import GRDB"]
    lines += [
      "", "/// A stored row of \(entity.name). \(entity.purpose)",
      "public struct \(typeName): FetchableRecord, TableRecord, Equatable, Sendable {",
      "  /// The table that holds the rows.", "  public static let databaseTableName = \"\(entity.table)\"",
      "  /// The entity's name in the catalogue.", "  public static let entityName = \"\(entity.name)\"",
      "  /// The columns that a record reads.", "  public static let columnNames: [String] = [",
    ]
    lines += wrapped(properties.map { "\"\($0.column)\"" })
    lines.append("  ]")
    for property in properties {
      lines += ["", "  /// \(property.comment)", "  public var \(property.name): \(property.type)"]
    }
    lines += [
      "", "  /// Reads a row.", "  ///",
      "  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.",
      "  public init(row: Row) throws {",
    ]
    lines += properties.map { "    \($0.name) = try row.decode(forColumn: \"\($0.column)\")" }
    lines += ["  }", "}", ""]
    return lines.joined(separator: "\n")
  }

  private func properties() -> [Property] {
    let columns = Dictionary(uniqueKeysWithValues: catalogue.columns(ofTable: entity.table).map { ($0.name, $0) })
    var result: [Property] = []
    if !catalogue.children(of: entity).isEmpty {
      result.append(
        Property(
          name: StoredTable.discriminatorColumn, column: StoredTable.discriminatorColumn, type: "String",
          comment: "The entity that the row is of: \(entity.name) or one that inherits from it."))
    }
    for attribute in catalogue.allAttributes(of: entity) {
      guard let column = attribute.column, let declared = columns[column] else { continue }
      result.append(
        Property(
          name: camelCased(attribute.name), column: column,
          type: swiftType(of: attribute.type) + (declared.isNotNull ? "" : "?"), comment: comment(on: attribute)))
    }
    for relationship in catalogue.allRelationships(of: entity) {
      guard let column = relationship.column, let declared = columns[column] else { continue }
      result.append(
        Property(
          name: relationship.name + "ID", column: column,
          type: (declared.storage == .integer ? "Int" : "String") + (declared.isNotNull ? "" : "?"),
          comment: comment(on: relationship)))
    }
    return result
  }

  private func comment(on attribute: Attribute) -> String {
    let kind =
      switch attribute.type {
      case .date: "Milliseconds since 1970-01-01T00:00:00Z."
      case .json, .transformable: "JSON."
      default: attribute.name == entity.storageKey ? "The row's key." : "\(entity.name).\(attribute.name)."
      }
    return fitted([kind, attribute.note])
  }

  private func comment(on relationship: Relationship) -> String {
    fitted(["The key of \(relationship.name), a \(relationship.destination).", relationship.note])
  }

  /// The sentences as one comment, over several lines where they are long.
  private func fitted(_ sentences: [String?]) -> String {
    var lines = [""]
    for word in sentences.compactMap({ $0 }).joined(separator: " ").split(separator: " ") {
      if lines[lines.count - 1].count + word.count > 110 { lines.append("") }
      lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
    }
    return lines.joined(separator: "\n  /// ")
  }

  private func swiftType(of type: AttributeType) -> String {
    switch type {
    case .integer16, .integer32: "Int"
    case .integer64, .date: "Int64"
    case .double: "Double"
    case .boolean: "Bool"
    case .string, .transformable, .json: "String"
    case .data: "Data"
    }
  }

  private func camelCased(_ name: String) -> String {
    let words = name.split(separator: "_")
    return words.dropFirst().reduce(String(words[0])) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
  }

  private func wrapped(_ items: [String]) -> [String] {
    var lines = ["   "]
    for item in items {
      if lines[lines.count - 1].count + item.count + 2 > 120 { lines.append("   ") }
      lines[lines.count - 1] += " \(item),"
    }
    return lines
  }
}
