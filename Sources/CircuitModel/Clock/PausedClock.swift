import ExamStore
import GRDB
import Journal
import Timer

/// What came of a pause at the clock of one session.
public struct PausedClock: Sendable {
  /// The session.
  public let session: Session
  /// The pause; nil where it did not fit, or only what is set for later was called off.
  public internal(set) var event: ClockEvent?
  /// Why it did not fit.
  public internal(set) var refusal: ClockRefusal?
  /// How the clock stands, where the pause did not fit.
  public internal(set) var standing: Standing?
  /// What was set for later and does not come now, the first first.
  public internal(set) var calledOff: [CalledOff] = []

  /// How a clock stands that cannot be paused.
  public struct Standing: Sendable {
    /// What it does.
    public let status: ClockStatus
    /// When it goes on by itself; nil: it does not.
    public let goesOn: Instant?
    /// The pause by which it stands already, the last that took effect.
    public let pause: ClockEvent?
  }
}

extension ClockLog {
  /// Pauses the clocks of sessions at one instant, and calls off what is set for later: in an alarm nothing goes on by
  /// itself. Where the pause does not fit, the clock is passed over: in a fire alarm it must keep no other running.
  /// - Parameters:
  ///   - waiting: the sessions in which every start and resume that is set for later is called off.
  ///   - passage: the passage that the operator was shown, if one was.
  /// - Returns: the sessions that were to be paused, in their order, then those in which something was called off.
  public static func pause(
    _ sessions: [Session], callingOff waiting: [Session], at instant: Instant, passage: Int? = nil,
    in transaction: JournalTransaction
  ) throws -> [PausedClock] {
    var clocks = try sessions.map { session in
      var clock = PausedClock(session: session)
      do {
        clock.event = try append(.pause, to: session, at: instant, passage: passage, in: transaction)
      } catch let refusal as ClockRefusal { clock.refusal = refusal }
      return clock
    }
    for session in waiting {
      let calledOff = try callOff(session, at: instant, in: transaction)
      if calledOff.isEmpty { continue }
      if let place = clocks.firstIndex(where: { $0.session == session }) {
        clocks[place].calledOff = calledOff
      } else {
        clocks.append(PausedClock(session: session, calledOff: calledOff))
      }
    }
    for place in clocks.indices where clocks[place].refusal != nil {
      clocks[place].standing = try standing(of: clocks[place].session, at: instant, in: transaction.db)
    }
    return clocks
  }

  /// Pauses every clock that is open in some circuits, whichever session is controlled, and calls off what is set for
  /// later there.
  public static func pauseAll(
    of circuits: [Circuit], at instant: Instant, in transaction: JournalTransaction
  ) throws -> [PausedClock] {
    let open = try circuits.flatMap { try Session.open(of: $0, at: instant, in: transaction.db) }
    let waiting = try circuits.flatMap { try Session.all(of: $0.id, in: transaction.db) }
    return try pause(open, callingOff: waiting, at: instant, in: transaction)
  }

  private static func standing(
    of session: Session, at instant: Instant, in db: Database
  ) throws -> PausedClock.Standing {
    guard let run = try Run.current(of: session, at: instant, in: db) else {
      return PausedClock.Standing(status: .notStarted, goesOn: nil, pause: nil)
    }
    let fold = Rotation.fold(run.events, until: instant)
    return PausedClock.Standing(
      status: fold.state(at: instant).status, goesOn: fold.goesOn(after: instant),
      pause: try standingPause(of: session, at: instant, in: db))
  }
}
