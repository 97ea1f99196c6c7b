import ArgumentParser
import CircuitModel
import Console
import ExamStore
import Journal
import Reports
import Timer

/// What is done to clocks, and what is said of it.
extension ClockCommand {
  /// - Parameter boot: what the boot clock read when the command was given: no clock runs on while it waits for the store.
  func act(_ action: ClockAction, _ store: ExamStore, givenAt boot: Int64) throws {
    var action = action
    if case .annul(let typed) = action {
      action = .annul(target: try store.read { try ClockLog.key(ofEvent: typed, in: $0) })
    }
    let instant = try instants().first ?? store.clock.now + (boot - store.clock.boot)
    if circuit == .all, action != .pause, let doubt = store.clock.doubt { throw StoreError(doubt.refusal) }
    var notes: [String] = []
    let chosen = try choose(action, at: instant, in: store) { notes.append($0) }
    let author = try acting.author(for: .clocks, in: store, reason: reason)
    // What does not fit a clock is a matter of its own, but not where it is locked anyway.
    if !isWhereItFits(action) { try refuseLocked(chosen, store) }
    let stood = try store.read { try DisplacedEvents(of: chosen.map(\.session), in: $0) }
    let given = try store.write(author) { transaction in
      let given = try give(action, to: chosen, at: instant, in: transaction) { notes.append($0) }
      if given.isEmpty, !notes.isEmpty { throw StoreError(notes.joined(separator: "; ")) }
      return given
    }
    if given.isEmpty { throw StoreError("no circuit has a session; osce plan lists them") }
    let repeated = try repetitions(given, in: store)
    notes += try repeated + displacedLines(given, of: chosen, since: stood, in: store)
    if let missing = action.missingText(by: author) { notes.append(missing) }
    Output.failure.lines(notes.map { "osce: " + $0 })
    try report(given, at: instant, in: store)
    if repeated.count == given.count { throw ExitCode.failure }
  }

  /// Whether a clock that an action does not fit is passed over and named: in a fire alarm a circuit that stands
  /// already must keep no other running.
  private func isWhereItFits(_ action: ClockAction) -> Bool {
    circuit == .all && (action == .pause || action == .resume)
  }

  private func choose(
    _ action: ClockAction, at instant: Instant, in store: ExamStore, leavesOut: (String) -> Void
  ) throws -> [PlacedSession] {
    try isWhereItFits(action)
      ? openSessions(store, at: instant, leavesOut: leavesOut) : sessions(store, at: instant)
  }

  // MARK: Giving events

  /// Gives the action's event to each clock.
  /// - Parameter leavesOut: is told of each clock where it does not fit and that is passed over, of what a pause calls
  ///   off, and of a re-run to which nobody comes.
  private func give(
    _ action: ClockAction, to chosen: [PlacedSession], at instant: Instant,
    in transaction: JournalTransaction, leavesOut: (String) -> Void
  ) throws -> [GivenEvent] {
    if isWhereItFits(action), action == .pause {
      return try pause(chosen, at: instant, in: transaction, leavesOut: leavesOut)
    }
    return try chosen.compactMap { place in
      do {
        let event = try give(action, to: place, at: instant, in: transaction, says: leavesOut)
        return GivenEvent(circuit: place.circuit, session: place.session, event: event)
      } catch let error as ClockRefusal {
        let line = said("\(error)", of: place.circuit)
        if isWhereItFits(action) {
          leavesOut(line)
          return nil
        }
        let coming = try ClockLog.scheduled(
          of: place.session, at: max(instant, transaction.clock.now), in: transaction.db
        ).first
        guard action == .pause, let coming else { throw StoreError(line) }
        throw StoreError("\(line); \(coming.comingText(in: place.circuit, seenAt: instant))")
      }
    }
  }

  private func give(
    _ action: ClockAction, to place: PlacedSession, at instant: Instant,
    in transaction: JournalTransaction, says: (String) -> Void
  ) throws -> ClockEvent {
    let session = place.session
    if action == .pause {
      return try ClockLog.pause(session, at: instant, passage: passage, in: transaction)
    }
    let event = try ClockLog.append(action, to: session, at: instant, passage: passage, in: transaction)
    if case .rerun(let rounds) = action {
      let queue = try RerunArrangement.due(session, in: transaction.db)
      try queue.check(rounds: rounds, of: session)
      if queue.rounds == 0 { says("\(place.circuit.name): nothing in the re-run queue is due; nobody comes to it") }
      try queue.apply(transaction)
    }
    return event
  }

  /// Pauses every clock where that fits, and calls off what is set for later.
  /// - Parameter leavesOut: is told of each clock where it does not fit, and of what is called off.
  private func pause(
    _ chosen: [PlacedSession], at instant: Instant, in transaction: JournalTransaction,
    leavesOut: (String) -> Void
  ) throws -> [GivenEvent] {
    let sessions = chosen.map(\.session)
    let clocks = try ClockLog.pause(
      sessions, callingOff: sessions, at: instant, passage: passage, in: transaction)
    return zip(chosen, clocks).flatMap { place, clock in
      var line = clock.refusal.map { "\(place.circuit.name): \($0)" }
      for off in clock.calledOff {
        let text = off.text(seenAt: instant)
        line = line.map { "\($0); \(text)" } ?? "\(place.circuit.name): \(text) (session \(place.session.name))"
      }
      if let line { leavesOut(line) }
      return ([clock.event].compactMap { $0 } + clock.calledOff.map(\.annul)).map {
        GivenEvent(circuit: place.circuit, session: place.session, event: $0)
      }
    }
  }

  // MARK: Reporting

  /// What is said of a clock; it is named where others may be meant too.
  private func said(_ text: String, of place: Circuit) -> String {
    circuit == .all ? "\(place.name): \(text)" : text
  }

  /// Which of the events are without effect, as somebody did the same at the same instant.
  private func repetitions(_ given: [GivenEvent], in store: ExamStore) throws -> [String] {
    try store.read { db in
      try given.compactMap { given in
        let text = given.repetition(in: try ClockLogEntry.all(of: given.session, asOf: given.event.at, in: db))
        return text.map { said($0, of: given.circuit) }
      }
    }
  }

  /// What counted before and does not now, or means something else.
  private func displacedLines(
    _ given: [GivenEvent], of chosen: [PlacedSession], since stood: DisplacedEvents,
    in store: ExamStore
  ) throws -> [String] {
    let annulled = given.compactMap(\.event.target)
    return try store.read { db in
      // Of each session the event that was asked for: what a pause calls off follows it.
      try chosen.compactMap { place in given.first { $0.session == place.session } }.compactMap { given in
        try stood.found(since: given.event, of: given.session, besides: Set(annulled), in: db).map {
          given.displacedLine($0)
        }
      }
    }
  }

  /// Prints how each clock stands after its event.
  private func report(_ given: [GivenEvent], at instant: Instant, in store: ExamStore) throws {
    let reports = try store.read { db in
      // A pause counts from when its clock went on, which may be later.
      try given.map { try ClockReport.read($0.session, at: max(instant, $0.event.at), in: db) }
    }
    if json {
      let entries = zip(given, reports).map { place, report in
        JSONDocument.object([("event", .text(place.event.id)), ("status", report.json)])
      }
      return try Output.standard.json(document(entries))
    }
    for (place, report) in zip(given, reports) {
      Output.standard.line("\(place.circuit.name), \(place.session.name): \(report.line)")
    }
  }
}
