import ExamStore
import GRDB
import Timer

/// What setting the exam's time does to clocks beside showing another time: a run that is open may be over by then.
extension ClockSetting {
  /// A line for each clock that would stand in another phase at once, by circuit and session: `Blue circuit 2026-12-07
  /// 09:00 ends, it is in rotation 3 now`.
  public func effects(on clock: ExamClock, in db: Database) throws -> [String] {
    let (now, then) = (clock.now, instant(by: clock))
    let names = Dictionary(uniqueKeysWithValues: try Circuit.every(db).map { ($0.circuit.id, $0.circuit.name) })
    return try Row.fetchAll(
      db, sql: "SELECT DISTINCT circuitID, date, startTime FROM circuitRun ORDER BY circuitID, date, startTime"
    ).flatMap { row -> [String] in
      let session = Session(circuit: row[0], date: row[1], startTime: row[2])
      return try Run.all(of: session, in: db).compactMap { run in
        let (old, new) = (run.state(at: now), run.state(at: then))
        return Self.words(old, new).map { "\(names[session.circuit] ?? "circuit") \(session.name) \($0)" }
      }
    }
  }

  private static func words(_ old: ClockState, _ new: ClockState) -> String? {
    if old.passage == new.passage && old.status == new.status { return nil }
    switch (old.status, new.status) {
    case (.notStarted, .finished): return "begins and ends unseen"
    case (.notStarted, _): return "begins"
    case (_, .notStarted): return "is as if it had not begun"
    case (_, .finished): return "ends, it is in \(words(old)) now"
    default: return "goes from \(words(old)) to \(words(new))"
    }
  }

  private static func words(_ state: ClockState) -> String {
    guard let phase = state.phase else { return "its end" }
    let standing = state.status == .paused ? ", paused" : state.status == .waiting ? ", waiting" : ""
    return phase.type.name + (state.round.map { " \($0)" } ?? "") + standing
  }
}
