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
  /// How far an event's time may be from the present for it to count as given now, in milliseconds.
  private static let presentMs: Int64 = 60_000

  /// Whether an event counts as given now, and not as said afterwards or set for later.
  /// - Parameter now: the exam's time.
  static func isGivenNow(at instant: Instant, _ now: Instant) -> Bool { abs(instant - now) <= presentMs }

  /// Pauses the clock of a session. One that went on by itself while the pause waited for the store stands from then: no
  /// clock runs on after a pause.
  /// - Parameter passage: the passage that the operator was shown, if one was.
  /// - Throws: `ClockRefusal` with the reason if the pause does not fit.
  /// - Returns: the pause.
  public static func pause(
    _ session: Session, at instant: Instant, passage: Int? = nil, in transaction: JournalTransaction
  ) throws -> ClockEvent {
    do {
      return try append(.pause, to: session, at: instant, passage: passage, in: transaction)
    } catch let refusal as ClockRefusal {
      let now = transaction.clock.now
      guard isGivenNow(at: instant, now),
        let wentOn = try scheduled(of: session, at: instant, in: transaction.db)
          .last(where: { $0.at <= now && wasSet($0, before: instant) })
      else { throw refusal }
      return try append(.pause, to: session, at: wentOn.at, passage: passage, in: transaction)
    }
  }

  /// Whether an event was set for later by then: one that somebody gave meanwhile says what they want.
  private static func wasSet(_ event: ClockEvent, before instant: Instant) -> Bool {
    UUIDBytes(event.id).map { $0.milliseconds <= instant.milliseconds } ?? false
  }

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
        clock.event = try pause(session, at: instant, passage: passage, in: transaction)
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
    let now = max(instant, transaction.clock.now)
    let open = try circuits.flatMap { circuit in
      let stood = try Session.open(of: circuit, at: instant, in: transaction.db)
      return try stood + Session.open(of: circuit, at: now, in: transaction.db).filter { !stood.contains($0) }
    }
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
