import Characters
import CircuitModel
import ExamStore
import Timer

extension ClockRefusal: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    switch self {
    case .inDoubt(let doubt): doubt.refusal
    case .doesNotFit(let misfit): misfit.description
    case .notTaken(let event, let misfit, let session):
      "cannot \(ClockRefusal.verb(event)): \(misfit) (session \(session))"
    case .hostedElsewhere(let host, let reason, let session):
      "\(reason.text): the clock of session \(session) is \(host ?? "another terminal")'s; give it there, or here once "
        + "the hub answers"
    case .hostedHere: "this machine meets no hub, and is the host of all its runs"
    case .unreadableWarnings:
      "the circuit's warnings are neither a list of {type, seconds, level, text} nor “liftupp”"
    case .wrongWarning: "a warning's level is none, amber or red, and its seconds are 0 to 86400"
    }
  }
}

extension ClockRefusal {
  /// What was to be done, after "cannot".
  private static func verb(_ event: String) -> String {
    switch event {
    case "rounds": "change the rounds"
    case "rerun": "begin a re-run"
    case "take": "take over the clock"
    default: event
    }
  }
}

extension ClockRefusal.Misfit: CustomStringConvertible {
  /// The reason alone.
  public var description: String {
    switch self {
    case .clock(let refusal): return refusal.reason
    case .held(let refusal):
      return refusal.reason + "; for missed stations begin a re-run"
    case .notStarted: return "the clock has not started"
    case .anotherRun(let number, let instant):
      let from = LocalTime.reading(of: instant)
      return "run \(number) of this session is open from \(from.date) \(from.time); only one can be open at a time"
    case .rerunRounds(let most): return "a re-run has 1 to \(most) rounds"
    case .rerunWhileOpen: return "a session is still running; stop it or wait for it to end"
    case .rerunOfNothing: return "this session has not been run; choose one with --session"
    case .rerunBeforeStart: return "a start is set for later; annul that one first"
    case .rerunWithoutRotation: return "the circuit has no rotation"
    case .rerunTooShort(let rounds): return "the queue needs \(Plural.count(rounds, "round"))"
    }
  }
}

extension RunHost.Reason {
  /// The reason alone.
  public var text: String {
    switch self {
    case .noContact: "the hub's time is not known here since this machine was started"
    case .silent(let milliseconds): "the hub last answered \(milliseconds / 1000) s ago"
    case .unsure(let milliseconds): "the exam's time here may be \(milliseconds) ms from the hub's"
    }
  }
}

extension HubOffset {
  /// How the exam's time of this machine stands to the hub's; a line that asks for a person where it is not followed.
  public func line(at boot: Int64) -> String {
    guard let difference = heldDifference else { return "the hub's, within \(bound(at: boot)) ms" }
    let apart = difference.magnitude > 999_999_999_000 ? 999_999_999_000 : Int64(difference.magnitude)
    return
      "the hub's time is \(PhaseText.digits(apart)) \(difference < 0 ? "behind" : "ahead of") the exam's here, and not "
      + "taken while a clock is open; osce clock all anchor --force takes it"
  }
}

extension SessionRefusal: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    switch self {
    case .ambiguousCircuit(let text, let circuits):
      "more than one circuit is called \(text); use its number: \(list(circuits))"
    case .unknownCircuit(let text, let circuits):
      "there is no circuit \(text); there are: \(circuits.isEmpty ? "none" : list(circuits))"
    case .malformedName(let name):
      "--session takes a date and a start, as in \"2026-12-07 09:00\"; got \"\(name)\""
    case .unknownSession(let name, let circuit, let sessions):
      "circuit \(circuit) has no session \(name); it has: \(list(sessions))"
    case .leftOpen(let circuit, let left, let sessions):
      "circuit \(circuit): session \(left.name) was never stopped; choose with --session: "
        + list(sessions)
    case .severalOpen(let circuit, let open):
      "circuit \(circuit) has \(open.count) sessions running: choose with --session: \(list(open))"
    case .noSession(let circuit): "circuit \(circuit) has no session; import its timetable first"
    }
  }

  private func list(_ circuits: [Circuit]) -> String {
    circuits.map { "\($0.id) \($0.name)" }.joined(separator: ", ")
  }

  private func list(_ sessions: [Session]) -> String {
    sessions.isEmpty ? "none" : sessions.map { "\"\($0.name)\"" }.joined(separator: ", ")
  }
}

extension ClockSettingRefusal: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    switch self {
    case .notInDoubt: return "exam time needs no confirmation"
    case .isHubs:
      return "the hub says what the exam's time is; osce clock all anchor takes it"
    case .runOpen(let session):
      return "exam time cannot change while a session is running: \(session.name), circuit \(session.circuit)"
    case .wouldReopen(let session):
      return "at that time the clock of session \(session.name) of circuit \(session.circuit) would be open again"
    case .pastEvent(let event, let instant, let session):
      let reading = LocalTime.reading(of: instant)
      return "the exam's time is not moved past what was done to a clock: \(event ?? "an event") of "
        + "\(reading.date) \(reading.time), session \(session.name) of circuit \(session.circuit)"
    }
  }
}

extension ClockDiscrepancy {
  /// What is said of an action that waits until the doubt is settled.
  public var refusal: String {
    "confirm the exam time first: T at the desk, or osce clock all anchor machine|last (\(line))"
  }

  /// What is wrong, and what a person does about it.
  /// - Parameter isGuarded: whether the exam's clocks are guarded by passcodes, so that somebody has to be named.
  public func advice(isGuarded: Bool) -> String {
    "\(line); say which is right with: osce clock all anchor" + (isGuarded ? " --staff YOU" : "")
  }

  /// `system clock may be wrong: 3:10:00 ahead of the last saved change`.
  public var line: String {
    let apart = abs(wall - lastRecord)
    let days = apart / 86_400_000
    let much = days > 0 ? "\(Plural.count(days, "day"))" : PhaseText.digits(apart)
    return
      "system clock may be wrong: \(much) \(wall < lastRecord ? "behind" : "ahead of") the last saved change"
  }
}

extension ExamTimeCorrection.Effect: CustomStringConvertible {
  /// `Blue circuit 2026-12-07 09:00 ends, it is in rotation 3 now`.
  public var description: String {
    let change =
      switch change {
      case .begins: "begins"
      case .beginsAndEnds: "begins and ends unseen"
      case .isUnbegun: "is as if it had not begun"
      case .ends(let place): "ends, it is in \(text(place)) now"
      case .goes(let from, let to): "goes from \(text(from)) to \(text(to))"
      }
    return "\(circuit ?? "circuit") \(session.name) \(change)"
  }

  private func text(_ place: ExamTimeCorrection.Place) -> String {
    guard let phase = place.phase else { return "its end" }
    let standing = place.status == .paused ? ", paused" : place.status == .waiting ? ", waiting" : ""
    return phase.name + (place.round.map { " \($0)" } ?? "") + standing
  }
}

extension PassageEnding {
  /// The ending in words, as exports and the timeline have it.
  var name: String {
    switch self {
    case .ranOut: "ran out"
    case .skipped: "skipped"
    case .shortened: "shortened"
    case .jumped: "jumped"
    case .stopped: "stopped"
    case .removed: "removed"
    }
  }
}
