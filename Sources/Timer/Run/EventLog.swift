/// The events of a run, each once, in the order in which they are applied.
struct EventLog: Sendable {
  let events: [ClockEvent]

  /// Sorts by (at, id) and keeps the earliest of each id, so that the order of arrival does not matter.
  init(_ arrived: [ClockEvent]) {
    var seen = Set<String>(minimumCapacity: arrived.count)
    events = arrived.sorted(by: ClockEvent.precedes).filter { seen.insert($0.id).inserted }
  }

  /// The ids taken out as of `now`. An annul takes out no other annul.
  func annulled(asOf now: Instant) -> Set<String> {
    var targets = Set<String>()
    for event in events {
      guard event.at <= now else { break }
      if let target = event.target { targets.insert(target) }
    }
    guard !targets.isEmpty else { return targets }
    for event in events where event.target != nil { targets.remove(event.id) }
    return targets
  }

  /// Why an annul has nothing to take out; nil if it has.
  func refusal(ofAnnulling target: String) -> EventRefusal? {
    guard let event = events.first(where: { $0.id == target }) else {
      return EventRefusal("there is no event \(target) to annul")
    }
    return event.target == nil ? nil : EventRefusal("an annul is not annulled")
  }

  /// The run as of `now`: only events at or before it exist, and annulled ones are taken out first.
  func machine(asOf now: Instant, note: RunMachine.Note? = nil) -> RunMachine {
    machine(after: events.prefix { $0.at <= now }, without: annulled(asOf: now), until: now, note: note)
  }

  /// The run at the instant of `event`, with the events that come before it and no others.
  /// - Parameter annulled: the ids taken out as of then.
  func machine(before event: ClockEvent, without annulled: Set<String>) -> RunMachine {
    machine(
      after: events.prefix { ClockEvent.precedes($0, event) }.filter { $0.id != event.id }, without: annulled,
      until: event.at)
  }

  private func machine(
    after earlier: some Sequence<ClockEvent>, without annulled: Set<String>, until now: Instant,
    note: RunMachine.Note? = nil
  ) -> RunMachine {
    var machine = RunMachine()
    for event in earlier where !annulled.contains(event.id) { machine.take(event, note: note) }
    machine.advance(to: now, note: note)
    return machine
  }
}
