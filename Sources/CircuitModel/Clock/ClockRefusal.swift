import ExamStore
import Timer

/// Why an action is not done to a clock.
public enum ClockRefusal: RuleRefusal {
  /// It is in doubt which time is right.
  case inDoubt(ClockDiscrepancy)
  /// The event would not fit the run that it is for.
  case doesNotFit(Misfit)
  /// The event, by its name, was not taken for a session, by its name.
  case notTaken(event: String, Misfit, session: String)
  /// Another device, by its name where it has one, has the run, and this one is not in contact with the hub closely enough.
  case hostedElsewhere(String?, RunHost.Reason, session: String)
  /// Without a hub every run is this device's own.
  case hostedHere
  /// The warnings of the circuit cannot be read.
  case unreadableWarnings
  /// A warning of the circuit has a level or seconds that there are not.
  case wrongWarning

  /// Why an event does not fit.
  public enum Misfit: Equatable, Sendable {
    /// As the clock stands it has no sense.
    case clock(EventRefusal)
    /// It is a start, and the run is over.
    case held(EventRefusal)
    /// Nothing was started.
    case notStarted
    /// Another run of the session is open from then on.
    case anotherRun(number: Int, from: Instant)
    /// A re-run has 1 to this many rounds.
    case rerunRounds(most: Int)
    /// A run is open, and the re-run waits for its end.
    case rerunWhileOpen
    /// The session that would be run again has not been held.
    case rerunOfNothing
    /// A start is set for later, and would meet the re-run.
    case rerunBeforeStart
    /// The circuit has no rotation that could be run again.
    case rerunWithoutRotation
    /// The queue needs this many rounds.
    case rerunTooShort(needs: Int)
  }
}

/// Why it is not known which circuit or session to act on. Circuits are named with number and name.
public enum SessionRefusal: RuleRefusal {
  /// Several circuits have the name.
  case ambiguousCircuit(String, among: [Circuit])
  /// No circuit has the name.
  case unknownCircuit(String, among: [Circuit])
  /// The name of a session is a date and a start.
  case malformedName(String)
  /// The circuit has no session of this name.
  case unknownSession(String, of: String, among: [Session])
  /// The circuit has a session today, and a run was left open.
  case leftOpen(of: String, left: Session, among: [Session])
  /// Several runs of the circuit are open.
  case severalOpen(of: String, [Session])
  /// The circuit has no session.
  case noSession(of: String)
}

/// Why the exam's time is not moved.
public enum ClockSettingRefusal: RuleRefusal {
  /// It is not in doubt.
  case notInDoubt
  /// It is the hub's.
  case isHubs
  /// A clock of this session is open.
  case runOpen(Session)
  /// A clock of this session would be open again.
  case wouldReopen(Session)
  /// Something was done to a clock of the session at that instant.
  case pastEvent(String?, at: Instant, Session)
}
