import ExamStore
import GRDB
import Timer

/// A session: all station sessions of one circuit with one date and start time.
public struct Session: Hashable, Sendable {
  /// The circuit's key.
  public let circuit: Int
  /// `YYYY-MM-DD`, local in the exam's time zone.
  public let date: String
  /// `HH:MM`, local in the exam's time zone.
  public let startTime: String

  /// A session by its names.
  public init(circuit: Int, date: String, startTime: String) {
    self.circuit = circuit
    self.date = date
    self.startTime = startTime
  }

  /// `DATE START`, as people and `--session` write it.
  public var name: String { "\(date) \(startTime)" }

  /// The same in SQL, of a station session `t`.
  package static let nameSQL = "t.date || ' ' || t.startTime"

  /// Whether a station session `t` at a station `a` is of a session, in SQL. Many sessions share a start: the plus keeps
  /// SQLite from that index.
  package static let condition = "a.clinicGroupID = ? AND t.date = ? AND +t.startTime = ?"

  /// What `condition` asks for.
  package var arguments: StatementArguments { [circuit, date, startTime] }

  /// When it is planned to start; nil if the plan holds no valid date and time.
  public var plannedStart: Instant? { LocalTime.instant(date: date, time: startTime) }

  /// The sessions of a circuit, in the order of their starts: those that are planned and not cancelled, and those whose
  /// clock was started although their stations have been moved, cancelled or deleted since.
  public static func all(of circuit: Int, in db: Database) throws -> [Session] {
    let planned = try planned(of: circuit, in: db)
    let started = try withRuns(of: circuit, in: db).filter { session in
      try !planned.contains(session) && Run.all(of: session, in: db).contains { !$0.spans.isEmpty }
    }
    if started.isEmpty { return planned }
    return (planned + started).sorted { ($0.date, $0.startTime) < ($1.date, $1.startTime) }
  }

  /// Those of a circuit that are planned and not cancelled, in the order of their starts.
  package static func planned(of circuit: Int, in db: Database) throws -> [Session] {
    try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT DISTINCT t.date, t.startTime FROM timetable t JOIN activityType a ON a.dsid = t.activityTypeID
          WHERE a.clinicGroupID = ? AND t.dsDeleted = 0 AND a.dsDeleted = 0 AND +t.cancelled = 0
            AND t.date IS NOT NULL AND t.startTime IS NOT NULL ORDER BY t.date, t.startTime
          """), arguments: [circuit]
    ).map { Session(circuit: circuit, date: $0[0], startTime: $0[1]) }
  }

  /// Those that have a run, in the order of circuit, date and start.
  static func allWithRuns(in db: Database) throws -> [Session] {
    try ReadRow.fetchAll(
      db, sql: "SELECT DISTINCT circuitID, date, startTime FROM circuitRun ORDER BY circuitID, date, startTime"
    ).map { Session(circuit: $0[0], date: $0[1], startTime: $0[2]) }
  }

  /// Those of a circuit that have a run, in the order of their starts.
  static func withRuns(of circuit: Int, in db: Database) throws -> [Session] {
    try ReadRow.fetchAll(
      db.cachedStatement(
        sql: "SELECT DISTINCT date, startTime FROM circuitRun WHERE circuitID = ? ORDER BY date, startTime"),
      arguments: [circuit]
    ).map { Session(circuit: circuit, date: $0[0], startTime: $0[1]) }
  }

  /// The phases that a start would have now.
  /// - Throws: `SessionRefusal` if the circuit's warnings cannot be read.
  public func plannedPhases(_ db: Database) throws -> PhaseList { try StartPlan.made(for: self, in: db).list }

  /// Rounds needed: the largest place on any roster of the session, absent candidates counted too. No more than a run
  /// can have, whatever a damaged file holds: lists are as long as their last round.
  public func roundsNeeded(_ db: Database) throws -> Int {
    let last = try Int.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT max(e."order") FROM timetableAttendanceLog e JOIN timetable t ON t.dsid = e.timetableID
          JOIN activityType a ON a.dsid = t.activityTypeID
          WHERE \(Session.condition) AND e.dsDeleted = 0 AND t.dsDeleted = 0
            AND e.practice = 0
          """), arguments: arguments)
    return min(max(0, last ?? 0), Expansion.mostRounds)
  }

  /// The sessions of a circuit whose clocks are open at an instant, in the order of their starts, whatever has become
  /// of their stations since.
  public static func open(of circuit: Circuit, at instant: Instant, in db: Database) throws -> [Session] {
    try withRuns(of: circuit.id, in: db).filter { session in
      try Run.all(of: session, in: db).contains { $0.isOpen(at: instant) }
    }
  }

  /// Whether it is open only by a run that was left standing on an earlier day, while its circuit has a session today:
  /// such a one is never meant silently.
  public func wasLeft(at instant: Instant, in db: Database) throws -> Bool {
    let open = try Run.all(of: self, in: db).filter { $0.isOpen(at: instant) }
    guard !open.isEmpty, open.allSatisfy({ $0.wasLeft(at: instant) }) else { return false }
    let today = LocalTime.reading(of: instant).date
    return try Session.all(of: circuit, in: db).contains { $0.date == today }
  }

  /// The earlier sessions of this one's day whose time has come and that nobody has begun.
  public func neverStarted(before now: Instant, in db: Database) throws -> [Session] {
    try Session.all(of: circuit, in: db).filter { other in
      guard other.date == date, other.startTime < startTime, let planned = other.plannedStart, planned <= now else {
        return false
      }
      return try !other.hasBegun(at: now, in: db)
    }
  }

  /// How long before its planned start a session comes before an earlier one that nobody has started, and how long one
  /// that nobody has started comes next once its day is over, in milliseconds.
  static let lateMs: Int64 = 1_800_000

  /// The current session at an instant: by name if one is given; else the one with an open run; else that
  /// day's next, which one that nobody has started stays until half an hour before the next; else the nearest.
  /// - Parameter isToRead: whether nothing is going to be done to its clock: then today's comes before one that was
  ///   left open on an earlier day.
  /// - Throws: `SessionRefusal` if there is none, if two runs are open, or if the open one was left on an earlier day
  ///   and the circuit has a session today.
  public static func choose(
    of circuit: Circuit, named name: String?, isToRead: Bool = false, at instant: Instant, in db: Database
  ) throws -> Session {
    let sessions = try all(of: circuit.id, in: db)
    if let name {
      let (date, startTime) = try written(name)
      if let session = sessions.first(where: { $0.date == date && $0.startTime == startTime }) { return session }
      throw SessionRefusal.unknownSession(name, of: circuit.name, among: sessions)
    }
    let open = try open(of: circuit, at: instant, in: db)
    if open.count == 1 {
      guard try open[0].wasLeft(at: instant, in: db) else { return open[0] }
      if isToRead { return try upcoming(sessions, of: circuit, at: instant, in: db) }
      let today = LocalTime.reading(of: instant).date
      throw SessionRefusal.leftOpen(
        of: circuit.name, left: open[0], among: open + sessions.filter { $0.date == today })
    }
    if open.count > 1 { throw SessionRefusal.severalOpen(of: circuit.name, open) }
    return try upcoming(sessions, of: circuit, at: instant, in: db)
  }

  /// The date and the start that the name of a session gives, whether or not there is one.
  /// - Throws: `SessionRefusal` where it does not give both.
  public static func written(_ name: String) throws -> (date: String, startTime: String) {
    let parts = name.split(whereSeparator: { $0 == " " || $0 == "T" }).map(String.init)
    guard parts.count == 2 else { throw SessionRefusal.malformedName(name) }
    return (parts[0], parts[1])
  }

  /// The current session at an instant, whatever clock is open: that day's next, else the nearest.
  /// - Throws: `SessionRefusal` if there is none.
  public static func upcoming(of circuit: Circuit, at instant: Instant, in db: Database) throws -> Session {
    try upcoming(all(of: circuit.id, in: db), of: circuit, at: instant, in: db)
  }

  private static func upcoming(
    _ sessions: [Session], of circuit: Circuit, at instant: Instant, in db: Database
  ) throws -> Session {
    let today = LocalTime.reading(of: instant).date
    let starts = sessions.compactMap { session in session.plannedStart.map { (session, $0) } }
    let next = try starts.first { session, start in
      if start >= instant { return session.date == today }
      guard session.date == today || instant - start <= lateMs else { return false }
      // Who starts a later session of the day has chosen to leave out those before it.
      return try !starts.contains { other, later in
        guard other.date == session.date, later >= start else { return false }
        return try later > start && later - instant <= lateMs || other.hasBegun(at: instant, in: db)
      }
    }
    if let next { return next.0 }
    let nearest = starts.min { abs($0.1 - instant) < abs($1.1 - instant) }
    guard let session = nearest?.0 ?? sessions.first else {
      throw SessionRefusal.noSession(of: circuit.name)
    }
    return session
  }

  /// Whether a run of it has started, as of an instant.
  private func hasBegun(at instant: Instant, in db: Database) throws -> Bool {
    try Run.all(of: self, in: db).contains {
      $0.state(at: instant).status != .notStarted
    }
  }
}
