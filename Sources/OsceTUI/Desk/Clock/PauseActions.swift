import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal
import Timer

/// The pause, which is done at once and asks why afterwards.
extension DeskControls {
  /// Pauses the clock that is controlled, or every one.
  func pause(_ key: KeyEvent?) {
    if isForAll { return pauseEvery(key) }
    pause(desk.targets(of: .pause, isForAll: false), at: instant(of: key))
  }

  /// Pauses every clock that runs.
  func pauseEvery(_ key: KeyEvent?) { pauseAll(at: instant(of: key), by: key) }

  /// When a key was pressed, by the exam's clock.
  private func instant(of key: KeyEvent?) -> Instant {
    desk.now + -(key.map { max(0, context.monotonic() - $0.at) } ?? 0)
  }

  /// Pauses every open session of a circuit.
  func pauseAll(of circuit: DeskCircuit) { pause(circuit.open.map { DeskTarget(circuit, $0) }, at: desk.now) }

  /// Pauses every clock that runs, whatever is controlled, and calls off what is set for later.
  private func pauseAll(at instant: Instant, by key: KeyEvent?) {
    let circuits = desk.circuits
    if circuits.isEmpty { return context.ask("NOT PAUSED", "There is no circuit.", []) }
    let all = circuits.map(\.circuit)
    pause(at: instant, by: key) { transaction in
      try ClockLog.pauseAll(of: all, at: instant, in: transaction).map { clock in
        let place = circuits.first { $0.circuit.id == clock.session.circuit }
        let isOpen = place?.open.contains(clock.session) == true || place?.session == clock.session
        let name =
          isOpen ? place?.name(of: clock.session) : place.map { "\($0.circuit.name) \(clock.session.startTime)" }
        return ActionResult(clock, name: name ?? "")
      }
    }
  }

  private func pause(_ targets: [DeskTarget], at instant: Instant) {
    if targets.isEmpty { return context.ask("NOT PAUSED", desk.circuit?.trouble ?? "There is no circuit.", []) }
    pause(at: instant) { transaction in
      let paused = try ClockLog.pause(targets.map(\.session), callingOff: [], at: instant, in: transaction)
      return zip(paused, targets).map { ActionResult($0, name: $1.name) }
    }
  }

  /// Nobody who presses the key is left without a question: what is typed after it would be commands.
  /// - Parameter key: the key of an alarm, which may be pressed more than once.
  private func pause(
    at instant: Instant, by key: KeyEvent? = nil,
    _ give: @escaping @Sendable (JournalTransaction) throws -> [ActionResult]
  ) {
    do { try permit() } catch { return context.ask("NOT PAUSED", "\(error)", []) }
    if desk.pausing.count == 0 { desk.pausing.since = context.monotonic() }
    desk.pausing.count += 1
    desk.pausing.key = key
    save(.pause, reason: nil, give) { [desk, context] result in
      desk.pausing.count -= 1
      let typed = desk.pausing.typed
      desk.pausing.typed = ""
      // What lies over the screen by then is not taken away: the line says that the clock is paused.
      guard context.overlay == nil else { return }
      let given: [ActionResult]
      switch result {
      case .success(let all): given = all
      case .failure(let error): return context.ask("NOT PAUSED", "\(error)", [])
      }
      let pauses = given.compactMap(\.event) + given.flatMap(\.calledOff).map(\.annul.id)
      if !pauses.isEmpty {
        return askWhy(given.pausedTitle, of: given, written: typed, pauses, note: given.cancelledNote)
      }
      let standing = given.compactMap(\.standing)
      if let last = standing.last, standing.count == given.count {
        return askWhy(last, of: given, written: typed, standing.map(\.id))
      }
      let lines = given.map { "\($0.name): \($0.refusal ?? "")" }
      context.ask("NOT PAUSED", lines.isEmpty ? "No clock runs." : lines.joined(separator: "; "), [])
    }
  }

  /// Asks why clocks stand that were paused before: what is said now is kept beside what was said then.
  private func askWhy(_ last: ClockEvent, of given: [ActionResult], written: String, _ pauses: [String]) {
    askWhy(last.alreadyPausedTitle(by: last.staff.map { name($0) }), of: given, written: written, pauses)
  }

  /// The name of a member of staff; the username of one who is none by now.
  private func name(_ username: String) -> String {
    (try? context.store.read { try StaffMember.find(username: username, in: $0) })?.name ?? username
  }

  /// - Parameter note: what is said above the question; nil: when the clock goes on by itself, where it does.
  private func askWhy(
    _ title: String, of given: [ActionResult], written: String, _ pauses: [String], note: String? = nil
  ) {
    let paused = desk.circuits.first { given.count == 1 && $0.circuit.name == given[0].name }
    let goesOn = paused?.fold?.goesOn(after: desk.now).map {
      "resumes by itself at \(LocalTime.reading(of: $0).time); \(context.key(of: DeskKeys.undo).plain) cancels that, "
        + "after later actions"
    }
    let said = SafeText(note ?? goesOn ?? "")
    let echo = desk.pausing.key.map { Prompt.Echo(key: $0.key, pressedAt: $0.at) }
    context.prompt(SafeText("\(title). Reason:"), written: written, note: { _ in said }, echo: echo) { reason in
      let reason = reason.withSingleSpaces
      guard !reason.isEmpty else { return }
      context.save({
        for id in pauses { try ClockLog.give(reason: reason, to: id, in: $0) }
      }) { result in
        if case .success = result { context.showMessage(SafeText("reason saved: \(reason)")) }
      }
    }
  }
}
