import Timer

/// A run written down in seconds, for examples.
struct Script {
  var events: [ClockEvent] = []

  /// A run that starts at 0 with a list of phases.
  init(_ durations: [PhaseDuration], rounds: Int = 1, warnings: [WarningRule]? = nil) {
    add(0, .start(StartPlan(durations: durations, warnings: warnings, rounds: rounds)))
  }

  init() {}

  @discardableResult
  mutating func add(_ second: Int64, _ kind: ClockEventKind, passage: Int? = nil) -> String {
    let id = "e\(events.count + 10)"
    events.append(ClockEvent(id: id, at: .second(second), kind: kind, passage: passage))
    return id
  }

  func fold(_ second: Int64 = 100_000) -> Fold {
    Rotation.fold(events, until: .second(second))
  }

  func state(_ second: Int64) -> ClockState {
    fold(second).state(at: .second(second))
  }

  /// Why an event would not fit at a second, in the words a person reads.
  func refusal(_ second: Int64, _ kind: ClockEventKind, passage: Int? = nil) -> String? {
    fold().fit(ClockEvent(id: "z", at: .second(second), kind: kind, passage: passage))?.reason
  }
}

extension Instant {
  static func second(_ second: Int64) -> Instant { Instant(milliseconds: second * 1000) }
}

/// One row: a name of a phase and its seconds; a trailing `!` means a manual start.
func rows(_ text: String) -> [PhaseDuration] {
  text.split(separator: ",").map { part in
    let words = part.split(separator: " ")
    let manual = words[1].hasSuffix("!")
    let length = Int64(words[1].filter { $0 != "!" }) ?? 0
    return PhaseDuration(type: PhaseType(name: String(words[0])), lengthMs: length * 1000, manualStart: manual)
  }
}

/// The types of a list in one line.
func names(_ phases: [PlannedPhase]) -> String {
  phases.map(\.type.name).joined(separator: " ")
}
