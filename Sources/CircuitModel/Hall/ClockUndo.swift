import ExamStore
import GRDB
import Timer

/// What taking back an action of the clock does: the events that came last at their clocks are taken out; a clock to
/// which something else was done since is left as it is.
public struct ClockUndo: Sendable {
  /// What is to be done to the clocks: annuls, and what the action had called off and is still to come.
  public let orders: [PendingClockAction.Order]
  /// The events that are taken out, each with its clock.
  public let undone: [HallAction.Clock]
  /// The clocks at which something else came last.
  public let leftAlone: [LeftAlone]

  /// A clock that is left as it is.
  public struct LeftAlone: Sendable {
    /// The clock, with the event of the action.
    public let clock: HallAction.Clock
    /// What came last there.
    public let last: ClockLogEntry?
  }

  /// Works it out for an action of the clock.
  public init(_ action: HallAction, now: Instant, in db: Database) throws {
    var (undone, leftAlone): ([HallAction.Clock], [LeftAlone]) = ([], [])
    for clock in action.clocks where clock.target == nil {
      let last = try ClockLog.lastGiven(of: clock.session, at: now, in: db)
      if last?.entry.event.id == clock.event.id {
        undone.append(clock)
      } else {
        leftAlone.append(LeftAlone(clock: clock, last: last?.entry))
      }
    }
    let calledOff = try HallActions.events(takenOutBy: action, in: db).filter { $0.event.at > now }
    self.undone = undone
    self.leftAlone = leftAlone
    orders =
      undone.map { PendingClockAction.Order(action: .annul(target: $0.event.id), session: $0.session) }
      + calledOff.map { PendingClockAction.Order(action: .again($0.event), session: $0.session, at: $0.event.at) }
  }
}
