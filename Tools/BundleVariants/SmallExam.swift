import Catalogue

/// A small valid exam that has a row of every entity: what a variant changes in one place.
///
/// The rows of the reference's entities come from a bundle file; those that it lacks are made from the catalogue, so
/// that an entity that is added tomorrow is in it.
package struct SmallExam: Sendable {
  /// One row; values as JSON text.
  package struct Row: Sendable {
    package let entity: String
    package var values: [(name: String, json: String)]

    subscript(name: String) -> String? { values.first { $0.name == name }?.json }

    /// The row with one value written, or left out.
    func setting(_ name: String, to json: String?) -> Row {
      var row = self
      row.values.removeAll { $0.name == name }
      if let json { row.values.append((name, json)) }
      return row
    }

    var json: String { "{" + values.map { quoted($0.name) + ": " + $0.json }.joined(separator: ", ") + "}" }
  }

  /// Every row.
  package private(set) var rows: [Row] = []
  private let catalogue: Catalogue

  /// - Parameter reference: the text of a bundle that is valid.
  package init(reference: String, catalogue: Catalogue = .standard) throws {
    self.catalogue = catalogue
    guard case .object(let document) = try JSONReader.read(reference).content,
      case .object(let groups)? = document.first?.value.content
    else { return }
    for group in groups {
      guard case .list(let items) = group.value.content else { continue }
      for item in items {
        guard case .object(let fields) = item.content else { continue }
        rows.append(Row(entity: group.key, values: fields.map { ($0.key, SmallExam.text($0.value)) }))
      }
    }
    for entity in catalogue.entities where entity.barredFromFiles == nil && row(of: entity.name) == nil {
      rows.append(made(entity))
    }
  }

  /// The row of an entity in which a variant is made.
  package func row(of entity: String) -> Row? { rows.first { $0.entity == entity } }

  /// The key by which relationships name that row.
  package func key(of entity: String) -> String? {
    guard let declared = catalogue[entity] else { return nil }
    return row(of: entity)?[declared.primaryKey]
  }

  mutating func removeRows(of entity: String) { rows.removeAll { $0.entity == entity } }

  /// The exam as a bundle.
  /// - Parameter change: a row by which the first one of its entity is replaced.
  package func bundle(_ change: [Row] = [], besides added: [Row] = []) -> String {
    var open = Dictionary(change.map { ($0.entity, $0) }) { first, _ in first }
    var lines: [String] = []
    var entity: String?
    for row in (rows.map { open.removeValue(forKey: $0.entity) ?? $0 } + added).sorted(by: { $0.entity < $1.entity }) {
      if row.entity != entity {
        if entity != nil { lines.append("], ") }
        lines.append(quoted(row.entity) + ": [" + row.json)
        entity = row.entity
      } else {
        lines.append("," + row.json)
      }
    }
    return "{\"entities\": {\n" + lines.joined(separator: "\n") + "]}}\n"
  }

  // MARK: Rows that are made

  private func made(_ entity: Entity) -> Row {
    var row = Row(entity: entity.name, values: [])
    for relationship in catalogue.storedRelationships(of: entity) {
      if let key = key(of: relationship.destination) { row.values.append((relationship.name, key)) }
    }
    for attribute in catalogue.allAttributes(of: entity) where attribute.column != nil {
      let value = SmallExam.known[entity.name]?[attribute.name] ?? SmallExam.sample(attribute)
      if let value { row.values.append((attribute.name, value)) }
    }
    return row
  }

  /// What makes the exam one that runs; empty: left out.
  private static let known: [String: [String: String?]] = [
    "ClockEvent": [
      "kind": "\"start\"", "at": "1796634000000", "target": nil,
      "plan": """
      {"durations":[{"lengthMs":480000,"manualStart":false,"type":"rotation"}],"phases":[{"manualStart":false,\
      "plannedMs":480000,"type":"rotation","warnings":[{"leftMs":60000,"level":"amber","text":"One minute left",\
      "type":"rotation"}]},{"manualStart":false,"plannedMs":480000,"type":"rotation","warnings":[]}],"rounds":2,\
      "warnings":null}
      """,
    ],
    "CircuitRun": ["date": "\"2026-12-07\"", "startTime": "\"09:00\""],
    "SlotTable": [
      "date": "\"2026-12-07\"", "startTime": "\"09:00\"", "places": #"[{"comes":102,"planned":102,"round":2}]"#,
    ],
    "RerunEntry": ["status": "\"queued\""], "StationIncident": ["kind": "\"equipment\""],
    "FormVersion": [
      "content": """
      {"form":1,"hidesTotal":false,"name":"Chest pain history","pilot":false,"sections":[{"duplicable":false,\
      "foldable":false,"items":[{"kind":"rating","levels":[{"text":"","value":0},{"text":"","value":1000000}],"link":2,\
      "mandatory":true,"question":2,"suggestsPositive":false,"text":"Risk factors","unable":true}],"link":1,\
      "matrixTitles":[],"maximumDifficulty":0,"maximumQuantity":0,"name":"History","quadAndTooth":false,"section":1}]}
      """
    ],
    "HallMessage": ["withdrawnAt": nil], "Sitting": ["ended": nil, "openSheet": nil],
    "AdditionalStaff": ["seat": "\"second\""],
  ]

  /// A value that an attribute allows; nil where it is left out.
  private static func sample(_ attribute: Attribute) -> String? {
    switch attribute.bounds {
    case .whole(Bounds.instants): "1796634060000"
    case .whole(let range): String(min(max(1, range.lowerBound), range.upperBound))
    case .number(let range): String(min(max(1, range.lowerBound), range.upperBound))
    case .text(.free, _): attribute.name == "uuid" ? quoted("00000000-0000-4000-8000-0000000000aa") : quoted("text")
    case .text(.day, _): quoted("2026-12-07")
    case .text(.timeOfDay, _): quoted("09:00")
    case .text(.word(let words), _): quoted(words.first ?? "")
    case .json(let shape, _): shape.sample
    case .anything: nil
    }
  }

  private static func text(_ tree: JSONTree) -> String {
    switch tree.content {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .integer(let number): String(number)
    case .double(let number): String(number)
    case .text(let text): quoted(text)
    case .list(let items): "[" + items.map(text).joined(separator: ",") + "]"
    case .object(let entries):
      "{" + entries.map { quoted($0.key) + ":" + text($0.value) }.joined(separator: ",") + "}"
    }
  }
}

/// A text as a JSON string.
func quoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"", "\\": result += "\\" + String(scalar)
    case "\u{0}"..<" ": result += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}
