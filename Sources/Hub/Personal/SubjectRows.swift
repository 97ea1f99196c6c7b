import Catalogue
import CircuitModel
import Journal
import Sync

/// The rows of an exam that tell of one candidate: the candidate's own, and those that lead to it.
struct SubjectRows {
  let rows: ExamRows
  private var log: ExamLog { rows.log }

  init(_ log: ExamLog) { rows = ExamRows(log) }

  static let entity = Stored.Student.entityName
  static let number = "studentNumber"

  /// The candidate with a number, as it stands now.
  /// - Throws: `HubRefusal` where nobody has it, or several have.
  func candidate(_ number: String) throws -> RowKey {
    let found = try rows.standing(Self.number, of: Self.entity).filter { _, value in
      if case .text(let text) = value { text.lowercased() == number.lowercased() } else { false }
    }.map { RowKey(entity: Self.entity, id: $0.key) }
    let present = found.count > 1 ? try found.filter { try !rows.isGone($0) } : found
    guard let only = present.first ?? found.first else {
      throw HubRefusal("nobody has the candidate number \(number)")
    }
    if present.count > 1 { throw HubRefusal("\(present.count) candidates have the number \(number)") }
    return only
  }

  /// The candidate's row, the rows that lead to it by the relationships that stand, those that have its number, and the
  /// rulings that name one of these by its key, in an order of their own. It goes through the whole log once.
  func all(of candidate: RowKey) throws -> [RowKey] {
    let number = try rows.text(Self.number, of: candidate)
    var below: [RowKey: Set<RowKey>] = [:]
    var naming: [String: Set<RowKey>] = [:]
    var open: Set<RowKey> = [candidate]
    try log.connection.forEach(
      "SELECT entity, entityID, sealed FROM op WHERE exam = ? AND sealed IS NOT NULL", [HubValue(log.exam)]
    ) { row in
      let entity = try row.text(0)
      let (links, numbers) = (Self.links[entity] ?? [], Self.numbers[entity] ?? [])
      if links.isEmpty && numbers.isEmpty { return true }
      guard let body = try? OperationBody.decode(sealed: row.bytes(2)) else { return true }
      let key = RowKey(entity: entity, id: try row.text(1))
      for link in links {
        if let above = Self.row(body.fields[link.name], link) { below[above, default: []].insert(key) }
      }
      if let number, numbers.contains(where: { body.fields[$0] == .text(number) }) { open.insert(key) }
      for name in Self.keys[entity] ?? [] {
        if case .text(let named)? = body.fields[name] { naming[named, default: []].insert(key) }
      }
      return true
    }
    var found: Set<RowKey> = []
    while let next = open.popFirst() {
      guard found.insert(next).inserted else { continue }
      open.formUnion((naming[next.id] ?? []).subtracting(found))
      for row in below[Self.family(next)] ?? [] where try !found.contains(row) && leads(row, to: next) {
        open.insert(row)
      }
    }
    return found.sorted()
  }

  /// Whether a row leads to another now, or would if what was made of it counted.
  private func leads(_ row: RowKey, to above: RowKey) throws -> Bool {
    try (Self.links[row.entity] ?? []).contains { link in
      guard let value = try rows.value(link.name, of: row) else { return true }
      return Self.row(value, link) == Self.family(above)
    }
  }

  // MARK: What the catalogue says

  private static let catalogue = Catalogue.standard

  /// A row by the entity whose keys it shares: a relationship may name an item by what all items are.
  private static func family(_ row: RowKey) -> RowKey {
    guard var entity = catalogue[row.entity] else { return row }
    while let parent = catalogue.parent(of: entity) { entity = parent }
    return RowKey(entity: entity.name, id: row.id)
  }

  private static func row(_ value: Value?, _ link: Relationship) -> RowKey? {
    RowKey(value, of: link.destination).map(family)
  }

  /// The relationships by which rows of an entity lead to a candidate.
  private static let links: [String: [Relationship]] = {
    var leading: Set<String> = [entity]
    var links: [String: [Relationship]] = [:]
    func leads(_ destination: String) -> Bool {
      leading.contains { catalogue.isKind($0, of: destination) || catalogue.isKind(destination, of: $0) }
    }
    while true {
      let before = leading.count
      for entity in catalogue.entities where entity.name != Self.entity {
        let found = catalogue.storedRelationships(of: entity).filter { leads($0.destination) }
        if found.isEmpty { continue }
        links[entity.name] = found
        leading.insert(entity.name)
      }
      if leading.count == before { return links }
    }
  }()

  /// Whether a field holds a candidate's number.
  static func isNumber(_ field: String, in entity: String) -> Bool { numbers[entity]?.contains(field) ?? false }

  /// The attributes by which rows that can have a candidate's number name other rows, such as a ruling on a sheet.
  private static let keys: [String: [String]] = {
    var keys: [String: [String]] = [:]
    for entity in catalogue.entities where numbers[entity.name] != nil {
      keys[entity.name] = catalogue.allAttributes(of: entity).filter {
        $0.impersonal == .key && $0.name != entity.primaryKey
      }.map(\.name)
    }
    return keys
  }()

  /// The attributes that hold a candidate's number, by entity.
  private static let numbers: [String: [String]] = {
    var numbers: [String: Set<String>] = [:]
    for entity in catalogue.entities {
      for attribute in catalogue.allAttributes(of: entity) {
        if case .numbered(let number)? = attribute.personal { numbers[entity.name, default: []].insert(number) }
      }
    }
    return numbers.mapValues { $0.sorted() }
  }()
}
