import CircuitModel
import ExamStore
import GRDB
import Reports
import Terminal
import Timer

/// What the wall knows of one circuit: its session and, once there is a run, the clock.
struct WallCircuit {
  let circuit: Circuit
  let session: Session?
  let fold: Fold?
  /// Whether the run is for the stations that were missed.
  var isRerun = false
  /// What tells it from another run of the circuit that is open too; empty where it is the only one.
  var mark = ""
  /// Why nothing can be shown.
  var trouble: String?
  /// The codes of the stations, in the order in which candidates come to them.
  var ring: [String] = []
  /// What is planned, while nothing was started.
  var plan: Plan?

  /// What a start would begin.
  struct Plan: Equatable {
    /// How many rounds.
    let rounds: Int
    /// When the session is to end: `10:30`.
    let end: String
    /// `reading 1 min, station 8 min`.
    let lengths: String

    init?(of session: Session, in db: Database) throws {
      guard let start = session.plannedStart else { return nil }
      let phases = try session.plannedPhases(db)
      rounds = phases.rotations
      end = LocalTime.reading(of: start + phases.plannedMs).minute
      let kinds: [(PhaseType, String)] = [(.reading, "reading"), (.rotation, "station")]
      lengths = kinds.compactMap { type, name in
        phases.indices.lazy.compactMap { phases.phase($0 + 1) }.first { $0.type == type }.map {
          "\(name) \(PhaseText.span($0.plannedMs))"
        }
      }.joined(separator: ", ")
    }
  }

  /// How long a run that is over stays on the wall, in milliseconds.
  static let finishedMs: Int64 = 600_000

  /// Its name, with what tells it from another run of the circuit.
  var title: String { mark.isEmpty ? circuit.name : "\(circuit.name) \(mark)" }

  /// Reads a circuit with its current session at an instant: where several of its runs are open, each of them. A person
  /// who stands before the wall is of one of the groups, and has no key to choose with.
  /// - Parameter name: the session that is to be shown; nil: the current one.
  /// - Throws: why the store cannot be read.
  static func read(
    _ circuit: Circuit, session name: String? = nil, at now: Instant, in store: ExamStore
  ) throws -> [WallCircuit] {
    do {
      return try store.read { db in
        try shown(circuit, session: name, at: now, in: db).map { try $0.completed(in: db) }
      }
    } catch {
      if !isRefusal(error) { throw error }
      return [WallCircuit(circuit: circuit, session: nil, fold: nil, trouble: "\(error)")]
    }
  }

  /// With its stations, and what is planned where nothing was started.
  private func completed(in db: Database) throws -> WallCircuit {
    guard let session else { return self }
    var shown = self
    shown.ring = try StationSession.all(of: session, in: db).map(\.stationCode)
    if fold.map({ $0.state(at: $0.until).status == .notStarted }) ?? true {
      shown.plan = try? Plan(of: session, in: db)
    }
    return shown
  }

  private static func shown(
    _ circuit: Circuit, session name: String?, at now: Instant, in db: Database
  ) throws -> [WallCircuit] {
    let choose = { (name: String?) throws -> WallCircuit in
      let session = try Session.choose(of: circuit, named: name, at: now, in: db)
      let run = try Run.current(of: session, at: now, in: db)
      return WallCircuit(
        circuit: circuit, session: session, fold: run.map { Rotation.fold($0.events, until: now) },
        isRerun: run?.isRerun == true)
    }
    if let name { return [try choose(name)] }
    let runs = try Session.all(of: circuit.id, in: db).flatMap { try Run.all(of: $0, in: db) }
      .map { (run: $0, fold: Rotation.fold($0.events, until: now)) }
    let all = runs.filter { $0.fold.state(at: now).status.isOpen }
    // What was left open on an earlier day stands in front of nothing of today.
    let open = try all.filter { try !$0.run.session.wasLeft(at: now, in: db) }
    let isMarked = open.count < all.count
    if open.count > 1 {
      let isOneDay = Set(open.map(\.run.session.date)).count == 1
      return open.map { run, fold in
        WallCircuit(
          circuit: circuit, session: run.session, fold: fold, isRerun: run.isRerun,
          mark: isOneDay ? run.session.startTime : run.session.name)
      }
    }
    let scheduled = runs.filter { $0.fold.scheduledStart(after: now) != nil }
      .min { ($0.fold.scheduledStart(after: now) ?? now) < ($1.fold.scheduledStart(after: now) ?? now) }
    if let (run, fold) = open.first ?? scheduled ?? lastFinished(runs, now) {
      return [
        WallCircuit(
          circuit: circuit, session: run.session, fold: fold, isRerun: run.isRerun,
          mark: isMarked ? run.session.name : "")
      ]
    }
    if !isMarked { return [try choose(nil)] }
    var meant = try choose(Session.upcoming(of: circuit, at: now, in: db).name)
    meant.mark = meant.session?.name ?? ""
    return [meant]
  }

  /// The run that ended last, while it is still to be seen that it did.
  private static func lastFinished(_ runs: [(run: Run, fold: Fold)], _ now: Instant) -> (run: Run, fold: Fold)? {
    runs.compactMap { entry -> (entry: (Run, Fold), end: Instant)? in
      guard entry.fold.state(at: now).status == .finished, let end = entry.fold.timeline(at: now).passages.last?.end,
        now - end < finishedMs
      else { return nil }
      return (entry, end)
    }.max { $0.end < $1.end }.map { ($0.entry.0, $0.entry.1) }
  }

  /// When it is going to end, held against the timetable; a re-run, which no timetable has, against its own start.
  func forecast(at now: Instant) -> Forecast? {
    fold?.forecast(at: now, planned: isRerun ? nil : session?.plannedStart)
  }

  /// Since when its time stands; nil while it does not.
  func pausedSince(at now: Instant) -> Instant? { fold?.timeline(at: now).passages.last?.pauses.last?.from }

  /// When the session is planned to start, if that is within the next hours and nothing was started.
  func plannedStart(after now: Instant) -> Instant? {
    guard fold == nil || fold?.state(at: now).status == .notStarted, let start = session?.plannedStart, start > now,
      start - now <= WallCircuit.aheadMs
    else { return nil }
    return start
  }

  /// How long before its planned start a session is counted down to, in milliseconds.
  private static let aheadMs: Int64 = 43_200_000

  /// The next announcement while the clock runs: its text and the time left at which it comes.
  func nextAnnouncement(_ state: ClockState) -> (text: String, leftMs: Int64)? {
    guard let phase = state.phase, let index = state.phaseIndex, let remaining = state.remainingMs else { return nil }
    let next = phase.warnings.filter { $0.leftMs < remaining }.max { $0.leftMs < $1.leftMs }
    if let next { return (next.text, next.leftMs) }
    guard let following = state.phases.phase(index + 1) else { return ("The session ends", 0) }
    if following.manualStart { return ("waits to be started", 0) }
    let round = state.phases.round(ofPhase: index + 1) ?? 0
    return (PhaseText.beginning(following, round: round, isLastRound: !state.hasRoundAhead), 0)
  }

  /// The times that are shown: what is counted down and, of a pause, what stands; none where there is neither.
  func shownMs(at now: Instant) -> [Int64] {
    let state = fold?.state(at: now)
    let start = state.flatMap { scheduled($0) } ?? plannedStart(after: now)
    let stands = start == nil || state?.status == .paused ? state?.remainingMs : nil
    return [start.map { $0 - now }, stands].compactMap(\.self)
  }

  /// The instant at which a clock that stands will go on by an event that is set for later.
  func scheduled(_ state: ClockState) -> Instant? { fold?.goesOn(after: state.at) }

  /// When something that is shown changes next.
  func nextChange(after now: Instant) -> Instant? {
    let state = fold?.state(at: now)
    let change = fold?.nextChange(after: now)
    guard let start = state.flatMap({ scheduled($0) }) ?? plannedStart(after: now) else {
      // While a clock stands its end slides: the minute by which it is behind changes.
      guard state?.status == .paused || state?.status == .waiting, let delay = forecast(at: now)?.delayMs else {
        return change
      }
      let step = now + (60_000 - ((delay + 30_000) % 60_000 + 60_000) % 60_000)
      return min(change ?? step, step)
    }
    let second = start - (PhaseText.shownSeconds(start - now) - 1) * 1000
    return min(change ?? second, second)
  }
}

extension ClockState {
  /// Whether a rotation comes after that of this round.
  var hasRoundAhead: Bool { (round ?? 0) < (rounds ?? 0) }
}

extension Fold {
  /// The instant of a first start that is set for a time to come.
  fileprivate func scheduledStart(after now: Instant) -> Instant? {
    state(at: now).status == .notStarted ? goesOn(after: now) : nil
  }
}
