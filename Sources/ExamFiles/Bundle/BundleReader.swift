import Catalogue
import CircuitModel

/// Reads a bundle file, `{"entities": {entity: [rows]}}`, and holds it against the catalogue.
public struct BundleReader {
  /// What a store has of the row under a key in the table of `entity`: the text of a field, or its entity where no field
  /// is asked for; nil if it has none.
  public typealias Lookup = (_ entity: String, _ key: String, _ field: String?) -> String?

  private let catalogue = Catalogue.standard
  private let file: String
  private let problems = ProblemList()
  /// Nil: what the store has is not known.
  private let stored: Lookup?
  private var rows: [ReadRow] = []
  /// Table and key to the row that has it.
  private var index: [String: Int] = [:]

  /// A row, with what is needed to speak of it.
  struct ReadRow {
    let entity: Entity
    var values: [String: Bundle.Value]
    let key: String?
    let line: Int
    /// `Timetable 12` or `Timetable (row 3)`.
    let name: String
    /// Fields that were reported already.
    var wrong: Set<String> = []
    /// To-one relationships that only repeat what is stored elsewhere: checked, not imported.
    var references: [(relationship: Relationship, value: Bundle.Value, line: Int)] = []
  }

  /// Reads and checks a bundle.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - stored: what a store has already, so that rows may refer to it; nil: that is not known, and what a row names
  ///     and the file lacks is a warning.
  /// - Returns: the bundle, nil if any problem is an error, and every problem in the order of lines.
  public static func read(_ path: String, stored: Lookup? = { _, _, _ in nil }) -> (
    bundle: Bundle?, problems: [Problem]
  ) {
    let problems = ProblemList()
    guard let source = SourceFile(path: path, name: path, problems: problems) else { return (nil, problems.problems) }
    return read(source, stored: stored)
  }

  /// The passcodes in a bundle, which is not checked: so that their hashes are made before the store is locked.
  static func passcodes(_ path: String) -> [PreparedPasscodes.Claim] {
    guard let source = SourceFile(path: path, name: path, problems: ProblemList()),
      source.text.contains("\"passcode\""),
      case .object(let members)? = (try? JSONReader.read(source.text))?.content,
      case .object(let groups)? = members.first(where: { $0.key == "entities" })?.value.content
    else { return [] }
    return groups.flatMap { group -> [PreparedPasscodes.Claim] in
      guard case .list(let items) = group.value.content else { return [] }
      return items.compactMap { item in
        guard case .object(let fields) = item.content,
          case .text(let passcode)? = fields.first(where: { $0.key == "passcode" })?.value.content,
          case .text(let username)? = fields.first(where: { $0.key == "username" })?.value.content
        else { return nil }
        return PreparedPasscodes.Claim(username: username, passcode: passcode)
      }
    }
  }

  /// Reads and checks a bundle from memory.
  static func read(_ source: SourceFile, stored: Lookup? = { _, _, _ in nil }) -> (
    bundle: Bundle?, problems: [Problem]
  ) {
    var reader = BundleReader(file: source.name, stored: stored)
    reader.read(source.text)
    let problems = reader.problems.problems.inFileOrder()
    if problems.hasErrors { return (nil, problems) }
    let rows = reader.rows.map {
      Bundle.Row($0.entity.name, $0.values, place: Place(file: source.name, line: $0.line))
    }
    return (Bundle(rows: rows).withTagsOnItems(), problems)
  }

  private init(file: String, stored: Lookup?) {
    self.file = file
    self.stored = stored
  }

  func error(_ line: Int, _ message: String) { problems.error(Place(file: file, line: line), message) }

  private mutating func read(_ text: String) {
    let tree: JSONTree
    do {
      tree = try JSONReader.read(text)
    } catch {
      self.error(error.line, "column \(error.column): not readable as JSON: \(error.reason)")
      return
    }
    guard case .object(let members) = tree.content else {
      error(tree.line, "a bundle is an object with the key 'entities', not \(tree.kind)")
      return
    }
    for member in members where member.key != "entities" {
      error(member.line, "unknown key \(Visible.quoted(member.key)); a bundle has the key 'entities' only")
    }
    guard let entities = members.first(where: { $0.key == "entities" }) else {
      error(tree.line, "the key 'entities' is missing")
      return
    }
    guard case .object(let groups) = entities.value.content else {
      error(entities.line, "'entities' must be an object, not \(entities.value.kind)")
      return
    }
    for group in groups { read(group) }
    for row in rows { checkDestinations(row) }
  }

  private mutating func read(_ group: JSONTree.Entry) {
    guard let entity = catalogue[group.key] else {
      error(
        group.line,
        "unknown entity \(Visible.quoted(group.key))"
          + NearestName.hint(for: group.key, among: catalogue.entities.map(\.name)))
      return
    }
    if let reason = entity.barredFromFiles {
      error(group.line, "\(entity.name): \(reason); take its rows out of the file")
      return
    }
    guard case .list(let items) = group.value.content else {
      error(group.line, "\(entity.name): a list of rows is expected, not \(group.value.kind)")
      return
    }
    for (position, item) in items.enumerated() {
      guard case .object(let fields) = item.content else {
        error(item.line, "\(entity.name) (row \(position + 1)): a row must be an object, not \(item.kind)")
        continue
      }
      add(entity, fields, line: item.line, position: position + 1)
    }
  }

  private mutating func add(_ entity: Entity, _ fields: [JSONTree.Entry], line: Int, position: Int) {
    let nameless = "\(entity.name) (row \(position))"
    let written = fields.first { $0.key == entity.storageKey } ?? fields.first { $0.key == entity.primaryKey }
    let reading = FieldReader(catalogue: catalogue, entity: entity)
    let keyText: String? = written.flatMap { field in
      switch field.value.content {
      case .integer(let number): String(number)
      case .text(let text): Visible.text(text, limit: 60)
      default: nil
      }
    }
    let name = keyText.map { "\(entity.name) \($0)" } ?? nameless
    var row = ReadRow(entity: entity, values: [:], key: keyText, line: line, name: name)
    for field in fields {
      switch reading.read(field) {
      case .value(let key, let value): row.values[key] = value
      case .reference(let relationship, let value): row.references.append((relationship, value, field.line))
      case .nothing: break
      case .wrong(let message):
        row.wrong.insert(field.key)
        error(field.line, "\(name): \(message)")
      }
    }
    adoptForeignKeys(&row)
    checkRequired(row)
    BundleRules.check(row, stored: { field in row.key.flatMap { stored?(entity.name, $0, field) } }) {
      error(line, "\(name): \($0)")
    }
    for ignored in BundleRules.ignored(row) { problems.warning(Place(file: file, line: line), "\(name): \(ignored)") }
    guard let key = entity.storedKey(row.values) else {
      if entity.key == .automatic { rows.append(row) }
      return
    }
    let place = entity.table + "\u{1F}" + key
    if let other = index[place].map({ rows[$0] }) {
      error(
        line,
        "\(name): duplicate key\(other.entity.name == entity.name ? "" : " of \(other.name)") (first on line \(other.line))"
      )
    } else {
      index[place] = rows.count
      if let other = stored?(entity.name, key, nil), other != entity.name {
        error(line, "\(name): the store has a row of \(other) under this key")
      }
    }
    rows.append(row)
  }

  /// `typeID`, `clinic_group_id`: a foreign key written under its own name stands for its relationship.
  private func adoptForeignKeys(_ row: inout ReadRow) {
    for (column, relationship) in FieldReader.foreignKeys {
      guard let value = row.values[column] else { continue }
      row.values[column] = nil
      if let other = row.values[relationship], other != value {
        error(row.line, "\(row.name): '\(column)' and '\(relationship)' disagree")
      }
      row.values[relationship] = value
    }
  }

  private func checkRequired(_ row: ReadRow) {
    let attributes = catalogue.allAttributes(of: row.entity).filter(\.isRequired).map(\.name)
    let relationships = catalogue.allRelationships(of: row.entity).filter(\.isRequired).map(\.name)
    for name in attributes + relationships where !row.wrong.contains(name) {
      switch row.values[name] {
      case nil, .null?: error(row.line, "\(row.name): '\(name)' is missing")
      case .text(let text)? where text.isEmpty: error(row.line, "\(row.name): '\(name)' is empty")
      default: break
      }
    }
    if row.entity.localKey != nil, row.entity.storedKey(row.values) == nil, row.wrong.isEmpty {
      error(row.line, "\(row.name): '\(row.entity.primaryKey)' is missing")
    }
  }

  private func checkDestinations(_ row: ReadRow) {
    for relationship in catalogue.storedRelationships(of: row.entity) {
      if let value = row.values[relationship.name] { check(relationship, value, row, row.line) }
    }
    for reference in row.references { check(reference.relationship, reference.value, row, reference.line) }
  }

  private func check(_ relationship: Relationship, _ value: Bundle.Value, _ row: ReadRow, _ line: Int) {
    guard let key = value.key, let destination = catalogue[relationship.destination] else { return }
    let found = index[destination.table + "\u{1F}" + key].map { rows[$0].entity.name }
    if let entity = found ?? stored?(destination.name, key, nil) {
      if catalogue.isKind(entity, of: destination.name) { return }
      error(
        line,
        "\(row.name): '\(relationship.name)' must name a row of \(destination.name), "
          + "but \(Visible.text(key, limit: 60)) is a row of \(entity)"
      )
    } else {
      let named = "\(row.name): '\(relationship.name)' names \(destination.name) \(Visible.text(key, limit: 60)), "
      if stored == nil {
        problems.warning(
          Place(file: file, line: line), named + "which is not in this file; an import takes it if the store has it")
      } else {
        error(line, named + "which is neither in this file nor in the store")
      }
    }
  }
}
