import Catalogue
import GRDB
import Journal
import Timer

/// What may not come into the tables, whatever else is here: what no reader could make sense of later.
package enum EntryCheck {
  /// How far an operation's time may be ahead of this store's, in milliseconds: clocks in a wrong time zone pass.
  static let greatestLead: Int64 = 25 * 3_600_000

  /// Whether an operation's time is one that others can come after: no further ahead than clocks may be, or at once after
  /// what it follows, which may count because a person let it in.
  /// - Parameter followed: the latest time of what counts here of what it names and of its device's chain.
  package static func isInTime(
    _ operation: Journal.Operation, now: Instant, after followed: () throws -> HybridTime?
  ) rethrows -> Bool {
    let time = operation.hlc
    if time.raw < 0 { return false }
    if time.milliseconds <= now.milliseconds + greatestLead { return true }
    guard hasTimeAfter(time), let followed = try followed() else { return false }
    // A transaction counts up from what its first operation follows.
    return time.milliseconds <= followed.milliseconds + 1
  }

  /// Whether there is a time after one for what replaces it.
  package static func hasTimeAfter(_ time: HybridTime) -> Bool { time.milliseconds < HybridTime.max.milliseconds }

  /// What speaks against an operation of another device whenever it comes; nil if nothing does.
  /// - Parameter countsHere: whether it is in the journal and counts. Then this file made it, before it was copied or
  ///   restored and went on as another device, or took it: it may be of what never leaves a store.
  package static func refusal(of opened: OpenedOperation, countsHere: Bool = false) -> Journal.Refusal? {
    let operation = opened.operation
    let name = operation.row.entity
    if name == Ruling.entity {
      if Ruling.isOne(opened) { return nil }
      // Other fields may be those of a newer program.
      let isRuling = opened.body?.fields.keys.allSatisfy { $0 == Ruling.field } ?? true
      return isRuling ? .unreadableBody : .unknown(name)
    }
    guard let entity = Catalogue.standard[name], let table = try? RowTable.of(name) else { return .unknown(name) }
    if entity.sync == .local { return countsHere || opened.operation.sealedBody == nil ? nil : .unknown(name) }
    guard table.isKey(operation.row.id) else { return .unknown("\(name) \(operation.row.id)") }
    if operation.kind == .delete, !table.isDeletable { return .unknown("\(name).dsDeleted") }
    // In an order that is the same everywhere: else two programs give two reasons for one operation.
    let fields = (opened.body?.fields ?? [:]).sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    if let unknown = fields.first(where: { !table.has($0.key) }) { return .unknown("\(name).\(unknown.key)") }
    let wrong = fields.first { table.fault(of: $0.value, in: $0.key) != nil }
    return wrong.map { .valueType("\(name).\($0.key)") }
  }
}
