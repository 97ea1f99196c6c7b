import CircuitModel
import ExamStore
import GRDB
import Timer

/// Which sessions are meant.
extension ClockCommand {
  func refuseLocked(_ chosen: [PlacedSession], _ store: ExamStore) throws {
    try store.read { try ExamLock.refuse(chosen.map(\.session), in: $0) }
  }

  /// The circuits meant, each with its session at an instant.
  func sessions(_ store: ExamStore, at instant: Instant) throws -> [PlacedSession] {
    try store.read { db in
      func choose(of circuit: Circuit) throws -> PlacedSession {
        PlacedSession(
          circuit: circuit,
          session: try Session.choose(of: circuit, named: session, isToRead: isToRead, at: instant, in: db))
      }
      if case .named(let name) = circuit {
        let circuit = try Circuit.find(name, at: instant, in: db)
        if session == nil, case .move(.annul(let event)) = try task() {
          return [try holder(of: event, among: [circuit], in: db)]
        }
        return [try choose(of: circuit)]
      }
      let circuits = try Circuit.all(at: instant, db)
      if case .move(.annul(let event)) = try task() { return [try holder(of: event, among: circuits, in: db)] }
      let chosen = try circuits.compactMap { circuit -> PlacedSession? in
        let sessions = try Session.all(of: circuit.id, in: db)
        if sessions.isEmpty || session.map({ name in !sessions.contains { $0.name == name } }) == true { return nil }
        return try choose(of: circuit)
      }
      if chosen.isEmpty {
        throw StoreError("no circuit has \(session.map { "a session \($0)" } ?? "a session"); osce plan lists them")
      }
      return chosen
    }
  }

  /// The session whose clock holds an event; one that is named has to be it.
  private func holder(of event: String, among circuits: [Circuit], in db: Database) throws -> PlacedSession {
    let event = try ClockLog.key(ofEvent: event, in: db)
    guard let held = try ClockLog.session(ofEvent: event, in: db), session ?? held.name == held.name,
      let circuit = circuits.first(where: { $0.id == held.circuit })
    else { throw StoreError("there is no event \(event) to annul; log lists them") }
    return PlacedSession(circuit: circuit, session: held)
  }

  /// Every session that `all pause` and `all resume` mean: of each circuit all that are open, for a pause also those
  /// that begin by themselves later, else the one that is next. A resume leaves out those that were left open on an
  /// earlier day.
  /// - Parameter leavesOut: is told of each that is left out.
  func openSessions(
    _ store: ExamStore, at instant: Instant, leavesOut: (String) -> Void
  ) throws -> [PlacedSession] {
    if session != nil { return try sessions(store, at: instant) }
    return try store.read { db in
      try Circuit.all(at: instant, db).flatMap { circuit -> [PlacedSession] in
        let standing = try Session.open(of: circuit, at: instant, in: db)
        let open = try standing.filter { try verb == .pause || !$0.wasLeft(at: instant, in: db) }
        for left in standing where !open.contains(left) {
          leavesOut(
            "\(circuit.name): session \(left.name) was never stopped; add --session \"\(left.name)\" to include it")
        }
        if open.isEmpty, !standing.isEmpty { return [] }
        let all = try Session.all(of: circuit.id, in: db)
        let meant = try all.filter {
          try open.contains($0)
            || verb == .pause && !ClockLog.scheduled(of: $0, at: instant, in: db).isEmpty
        }
        if !meant.isEmpty { return meant.map { PlacedSession(circuit: circuit, session: $0) } }
        if all.isEmpty { return [] }
        let next = try Session.choose(of: circuit, named: nil, at: instant, in: db)
        return [PlacedSession(circuit: circuit, session: next)]
      }
    }
  }
}
