import GRDB
import Journal
import Timer

/// One start of a session, with everything that was done to its clock.
public struct Run: Sendable {
  /// Its key in `CircuitRun`.
  public let key: String
  /// What was started.
  public let session: Session
  /// Which run of the session it is, from 1.
  public let number: Int
  /// Whether it is for the stations that were missed: its rounds are those of the re-run queue, not the rosters'.
  public let isRerun: Bool
  /// Its events, as far as they have arrived.
  public let events: [ClockEvent]

  /// Whether it has started and has not finished at an instant.
  public func isOpen(at instant: Instant) -> Bool {
    switch Rotation.fold(events, until: instant).state(at: instant).status {
    case .running, .paused, .waiting: true
    case .notStarted, .finished: false
    }
  }

  /// The runs of a session, the first first.
  public static func all(of session: Session, in db: Database) throws -> [Run] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT uuid, number, rerun FROM circuitRun WHERE circuitID = ? AND date = ? AND startTime = ? ORDER BY number, uuid
          """), arguments: [session.circuit, session.date, session.startTime]
    ).map { row in
      Run(
        key: row[0], session: session, number: row[1], isRerun: row[2],
        events: try ClockLog.events(ofRun: row[0], in: db))
    }
  }

  /// The run that a session shows at an instant: the open one; else the last that has begun; else the last planned.
  public static func current(of session: Session, at instant: Instant, in db: Database) throws -> Run? {
    let runs = try all(of: session, in: db)
    if let open = runs.last(where: { $0.isOpen(at: instant) }) { return open }
    let begun = runs.last { Rotation.fold($0.events, until: instant).state(at: instant).status == .finished }
    return begun ?? runs.last
  }
}

/// The runs that are open now, for what must not happen while one is.
enum OpenRuns {
  static func all(_ db: Database, at instant: Instant) throws -> [Run] {
    try Row.fetchAll(db, sql: "SELECT DISTINCT circuitID, date, startTime FROM circuitRun")
      .flatMap { try Run.all(of: Session(circuit: $0[0], date: $0[1], startTime: $0[2]), in: db) }
      .filter { $0.isOpen(at: instant) }
  }
}
