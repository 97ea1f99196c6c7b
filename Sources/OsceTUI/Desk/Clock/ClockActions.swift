import Characters
import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal
import Timer

/// What is said and confirmed before it is done to a clock, and what came of it.
extension DeskControls {
  /// Makes this machine the host of the runs that are meant.
  func takeRun() {
    do {
      try permit()
      guard try context.store.read({ try Enrolment.exists($0) }) else { throw ClockRefusal.hostedHere }
    } catch { return context.ask("NOT TAKEN OVER", "\(error)", []) }
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
    confirm(reason: reason) { [desk] now, store in
      let orders = desk.targets(of: action, isForAll: isForAll).map {
        (PendingClockAction.Order(action: action, session: $0.session, at: later), $0)
      }
      let leftOut = desk.undecided(isForAll: isForAll)
      let when = later.map { " AT \(LocalTime.reading(of: $0).time)" } ?? ""
      return try ClockQuestion(
        ClockPreview.title(action) + when, orders,
        leftOut: leftOut.map { "\($0.circuit.name): left out, \($0.openText)" },
        notes: action == .start ? orders.flatMap { desk.stillInside($0.1.session, at: now) } : [], now: now, in: store)
    }
  }

  /// Of all circuits those go on that the last pause stopped together; the others are named.
  func resume() {
    guard isForAll else { return propose(.resume) }
    confirm(reason: .none) { [desk] now, store in
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
    confirm(reason: .none) { [desk] now, store in
      guard let circuit = desk.circuit, let session = circuit.session else { return nil }
      let queue = try store.read { try RerunArrangement.due(session, in: $0) }
      let rounds = queue.rounds
      if rounds == 0 { throw StoreError("nothing in the queue is to be made up any more") }
      let done = queue.done.isEmpty ? "" : ", \(queue.done.count) signed are done"
      let released = try store.read { try queue.released(in: $0) }.map(\.stationCode)
      let called = released.isEmpty ? "" : "; recalls released stations \(released.joined(separator: ", "))"
      return try ClockQuestion(
        "Start the re-run now: \(Plural.count(rounds, "round")) with a clock of its own\(done)\(called)",
        [(PendingClockAction.Order(action: .rerun(rounds: rounds), session: session), DeskTarget(circuit, session))],
        queue: queue, now: now, in: store)
    }
  }

  /// Says what an action will do at every clock concerned, and does it on Enter, once each, at one instant. If it
  /// would do something else by then, it is said again and nothing is done.
  /// - Parameters:
  ///   - written: the reason as it was written before the clock moved on; nil at first.
  ///   - make: works the question out as the clocks stand at an instant; nil where there is nothing to do.
  func confirm(
    reason: Confirmation.Reason, retrying written: String? = nil,
    question make: @escaping @MainActor (Instant, ExamStore) throws -> ClockQuestion?
  ) {
    guard let question = resolve(make, at: desk.now) else { return }
    let head = written == nil ? "" : ClockQuestion.askedAgain
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
      guard let current = resolve(make, at: now) else { return }
      guard current.isSame(as: question) else {
        return confirm(reason: reason, retrying: written ?? "", question: make)
      }
      give(current, at: now, reason: written)
    }
  }

  /// Works an action out; where there is nothing to do it says why.
  private func resolve(
    _ make: (Instant, ExamStore) throws -> ClockQuestion?, at now: Instant
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
      // Of several clocks one that is locked is passed over, as one that has ended.
      let locked = try context.store.read { try ExamLock.refusals(of: question.targets.map(\.session), in: $0) }
      if locked.count == question.targets.count, let refusal = locked.first { throw refusal }
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

  // MARK: Giving events

  /// Writes one event per clock with the same instant. A clock where it does not fit is passed over and named.
  private func give(_ question: ClockQuestion, at instant: Instant, reason: String?) {
    guard let action = question.intent.steps.first?.order.action else { return sayTrouble() }
    let steps = zip(question.intent.steps, question.targets.map(\.name)).map { (step: $0, name: $1) }
    let queue = question.intent.queue
    let later = question.intent.steps.first?.order.at.flatMap { $0 > instant ? $0 : nil }
    save(action, at: later, reason: reason) { transaction in
      if let queue, let session = steps.first?.step.order.session {
        guard try RerunArrangement.due(session, in: transaction.db).isSame(as: queue) else {
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
  func save(
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
