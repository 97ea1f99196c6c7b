import Catalogue
import CircuitModel
import ExamStore
import GRDB
import Journal

/// Where changes belong that are not settled: along the rows of the store, and where a row is not in it because its
/// making does not count, along what was to be made.
struct ChangePlaces {
  /// Where a row belongs, as far as that is known.
  struct Place {
    var circuit: String?
    var session: String?
    var round: Int?
    var station: String?
    var candidate: String?
  }

  private let db: Database
  /// What the operations set that are kept beside the journal, by row.
  private let kept: [RowKey: [String: Value]]
  private var found: [RowKey: Place] = [:]

  init(_ db: Database) throws {
    self.db = db
    var kept: [RowKey: [String: Value]] = [:]
    for pending in try PendingOperation.all(in: db) {
      let fields = OpenedOperation(pending.operation).body?.fields ?? [:]
      kept[pending.operation.row, default: [:]].merge(fields) { first, _ in first }
    }
    self.kept = kept
  }

  /// Where a row belongs; nothing in it where it is the whole exam's, or cannot be said.
  mutating func place(of row: RowKey) throws -> Place {
    if let place = found[row] { return place }
    let place = try find(row)
    found[row] = place
    return place
  }

  private func find(_ row: RowKey) throws -> Place {
    guard let entity = Catalogue.standard[row.entity] else { return Place() }
    if [Stored.ExamRuling.entityName, Stored.ExamLock.entityName].contains(entity.name) {
      return try named(row, entity)
    }
    let places = OutboxPlaces(row.entity)
    var (holder, key) = (entity, row.id)
    for step in places.steps {
      guard let next = try text(step.name, step.column, of: RowKey(entity: holder.name, id: key), holder) else {
        return Place()
      }
      (holder, key) = (step.destination, next)
    }
    return try place(at: places.anchor, key)
  }

  /// Where a ruling or a lock says that it belongs: it names places by their codes.
  private func named(_ row: RowKey, _ entity: Entity) throws -> Place {
    let names = Set(Catalogue.standard.allAttributes(of: entity).map(\.name))
    func field(_ name: String) throws -> String? {
      names.contains(name) ? try text(name, name, of: row, entity) : nil
    }
    return Place(
      circuit: try field("circuit"), session: try field("session"), station: try field("station"),
      candidate: try field("candidate"))
  }

  private func place(at anchor: OutboxPlaces.Anchor, _ key: String) throws -> Place {
    let isNumber = anchor != .rosterEntry
    if isNumber && Int(key) == nil { return Place() }
    let row = try ReadRow.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT t.dsid, e."order", \(StationSession.codeSQL), \(CandidateLabel.column), e.uuid
          FROM (SELECT \(isNumber ? "CAST(?1 AS INTEGER)" : "?1") AS anchor) g \(anchor.joins)
          """), arguments: [key])
    guard let row else { return Place() }
    if anchor == .rosterEntry, (row[4] as String?) == nil { return try unmadeEntry(key) }
    var place = Place(round: Roster.round(row[1]), station: row[2], candidate: row[3])
    if let timetable = row[0] as Int?, let at = try? StationSession.find(timetable, in: db) {
      (place.circuit, place.session, place.station) = (at.circuit.name, at.session.name, at.stationCode)
    }
    return place
  }

  /// Where a roster entry belongs that is in no row.
  private func unmadeEntry(_ key: String) throws -> Place {
    guard let entity = Catalogue.standard[OutboxPlaces.Anchor.rosterEntry.rawValue],
      let fields = kept[RowKey(entity: entity.name, id: key)]
    else { return Place() }
    var found = Place()
    for relationship in Catalogue.standard.allRelationships(of: entity) {
      guard let anchor = OutboxPlaces.Anchor(rawValue: relationship.destination), anchor != .rosterEntry,
        let key = fields[relationship.name]?.keyText
      else { continue }
      let place = try self.place(at: anchor, key)
      found = Place(
        circuit: found.circuit ?? place.circuit, session: found.session ?? place.session, round: nil,
        station: found.station ?? place.station, candidate: found.candidate ?? place.candidate)
    }
    return found
  }

  /// What a row holds, or was to hold, as text.
  private func text(_ name: String, _ column: String, of row: RowKey, _ entity: Entity) throws -> String? {
    let isNumber = Catalogue.standard.keyStorage(of: entity) == .integer
    if isNumber && Int(row.id) == nil { return nil }
    let stored = try ReadRow.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT CAST("\(column)" AS TEXT) FROM "\(entity.table)"
          WHERE "\(entity.storageKey)" = \(isNumber ? "CAST(?1 AS INTEGER)" : "?1")
          """), arguments: [row.id])
    if let stored { return stored[0] }
    return kept[row]?[name]?.keyText
  }
}

extension Value {
  /// The value as a key or a name; nil for none.
  fileprivate var keyText: String? {
    switch self {
    case .text(let text): text
    case .integer(let number): String(number)
    case .null, .bool: nil
    }
  }
}
