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
    var machine = RunMachine()
    let annulled = annulled(asOf: now)
    for event in events {
      guard event.at <= now else { break }
      guard !annulled.contains(event.id) else { continue }
      machine.advance(to: event.at, note: note)
      if machine.refusal(of: event, at: event.at) == nil {
        machine.apply(event.kind, at: event.at, note: note)
      }
    }
    machine.advance(to: now, note: note)
    return machine
  }
}
