import ExamStore
import Timer

/// What a session's clock means for who is where: which round is on, and which one somebody who comes now can join.
public enum SessionStage: Equatable, Sendable {
  /// Nothing was started: a candidate who comes joins in round 1.
  case before
  /// The session is on. `round` is the clock's, 0 before the first; `joining` is the first round whose rotation is not
  /// over: the next one in a changeover, a break or feedback. Nil after the last rotation.
  case on(round: Int, joining: Int?)
  /// The session was held, or its clock was stopped, and no re-run is on. `last` is the round that its clock was in
  /// last, which is not the last of the rosters where it was stopped before.
  case over(last: HallView.Round)
  /// A re-run is on; its rounds are those of the queue, not the rosters'.
  case rerun(round: Int)

  /// - Parameters:
  ///   - state: what the session's clock shows; nil where it was never started.
  ///   - isRerun: whether that is the clock of a re-run.
  ///   - last: the round in which a clock of the session ran last.
  init(_ state: ClockState?, isRerun: Bool, last: @autoclosure () -> HallView.Round) {
    guard let state, state.status != .notStarted else {
      self = isRerun ? .over(last: last()) : .before
      return
    }
    guard state.status != .finished, let index = state.phaseIndex else {
      self = .over(last: last())
      return
    }
    if isRerun {
      self = .rerun(round: state.round ?? 0)
      return
    }
    let rotation = (index...max(index, state.phases.count)).first { state.phases.phase($0)?.type == .rotation }
    self = .on(round: state.round ?? 0, joining: rotation.flatMap { state.phases.round(ofPhase: $0) })
  }

  /// Works it out from all runs of a session, as of an instant.
  public init(of runs: [Run], at instant: Instant) {
    let run = Run.current(of: runs, at: instant)
    self.init(
      run?.state(at: instant), isRerun: run?.isRerun ?? false,
      last: SessionStage.last(of: runs, at: instant))
  }

  /// How many rounds the session's own clock has, re-runs left out; nil where it was never started.
  static func rounds(of runs: [Run], at instant: Instant) -> Int? {
    let own = runs.filter { !$0.isRerun }
    return Run.current(of: own, at: instant)?.state(at: instant).rounds
  }

  /// The round of the phase that began last.
  private static func last(of runs: [Run], at instant: Instant) -> HallView.Round {
    let held = runs.compactMap { run in
      Rotation.fold(run.events, until: instant).timeline.passages.last { $0.start != nil }.map { (run, $0) }
    }
    guard let (run, passage) = held.max(by: { $0.1.entered < $1.1.entered }) else { return .session(1) }
    return run.isRerun ? .rerun(max(1, passage.round)) : .session(max(1, passage.round))
  }

  /// The round in which somebody who comes now begins.
  /// - Parameter rounds: how many the session's rosters have.
  /// - Throws: `JoiningRefusal` with the reason where there is none: the rounds are over, or a re-run is on.
  public func joining(of rounds: Int) throws -> Int {
    switch self {
    case .before: return 1
    case .on(_, let round?) where round <= rounds: return round
    case .on: throw JoiningRefusal.lastRoundOver
    case .over: throw JoiningRefusal.roundsOver
    case .rerun: throw JoiningRefusal.rerunOn
    }
  }

  /// The last of the session's rounds whose rotation is over; 0 for none.
  /// - Parameter rounds: how many the session's rosters have.
  public func lastOver(of rounds: Int) -> Int {
    switch self {
    case .before: 0
    case .on(_, let joining): min(rounds, (joining ?? rounds + 1) - 1)
    case .over, .rerun: rounds
    }
  }

  /// - Throws: `JoiningRefusal` if the round in which somebody begins is not that one any more: the clock has gone on
  ///   since it was shown.
  public static func check(
    joining round: Int, of session: Session, _ transaction: JournalTransaction
  ) throws {
    let instant = transaction.clock.now
    let runs = try Run.all(of: session, in: transaction.db)
    let needed = try session.roundsNeeded(transaction.db)
    let rounds = min(needed, SessionStage.rounds(of: runs, at: instant) ?? needed)
    // Who comes in the last seconds of a round may join in the one after, where that is held.
    guard let now = try? SessionStage(of: runs, at: instant).joining(of: rounds), round == now || round == now + 1,
      round <= rounds
    else {
      throw JoiningRefusal.past(round: round)
    }
  }
}
