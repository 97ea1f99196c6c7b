/// What a clock event does.
public enum ClockEventKind: Hashable, Sendable {
  /// Begins the first phase, or the phase that is waited for (the plan then is not looked at).
  case start(StartPlan)
  /// Stops the running time.
  case pause
  /// Lets the running time go on.
  case resume
  /// Adds whole seconds to the current passage; negative takes away. At most a day either way.
  case extend(seconds: Int64)
  /// Ends the current phase.
  case skip
  /// Sets the current phase's elapsed time to 0.
  case restart
  /// Begins the phase with that number, from 1.
  case jump(index: Int)
  /// Expands the list again to that many rounds.
  case rounds(Int)
  /// Ends the run.
  case stop
  /// Takes the event with that id out of the run.
  case annul(target: String)

  /// The name used in the clock's log and in the journal.
  public var name: String {
    switch self {
    case .start: "start"
    case .pause: "pause"
    case .resume: "resume"
    case .extend: "extend"
    case .skip: "skip"
    case .restart: "restart"
    case .jump: "jump"
    case .rounds: "rounds"
    case .stop: "stop"
    case .annul: "annul"
    }
  }

  /// The longest extension either way, in seconds: one day.
  static let longestExtension: Int64 = 86_400
}

/// Something a person did to a run's clock. An id names one event for ever: the same event may arrive many times.
public struct ClockEvent: Hashable, Sendable, Identifiable {
  /// The event's own id; it also orders events of one instant, byte by byte.
  public var id: String
  /// When it takes effect; past and future are allowed.
  public var at: Instant
  /// What it does.
  public var kind: ClockEventKind
  /// The passage that the operator was shown; the event then fits only there. Not looked at for an annul.
  public var passage: Int?
  /// Who did it.
  public var staff: String?
  /// Why, where a reason was given.
  public var reason: String?

  /// A clock event.
  public init(
    id: String, at: Instant, kind: ClockEventKind, passage: Int? = nil, staff: String? = nil, reason: String? = nil
  ) {
    self.id = id
    self.at = at
    self.kind = kind
    self.passage = passage
    self.staff = staff
    self.reason = reason
  }

  /// The order in which events are applied: by instant, then by the bytes of the id.
  public static func precedes(_ left: ClockEvent, _ right: ClockEvent) -> Bool {
    left.at != right.at ? left.at < right.at : left.id.utf8.lexicographicallyPrecedes(right.id.utf8)
  }

  /// The id of the event that this one annuls, if it annuls one.
  public var target: String? {
    if case .annul(let target) = kind { target } else { nil }
  }
}
