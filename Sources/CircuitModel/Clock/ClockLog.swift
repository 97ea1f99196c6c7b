import ExamStore
import GRDB
import Journal
import Timer

/// The events of runs as they are stored.
public enum ClockLog {
  /// The events of a run, in no particular order.
  static func events(ofRun run: String, in db: Database) throws -> [ClockEvent] {
    try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT e.uuid, e.kind, e.at, e.seconds, e."index", e.rounds, e.passage, e.target, e.reason, e.plan, u.username
          FROM clockEvent e LEFT JOIN user u ON u.dsid = e.staffID WHERE e.runID = ?
          """), arguments: [run]
    ).compactMap { row in
      guard let kind = try kind(of: row) else { return nil }
      return ClockEvent(
        id: row["uuid"], at: Instant(stored: row["at"]), kind: kind, passage: row["passage"],
        staff: row["username"], reason: row["reason"])
    }
  }

  /// The key of an event that a person names: as it is typed, else in lower case, which those made here have.
  public static func key(ofEvent typed: String, in db: Database) throws -> String {
    try session(ofEvent: typed, in: db) == nil ? typed.lowercased() : typed
  }

  /// The session whose clock holds an event; nil if none does.
  public static func session(ofEvent id: String, in db: Database) throws -> Session? {
    try ReadRow.fetchOne(
      db,
      sql: """
        SELECT r.circuitID, r.date, r.startTime FROM clockEvent e JOIN circuitRun r ON r.uuid = e.runID WHERE e.uuid = ?
        """, arguments: [id]
    ).map { Session(circuit: $0[0], date: $0[1], startTime: $0[2]) }
  }

  /// Appends an event to the run that it is for, if it fits there.
  /// - Parameters:
  ///   - action: what to do; a start's plan is made here, from the circuit as it stands now.
  ///   - at: when it takes effect; past and future are allowed.
  ///   - passage: the passage that the operator was shown, if one was.
  /// - Throws: `ClockRefusal` with the reason if the event does not fit, or would move the clock on while it is in
  ///   doubt which time is right; nothing is then appended. What somebody else did
  ///   at the same instant is no reason: that event is kept, and one of the two takes effect.
  /// - Returns: the event.
  @discardableResult public static func append(
    _ action: ClockAction, to session: Session, at instant: Instant, passage: Int? = nil,
    in transaction: JournalTransaction
  ) throws -> ClockEvent {
    let db = transaction.db
    let run = try target(of: action, in: session, at: instant, by: transaction.clock, db)
    let kind = try action.event(for: session, in: db)
    if run == nil, !action.makesRun {
      throw ClockRefusal.notTaken(event: kind.name, .notStarted, session: session.name)
    }
    let id = newID(at: instant, now: transaction.clock.now, in: run)
    let event = ClockEvent(
      id: id, at: instant, kind: kind, passage: passage,
      staff: try username(transaction.author.staff, in: db), reason: transaction.author.reason)
    if let misfit = try misfit(
      of: event, joining: run, of: session, now: transaction.clock.now, isAgain: action.isAgain, in: db),
      !isRepetition(event, in: run)
    {
      throw ClockRefusal.notTaken(event: action.isRerun ? "rerun" : kind.name, misfit, session: session.name)
    }
    let key = try run?.key ?? makeRun(of: session, isRerun: action.isRerun, in: transaction)
    let changes = changes(for: event, run: key, staff: transaction.author.staff)
    try transaction.create(Stored.ClockEvent.self, id, changes, kind: .clock)
    return event
  }

  /// Events of one instant take effect in the order of their identifiers: what stands there already comes first, also
  /// where a time of milliseconds does not tell the two apart.
  private static func newID(at instant: Instant, now: Instant, in run: Run?) -> String {
    let id = UUIDBytes.v7(milliseconds: now.milliseconds)
    let latest = run?.events.filter { $0.at == instant }.compactMap { UUIDBytes($0.id) }.max()
    guard let latest, latest > id else { return id.description }
    // By a random step: another terminal that follows the same event makes another identifier.
    return UUIDBytes(high: latest.high, low: latest.low &+ .random(in: 1...UInt64(UInt32.max))).description
  }

  /// Whether somebody else did the same at the same instant: both then wanted what has come of it, and both are kept.
  private static func isRepetition(_ event: ClockEvent, in run: Run?) -> Bool {
    guard let run, let staff = event.staff else { return false }
    return run.events.contains {
      $0.at == event.at && $0.kind == event.kind && $0.staff != nil && $0.staff != staff
    }
  }

  /// Why an event does not fit the run that it is for; nil if it fits.
  /// - Parameter now: the exam's time.
  /// - Parameter isAgain: whether it was taken out before: what was taken out since then does not speak against it.
  static func misfit(
    of event: ClockEvent, joining run: Run?, of session: Session, now: Instant, isAgain: Bool = false, in db: Database
  ) throws -> ClockRefusal.Misfit? {
    var known = run?.events ?? []
    if isAgain {
      let gone = Set(known.filter { $0.at <= now }.compactMap(\.target))
      known.removeAll { gone.contains($0.id) }
    }
    if event.kind.isAnnul { known += run?.barred ?? [] }
    let fold = Rotation.fold(known, until: event.at)
    if let refusal = fold.fit(event) {
      let isOver = event.kind.isStart && fold.state(at: event.at).status == .finished
      return isOver ? .held(refusal) : .clock(refusal)
    }
    if event.kind.isAnnul, let refusal = fold.movedOn(from: event) { return .clock(refusal) }
    return try OverlappingRunRule.misfit(of: event, joining: run, of: session, now: now, in: db)
  }

  /// The run that an action is for; nil where it makes one.
  /// - Throws: `ClockRefusal` with the reason if it waits until a doubt about the time is settled, if another device
  ///   has the run, or if it is a re-run that cannot begin.
  static func target(
    of action: ClockAction, in session: Session, at instant: Instant, by clock: ExamClock, _ db: Database
  ) throws -> Run? {
    if let doubt = try ClockDiscrepancy.found(against: action, of: session, by: clock, in: db) {
      throw ClockRefusal.inDoubt(doubt)
    }
    let run = try Self.run(for: action, of: session, at: instant, db)
    if let refusal = try RunHost.refusal(of: run, by: clock, in: db) { throw refusal }
    return run
  }

  private static func run(
    for action: ClockAction, of session: Session, at instant: Instant, _ db: Database
  ) throws -> Run? {
    if case .rerun(let rounds) = action {
      try Run.checkRerun(of: session, rounds: rounds, at: instant, in: db)
      return nil
    }
    let named: String? =
      switch action {
      case .annul(let event): event
      case .again(let event): event.id
      default: nil
      }
    if let named {
      let runs = try Run.all(of: session, in: db)
      if let run = runs.first(where: { ($0.events + $0.barred).contains { $0.id == named } }) { return run }
    }
    return try Run.current(of: session, at: instant, in: db)
  }

  private static func makeRun(
    of session: Session, isRerun: Bool, in transaction: JournalTransaction
  ) throws -> String {
    let number = try Run.all(of: session, in: transaction.db).count + 1
    let key = DerivedKeys.run(
      circuit: session.circuit, date: session.date, startTime: session.startTime, number: number)
    try transaction.create(
      Stored.CircuitRun.self, key,
      [
        .circuit(session.circuit), .date(session.date), .startTime(session.startTime), .number(number), .rerun(isRerun),
      ])
    return key
  }

  private static func username(_ staff: Int?, in db: Database) throws -> String? {
    guard let staff else { return nil }
    return try String.fetchOne(db, sql: "SELECT username FROM user WHERE dsid = ?", arguments: [staff])
  }

  private static func changes(
    for event: ClockEvent, run: String, staff: Int?
  ) -> [FieldChange<Stored.ClockEvent>] {
    var changes: [FieldChange<Stored.ClockEvent>] = [
      .run(run), .kind(event.kind.name), .at(event.at.milliseconds), .passage(event.passage), .reason(event.reason),
      .staff(staff),
    ]
    switch event.kind {
    case .start(let plan): changes.append(.plan(plan.json))
    case .extend(let seconds): changes.append(.seconds(Int(seconds)))
    case .jump(let index): changes.append(.index(index))
    case .rounds(let rounds): changes.append(.rounds(rounds))
    case .annul(let target): changes.append(.target(target))
    case .pause, .resume, .skip, .restart, .stop: break
    }
    return changes
  }

  /// An event of a kind that this version does not know, or that lacks what its kind needs, is kept and passed over.
  private static func kind(of row: ReadRow) throws -> ClockEventKind? {
    switch row["kind"] as String? {
    case "start": return (row["plan"] as String?).flatMap { StartPlan.recorded($0) }.map { .start($0) }
    case "pause": return .pause
    case "resume": return .resume
    case "extend": return (row["seconds"] as Int?).map { .extend(seconds: Int64($0)) }
    case "skip": return .skip
    case "restart": return .restart
    case "jump": return (row["index"] as Int?).map { .jump(index: $0) }
    case "rounds": return (row["rounds"] as Int?).map { .rounds($0) }
    case "stop": return .stop
    case "annul": return (row["target"] as String?).map { .annul(target: $0) }
    default: return nil
    }
  }
}

/// What an operator asks of a clock, before it is an event.
public enum ClockAction: Equatable, Sendable {
  /// Begins the run, or the phase that is waited for.
  case start
  /// Begins another run of a session that has been held, this many rounds long, for the stations that were missed.
  case rerun(rounds: Int)
  /// Stops the running time.
  case pause
  /// Lets it go on.
  case resume
  /// Adds whole seconds to the current passage.
  case extend(seconds: Int64)
  /// Ends the current phase.
  case skip
  /// Begins the current phase again.
  case restart
  /// Begins the phase of this number, from 1.
  case jump(index: Int)
  /// Makes the run this many rounds long.
  case rounds(Int)
  /// Ends the run.
  case stop
  /// Takes an event out.
  case annul(target: String)
  /// Gives an event that was taken out once more, as it was.
  case again(ClockEvent)

  /// Whether it may be the first event of a run.
  var makesRun: Bool { self == .start || isRerun }

  /// Whether it was taken out before.
  var isAgain: Bool { if case .again = self { true } else { false } }

  /// Whether it begins a re-run.
  var isRerun: Bool { if case .rerun = self { true } else { false } }

  func event(for session: Session, in db: Database) throws -> ClockEventKind {
    switch self {
    case .start: .start(try StartPlan.made(for: session, in: db))
    case .rerun(let rounds): .start(try StartPlan.rerun(of: session, rounds: rounds, in: db))
    case .pause: .pause
    case .resume: .resume
    case .extend(let seconds): .extend(seconds: seconds)
    case .skip: .skip
    case .restart: .restart
    case .jump(let index): .jump(index: index)
    case .rounds(let rounds): .rounds(rounds)
    case .stop: .stop
    case .annul(let target): .annul(target: target)
    case .again(let event): event.kind
    }
  }
}
