import CircuitModel
import ExamStore
import Journal
import Reports
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
    case .start: propose(.start)
    case .resume: propose(.resume)
    case .addTime: propose(.extend(seconds: 30))
    case .takeTime: propose(.extend(seconds: -30))
    case .skip: propose(.skip, reason: .required)
    case .restart: propose(.restart, reason: .optional)
    case .stop: propose(.stop, reason: .required)
    case .extend:
      ask("Seconds to add (with - to take away):", in: -86_400...86_400) { propose(.extend(seconds: Int64($0))) }
    case .jump: askPhase()
    case .rounds: ask("How many rounds in all:", in: 1...10_000) { propose(.rounds($0), reason: .optional) }
    case .undo: undo()
    default: break
    }
  }

  // MARK: Pausing

  /// Pauses at the key's own instant, without a question, and asks for the reason after.
  private func pause(_ key: KeyEvent?) {
    let age = key.map { max(0, context.monotonic() - $0.at) } ?? 0
    pause(desk.targets(of: .pause), at: desk.now + -age)
  }

  /// Pauses every open session of a circuit.
  func pauseAll(of circuit: DeskCircuit) { pause(circuit.open.map { DeskTarget(circuit, $0) }, at: desk.now) }

  /// Nobody who presses the key is left without a question: what is typed after it would be commands.
  private func pause(_ targets: [DeskTarget], at instant: Instant) {
    let orders = targets.map { (order: ClockIntent.Order(action: .pause, target: $0), passage: Int?.none) }
    if orders.isEmpty { return context.ask("NOT PAUSED", desk.circuit?.trouble ?? "There is no circuit.", []) }
    if desk.pausing.count == 0 { desk.pausing.since = context.monotonic() }
    desk.pausing.count += 1
    let callsOff = desk.actsOnAll ? desk.circuits.map(\.circuit) : []
    give(orders, at: instant, reason: nil, callsOff: callsOff) { [desk, context] result in
      desk.pausing.count -= 1
      let typed = desk.pausing.typed
      desk.pausing.typed = ""
      // What lies over the screen by then is not taken away: the line says that the clock is paused.
      guard context.overlay == nil else { return }
      let given: [Given]
      switch result {
      case .success(let all): given = all
      case .failure(let error): return context.ask("NOT PAUSED", "\(error)", [])
      }
      let ids = given.compactMap(\.event)
      let off = given.flatMap { one in one.calledOff.map { (one.name, $0) } }
      if !ids.isEmpty || !off.isEmpty {
        let which =
          given.count == 1
          ? given[0].name : "\(ids.count) \(ids.count == given.count ? "" : "of \(given.count) ")clocks"
        let missed = given.filter { $0.event == nil }.map(\.name).joined(separator: ", ")
        let title = ids.isEmpty ? "NOTHING RAN" : "PAUSED \(which)\(missed.isEmpty ? "" : ", NOT \(missed)")"
        let words = off.map { "\($0.0) \($0.1.event.kind.name) at \(LocalTime.reading(of: $0.1.event.at).time)" }
        let note = words.isEmpty ? nil : "CALLED OFF: \(words.joined(separator: ", "))"
        return askWhy(title, of: given, written: typed, ids + off.map(\.1.annul.id), note: note)
      }
      let standing = given.compactMap(\.standing)
      if let last = standing.last, standing.count == given.count {
        return askWhy(last, of: given, written: typed, standing.map(\.id))
      }
      let lines = given.map { "\($0.name): \($0.refusal ?? "")" }
      context.ask("NOT PAUSED", lines.joined(separator: "; "), [])
    }
  }

  /// Asks why clocks stand that were paused before: what is said now is kept beside what was said then.
  private func askWhy(_ last: ClockEvent, of given: [Given], written: String, _ pauses: [String]) {
    let who = last.staff.map { " by \($0)" } ?? ""
    let said = last.reason.map { " (\($0))" } ?? ""
    askWhy(
      "PAUSED ALREADY at \(LocalTime.reading(of: last.at).time)\(who)\(said)", of: given, written: written, pauses)
  }

  /// - Parameter note: what is said above the question; nil: when the clock goes on by itself, where it does.
  private func askWhy(
    _ title: String, of given: [Given], written: String, _ pauses: [String], note: String? = nil
  ) {
    let paused = desk.circuits.first { given.count == 1 && $0.circuit.name == given[0].name }
    let goesOn = paused?.fold?.goesOn(after: desk.now).map {
      "it goes on at \(LocalTime.reading(of: $0).time): \(context.key(.undoEvent).plain) takes that back, after what "
        + "was given since"
    }
    let said = SafeText(note ?? goesOn ?? "")
    context.prompt(SafeText("\(title). Why:"), written: written, note: { _ in said }) { reason in
      let reason = reason.split(separator: " ").joined(separator: " ")
      guard !reason.isEmpty else { return }
      context.save({
        for id in pauses { try ClockLog.give(reason: reason, to: id, in: $0) }
      }) { result in
        if case .success = result { context.say(SafeText("the reason is kept: \(reason)")) }
      }
    }
  }

  // MARK: What is confirmed first

  private func ask(_ question: SafeText, in range: ClosedRange<Int>, _ done: @escaping @MainActor (Int) -> Void) {
    context.prompt(question) { [context] text in
      guard let number = Int(text.trimmingSpaces), range.contains(number), number != 0 else {
        return context.refuse(SafeText("a whole number was asked for; got \"\(text)\""))
      }
      done(number)
    }
  }

  private func askPhase() {
    guard let state = desk.state else { return sayTrouble() }
    let choice = PhaseChoice(phases: state.phases, current: state.phaseIndex)
    context.prompt("Jump to which phase (its number, or r8 for rotation 8):", note: { SafeText(choice.words($0)) }) {
      [context] text in
      guard let number = choice.number(text) else {
        return context.refuse(
          SafeText("there is no phase \(text.trimmingSpaces): the numbers are 1 to \(choice.phases.count)"))
      }
      propose(.jump(index: number), reason: .required)
    }
  }

  private func propose(_ action: ClockAction, reason: Confirmation.Reason = .none) {
    propose(reason) { [desk] now, store in
      let orders = desk.targets(of: action).map { ClockIntent.Order(action: action, target: $0) }
      let leftOut = action == .pause || action == .resume ? [] : desk.undecided
      return ClockIntent(
        ClockPreview.title(action), orders, leftOut: leftOut.map { "\($0.circuit.name): left out, \($0.openWords)" },
        now: now, in: store)
    }
  }

  /// Begins the session's re-run: the queue moves up, and its clock starts.
  func beginRerun() {
    propose(.none) { [desk] now, store in
      guard let circuit = desk.circuit, let session = circuit.session else { return nil }
      let queue = try store.read { try RerunArrangement.read(session, in: $0) }
      let rounds = queue.rounds
      if rounds == 0 { throw StoreError("every sheet in the queue is signed: nothing is to be made up") }
      let done = queue.done.isEmpty ? "" : ", \(queue.done.count) signed are done"
      let released = try store.read { try StationClearance.releasedForRerun(session, in: $0) }.map(\.stationCode)
      let called = released.isEmpty ? "" : "; called back, having been let go: \(released.joined(separator: ", "))"
      return ClockIntent(
        "Start the re-run now: \(rounds) \(rounds == 1 ? "round" : "rounds") with a clock of its own\(done)\(called)",
        [.init(action: .rerun(rounds: rounds), target: DeskTarget(circuit, session))], queue: queue, now: now, in: store
      )
    }
  }

  private func undo() {
    propose(.required) { [desk] now, store in
      guard let undo = try ClockUndo(at: desk.undoable, now: now, in: store) else { return nil }
      return ClockIntent(
        undo.title(at: now), undo.orders, leftOut: undo.leftAlone, isBound: false, now: now, in: store)
    }
  }

  /// Says what an action will do at every clock that is meant, and does it on Enter, once each, at one instant. If it
  /// would do something else by then, it is said anew and nothing is done.
  /// - Parameter written: the reason as it was written before the clock moved on; nil at first.
  private func propose(
    _ reason: Confirmation.Reason, again written: String? = nil,
    _ make: @escaping @MainActor (Instant, ExamStore) throws -> ClockIntent?
  ) {
    guard let intent = work(out: make, at: desk.now) else { return }
    let head = written == nil ? "" : "THIS IS NOT WHAT IT WAS, nothing was done.  "
    let asked = intent.endsPhase ? .required : reason
    let renewed: @MainActor () -> SafeText? = { [desk, context] in
      // A pause moves the end on while it is asked; what would be another action is told on Enter.
      guard let current = try? make(desk.now, context.store), current.isSame(as: intent) else { return nil }
      return SafeText(head + current.text)
    }
    context.confirm(SafeText(head + intent.text), reason: asked, written: written ?? "", renewed: renewed) {
      [desk] written in
      desk.reload()
      let now = desk.now
      guard let current = work(out: make, at: now) else { return }
      guard current.isSame(as: intent) else { return propose(reason, again: written ?? "", make) }
      give(current.steps.map { ($0.order, $0.passage) }, at: now, reason: written, queue: current.queue) { _ in }
    }
  }

  /// Works an action out; where there is nothing to do it says why.
  private func work(
    out make: (Instant, ExamStore) throws -> ClockIntent?, at now: Instant
  ) -> ClockIntent? {
    do {
      guard let intent = try make(now, context.store) else {
        context.refuse("nothing was done to this clock yet")
        return nil
      }
      if intent.steps.isEmpty {
        sayTrouble()
        return nil
      }
      if !intent.fits {
        context.refuse(SafeText(intent.refusal))
        return nil
      }
      return intent
    } catch {
      context.complain(error)
      return nil
    }
  }

  private func sayTrouble() {
    context.refuse(SafeText(desk.circuit?.trouble ?? "there is no circuit; import an exam first"))
  }

  // MARK: Giving events

  /// What became of an action at one circuit.
  struct Given: Sendable {
    let name: String
    /// The event's id, if it was taken.
    var event: String?
    /// Why not, if it was not.
    var refusal: String?
    /// The pause by which the clock stands already, where it was to be paused.
    var standing: ClockEvent?
    /// What was set for later and does not come now.
    var calledOff: [CalledOff] = []
  }

  /// Writes one event per clock with the same instant. A clock where it does not fit is passed over and named: in a
  /// fire alarm the others must stop all the same.
  /// - Parameters:
  ///   - callsOff: the circuits of which all that is set for later is called off, in any session: nothing goes on by
  ///     itself in the middle of an alarm.
  ///   - then: told what became of it, or why nothing could be saved.
  private func give(
    _ orders: [(order: ClockIntent.Order, passage: Int?)], at instant: Instant, reason: String?,
    callsOff: [Circuit] = [], queue: RerunArrangement? = nil,
    then: @escaping @MainActor @Sendable (Result<[Given], any Error>) -> Void
  ) {
    guard let action = orders.first?.order.action else { return sayTrouble() }
    context.save(because: reason) { transaction in
      if let queue, let session = orders.first?.order.target.session {
        guard try RerunArrangement.read(session, in: transaction.db).isSame(as: queue) else {
          throw StoreError("the queue has changed meanwhile: nothing was begun; look again")
        }
        try queue.apply(transaction)
      }
      var all = try orders.map { order, passage in
        let (action, target) = (order.action, order.target)
        var given = Given(name: target.name, event: nil)
        var failure: (any Error)?
        do {
          given.event = try ClockLog.append(
            action, to: target.session, at: instant, passage: passage, in: transaction
          ).id
        } catch { failure = error }
        guard let failure else { return given }
        // The queue has moved up for this clock alone.
        if queue != nil { throw failure }
        given.refusal = "\(failure)"
        if action == .pause {
          given.refusal = DeskControls.standing(target.session, at: instant, in: transaction) ?? given.refusal
          given.standing = try ClockLog.standingPause(of: target.session, at: instant, in: transaction.db)
        }
        return given
      }
      for circuit in callsOff {
        for session in try Session.all(of: circuit.id, in: transaction.db) {
          let off = try ClockLog.callOff(session, at: instant, in: transaction)
          if off.isEmpty { continue }
          let place = orders.firstIndex { $0.order.target.session == session }
          if let place {
            all[place].calledOff = off
            if all[place].event == nil {
              all[place].refusal =
                DeskControls.standing(session, at: instant, in: transaction) ?? all[place].refusal
            }
          } else {
            all.append(Given(name: "\(circuit.name) \(session.startTime)", refusal: "not started", calledOff: off))
          }
        }
      }
      return all
    } then: { [desk, context] result in
      guard case .success(let given) = result else { return then(result) }
      desk.reload()
      let done = given.filter { $0.event != nil }.map(\.name)
      // What still runs is said first: the line may be cut.
      let refused = given.filter { $0.event == nil }.map { "\($0.name) (\($0.refusal ?? ""))" }
      let parts = [
        refused.isEmpty ? "" : "NOT \(action == .pause ? "PAUSED" : "DONE"): \(refused.joined(separator: ", "))",
        done.isEmpty ? "" : "\(ClockPreview.title(action)): \(done.joined(separator: ", "))",
      ]
      context.say(
        SafeText(parts.filter { !$0.isEmpty }.joined(separator: "; ")), done.count == given.count ? .normal : .warning)
      then(result)
    }
  }

  /// Why a clock cannot be paused, in a few words; nil if it runs or cannot be read.
  nonisolated private static func standing(
    _ session: Session, at instant: Instant, in transaction: JournalTransaction
  ) -> String? {
    guard let run = try? Run.current(of: session, at: instant, in: transaction.db) else { return "not started" }
    let fold = Rotation.fold(run.events, until: instant)
    let status = fold.state(at: instant).status
    let word: String? =
      switch status {
      case .notStarted: "not started"
      case .paused: "already paused"
      case .waiting: "waits to be started"
      case .finished: "finished"
      case .running: nil
      }
    let goesOn = fold.goesOn(after: instant).map {
      ", \(status == .notStarted ? "starts" : "goes on") at \(LocalTime.reading(of: $0).time)"
    }
    return word.map { $0 + (goesOn ?? "") }
  }
}

extension String {
  /// The text without blanks at its ends.
  var trimmingSpaces: String { split(separator: " ").joined(separator: " ") }
}
