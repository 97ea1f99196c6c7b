import Catalogue
import CircuitModel

/// How a row of any entity leads to a candidate and a station: along the rows that it belongs to, as the catalogue
/// declares them.
struct OutboxPlaces {
  /// What a row leads to.
  enum Anchor: String, Sendable {
    case rosterEntry = "TimetableAttendanceLog"
    case session = "Timetable"
    case station = "ActivityType"
    case candidate = "Student"
    case nothing

    /// The nearest of these says most.
    static let all: [Anchor] = [.rosterEntry, .session, .station, .candidate]

    /// SQL that leads from the anchor's key in `g.anchor` to the roster entry `e`, the session `t`, the station `a` and
    /// the candidate `u`.
    var joins: String {
      let entry = "LEFT JOIN timetableAttendanceLog e ON \(self == .rosterEntry ? "e.uuid = g.anchor" : "0")"
      let session = "LEFT JOIN timetable t ON t.dsid = \(self == .session ? "g.anchor" : "e.timetableID")"
      let station = "LEFT JOIN activityType a ON a.dsid = \(self == .station ? "g.anchor" : "t.activityTypeID")"
      let candidate = self == .candidate ? "g.anchor" : "\(SlotChanges.candidate)"
      let person = "LEFT JOIN user u ON u.dsid = \(candidate) AND u.entity = 'Student'"
      return [entry, session, station, person].joined(separator: " ")
    }
  }

  /// What rows of the entity lead to.
  let anchor: Anchor
  /// The way there, a row at a time.
  let steps: [Step]
  /// SQL for the anchor's key, of the row `t0`.
  let key: String
  /// SQL that leads there from `w.entityID`, the row's key as text.
  let joins: String

  /// - Parameter entity: a name; one that is not of this catalogue leads nowhere.
  init(_ entity: String) {
    guard let declared = Catalogue.standard[entity], let path = OutboxPlaces.path(from: declared) else {
      (anchor, steps, key, joins) = (.nothing, [], "NULL", "")
      return
    }
    let isNumber = Catalogue.standard.keyStorage(of: declared) == .integer
    let own = isNumber ? "CAST(w.entityID AS INTEGER)" : "w.entityID"
    var joins = ["LEFT JOIN \"\(declared.table)\" t0 ON t0.\"\(declared.storageKey)\" = \(own)"]
    var (holder, column) = ("t0", declared.storageKey)
    for (index, step) in path.steps.enumerated() {
      column = step.column
      if index == path.steps.count - 1 { break }
      let above = "t\(index + 1)"
      let key = "\(above).\"\(step.destination.storageKey)\""
      joins.append("LEFT JOIN \"\(step.destination.table)\" \(above) ON \(key) = \(holder).\"\(column)\"")
      holder = above
    }
    (anchor, steps, self.joins) = (path.anchor, path.steps, joins.joined(separator: " "))
    key = "\(holder).\"\(column)\""
  }

  /// From a row to one that it belongs to.
  struct Step {
    /// The relationship, as operations name it.
    let name: String
    /// Where the row has it.
    let column: String
    /// What it leads to.
    let destination: Entity
  }

  /// The shortest way along owners to what says most; where they lead nowhere, the last step may be along any
  /// relationship that is stored.
  private static func path(from entity: Entity) -> (anchor: Anchor, steps: [Step])? {
    if let anchor = Anchor(rawValue: entity.name) { return (anchor, []) }
    var (owners, others): ([Anchor: [Step]], [Anchor: [Step]]) = ([:], [:])
    var open: [(entity: Entity, steps: [Step])] = [(entity, [])]
    var seen: Set<String> = [entity.name]
    while !open.isEmpty {
      let (current, steps) = open.removeFirst()
      for relationship in Catalogue.standard.allRelationships(of: current) {
        guard let column = relationship.column, let next = Catalogue.standard[relationship.destination] else {
          continue
        }
        let way = steps + [Step(name: relationship.name, column: column, destination: next)]
        if let anchor = Anchor(rawValue: next.name) {
          if relationship.isOwner { owners[anchor] = owners[anchor] ?? way }
          others[anchor] = others[anchor] ?? way
        } else if relationship.isOwner, seen.insert(next.name).inserted {
          open.append((next, way))
        }
      }
    }
    for found in [owners, others] {
      for anchor in Anchor.all { if let steps = found[anchor] { return (anchor, steps) } }
    }
    return nil
  }
}
