import CircuitModel
import ExamStore
import GRDB
import Reports
import Terminal
import Timer

/// Taking back what was done last at any desk, and doing it again.
@MainActor
struct DeskUndo {
  let controls: DeskControls
  private var desk: Desk { controls.desk }
  private var context: AppContext { controls.context }

  /// Says what was done, when and by whom, and what goes back, and takes it back on Enter.
  func ask() { ask(from: 0, orSay: "nothing was done in this hall yet") }

  /// - Parameters:
  ///   - place: how many later actions are passed over.
  ///   - none: what is said where there is none, unless all that is left is locked; what is asked by then stays.
  private func ask(from place: Int, orSay none: SafeText) {
    context.attempt {
      let (next, hasMore) = try offered(from: place)
      guard case .action(let action, let place) = next else {
        // What was asked is asked again, and says why there is no other.
        let shown = desk.undoing
        desk.undoing = nil
        if let shown { ask(from: shown, orSay: none) }
        var refusal = none
        if case .locked(let lock) = next { refusal = SafeText("\(lock)") }
        context.refuse(refusal)
        switch context.overlay {
        case .confirmation(let asked): context.overlay = .confirmation(asked.refused(refusal))
        case .prompt(let asked): context.overlay = .prompt(asked.refused(refusal))
        default: break
        }
        return
      }
      context.overlay = nil
      if action.clocks.isEmpty {
        askOther(action, hasMore: hasMore)
      } else {
        let wiped = try wipedStarts(action)
        if wiped.isEmpty {
          askClock(at: place, hasMore: hasMore)
        } else {
          askName(action, wiped, at: place, hasMore: hasMore)
        }
      }
      desk.undoing = place
    }
  }

  /// Offers the action before the one that is asked about.
  func askEarlier() {
    context.attempt {
      let place = (desk.undoing ?? -1) + 1
      let isFirst = try context.store.read { try HallActions.undoable(most: place + 1, in: $0) }.count <= place
      ask(
        from: place,
        orSay: isFirst
          ? "this is the first action of the hall: none is earlier"
          : "what was done to these clocks before can be undone only after this")
    }
  }

  /// What comes next at a place among the actions of the hall.
  private enum Next {
    /// One that can be undone by now, at its place.
    case action(HallAction, at: Int)
    /// None: what is left could be undone but for a lock.
    case locked(LockRefusal)
    case none
  }

  /// The first action from a place on that can be undone by now, and whether an earlier one can. One is passed over
  /// that is locked, or to all of whose clocks something else was done since: that comes first.
  private func offered(from place: Int) throws -> (next: Next, hasMore: Bool) {
    let now = desk.now
    return try context.store.read { db in
      let next = try DeskUndo.next(from: place, at: now, in: db)
      guard case .action(_, let found) = next,
        case .action = try DeskUndo.next(from: found + 1, at: now, in: db)
      else { return (next, false) }
      return (next, true)
    }
  }

  nonisolated private static func next(from place: Int, at now: Instant, in db: Database) throws -> Next {
    let locks = try LockGuard(db)
    var (place, most) = (place, place + 8)
    var locked: LockRefusal?
    while true {
      let actions = try HallActions.undoable(most: most, in: db)
      while place < actions.count {
        do {
          if try canBeUndone(actions[place], locks, at: now, in: db) { return .action(actions[place], at: place) }
        } catch let refusal as LockRefusal {
          locked = locked ?? refusal
        }
        place += 1
      }
      if actions.count < most { return locked.map { .locked($0) } ?? .none }
      most *= 2
    }
  }

  /// - Throws: `LockRefusal` where it could be but for a lock.
  nonisolated private static func canBeUndone(
    _ action: HallAction, _ locks: LockGuard?, at now: Instant, in db: Database
  ) throws -> Bool {
    if action.clocks.isEmpty {
      try action.check(locks, in: db)
      return true
    }
    let sessions = try ClockUndo(action, now: now, in: db).orders.map(\.session)
    let locked = try ExamLock.refusals(of: sessions, in: db)
    if let first = locked.first, locked.count == sessions.count { throw first }
    return !sessions.isEmpty
  }

  private func title(_ action: HallAction) -> String {
    let isToCome = action.clocks.first.map { $0.event.at > desk.now } ?? false
    return "\(isToCome ? "CALL OFF" : "UNDO") \(text(action))"
  }

  private func text(_ action: HallAction) -> String {
    let who = action.author.map { " by \($0)" } ?? ""
    guard let first = action.clocks.first(where: { $0.target == nil }) ?? action.clocks.first else {
      return "\(action.text(desk.name)) of \(LocalTime.reading(of: action.at).time)\(who)"
    }
    return "\(first.event.kind.phrase) of \(LocalTime.reading(of: first.event.at).time)\(who)"
  }

  // MARK: Clocks

  /// The starts that are taken out with the whole clock, each with its run.
  private func wipedStarts(_ action: HallAction) throws -> [(start: HallAction.Clock, run: Run)] {
    let now = desk.now
    return try context.store.read { db in
      try ClockUndo(action, now: now, in: db).undone.compactMap { clock in
        guard clock.event.kind.isStart, clock.event.at <= now,
          let run = try Run.all(of: clock.session, in: db).first(where: {
            $0.events.contains { $0.id == clock.event.id }
          })
        else { return nil }
        let rest = run.events.filter { $0.id != clock.event.id }
        return Rotation.fold(rest, until: now).state(at: now).status == .notStarted ? (clock, run) : nil
      }
    }
  }

  /// Taking a start out wipes the session's clock: the person who does it types whose, or how many are wiped.
  private func askName(
    _ action: HallAction, _ wiped: [(start: HallAction.Clock, run: Run)], at place: Int, hasMore: Bool
  ) {
    let name = wiped.count == 1 ? wiped[0].start.circuit : "all \(wiped.count)"
    let note = "\(title(action)) WIPES \(wiped.count == 1 ? wipes(wiped[0]) : wipes(wiped))"
    context.prompt(
      SafeText("To wipe \(wiped.count == 1 ? "it" : "them") type \(name):"), note: { _ in SafeText(note) }
    ) { text in
      guard text.withSingleSpaces.lowercased() == name.withSingleSpaces.lowercased() else {
        return context.refuse(SafeText("nothing was undone: that is not \(name)"))
      }
      askClock(at: place, hasMore: hasMore)
    }
  }

  private func wipes(_ wiped: (start: HallAction.Clock, run: Run)) -> String {
    let (start, run) = wiped
    let state = desk.circuits.first { $0.session == start.session }?.fold?.state(at: desk.now)
    let shows = state?.phase.map { " It shows \(PhaseText.title($0.type)) \(state?.round ?? 0) now." } ?? ""
    let what =
      run.isRerun
      ? "the clock of the RE-RUN of \(start.circuit), session \(start.session.name): the re-run is not begun, and "
        + "the session's own rounds stay as they were held."
      : "the clock of \(start.circuit), session \(start.session.name): it stands as not started, and what was done to "
        + "it since counts no more."
    return "\(what)\(shows) \(context.key(of: DeskKeys.redo)) can bring it back."
  }

  private func wipes(_ wiped: [(start: HallAction.Clock, run: Run)]) -> String {
    let names = wiped.map { $0.run.isRerun ? "\($0.start.circuit) (the RE-RUN)" : $0.start.circuit }
    return "the clocks of \(names.joined(separator: ", ")): they stand as not started, and what was done to them since "
      + "counts no more. \(context.key(of: DeskKeys.redo)) can bring them back."
  }

  private func askClock(at place: Int, hasMore: Bool) {
    controls.confirm(reason: .required) { [desk] now, store in
      let actions = try store.read { try HallActions.undoable(most: place + 2, in: $0) }
      guard actions.indices.contains(place), !actions[place].clocks.isEmpty else {
        throw StoreError("something else was done meanwhile: nothing was undone; ask again")
      }
      let undo = try store.read { try ClockUndo(actions[place], now: now, in: $0) }
      let targets = undo.orders.map { order in
        actions[place].clocks.first { $0.session == order.session }.map { desk.target($0) }
          ?? DeskTarget(session: order.session, name: "")
      }
      let left = undo.leftAlone.map { left in
        let last =
          left.last.map { "\($0.event.kind.phrase) of \(LocalTime.reading(of: $0.event.at).time)" } ?? "nothing"
        return "\(desk.target(left.clock).name): left alone, its last is \(last)"
      }
      return try ClockQuestion(
        title(actions[place]), Array(zip(undo.orders, targets)),
        leftOut: left + (hasMore ? ["Tab: the action before it"] : []), isBound: false, now: now,
        in: store)
    }
  }

  // MARK: Everything else

  private func askOther(_ action: HallAction, hasMore: Bool) {
    context.confirm(
      SafeText(
        "\(title(action))?  Then \(action.textOfUndoing(desk.name)).\(hasMore ? "  Tab: the action before it" : "")"
      ),
      reason: .optional
    ) { reason in
      takeBack(
        action, reason: reason,
        "undone: \(action.text(desk.name)); \(context.key(of: DeskKeys.redo).plain) does it again")
    }
  }

  private func takeBack(_ action: HallAction, reason: String?, _ said: String) {
    context.save(reason: reason, saying: { _ in SafeText(said) }) { try action.takeBack($0) }
  }

  // MARK: Doing it again

  /// Does again what was undone last, at the instant at which it was done first.
  func askAgain() {
    context.attempt {
      guard let undone = try context.store.read({ try HallActions.lastUndone(in: $0) }) else {
        return context.refuse("nothing was undone that could be done again")
      }
      if undone.clocks.isEmpty {
        try context.store.read { try undone.check(LockGuard($0), in: $0) }
        let text = undone.undone?.text(desk.name) ?? undone.text(desk.name)
        return context.confirm(SafeText("DO AGAIN \(text)?"), reason: .optional) { reason in
          takeBack(
            undone, reason: reason, "done again: \(text); \(context.key(of: DeskKeys.undo).plain) undoes it")
        }
      }
      controls.confirm(reason: .optional) { [desk] now, store in
        let undone = try store.read { try HallActions.lastUndone(in: $0) }
        let events = try store.read { db in try undone.map { try HallActions.events(takenOutBy: $0, in: db) } ?? [] }
        guard let first = events.first else { return nil }
        return try ClockQuestion(
          "DO AGAIN \(first.event.kind.phrase) of \(LocalTime.reading(of: first.event.at).time)",
          events.map {
            (PendingClockAction.Order(action: .again($0.event), session: $0.session, at: $0.event.at), desk.target($0))
          }, isBound: false, now: now, in: store)
      }
    }
  }
}
