/// The rotation clock as a function: a schedule, the events of a run and an instant give the countdown, the alerts and
/// the announcements. It reads no clock, keeps no "seconds left", does no input or output and never traps on data.
public enum Rotation {
  /// Works a run out of its events.
  ///
  /// The order of `events` does not matter, nor do repeats. As of an instant only the events at or before it exist;
  /// `now` fixes that instant for the verdicts and the timeline, while `Fold.state(at:)` answers for any.
  public static func fold(_ events: [ClockEvent], until now: Instant) -> Fold {
    Fold(log: EventLog(events), until: now)
  }
}
