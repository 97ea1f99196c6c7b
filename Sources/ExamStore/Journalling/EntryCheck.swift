import Catalogue
import GRDB
import Journal
import Timer

/// What may not come into the tables, whatever else is here: what no reader could make sense of later.
enum EntryCheck {
  /// How far an operation's time may be ahead of this store's, in milliseconds: clocks in a wrong time zone pass.
  static let greatestLead: Int64 = 25 * 3_600_000
  private static let longestText = 64 << 10
  private static let longestDocument = 256 << 10
  private static let greatestScaled: Int64 = 4_000_000_000_000_000

  /// Whether an operation's time is one that others can come after.
  static func isInTime(_ operation: Journal.Operation, now: Instant) -> Bool {
    operation.hlc.raw >= 0 && operation.hlc.milliseconds <= now.milliseconds + greatestLead
  }

  /// What speaks against an operation of another device whenever it comes; nil if nothing does.
  static func refusal(of opened: OpenedOperation) -> Journal.Refusal? {
    let operation = opened.operation
    let name = operation.row.entity
    guard let entity = Catalogue.standard[name], entity.sync != .local, let table = try? RowTable.of(name) else {
      return .unknown(name)
    }
    guard table.isKey(operation.row.id) else { return .unknown("\(name) \(operation.row.id)") }
    if operation.kind == .delete, !table.isDeletable { return .unknown("\(name).dsDeleted") }
    for (field, value) in opened.body?.fields ?? [:] {
      guard let type = table.type(of: field) else { return .unknown("\(name).\(field)") }
      if !fits(value, type) { return .valueType("\(name).\(field)") }
    }
    return nil
  }

  private static func fits(_ value: Value, _ type: AttributeType) -> Bool {
    switch (value, type) {
    case (.null, _): true
    case (.bool, .boolean): true
    case (.integer(let number), .integer16): Int16(exactly: number) != nil
    case (.integer(let number), .integer32): Int32(exactly: number) != nil
    case (.integer, .integer64), (.integer, .date): true
    case (.integer(let number), .double): number.magnitude <= greatestScaled.magnitude
    case (.text(let text), .string): text.utf8.count <= longestText && !text.utf8.contains(0)
    case (.text(let text), .json), (.text(let text), .transformable):
      text.utf8.count <= longestDocument && !text.utf8.contains(0)
    default: false
    }
  }
}
