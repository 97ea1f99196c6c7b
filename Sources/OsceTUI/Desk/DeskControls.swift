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
  /// Whether the action is for every circuit.
  var isForAll = false
  var context: AppContext { desk.context }

  /// Pauses the clock that is controlled, or every one.
  func pause(_ key: KeyEvent?) {
    if isForAll { return pauseEvery(key) }
    pause(desk.targets(of: .pause, isForAll: false), at: instant(of: key))
  }

  /// Pauses every clock that runs.
  func pauseEvery(_ key: KeyEvent?) { pauseAll(at: instant(of: key), by: key) }

  // MARK: Pausing

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
      let ids = given.compactMap(\.event)
      let off = given.flatMap { one in one.calledOff.map { (one.name, $0) } }
      if !ids.isEmpty || !off.isEmpty {
        let done = given.filter { $0.event != nil }.map(\.name)
        let names = done.joined(separator: ", ")
        let which = done.count > 1 && names.count > 40 ? "\(done.count) clocks" : names
        let words = off.map { "\($0.0) \($0.1.event.kind.name) at \(LocalTime.reading(of: $0.1.event.at).time)" }
        let note = words.isEmpty ? nil : "CANCELLED: \(words.joined(separator: ", "))"
        return askWhy(
          ids.isEmpty ? "NO CLOCK WAS RUNNING" : "PAUSED \(which)", of: given, written: typed,
          ids + off.map(\.1.annul.id),
          note: note)
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
    let who = last.staff.map { " by \(name($0))" } ?? ""
    let said = last.reason.map { " (\($0))" } ?? ""
    askWhy(
      "ALREADY PAUSED at \(LocalTime.reading(of: last.at).time)\(who)\(said)", of: given, written: written, pauses)
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

  // MARK: What is confirmed first

  func askRounds() {
    context.prompt("How many rounds in all:") { text in
      guard let number = Int(text.withSingleSpaces), (1...10_000).contains(number) else {
        return context.refuse(SafeText("enter rounds from 1 to 10000, not \"\(text)\""))
      }
      propose(.rounds(number), reason: .optional)
    }
  }

  func askLength() {
    context.prompt("Time to add, 1:30 or seconds (- takes away):") { text in
      guard let seconds = ReportedTime.seconds(text), seconds != 0, abs(seconds) <= 86_400 else {
        return context.refuse(SafeText("enter minutes:seconds or seconds, as 1:30 or 90, not \"\(text)\""))
      }
      propose(.extend(seconds: seconds))
    }
  }

  func askPhase() {
    guard let state = desk.state else { return sayTrouble() }
    let choice = PhaseChoice(phases: state.phases, current: state.phaseIndex)
    context.prompt("Jump to which phase (its number, or r8 for rotation 8):", note: { SafeText(choice.words($0)) }) {
      [context] text in
      guard let number = choice.number(text) else {
        return context.refuse(
          SafeText("there is no phase \(text.withSingleSpaces): the numbers are 1 to \(choice.phases.count)"))
      }
      propose(.jump(index: number), reason: .required)
    }
  }

  /// Asks when a clock that stands is to go on by itself, or to start.
  func askLater() {
    let status = desk.state?.status
    let action: ClockAction = status == .paused ? .resume : .start
    let word = action == .start ? "Start" : "Resume"
    context.prompt(SafeText("\(word) when, as 10:45 or +2 for in 2 minutes:")) { [desk] text in
      guard let instant = ReportedTime.later(text, now: desk.now) else {
        return context.refuse(SafeText("enter a time to come, as 10:45, 10:45:30 or +2, not \"\(text)\""))
      }
      propose(action, at: instant)
    }
  }

  /// Makes this machine the host of the runs that are meant.
  func takeRun() {
    do { try permit() } catch { return context.ask("NOT TAKEN OVER", "\(error)", []) }
    let targets = desk.targets(of: .pause, isForAll: isForAll)
    if targets.isEmpty { return sayTrouble() }
    let names = targets.map(\.name).joined(separator: ", ")
    let question = "TAKE OVER \(names): this machine then moves the clock also while the hub is away"
    context.confirm(SafeText(question)) { [context] _ in
      context.save({ for target in targets { try RunHost.take(target.session, in: $0) } }) { result in
        switch result {
        case .success: context.showMessage(SafeText("this machine is the host of \(names)"))
        case .failure(let error): context.ask("NOT TAKEN OVER", "\(error)", [])
        }
      }
    }
  }

  func propose(_ action: ClockAction, reason: Confirmation.Reason = .none, at later: Instant? = nil) {
    let isForAll = isForAll
    propose(reason) { [desk] now, store in
      let orders = desk.targets(of: action, isForAll: isForAll).map {
        (PendingClockAction.Order(action: action, session: $0.session, at: later), $0)
      }
      let leftOut = desk.undecided(isForAll: isForAll)
      let when = later.map { " AT \(LocalTime.reading(of: $0).time)" } ?? ""
      return try ClockQuestion(
        ClockPreview.title(action) + when, orders,
        leftOut: leftOut.map { "\($0.circuit.name): left out, \($0.openWords)" },
        notes: action == .start ? orders.flatMap { desk.stillInside($0.1.session, at: now) } : [], now: now, in: store)
    }
  }

  /// Of all circuits those go on that the last pause stopped together; the others are named.
  func resume() {
    guard isForAll else { return propose(.resume) }
    propose(.none) { [desk] now, store in
      let targets = desk.targets(of: .resume, isForAll: true)
      let resume = try store.read { try ResumeOfAll(of: targets.map(\.session), at: now, in: $0) }
      let going = resume.together.isEmpty ? targets : targets.filter { resume.together.contains($0.session) }
      let left = resume.others.map { session, pause in
        let name = targets.first { $0.session == session }?.name ?? ""
        let why = pause.reason.map { " (\($0))" } ?? ""
        return "\(name): stays paused, since \(LocalTime.reading(of: pause.at).time)\(why)"
      }
      return try ClockQuestion(
        ClockPreview.title(.resume), going.map { (PendingClockAction.Order(action: .resume, session: $0.session), $0) },
        leftOut: left, now: now, in: store)
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
      let called = released.isEmpty ? "" : "; recalls released stations \(released.joined(separator: ", "))"
      return try ClockQuestion(
        "Start the re-run now: \(rounds) \(rounds == 1 ? "round" : "rounds") with a clock of its own\(done)\(called)",
        [(PendingClockAction.Order(action: .rerun(rounds: rounds), session: session), DeskTarget(circuit, session))],
        queue: queue, now: now, in: store)
    }
  }

  /// Says what an action will do at every clock concerned, and does it on Enter, once each, at one instant. If it
  /// would do something else by then, it is said again and nothing is done.
  /// - Parameter written: the reason as it was written before the clock moved on; nil at first.
  func propose(
    _ reason: Confirmation.Reason, again written: String? = nil,
    _ make: @escaping @MainActor (Instant, ExamStore) throws -> ClockQuestion?
  ) {
    guard let question = work(out: make, at: desk.now) else { return }
    let head = written == nil ? "" : "THE CLOCK HAS MOVED ON; nothing changed.  "
    let asked = question.intent.endsPhase ? .required : reason
    let renewed: @MainActor () -> SafeText? = { [desk, context] in
      // A pause moves the end on while it is asked; what would be another action is told on Enter.
      guard let current = try? make(desk.now, context.store), current.isSame(as: question) else { return nil }
      return SafeText(head + current.text)
    }
    context.confirm(SafeText(head + question.text), reason: asked, written: written ?? "", renewed: renewed) {
      [desk] written in
      desk.reload()
      let now = desk.now
      guard let current = work(out: make, at: now) else { return }
      guard current.isSame(as: question) else { return propose(reason, again: written ?? "", make) }
      give(current, at: now, reason: written)
    }
  }

  /// Works an action out; where there is nothing to do it says why.
  private func work(
    out make: (Instant, ExamStore) throws -> ClockQuestion?, at now: Instant
  ) -> ClockQuestion? {
    do {
      try permit()
      guard let question = try make(now, context.store) else {
        context.refuse("nothing was done to this clock yet")
        return nil
      }
      if question.targets.isEmpty {
        if question.leftOut.isEmpty { sayTrouble() } else { context.refuse(SafeText(question.refusal)) }
        return nil
      }
      if !question.intent.fits {
        context.refuse(SafeText(question.refusal))
        return nil
      }
      return question
    } catch {
      context.showError(error)
      return nil
    }
  }

  /// Holds the person at the desk to what `osce clock` asks for.
  private func permit() throws {
    guard let sitting = context.sitting else { return }
    try context.store.read { db in
      // As they are now: a passcode may have been set since they sat down.
      guard let member = try StaffMember.active(db).first(where: { $0.id == sitting.staff.id }) else {
        throw StaffRefusal.unknown(sitting.staff.username)
      }
      try GuardedTask.clocks.check(member, in: db)
    }
  }

  private func sayTrouble() {
    context.refuse(SafeText(desk.circuit?.trouble ?? "there is no circuit; import an exam first"))
  }

  // MARK: Giving events

  /// What became of an action at one circuit.
  struct ActionResult: Sendable {
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

  /// Writes one event per clock with the same instant. A clock where it does not fit is passed over and named.
  private func give(_ question: ClockQuestion, at instant: Instant, reason: String?) {
    guard let action = question.intent.steps.first?.order.action else { return sayTrouble() }
    let steps = zip(question.intent.steps, question.targets.map(\.name)).map { (step: $0, name: $1) }
    let queue = question.intent.queue
    let later = question.intent.steps.first?.order.at.flatMap { $0 > instant ? $0 : nil }
    save(action, at: later, reason: reason) { transaction in
      if let queue, let session = steps.first?.step.order.session {
        guard try RerunArrangement.read(session, in: transaction.db).isSame(as: queue) else {
          throw StoreError("re-run queue changed: not started; check it and try again")
        }
        try queue.apply(transaction)
      }
      return try steps.map { step, name in
        var given = ActionResult(name: name, event: nil)
        do {
          given.event = try ClockLog.append(
            step.order.action, to: step.order.session, at: step.order.at ?? instant, passage: step.passage,
            in: transaction
          ).id
        } catch {
          // The queue has moved up for this clock alone.
          if queue != nil { throw error }
          given.refusal = "\(error)"
        }
        return given
      }
    }
  }

  /// Gives events and says what became of them.
  /// - Parameters:
  ///   - later: when they take effect, where that is still to come.
  ///   - then: told the same, or why nothing could be saved.
  private func save(
    _ action: ClockAction, at later: Instant? = nil, reason: String?,
    _ give: @escaping @Sendable (JournalTransaction) throws -> [ActionResult],
    then: @escaping @MainActor @Sendable (Result<[ActionResult], any Error>) -> Void = { _ in }
  ) {
    context.save(reason: reason, give) { [desk, context] result in
      guard case .success(let given) = result else { return then(result) }
      desk.reload()
      let done = given.filter { $0.event != nil }.map(\.name)
      // What still runs is said first: the line may be cut.
      let refused = given.filter { $0.event == nil && $0.refusal != nil && $0.standing == nil }
        .map { "\($0.name) (\($0.refusal ?? ""))" }
      let standing = given.filter { $0.event == nil && $0.standing != nil }.map(\.name)
      let when = later.map { " set for \(LocalTime.reading(of: $0).time)" } ?? ""
      let parts = [
        refused.isEmpty ? "" : "NOT \(action == .pause ? "PAUSED" : "DONE"): \(refused.joined(separator: ", "))",
        done.isEmpty ? "" : "\(ClockPreview.title(action))\(when): \(done.joined(separator: ", "))",
        standing.isEmpty ? "" : "already paused: \(standing.joined(separator: ", "))",
      ]
      context.showMessage(
        SafeText(parts.filter { !$0.isEmpty }.joined(separator: "; ")), refused.isEmpty ? .normal : .warning)
      then(result)
    }
  }
}

extension DeskControls.ActionResult {
  /// What became of a pause.
  fileprivate init(_ clock: PausedClock, name: String) {
    self.init(
      name: name, event: clock.event?.id, standing: clock.standing?.pause, calledOff: clock.calledOff)
    if clock.event == nil { refusal = clock.refusal.map { clock.standing?.text ?? $0.description } ?? "not started" }
  }
}

extension PausedClock.Standing {
  /// Why a clock cannot be paused, in a few words; nil if it runs.
  fileprivate var text: String? {
    let word: String? =
      switch status {
      case .notStarted: "not started"
      case .paused: "already paused"
      case .waiting: "waits to be started"
      case .finished: "finished"
      case .running: nil
      }
    let when = goesOn.map {
      ", \(status == .notStarted ? "starts" : "goes on") at \(LocalTime.reading(of: $0).time)"
    }
    return word.map { $0 + (when ?? "") }
  }
}
