import Catalogue
import GRDB
import Journal

/// What a device is at its hub.
public enum DeviceRole: String, CaseIterable, Sendable {
  /// An assessor's.
  case station
  /// The invigilator's.
  case desk
  /// A circuit lead's.
  case lead
  /// The exam office's.
  case office
  /// Of one who reads all and changes nothing.
  case auditor
  /// A wall's.
  case display

  /// Whether it sends what others only receive: the plan, the people, the templates.
  package var sendsDown: Bool { self == .lead || self == .office }

  /// Whether a hub tells it of the other devices: what each has, and what of theirs does not count.
  package var seesOthers: Bool { sendsDown || self == .auditor }

  /// Whether a hub takes mark sheets from it, and the versions of templates that they were made from.
  var sendsSheets: Bool { self == .station || sendsDown }
}

/// Which operations a device owes its hub. Directions are the catalogue's; nothing else decides.
package struct SendRule {
  /// The device's role; a store that is not enrolled is held to what any device sends.
  let role: DeviceRole?

  /// The rule for a role.
  package init(role: DeviceRole?) {
    self.role = role
  }

  /// Whether an operation is sent with its content. One that sets fields of several directions, as older programs wrote
  /// them, is sent for the sake of those that travel.
  /// - Parameter fields: what it sets; none for a deletion.
  func sends(_ row: RowKey, fields: some Sequence<String>) -> Bool {
    // Rulings are on operations, which travel as such.
    guard let entity = Catalogue.standard[row.entity], entity.name != Ruling.entity else { return true }
    guard SendRule.mixed.contains(entity.name) else { return sends(entity.sync, row) }
    let directions = Set(fields.map { Catalogue.standard.sync(ofField: $0, in: entity) })
    return directions.isEmpty ? sends(entity.sync, row) : directions.contains { sends($0, row) }
  }

  /// Whether an operation is sent; nil where its content has to be known and is not here.
  package func sends(_ operation: Operation) -> Bool? {
    guard SendRule.mixed.contains(operation.row.entity) else { return sends(operation.row, fields: []) }
    return (try? operation.body()).map { sends(operation.row, fields: $0.fields.keys) }
  }

  /// Whether a device owes its hub an operation of its own. What a station imported of the plan is another's to send, also
  /// where people change it and it travels both ways: the hub's import stands for it.
  func owes(_ row: RowKey, _ body: OperationBody) -> Bool {
    if let role, !role.sendsDown, SendRule.isImportedPlan(row, body) { return false }
    // Each store records the versions of what it imports: where no sheets are made they are another's to send, too.
    if let role, !role.sendsSheets, Catalogue.standard[row.entity]?.isRecordOfPlan == true { return false }
    return sends(row, fields: body.fields.keys)
  }

  /// Whether a device owes its hub an operation; nil where its content has to be known and is not here.
  func owes(_ operation: Operation) -> Bool? {
    guard let role, !role.sendsDown, Catalogue.standard[operation.row.entity]?.sync == .both else {
      return sends(operation)
    }
    return (try? operation.body()).map { owes(operation.row, $0) }
  }

  /// Whether a file brought a row that people may change later, or a change of one.
  static func isImportedPlan(_ row: RowKey, _ body: OperationBody) -> Bool {
    body.source == OperationBody.imported && Catalogue.standard[row.entity]?.sync == .both
  }

  /// Whether a file brought a row that a hub's own import may have, too, or a change of one.
  static func isImported(_ row: RowKey, _ body: OperationBody) -> Bool {
    body.source == OperationBody.imported && WithheldContent.givesWay(row.entity)
  }

  /// The same of an operation; false where its content cannot be read.
  static func isImported(_ operation: Operation) -> Bool {
    OpenedOperation(operation).body.map { isImported(operation.row, $0) } ?? false
  }

  /// Whether any field of an entity may stay here, or all of one.
  func mayWithhold(_ entity: Entity) -> Bool {
    if entity.name == Ruling.entity { return false }
    if entity.sync == .both { return true }
    let fields = Catalogue.standard.allRelationships(of: entity).compactMap(\.sync)
    return ([entity.sync] + fields).contains { !sends($0) }
  }

  private func sends(_ direction: SyncDirection) -> Bool {
    switch direction {
    case .up, .both: true
    case .down: role?.sendsDown ?? false
    case .local: false
    }
  }

  private func sends(_ direction: SyncDirection, _ row: RowKey) -> Bool {
    // Whom a terminal met first nobody else can send.
    if direction == .down, row.id.hasPrefix("-"), Catalogue.standard[row.entity]?.isMetAtTerminals == true {
      return true
    }
    return sends(direction)
  }

  /// The entities with fields of several directions.
  private static let mixed = Set(
    Catalogue.standard.entities.filter { entity in
      Catalogue.standard.allRelationships(of: entity).contains { ($0.sync ?? entity.sync) != entity.sync }
    }.map(\.name))

  /// Fields by whether every device sends them: an operation's are all sent, or none is.
  static func split(_ fields: [String: Value], of entity: Entity) -> (sent: [String: Value], kept: [String: Value]) {
    guard mixed.contains(entity.name) else { return (fields, [:]) }
    let anyDevice = SendRule(role: nil)
    let kept = fields.filter { !anyDevice.sends(Catalogue.standard.sync(ofField: $0.key, in: entity)) }
    return kept.count == fields.count ? (fields, [:]) : (fields.filter { kept[$0.key] == nil }, kept)
  }
}
