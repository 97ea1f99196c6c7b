import ExamStore
import GRDB
import Timer

extension ClockDoubt {
  /// Why an action waits until the doubt is settled, in one line that says what to do; nil for what keeps a clock from
  /// going on: a pause, and calling off what is set for later. All else would be done at a time that may be another
  /// day's, and settling the doubt then could end the run.
  static func refusal(
    of action: ClockAction, of session: Session, by clock: ExamClock, in db: Database
  ) throws -> String? {
    try clock.follow(db)
    guard let doubt = clock.doubt, action != .pause else { return nil }
    if case .annul(let event) = action,
      try ClockLog.scheduled(of: session, at: clock.now, in: db).contains(where: { $0.id == event })
    {
      return nil
    }
    return doubt.refusal
  }
}
