import ExamStore
import GRDB
import Timer

extension ClockDiscrepancy {
  /// The doubt until which is settled an action waits; nil for what keeps a clock from going on: a pause, and calling
  /// off what is set for later. All else would be done at a time that may be another day's, and settling the doubt then
  /// could end the run.
  static func found(
    against action: ClockAction, of session: Session, by clock: ExamClock, in db: Database
  ) throws -> ClockDiscrepancy? {
    try clock.follow(db)
    guard let doubt = clock.doubt, action != .pause else { return nil }
    if case .annul(let event) = action,
      try ClockLog.scheduled(of: session, at: clock.now, in: db).contains(where: { $0.id == event })
    {
      return nil
    }
    return doubt
  }
}
