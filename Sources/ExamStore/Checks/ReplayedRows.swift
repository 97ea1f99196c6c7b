import Catalogue
import Journal

/// What the applied operations make of every row, small enough to be kept for a whole journal: of each field the
/// operation that stands on it and its value, of a text the hash.
///
/// A row that lies in its table as is said here is in order; every other one is replayed from its operations by
/// `RowCheck`, which finds the words. So is a row of which something is not said here, because it is out of the
/// ordinary: deleted, contradicted, with fields that are not of the data model, with operations kept aside.
struct ReplayedRows {
  /// How the fields of an entity are told apart.
  fileprivate final class Shape: Sendable {
    let name: String
    /// Nil where the data model has no such entity.
    let table: RowTable?
    /// In the order of their names; their places are what a `Setting` holds.
    let fields: [RowTable.ColumnReading]
    let places: [String: UInt8]
    let names: [[UInt8]]
    /// What the column of each holds that was never set, and that was set to no value.
    let unset: [StoredCell?]
    let null: [StoredCell?]
    let isReal: [Bool]

    init(_ entity: String) {
      name = entity
      table = try? RowTable.of(entity)
      let fields = table?.storedFields ?? []
      self.fields = fields
      places = Dictionary(uniqueKeysWithValues: zip(fields.map(\.name), (0 as UInt8)...))
      names = fields.map { Array($0.name.utf8) }
      unset = fields.map { $0.fault(of: $0.held(nil)) == nil ? $0.cell(nil) : nil }
      null = fields.map { $0.cell(Value.null) }
      isReal = fields.map(\.isReal)
    }
  }

  /// A row's key without a text of its own.
  fileprivate struct Key: Hashable {
    enum Form: UInt8 {
      case uuid
      case number
      /// A place in the list of those that are neither.
      case other
    }
    let shape: UInt16
    let form: Form
    let high: UInt64
    let low: UInt64
  }

  /// What an operation set a field to.
  fileprivate struct Setting {
    var value: UInt64
    let field: UInt8
    let kind: Kind
    /// Whether it stands still.
    var isHead: Bool

    enum Kind: UInt8 {
      case null
      case bool
      case integer
      case text
    }
  }

  /// The settings of one operation: a run of the list of all.
  private struct Run {
    let operation: UInt32
    let first: UInt32
    let count: UInt32
    /// Of the same row, plus one; 0 at the end.
    var next: UInt32
  }

  private struct Row {
    let key: Key
    /// The first run plus one; 0 where there is none.
    var runs: UInt32 = 0
    var isCreated = false
    var isOrdinary = true
  }

  private var shapes: [Shape] = []
  private var shapePlaces: [String: UInt16] = [:]
  private var others: [String] = []
  private var otherPlaces: [String: UInt64] = [:]
  private var rows: [Row] = []
  private var settings: [Setting] = []
  private var runs: [Run] = []
  private let spread = Spread()
  /// Places in `rows` plus one, by the hash of the key; 0 where there is none.
  private var table = [UInt32](repeating: 0, count: 1 << 10)

  // MARK: Keeping

  /// Makes room for what so many operations say.
  mutating func reserve(_ operations: Int) {
    runs.reserveCapacity(operations)
    settings.reserveCapacity(5 * operations)
  }

  /// Notes that what is kept of a row says nothing sure.
  mutating func distrust(_ row: RowKey) { rows[place(adding: row)].isOrdinary = false }

  /// Applies an operation. All that it names must have been applied, or count for nothing.
  /// - Parameter operation: its place among those of the journal.
  mutating func apply(_ opened: OpenedOperation, at operation: Int, _ fates: OperationFates) {
    guard case .readable(let body) = opened.content else { return }
    let place = place(adding: opened.operation.row)
    if opened.operation.kind == .create { rows[place].isCreated = true }
    guard rows[place].isOrdinary else { return }
    if opened.operation.kind == .delete || !set(body, by: operation, in: place, fates.ids) {
      rows[place].isOrdinary = false
    }
  }

  /// - Returns: whether the row holds one value for each field, as the data model has it.
  private mutating func set(
    _ body: OperationBody, by operation: Int, in place: Int, _ ids: [OperationID]
  ) -> Bool {
    let shape = shapes[Int(rows[place].key.shape)]
    let first = settings.count
    guard body.fields.count <= shape.fields.count, first + body.fields.count < UInt32.max else { return false }
    if body.fields.isEmpty { return true }
    for (name, value) in body.fields {
      guard let field = shape.places[name], shape.fields[Int(field)].isHeld(value),
        clear(field, of: place, named: body.replaces[name] ?? [], ids)
      else { return false }
      var order = settings.count
      settings.append(Setting(field: field, value))
      while order > first, settings[order - 1].field > settings[order].field {
        settings.swapAt(order - 1, order)
        order -= 1
      }
    }
    runs.append(
      Run(
        operation: UInt32(operation), first: UInt32(first), count: UInt32(body.fields.count), next: rows[place].runs))
    rows[place].runs = UInt32(runs.count)
    return true
  }

  /// Takes the operation that stands on a field from it.
  /// - Returns: whether it is among those that are named.
  private mutating func clear(_ field: UInt8, of place: Int, named: [OperationID], _ ids: [OperationID]) -> Bool {
    var last: Int?
    var next = rows[place].runs
    while next > 0 {
      let index = Int(next) - 1
      let run = runs[index]
      let range = Int(run.first)..<Int(run.first + run.count)
      if let found = range.first(where: { settings[$0].isHead && settings[$0].field == field }) {
        guard named.contains(ids[Int(run.operation)]) else { return false }
        settings[found].isHead = false
        if !range.contains(where: { settings[$0].isHead }) {
          if let last { runs[last].next = run.next } else { rows[place].runs = run.next }
        }
        return true
      }
      last = index
      next = run.next
    }
    return true
  }

  private mutating func place(adding row: RowKey) -> Int {
    let key = key(adding: row)
    var slot = slot(of: key)
    if table[slot] != 0 { return Int(table[slot]) - 1 }
    if 2 * (rows.count + 1) > table.count {
      grow()
      slot = self.slot(of: key)
    }
    rows.append(Row(key: key))
    // Of an entity that is not of the data model nothing is kept.
    if shapes[Int(key.shape)].table == nil { rows[rows.count - 1].isOrdinary = false }
    table[slot] = UInt32(rows.count)
    return rows.count - 1
  }

  private mutating func grow() {
    table = [UInt32](repeating: 0, count: 2 * table.count)
    for (place, row) in rows.enumerated() { table[slot(of: row.key)] = UInt32(place + 1) }
  }

  private func slot(of key: Key) -> Int {
    let mask = table.count - 1
    var slot = spread.hash(key.high ^ UInt64(key.shape) << 2 ^ UInt64(key.form.rawValue), key.low) & mask
    while table[slot] != 0, rows[Int(table[slot]) - 1].key != key { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func key(adding row: RowKey) -> Key {
    let shape: UInt16
    if let known = shapePlaces[row.entity] {
      shape = known
    } else {
      shape = UInt16(shapes.count)
      shapes.append(Shape(row.entity))
      shapePlaces[row.entity] = shape
    }
    var id = row.id
    if let key = id.withUTF8({ Key(shape, UnsafeRawBufferPointer($0)) }) { return key }
    if let known = otherPlaces[id] { return Key(shape: shape, form: .other, high: 0, low: known) }
    let other = UInt64(others.count)
    others.append(id)
    otherPlaces[id] = other
    return Key(shape: shape, form: .other, high: 0, low: other)
  }

  // MARK: Looking up

  /// Every row of which anything is kept.
  var places: Range<Int> { rows.indices }

  /// A row's place; nil where no applied operation is on it.
  /// - Parameter id: the key as text.
  func place(entity: String, id: UnsafeRawBufferPointer) -> Int? {
    guard let shape = shapePlaces[entity] else { return nil }
    var key = Key(shape, id)
    if key == nil {
      guard let other = otherPlaces[String(decoding: id, as: UTF8.self)] else { return nil }
      key = Key(shape: shape, form: .other, high: 0, low: other)
    }
    guard let key else { return nil }
    let slot = slot(of: key)
    return table[slot] == 0 ? nil : Int(table[slot]) - 1
  }

  /// The row at a place.
  subscript(place: Int) -> RowKey {
    let key = rows[place].key
    let id =
      switch key.form {
      case .uuid: UUIDBytes(high: key.high, low: key.low).description
      case .number: String(Int64(bitPattern: key.low))
      case .other: others[Int(key.low)]
      }
    return RowKey(entity: shapes[Int(key.shape)].name, id: id)
  }

  /// Whether a row lies in its table as the operations make it; false also where that is not known.
  /// - Parameters:
  ///   - heads: the place of the column `heads`.
  ///   - columns: the places of the fields' columns, in the order of the fields' names.
  ///   - operations: the identifiers at their places.
  func isWhole(
    _ place: Int, _ stored: RawRow, heads: Int, columns: [Int], _ operations: [OperationID], _ scratch: inout Scratch
  ) -> Bool {
    let row = rows[place]
    guard row.isOrdinary, row.isCreated || row.runs > 0 else { return false }
    let shape = shapes[Int(row.key.shape)]
    guard columns.count == shape.fields.count else { return false }
    scratch.begin(fields: columns.count)
    var next = row.runs
    while next > 0 {
      let run = runs[Int(next) - 1]
      scratch.runs.append(Int(next) - 1)
      for index in Int(run.first)..<Int(run.first + run.count) where settings[index].isHead {
        scratch.settings[Int(settings[index].field)] = index
      }
      next = run.next
    }
    for field in columns.indices {
      let index = scratch.settings[field]
      guard
        index < 0
          ? stored.holds(shape.unset[field], at: columns[field])
          : isStored(settings[index], shape, stored, at: columns[field])
      else { return false }
    }
    writeHeads(shape, operations, &scratch)
    return stored.holdsText(scratch.text, at: heads)
  }

  private func isStored(_ setting: Setting, _ shape: Shape, _ stored: RawRow, at column: Int) -> Bool {
    let field = Int(setting.field)
    switch setting.kind {
    case .null: return stored.holds(shape.null[field], at: column)
    case .text: return stored.textHash(column) == setting.value
    case .bool, .integer:
      let number = Int64(bitPattern: setting.value)
      return shape.isReal[field]
        ? stored.holds(.real(Scaled.decode(number)), at: column) : stored.integer(column) == number
    }
  }

  /// The text of the column `heads`, as `HeadsColumn` writes it.
  private func writeHeads(_ shape: Shape, _ operations: [OperationID], _ scratch: inout Scratch) {
    if scratch.runs.count > 1 {
      scratch.runs.sort { operations[Int(runs[$0].operation)] < operations[Int(runs[$1].operation)] }
    }
    for place in scratch.runs {
      let run = runs[place]
      if !scratch.text.isEmpty { scratch.text.append(UInt8(ascii: ";")) }
      operations[Int(run.operation)].write(to: &scratch.text)
      var mark = UInt8(ascii: ":")
      for index in Int(run.first)..<Int(run.first + run.count) where settings[index].isHead {
        scratch.text.append(mark)
        scratch.text.append(contentsOf: shape.names[Int(settings[index].field)])
        mark = UInt8(ascii: ",")
      }
    }
  }

  /// Room for looking at one row after another.
  struct Scratch {
    fileprivate var settings: [Int] = []
    fileprivate var runs: [Int] = []
    fileprivate var text: [UInt8] = []

    fileprivate mutating func begin(fields: Int) {
      settings.removeAll(keepingCapacity: true)
      settings.append(contentsOf: repeatElement(-1, count: fields))
      runs.removeAll(keepingCapacity: true)
      text.removeAll(keepingCapacity: true)
    }
  }
}

extension ReplayedRows.Key {
  /// The key of a text that is a UUID or a whole number in its only form; nil for any other.
  fileprivate init?(_ shape: UInt16, _ id: UnsafeRawBufferPointer) {
    if let uuid = UUIDBytes(canonical: id) {
      self.init(shape: shape, form: .uuid, high: uuid.high, low: uuid.low)
      return
    }
    guard !id.isEmpty, id.count < 19, id[0] != UInt8(ascii: "0") || id.count == 1 else { return nil }
    var number: UInt64 = 0
    for byte in id {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      number = 10 * number + UInt64(byte - UInt8(ascii: "0"))
    }
    self.init(shape: shape, form: .number, high: 0, low: number)
  }
}

extension ReplayedRows.Setting {
  fileprivate init(field: UInt8, _ value: Value) {
    switch value {
    case .null: self.init(value: 0, field: field, kind: .null, isHead: true)
    case .bool(let bool): self.init(value: bool ? 1 : 0, field: field, kind: .bool, isHead: true)
    case .integer(let number):
      self.init(value: UInt64(bitPattern: number), field: field, kind: .integer, isHead: true)
    case .text(var text):
      let hash = text.withUTF8 { StoredCell.hash(UnsafeRawBufferPointer($0)) }
      self.init(value: hash, field: field, kind: .text, isHead: true)
    }
  }
}
