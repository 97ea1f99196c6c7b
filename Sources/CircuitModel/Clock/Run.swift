import ExamStore
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
  /// Its events, as far as they have arrived, but for those that are barred.
  public let events: [ClockEvent]
  /// Its starts that take no effect because an earlier run of the session is open at their time.
  public let barred: [ClockEvent]

  /// What its clock shows at an instant.
  public func state(at instant: Instant) -> ClockState { Rotation.fold(events, until: instant).state(at: instant) }

  /// Whether it has started and has not finished at an instant.
  public func isOpen(at instant: Instant) -> Bool { state(at: instant).status.isOpen }

  /// How long a run of an earlier day stands until it counts as left there, in milliseconds.
  private static let leftMs: Int64 = 7_200_000

  /// Whether it is of an earlier day and was left standing: paused or waiting, untouched for two hours, and with nothing
  /// set by which it goes on.
  public func wasLeft(at instant: Instant) -> Bool {
    guard session.date < LocalTime.reading(of: instant).date else { return false }
    let (before, now) = (state(at: instant + -Run.leftMs), state(at: instant))
    guard now.status == .paused || now.status == .waiting,
      Rotation.fold(events, until: instant).goesOn(after: instant) == nil
    else { return false }
    return before.status == now.status && before.passage == now.passage && before.elapsedMs == now.elapsedMs
      && before.allottedMs == now.allottedMs
  }

  /// The runs of a session, the first first. A further one does not begin while one before it is open: of a session
  /// one run at a time is open, also where an event came late or a pause outlasted the time set for a re-run.
  public static func all(of session: Session, in db: Database) throws -> [Run] {
    try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT uuid, number, rerun FROM circuitRun WHERE circuitID = ? AND date = ? AND startTime = ? ORDER BY number, uuid
          """), arguments: session.arguments
    ).reduce(into: []) { runs, row in
      let events = try ClockLog.events(ofRun: row[0], in: db)
      let taken = runs.flatMap(\.spans)
      let isBarred = { (event: ClockEvent) in
        event.kind.isStart && taken.contains { $0.contains(event.at) }
      }
      runs.append(
        Run(
          key: row[0], session: session, number: row[1], isRerun: row[2],
          events: taken.isEmpty ? events : events.filter { !isBarred($0) },
          barred: taken.isEmpty ? [] : events.filter(isBarred)))
    }
  }

  /// The run that a session shows at an instant: the open one; else the last that has begun; else the next planned.
  public static func current(of session: Session, at instant: Instant, in db: Database) throws -> Run? {
    current(of: try all(of: session, in: db), at: instant)
  }

  /// The run that is shown at an instant, of those of a session that were read.
  package static func current(of runs: [Run], at instant: Instant) -> Run? {
    if runs.count < 2 { return runs.first }
    let folds = runs.map { Rotation.fold($0.events, until: instant) }
    let states = folds.map { $0.state(at: instant).status }
    let index =
      states.lastIndex(where: \.isOpen) ?? states.lastIndex(of: .finished)
      ?? folds.firstIndex { $0.goesOn(after: instant) != nil } ?? runs.indices.last
    return index.map { runs[$0] }
  }
}

extension ClockEventKind {
  /// Whether it is a start.
  public var isStart: Bool { if case .start = self { true } else { false } }
  /// Whether it takes another out.
  var isAnnul: Bool { if case .annul = self { true } else { false } }
}

/// The runs that are open now, for what must not happen while one is.
enum OpenRuns {
  static func all(_ db: Database, at instant: Instant) throws -> [Run] {
    try Session.allWithRuns(in: db).flatMap { try Run.all(of: $0, in: db) }.filter { $0.isOpen(at: instant) }
  }
}
