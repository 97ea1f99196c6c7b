import Catalogue
import GRDB
import Journal
import Synchronization

/// Writes and reads the rows of one entity by the names of its fields.
package struct RowTable: Sendable {
  package let entity: Entity
  private let table: String
  private let keyColumn: String
  private let keyIsNumber: Bool
  private let fields: [String: Field]
  /// The column that tells the entities of a family apart; nil where a table holds one entity only.
  private let discriminator: String?

  /// The columns by which a row belongs to rows above it, with the entities of those.
  private let owners: [(column: String, entity: String)]

  private struct Field: Sendable {
    let column: String
    let type: AttributeType
    let initial: Value
  }

  private static let known = Mutex<[String: RowTable]>([:])

  /// - Throws: `StoreError` if the catalogue has no such entity.
  package static func of(_ entity: String) throws -> RowTable {
    try known.withLock { tables in
      if let table = tables[entity] { return table }
      guard let declared = Catalogue.standard[entity] else { throw StoreError("there is no entity \(entity)") }
      let table = RowTable(declared, in: .standard)
      tables[entity] = table
      return table
    }
  }

  private init(_ entity: Entity, in catalogue: Catalogue) {
    self.entity = entity
    table = Tables.quoted(entity.table)
    keyColumn = Tables.quoted(entity.storageKey)
    keyIsNumber = catalogue.keyStorage(of: entity) == .integer
    discriminator = catalogue.table(named: entity.table)?.discriminator.map { Tables.quoted($0) }
    var fields: [String: Field] = [:]
    for attribute in catalogue.allAttributes(of: entity) {
      guard let column = attribute.column else { continue }
      let initial = attribute.defaultValue.map { Value($0) } ?? .null
      fields[attribute.name] = Field(column: column, type: attribute.type, initial: initial)
    }
    for relationship in catalogue.allRelationships(of: entity) {
      guard let column = relationship.column, let destination = catalogue[relationship.destination] else { continue }
      let type: AttributeType = catalogue.keyStorage(of: destination) == .integer ? .integer64 : .string
      fields[relationship.name] = Field(column: column, type: type, initial: .null)
    }
    self.fields = fields
    owners = catalogue.owners(of: entity).compactMap { owner in
      owner.column.map { (Tables.quoted($0), owner.destination) }
    }
  }

  /// The row's heads, or nil if there is no such row.
  package func heads(of key: String, in db: Database) throws -> HeadsColumn? {
    let statement = try db.cachedStatement(sql: "SELECT heads FROM \(table) WHERE \(keyColumn) = ?")
    return try String.fetchOne(statement, arguments: [keyValue(key)]).map { HeadsColumn(text: $0) }
  }

  /// Whether a row is marked as deleted, and the rows directly above it; nil if there is no such row.
  func ownership(of key: String, in db: Database) throws -> (isDeleted: Bool, owners: [RowKey])? {
    let deleted = fields["dsDeleted"].map { Tables.quoted($0.column) } ?? "0"
    let columns = ([deleted] + owners.map(\.column)).joined(separator: ", ")
    let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM \(table) WHERE \(keyColumn) = ?")
    guard let row = try Row.fetchOne(statement, arguments: [keyValue(key)]) else { return nil }
    let above = owners.enumerated().compactMap { index, owner -> RowKey? in
      switch (row[index + 1] as DatabaseValue).storage {
      case .int64(let number): RowKey(entity: owner.entity, id: String(number))
      case .string(let text): RowKey(entity: owner.entity, id: text)
      case .null, .double, .blob: nil
      }
    }
    return (row[0], above)
  }

  /// Whether a row, or any row above it, is marked as deleted.
  func isDeletedOrBelowDeleted(_ key: String, in db: Database) throws -> Bool {
    let sql = try RowTable.ancestries.withLock { $0[entity.name] } ?? ancestry()
    return try Bool.fetchOne(db.cachedStatement(sql: sql), arguments: [keyValue(key)]) ?? false
  }

  private static let ancestries = Mutex<[String: String]>([:])

  /// One statement over a row and all rows above it.
  private func ancestry() throws -> String {
    var joins = ""
    var marks: [String] = []
    var count = 0
    func visit(_ table: RowTable, _ alias: String) throws {
      if let deleted = table.fields["dsDeleted"] {
        marks.append("coalesce(\(alias).\(Tables.quoted(deleted.column)), 0)")
      }
      for owner in table.owners {
        count += 1
        let (above, name) = (try RowTable.of(owner.entity), "t\(count)")
        joins += " LEFT JOIN \(above.table) \(name) ON \(name).\(above.keyColumn) = \(alias).\(owner.column)"
        try visit(above, name)
      }
    }
    try visit(self, "t0")
    let condition = marks.isEmpty ? "0" : marks.joined(separator: " OR ")
    let sql = "SELECT \(condition) FROM \(table) t0\(joins) WHERE t0.\(keyColumn) = ?"
    RowTable.ancestries.withLock { $0[entity.name] = sql }
    return sql
  }

  /// The standing values of a row's stored fields, or nil if there is no such row.
  package func values(of key: String, in db: Database) throws -> [String: Value]? {
    let statement = try db.cachedStatement(sql: "SELECT * FROM \(table) WHERE \(keyColumn) = ?")
    guard let row = try Row.fetchOne(statement, arguments: [keyValue(key)]) else { return nil }
    return try values(of: row)
  }

  /// A row with everything that is stored of it, or nil if there is none.
  /// - Throws: `StoreError` if a column holds what its type cannot be.
  func stored(_ key: String, in db: Database) throws -> StoredRow? {
    let statement = try db.cachedStatement(sql: "SELECT * FROM \(table) WHERE \(keyColumn) = ?")
    guard let row = try Row.fetchOne(statement, arguments: [keyValue(key)]) else { return nil }
    let kind: String = discriminator == nil ? entity.name : row[StoredTable.discriminatorColumn] ?? ""
    return StoredRow(entity: kind, values: try values(of: row), heads: HeadsColumn(text: row["heads"]))
  }

  /// A field as a check of many rows reads it.
  struct StoredField: Sendable {
    let name: String
    let column: String
    let initial: Value
    fileprivate let type: AttributeType

    /// The value in a column of a row.
    /// - Throws: `StoreError` if it holds what its type cannot be.
    func value(_ row: Row, at index: Int) throws -> Value { try RowTable.value(row[index], type: type) }
  }

  /// Every stored field but the key, by name.
  var storedFields: [StoredField] {
    fields.filter { $0.key != entity.storageKey }.sorted { $0.key < $1.key }.map {
      StoredField(name: $0, column: $1.column, initial: $1.initial, type: $1.type)
    }
  }

  /// The values of a row that was read whole.
  func values(of row: Row) throws -> [String: Value] {
    var values: [String: Value] = [:]
    for (name, field) in fields {
      values[name] = try RowTable.value(row[field.column], type: field.type)
    }
    return values
  }

  func insert(_ key: String, fields: [String: Value], heads: HeadsColumn, in db: Database) throws {
    var columns = [keyColumn, "heads"]
    var arguments: [DatabaseValue] = [keyValue(key), heads.text.databaseValue]
    if let discriminator {
      columns.append(discriminator)
      arguments.append(entity.name.databaseValue)
    }
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) where name != entity.storageKey {
      let field = try self.field(name)
      columns.append(Tables.quoted(field.column))
      arguments.append(try databaseValue(value, field: name, type: field.type))
    }
    let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    let statement = try db.cachedStatement(
      sql: "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(marks))")
    try statement.execute(arguments: StatementArguments(arguments))
  }

  func update(_ key: String, fields: [String: Value], heads: HeadsColumn, in db: Database) throws {
    var assignments = ["heads = ?"]
    var arguments: [DatabaseValue] = [heads.text.databaseValue]
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      let field = try self.field(name)
      assignments.append("\(Tables.quoted(field.column)) = ?")
      arguments.append(try databaseValue(value, field: name, type: field.type))
    }
    arguments.append(keyValue(key))
    let statement = try db.cachedStatement(
      sql: "UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE \(keyColumn) = ?")
    try statement.execute(arguments: StatementArguments(arguments))
  }

  /// What a field holds before it is ever set.
  package func initialValue(of field: String) throws -> Value { try self.field(field).initial }

  private func field(_ name: String) throws -> Field {
    guard let field = fields[name] else { throw StoreError("\(entity.name) has no stored field \(name)") }
    return field
  }

  private func keyValue(_ key: String) -> DatabaseValue {
    keyIsNumber ? (Int64(key)?.databaseValue ?? .null) : key.databaseValue
  }

  private func databaseValue(_ value: Value, field: String, type: AttributeType) throws -> DatabaseValue {
    switch (value, type.storage) {
    case (.null, _): return .null
    case (.bool(let bool), .integer): return (bool ? 1 : 0).databaseValue
    case (.integer(let scaled), .real): return Scaled.decode(scaled).databaseValue
    case (.integer(let integer), .integer): return integer.databaseValue
    case (.text(let text), .text): return text.databaseValue
    default: throw StoreError("\(entity.name).\(field) cannot hold \(value)")
    }
  }

  private static func value(_ stored: DatabaseValue, type: AttributeType) throws -> Value {
    switch stored.storage {
    case .null: return .null
    case .int64(let integer):
      if type == .boolean { return .bool(integer != 0) }
      return type == .double ? .integer(integer * Scaled.unit) : .integer(integer)
    case .double(let double):
      guard let scaled = Scaled.encode(double) else { throw StoreError("\(double) is not a mark") }
      return .integer(scaled)
    case .string(let text): return .text(text)
    case .blob: return .null
    }
  }
}

extension Value {
  fileprivate init(_ value: DefaultValue) {
    switch value {
    case .integer(let number): self = .integer(number)
    case .double(let number): self = Scaled.encode(number).map { .integer($0) } ?? .null
    case .string(let text): self = .text(text)
    case .boolean(let bool): self = .bool(bool)
    }
  }
}
