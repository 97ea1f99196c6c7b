/// A run worked out from its events.
public struct Fold: Sendable {
  /// The instant as of which the verdicts and the timeline hold.
  public let until: Instant
  /// What became of every event at or before `until`, in the order of application.
  public let verdicts: [EventVerdict]
  /// The events whose time has not come at `until` and that are not annulled, in the order of application.
  public let scheduled: [ClockEvent]

  let log: EventLog
  /// The run after each event; exact for instants between the annuls around `until`.
  private let checkpoints: [Checkpoint]
  private let firstInstant: Instant
  private let nextAnnul: Instant?

  private struct Checkpoint: Sendable {
    let at: Instant
    let machine: RunMachine
  }

  init(log: EventLog, until: Instant) {
    self.log = log
    self.until = until
    let annulled = log.annulled(asOf: until)
    firstInstant = log.events.last(where: { $0.target != nil && $0.at <= until })?.at ?? .earliest
    nextAnnul = log.events.first(where: { $0.target != nil && $0.at > until })?.at
    var machine = RunMachine()
    var verdicts: [EventVerdict] = []
    var checkpoints = [Checkpoint(at: .earliest, machine: machine)]
    var atUntil: RunMachine?
    for event in log.events {
      if event.at > until, atUntil == nil {
        machine.advance(to: until)
        atUntil = machine
        checkpoints.append(Checkpoint(at: until, machine: machine))
      }
      if let nextAnnul, event.at >= nextAnnul { break }
      var refusal: EventRefusal?
      if annulled.contains(event.id) {
        refusal = EventRefusal("annulled")
      } else if let target = event.target {
        refusal = log.refusal(ofAnnulling: target)
      } else {
        refusal = machine.take(event)
        if refusal == nil { checkpoints.append(Checkpoint(at: event.at, machine: machine)) }
      }
      if event.at <= until {
        verdicts.append(EventVerdict(eventID: event.id, reason: refusal?.reason))
      }
    }
    if atUntil == nil {
      machine.advance(to: until)
      checkpoints.append(Checkpoint(at: until, machine: machine))
    }
    self.verdicts = verdicts
    self.checkpoints = checkpoints
    scheduled = log.events.filter { $0.at > until && !annulled.contains($0.id) }
  }

  /// What the clock shows at `now`, with the events at or before `now` and no others. Any instant may be asked about.
  ///
  /// Between the annuls around `until` this is a search among the events and a walk over the phases since the one
  /// found; elsewhere the events are worked through again.
  public func state(at now: Instant) -> ClockState {
    machine(at: now).state(at: now)
  }

  /// Why an event would not take effect, judged at its own instant against the events at or before it; nil if it fits.
  public func fit(_ event: ClockEvent) -> EventRefusal? {
    if let target = event.target {
      return target == event.id ? EventRefusal("an annul is not annulled") : log.refusal(ofAnnulling: target)
    }
    let annulled = log.annulled(asOf: event.at)
    if annulled.contains(event.id) { return EventRefusal("annulled") }
    return log.machine(before: event, without: annulled).refusal(of: event)
  }

  /// Why the clock is not in the passage that an event was given in, at the event's instant; nil if it is, or the event
  /// names none. The fold asks it of all but annuls, which it takes in any passage.
  public func movedOn(from event: ClockEvent) -> EventRefusal? { machine(at: event.at).movedOn(from: event) }

  func machine(at now: Instant) -> RunMachine {
    guard now >= firstInstant, nextAnnul.map({ now < $0 }) ?? true else { return log.machine(asOf: now) }
    var low = 0
    var high = checkpoints.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if checkpoints[middle].at <= now { low = middle } else { high = middle }
    }
    var machine = checkpoints[low].machine
    machine.advance(to: now)
    return machine
  }
}
