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

  /// The fields whose columns must hold something and have no default.
  private let required: [String]
  /// The columns by which a row belongs to rows above it, with the entities of those.
  private let owners: [(column: String, entity: String)]

  private struct Field: Sendable {
    let column: String
    let type: AttributeType
    let initial: Value
    /// What the column holds in place of no value, where it must hold one: what is missing is found by `doctor`, and
    /// must not make a save fail.
    let inPlaceOfNull: Value
    let bounds: Bounds
    /// Whether the row belongs to the row that the field names.
    var isOwner = false
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
      fields[attribute.name] = Field(
        column: column, type: attribute.type, initial: initial, inPlaceOfNull: initial,
        bounds: attribute.bounds.inAnyVersion)
    }
    for relationship in catalogue.allRelationships(of: entity) {
      guard let column = relationship.column, let destination = catalogue[relationship.destination] else { continue }
      let isNumber = catalogue.keyStorage(of: destination) == .integer
      fields[relationship.name] = Field(
        column: column, type: isNumber ? .integer32 : .string, initial: .null, inPlaceOfNull: .null,
        bounds: isNumber ? .usual(of: .integer32) : .text(.free, longest: RowTable.longestKey),
        isOwner: relationship.isOwner)
    }
    for column in catalogue.columns(ofTable: entity.table) where column.isNotNull {
      guard let (name, field) = fields.first(where: { $0.value.column == column.name }), field.initial == .null else {
        continue
      }
      fields[name] = Field(
        column: field.column, type: field.type, initial: field.initial,
        inPlaceOfNull: column.storage == .text ? .text("") : .integer(0), bounds: field.bounds, isOwner: field.isOwner)
    }
    self.fields = fields
    required = fields.filter { $0.value.initial != $0.value.inPlaceOfNull && $0.key != entity.storageKey }.keys.sorted()
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
  package func ownership(of key: String, in db: Database) throws -> (isDeleted: Bool, owners: [RowKey])? {
    let deleted = fields["dsDeleted"].map { Tables.quoted($0.column) } ?? "0"
    let columns = ([deleted] + owners.map(\.column)).joined(separator: ", ")
    let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM \(table) WHERE \(keyColumn) = ?")
    guard let row = try ReadRow.fetchOne(statement, arguments: [keyValue(key)]) else { return nil }
    let above = owners.enumerated().compactMap { index, owner in
      row.key(index + 1).map { RowKey(entity: owner.entity, id: $0) }
    }
    return (row[0], above)
  }

  /// Visits rows and all rows above them, each once, those above a row before the rest.
  /// - Parameter visit: says whether to go on.
  package static func walkUp(from rows: [RowKey], in db: Database, _ visit: (RowKey) throws -> Bool) throws {
    var open = rows
    var seen: Set<RowKey> = []
    while let next = open.popLast() {
      guard seen.insert(next).inserted else { continue }
      guard try visit(next) else { return }
      open += try RowTable.of(next.entity).ownership(of: next.id, in: db)?.owners ?? []
    }
  }

  /// Whether a row, or any row above it, is marked as deleted.
  func isDeletedOrBelowDeleted(_ key: String, in db: Database) throws -> Bool {
    let sql = try RowTable.ancestries.withLock { $0[entity.name] } ?? ancestry()
    return try Bool.fetchOne(db.cachedStatement(sql: sql), arguments: [keyValue(key)]) ?? false
  }

  /// Whether there is such a row and neither it nor any row above it is deleted.
  package func isInView(_ key: String, in db: Database) throws -> Bool {
    try heads(of: key, in: db) != nil && !isDeletedOrBelowDeleted(key, in: db)
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
    return try ReadRow.fetchOne(statement, arguments: [keyValue(key)]).map { try values(of: $0.row) }
  }

  /// A row with everything that is stored of it, or nil if there is none.
  /// - Throws: `StoreError` if a column holds what its type cannot be.
  func stored(_ key: String, in db: Database) throws -> StoredRow? {
    let statement = try db.cachedStatement(sql: "SELECT * FROM \(table) WHERE \(keyColumn) = ?")
    guard let row = try ReadRow.fetchOne(statement, arguments: [keyValue(key)]) else { return nil }
    let kind: String = discriminator == nil ? entity.name : row[StoredTable.discriminatorColumn] ?? ""
    return StoredRow(entity: kind, values: try values(of: row.row), heads: HeadsColumn(text: row["heads"]))
  }

  /// A field as a check of many rows reads it.
  struct ColumnReading: Sendable {
    let name: String
    let column: String
    let initial: Value
    fileprivate let type: AttributeType
    fileprivate let inPlaceOfNull: Value
    fileprivate let bounds: Bounds

    /// What is wrong with a stored value; nil: nothing is, or it stands for no value.
    func fault(of value: Value) -> String? {
      value == inPlaceOfNull ? nil : RowTable.fault(of: value, type, bounds).map { "'\(name)' \($0)" }
    }

    /// What its column holds for a value; nil: where it was never set.
    func held(_ value: Value?) -> Value {
      let value = value ?? initial
      return value == .null ? inPlaceOfNull : value
    }

    /// Whether its column holds fractions.
    var isReal: Bool { type.storage == .real }

    /// Whether its column can hold a value that it is set to, and nothing is wrong with the value.
    func isHeld(_ value: Value) -> Bool {
      StoredCell(value, in: type.storage) != nil && fault(of: held(value)) == nil
    }

    /// A value as it lies in the column, as saving it leaves it; nil where the column cannot hold it.
    func cell(_ value: Value?) -> StoredCell? { StoredCell(held(value), in: type.storage) }
  }

  /// Every stored field but the key, by name.
  var storedFields: [ColumnReading] {
    fields.filter { $0.key != entity.storageKey }.sorted { $0.key < $1.key }.map {
      ColumnReading(
        name: $0, column: $1.column, initial: $1.initial, type: $1.type, inPlaceOfNull: $1.inPlaceOfNull,
        bounds: $1.bounds)
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

  /// Makes a row. Columns that must hold something, and of which nothing is known, hold what stands for no value.
  func insert(_ key: String, fields: [String: Value], heads: HeadsColumn, in db: Database) throws {
    var columns = [keyColumn, "heads"]
    // Of any type: of arguments that are all of one type the library makes a key path each time.
    var arguments: [(any DatabaseValueConvertible)?] = [keyValue(key), heads.text]
    if let discriminator {
      columns.append(discriminator)
      arguments.append(entity.name)
    }
    let missing = required.filter { fields[$0] == nil }
    let fields = fields.merging(missing.map { ($0, .null) }) { given, _ in given }
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
    var arguments: [(any DatabaseValueConvertible)?] = [heads.text]
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

  /// Every stored field with its value, or what it holds before it is ever set.
  func allFields(_ values: [String: Value]) throws -> [String: Value] {
    var all: [String: Value] = [:]
    for (name, field) in fields where name != entity.storageKey { all[name] = values[name] ?? field.initial }
    return all
  }

  /// Takes a row out of its table; for a row of which no operation is left.
  func remove(_ key: String, in db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM \(table) WHERE \(keyColumn) = ?").execute(arguments: [keyValue(key)])
  }

  /// Whether the row belongs to what this field names.
  func isOwner(_ field: String) -> Bool { fields[field]?.isOwner ?? false }

  /// Whether rows of this entity can be taken out of view.
  var isDeletable: Bool { fields["dsDeleted"] != nil }

  /// Whether there is a stored field of this name, the key left out.
  func has(_ field: String) -> Bool { field != entity.storageKey && fields[field] != nil }

  /// Says what is wrong with a value for a field, as in `'order' is 0; it must be 1 to 32767`; nil: the field can hold
  /// it. Whatever comes into a table by the journal has passed this check, here or where it was made.
  func fault(of value: Value, in field: String) -> String? {
    fields[field].flatMap { RowTable.fault(of: value, $0.type, $0.bounds) }.map { "'\(field)' \($0)" }
  }

  private static func fault(of value: Value, _ type: AttributeType, _ bounds: Bounds) -> String? {
    switch (value, type) {
    case (.null, _), (.bool, .boolean): nil
    case (.integer(let number), .integer16), (.integer(let number), .integer32), (.integer(let number), .integer64),
      (.integer(let number), .date):
      bounds.fault(whole: number)
    case (.integer(let scaled), .double): bounds.fault(number: Scaled.decode(scaled))
    case (.text(let text), .string), (.text(let text), .json), (.text(let text), .transformable):
      bounds.fault(text: text)
    default: "cannot hold \(value.kind)"
    }
  }

  private static let longestKey = 200

  /// Whether a text is a key of this entity, in the only way of writing it.
  func isKey(_ key: String) -> Bool {
    keyIsNumber
      ? Int32(key).map { String($0) == key } ?? false : !key.isEmpty && key.utf8.count <= RowTable.longestKey
  }

  /// The entity that the row with this key says it is of; nil if there is no such row.
  func storedEntity(of key: String, in db: Database) throws -> String? {
    let column = discriminator ?? "'\(entity.name)'"
    let statement = try db.cachedStatement(sql: "SELECT \(column) FROM \(table) WHERE \(keyColumn) = ?")
    return try String.fetchOne(statement, arguments: [keyValue(key)])
  }

  private func field(_ name: String) throws -> Field {
    guard let field = fields[name] else { throw StoreError("\(entity.name) has no stored field \(name)") }
    return field
  }

  private func keyValue(_ key: String) -> DatabaseValue {
    keyIsNumber ? (Int64(key)?.databaseValue ?? .null) : key.databaseValue
  }

  private func databaseValue(_ value: Value, field: String, type: AttributeType) throws -> DatabaseValue {
    switch StoredCell(value == .null ? fields[field]?.inPlaceOfNull ?? .null : value, in: type.storage) {
    case .null: return .null
    case .integer(let integer): return integer.databaseValue
    case .real(let real): return real.databaseValue
    case .text(let text): return text.databaseValue
    case .blob, .brokenText, nil: throw StoreError("\(entity.name).\(field) cannot hold \(value)")
    }
  }

  private static func value(_ stored: DatabaseValue, type: AttributeType) throws -> Value {
    switch stored.storage {
    case .null: return .null
    case .int64(let integer):
      if type == .boolean { return .bool(integer != 0) }
      if type != .double { return .integer(integer) }
      let (scaled, isTooLarge) = integer.multipliedReportingOverflow(by: Scaled.unit)
      if isTooLarge { throw StoreError("\(integer) is not a mark") }
      return .integer(scaled)
    case .double(let double):
      guard let scaled = Scaled.encode(double) else { throw StoreError("\(double) is not a mark") }
      return .integer(scaled)
    case .string(let text): return .text(text)
    case .blob: return .null
    }
  }
}

extension Value {
  fileprivate var kind: String {
    switch self {
    case .null: "nothing"
    case .bool: "a boolean"
    case .integer: "a number"
    case .text: "a text"
    }
  }

  fileprivate init(_ value: DefaultValue) {
    switch value {
    case .integer(let number): self = .integer(number)
    case .double(let number): self = Scaled.encode(number).map { .integer($0) } ?? .null
    case .string(let text): self = .text(text)
    case .boolean(let bool): self = .bool(bool)
    }
  }
}
