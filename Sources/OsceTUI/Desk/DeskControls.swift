import CircuitModel
import Terminal
import Timer

/// The invigilator's hand on the clocks: what each key does, what it says first, and what came of it.
@MainActor
struct DeskControls {
  let desk: Desk
  private var context: AppContext { desk.context }

  func perform(_ command: DeskCommand, _ key: KeyEvent?) {
    switch command {
    case .pause: pause(key)
    case .start: confirm(.start)
    case .resume: confirm(.resume)
    case .addTime: confirm(.extend(seconds: 30))
    case .takeTime: confirm(.extend(seconds: -30))
    case .skip: confirm(.skip, reason: .required)
    case .restart: confirm(.restart, reason: .optional)
    case .stop: confirm(.stop, reason: .required)
    case .extend:
      ask("Seconds to add (with - to take away):", in: -86_400...86_400) { confirm(.extend(seconds: Int64($0))) }
    case .jump: ask("Jump to which phase (1, 2 …):", in: 1...10_000) { confirm(.jump(index: $0), reason: .required) }
    case .rounds: ask("How many rounds in all:", in: 1...10_000) { confirm(.rounds($0), reason: .optional) }
    case .undo: undo()
    default: break
    }
  }

  // MARK: Pausing

  /// Pauses at the key's own instant, without a question, and asks for the reason after.
  private func pause(_ key: KeyEvent?) {
    let age = key.map { max(0, context.monotonic() - $0.at) } ?? 0
    give(.pause, at: desk.now + -age, passages: [:], to: desk.targets, reason: nil) { [context] given in
      let ids = given.compactMap(\.event)
      guard !ids.isEmpty else { return }
      let where_ = given.filter { $0.event != nil }.map(\.name).joined(separator: ", ")
      context.prompt(SafeText("PAUSED \(where_). Why:")) { reason in
        let reason = reason.split(separator: " ").joined(separator: " ")
        guard !reason.isEmpty else { return }
        context.save({ for id in ids { try ClockLog.give(reason: reason, to: id, in: $0) } }) { result in
          if case .success = result { context.say(SafeText("paused; the reason is kept: \(reason)")) }
        }
      }
    }
  }

  // MARK: What is confirmed first

  private func ask(_ question: SafeText, in range: ClosedRange<Int>, _ done: @escaping @MainActor (Int) -> Void) {
    context.prompt(question) { [context] text in
      guard let number = Int(text.trimmingSpaces), range.contains(number), number != 0 else {
        return context.say(SafeText("a whole number was asked for; got \"\(text)\""), .warning)
      }
      done(number)
    }
  }

  /// Says what an action will do at every circuit that is meant, and does it on Enter, once each, at one instant.
  private func confirm(_ action: ClockAction, reason: Confirmation.Reason = .none) {
    let targets = desk.targets.filter { $0.session != nil }
    guard !targets.isEmpty else { return sayTrouble() }
    var passages: [Int: Int] = [:]
    var lines: [String] = []
    for target in targets {
      guard let session = target.session else { continue }
      passages[target.circuit.id] = target.fold?.state(at: desk.now).passage
      let name = targets.count > 1 ? "\(target.circuit.name): " : ""
      lines.append(name + effect(action, session, passage: passages[target.circuit.id]))
    }
    let text = "\(ClockPreview.title(action))?  " + lines.joined(separator: "  ")
    context.confirm(SafeText(text), reason: reason) { reason in
      give(action, at: desk.now, passages: passages, to: targets, reason: reason) { _ in }
    }
  }

  private func effect(_ action: ClockAction, _ session: Session, passage: Int?) -> String {
    do {
      let draft = try context.store.read {
        try ClockDraft.make(action, for: session, at: desk.now, passage: passage, in: $0)
      }
      return ClockPreview.effect(of: draft.event, on: draft.run)
    } catch { return "\(error)" }
  }

  /// Takes out the last event of the circuit that is looked after.
  private func undo() {
    guard let circuit = desk.circuit, let session = circuit.session else { return sayTrouble() }
    do {
      let now = desk.now
      guard let last = try context.store.read({ try ClockLog.lastApplied(of: session, at: now, in: $0) }) else {
        return context.say("nothing was done to this clock yet", .warning)
      }
      let action = ClockAction.annul(target: last.event.id)
      let who = last.event.staff.map { " by \($0)" } ?? ""
      let time = LocalTime.reading(of: last.event.at).time
      let text =
        "UNDO \(last.words) of \(time)\(who)?  "
        + effect(action, session, passage: nil)
      context.confirm(SafeText(text), reason: .required) { reason in
        give(action, at: desk.now, passages: [:], to: [circuit], reason: reason) { _ in }
      }
    } catch { context.complain(error) }
  }

  private func sayTrouble() {
    context.say(SafeText(desk.circuit?.trouble ?? "there is no circuit; import an exam first"), .warning)
  }

  // MARK: Giving events

  /// What became of an action at one circuit.
  struct Given: Sendable {
    let name: String
    /// The event's id, if it was taken.
    let event: String?
    /// Why not, if it was not.
    let refusal: String?
  }

  /// Writes one event per circuit with the same instant. A circuit where it does not fit is passed over and named: in
  /// a fire alarm the others must stop all the same.
  private func give(
    _ action: ClockAction, at instant: Instant, passages: [Int: Int], to targets: [DeskCircuit], reason: String?,
    then: @escaping @MainActor @Sendable ([Given]) -> Void
  ) {
    let meant = targets.compactMap { target in target.session.map { (target.circuit, $0) } }
    guard !meant.isEmpty else { return sayTrouble() }
    context.save(because: reason) { transaction in
      meant.map { circuit, session in
        do {
          let event = try ClockLog.append(
            action, to: session, at: instant, passage: passages[circuit.id], in: transaction)
          return Given(name: circuit.name, event: event.id, refusal: nil)
        } catch { return Given(name: circuit.name, event: nil, refusal: "\(error)") }
      }
    } then: { [desk, context] result in
      guard case .success(let given) = result else { return }
      desk.reload()
      let done = given.filter { $0.event != nil }.map(\.name)
      var text = done.isEmpty ? "" : "\(ClockPreview.title(action)): \(done.joined(separator: ", "))"
      for refused in given.filter({ $0.event == nil }) {
        text += (text.isEmpty ? "" : "; ") + "\(refused.name): \(refused.refusal ?? "")"
      }
      context.say(SafeText(text), done.count == given.count ? .normal : .warning)
      then(given)
    }
  }
}

extension String {
  /// The text without blanks at its ends.
  var trimmingSpaces: String { split(separator: " ").joined(separator: " ") }
}
