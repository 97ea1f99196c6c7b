import CircuitModel
import ExamStore
import Timer

/// An event that was given to a clock, and what a command says of it.
public struct GivenEvent {
  /// Whose clock it is.
  public let circuit: Circuit
  /// The session that was meant.
  public let session: Session
  /// What was given.
  public let event: ClockEvent

  /// An event with whose clock it is.
  public init(circuit: Circuit, session: Session, event: ClockEvent) {
    (self.circuit, self.session, self.event) = (circuit, session, event)
  }

  /// What it has displaced, and how it is undone.
  public func displacedLine(_ found: DisplacedEvents.Found) -> String {
    func text(_ events: [ClockEvent]) -> String {
      let named = events.prefix(3).map { "\($0.kind.name) at \($0.time(seenAt: event.at))" }
      return named.joined(separator: ", ") + (events.count > 3 ? " and \(events.count - 3) more" : "")
    }
    let parts = [
      found.lost.isEmpty ? nil : "no longer counts: \(text(found.lost))",
      found.moved.isEmpty ? nil : "follows the new start, please check: \(text(found.moved))",
    ]
    let line = "\(circuit.name): \(parts.compactMap { $0 }.joined(separator: "; "))"
    // An annul is not annulled.
    if case .annul = event.kind { return line }
    return line + "; osce clock \(circuit.id) annul \(event.id) takes this back"
  }

  /// Who did the same at the same instant, where that took effect and this did not; nil if this takes effect.
  public func repetition(in log: [ClockLogEntry]) -> String? {
    guard log.contains(where: { $0.event.id == event.id && $0.isApplied == false }) else { return nil }
    let other = log.first { $0.isApplied == true && $0.event.at == event.at && $0.event.kind == event.kind }
    return "\(other?.event.staff ?? "somebody else") did the same at that instant; kept, without effect"
  }
}

extension ClockEvent {
  /// When it is, with its date where that is another day's.
  fileprivate func time(seenAt instant: Instant) -> String {
    at.text(on: LocalTime.reading(of: instant).date)
  }

  /// `resumes by itself at 09:20:00 (osce clock 1 annul ID cancels that)`, of a resume that is set for later.
  public func comingText(in circuit: Circuit, seenAt instant: Instant) -> String {
    "resumes by itself at \(time(seenAt: instant)) (osce clock \(circuit.id) annul \(id) cancels that)"
  }
}

extension CalledOff {
  /// `the resume set for 09:20:00 is cancelled`.
  public func text(seenAt instant: Instant) -> String {
    "the \(event.kind.name) set for \(event.time(seenAt: instant)) is cancelled"
  }
}

extension ClockAction {
  /// What the record of an action that wants a name and a reason lacks; nil if nothing.
  public func missingText(by author: Author) -> String? {
    switch self {
    case .skip, .jump, .stop, .annul: break
    case .start, .rerun, .pause, .resume, .extend, .restart, .rounds, .again: return nil
    }
    return switch (author.staff == nil, author.reason == nil) {
    case (true, true): "recorded without a name or reason; --staff and --reason say who and why"
    case (true, false): "recorded without a name; --staff says who"
    case (false, true): "recorded without a reason; --reason says why"
    case (false, false): nil
    }
  }
}
