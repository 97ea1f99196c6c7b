import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

/// The keys that every page of the desk has.
enum DeskKeys {
  private static let group = "Clock"

  /// What the clock that is controlled must do for a key to act on it alone.
  private enum Need {
    case open, moving, paused, started, startable, unfinished

    var reason: String {
      switch self {
      case .open, .moving: "no phase is on"
      case .paused: "the clock is not paused"
      case .started: "the clock has not started"
      case .startable: "the clock is already running"
      case .unfinished: "the session is over"
      }
    }

    func isMet(by status: ClockStatus) -> Bool {
      switch self {
      case .open: status == .running || status == .paused || status == .waiting
      case .moving: status == .running || status == .paused
      case .paused: status == .paused
      case .started: status != .notStarted
      case .startable: status == .notStarted || status == .waiting
      case .unfinished: status != .finished
      }
    }
  }

  @MainActor private static func availability(_ screen: DeskScreen, _ need: Need) -> Availability {
    let desk = screen.desk
    if desk.context.store.clock.doubt != nil {
      return .disabled("first say which time is right: \(desk.context.key(of: whichTime)) asks")
    }
    // Where two sessions are open the key asks which one to use.
    if desk.circuit?.isUndecided == true { return .enabled }
    if let trouble = desk.circuit?.trouble, !desk.actsOnAll { return .disabled(trouble) }
    if let lock = desk.context.clock.lock, !desk.actsOnAll { return .disabled("\(lock)") }
    let status = desk.state?.status ?? .notStarted
    if desk.actsOnAll || need.isMet(by: status) { return .enabled }
    switch (need, status) {
    case (.startable, .finished): return .disabled(afterTheEnd(desk))
    case (.startable, .paused): return .disabled("the clock is paused; \(desk.context.key(of: resume)) resumes it")
    default: return .disabled(need.reason)
    }
  }

  /// What begins where the session is over, in place of its clock.
  @MainActor private static func afterTheEnd(_ desk: Desk) -> String {
    guard desk.watch.hall(of: desk.session)?.view.queue.contains(where: \.isDue) == true else {
      return "the session is over; nothing is queued for a re-run"
    }
    let (begin, number) = (desk.context.key(of: RerunPage.Keys.begin), desk.context.key(of: page(RerunPage.self)))
    return "the session is over; \(begin) on page \(number) begins the re-run"
  }

  /// A key that moves a clock.
  /// - Parameter isOfOneCircuit: whether it is for the circuit that is controlled; an alarm and what was done last are
  ///   of whichever.
  private static func clock(
    _ id: BindingID, _ key: Key, _ label: String, help: String, inFooter: Bool = true, rank: Int = 0,
    reach: KeyName.Reach = .seen, _ need: Need? = nil, isOfOneCircuit: Bool = true,
    does act: @escaping @MainActor @Sendable (DeskControls, KeyEvent?) -> Void
  ) -> KeyBinding<DeskScreen> {
    KeyBinding(
      id, [key], label, help: help, group: group, inFooter: inFooter, rank: rank, reach: reach,
      when: { screen in need.map { availability(screen, $0) } ?? .enabled }
    ) { screen, key in screen.moveClock(isOfOneCircuit: isOfOneCircuit) { act($0, key) } }
  }

  static let pause = clock(
    "desk.pause", "p", "pause", help: "Pause now; asks for the reason afterwards", rank: 2, reach: .urgent
  ) { $0.pause($1) }
  static let pauseAll = clock(
    "desk.pause.all", "P", "pause all", help: "Pause every clock now; asks for the reason afterwards", rank: 3,
    reach: .urgent, isOfOneCircuit: false
  ) { $0.pauseEvery($1) }
  static let resume = clock("desk.resume", "r", "resume", help: "Resume the clock", rank: 2, .paused) { controls, _ in
    controls.resume()
  }
  static let undo = clock(
    "desk.undo", "z", "undo", help: "Undo the last action of any desk (asks first)", rank: 1, isOfOneCircuit: false
  ) { controls, _ in DeskUndo(controls: controls).ask() }
  static let redo = clock(
    "desk.redo", "Z", "redo", help: "Redo the last action undone (asks first)", inFooter: false,
    isOfOneCircuit: false
  ) { controls, _ in DeskUndo(controls: controls).askAgain() }

  static let whichTime = KeyBinding<DeskScreen>(
    "desk.time", ["T"], "which time", help: "Confirm the exam time after a restart", group: group,
    when: { $0.context.store.clock.doubt == nil ? .disabled("exam time needs no confirmation") : .enabled }
  ) { screen, _ in DeskTime(desk: screen.desk).ask() }
  .inFooter { $0.context.store.clock.doubt != nil }

  static let session = KeyBinding<DeskScreen>(
    "desk.session", ["o"], "session", help: "Choose the session that the desk controls", group: "Circuits",
    inFooter: false
  ) { screen, _ in screen.chooseSession() }

  /// The circuit after the one that is controlled; while an action is offered to be undone, the action before.
  static let nextCircuit = KeyBinding<DeskScreen>(
    "desk.next", [.tab], "next circuit", help: "Switch to the next circuit", group: "Circuits",
    when: { hasSeveral($0) }
  ) { screen, _ in screen.goToNextCircuit() }
  .inFooter { $0.desk.circuits.count > 1 }
  .over { screen, overlay in
    switch overlay {
    // The question why one was paused does not keep the invigilator from the next circuit.
    case .prompt(let prompt): prompt.text.isEmpty
    case .confirmation: screen.desk.undoing != nil
    default: false
    }
  }

  static let allCircuits = KeyBinding<DeskScreen>(
    "desk.all", ["A"], "all circuits", help: "The next action is for all circuits, or for one again",
    group: "Circuits", when: { hasSeveral($0) }
  ) { screen, _ in screen.desk.toggleAll() }
  .labelled { $0.desk.actsOnAll ? "one circuit" : "all circuits" }
  .inFooter { $0.desk.circuits.count > 1 }

  @MainActor private static func hasSeveral(_ screen: DeskScreen) -> Availability {
    screen.desk.circuits.count > 1 ? .enabled : .disabled("there is one circuit")
  }

  static let all =
    clocks + [nextCircuit, allCircuits] + circuits + [session, lock] + pages

  /// The keys that show the pages, in their order.
  private static let pages: [KeyBinding<DeskScreen>] = DeskScreen.pageTables.enumerated().map { index, page in
    KeyBinding(
      BindingID(rawValue: "desk.page.\(index + 1)"), [.character(Character("\(index + 1)"))], page.name,
      help: "The page \(page.name)", group: "Pages", inFooter: false
    ) { screen, _ in screen.show(page: index) }
  }

  /// The key that shows a page.
  static func page(_ page: any DeskPage.Type) -> KeyBinding<DeskScreen> {
    pages[DeskScreen.pages.firstIndex { $0 == page }!]
  }

  private static let clocks: [KeyBinding<DeskScreen>] = [
    pause, pauseAll,
    clock(
      "desk.pause.always", "ctrl-p", "pause all now", help: "The same while a line is typed, which is left",
      inFooter: false, reach: .urgent, isOfOneCircuit: false
    ) { $0.pauseEvery($1) },
    resume,
    clock("desk.start", "s", "start", help: "Start the session, or the phase that waits", rank: 2, .startable) {
      controls, _ in controls.propose(.start)
    },
    clock("desk.later", "@", "at a time", help: "Start or resume at a time to come", inFooter: false, .unfinished) {
      controls, _ in controls.askLater()
    },
    clock("desk.more", "+", "30 s more", help: "Give this phase 30 seconds more", inFooter: false, .open) {
      controls, _ in controls.propose(.extend(seconds: 30))
    },
    clock("desk.less", "-", "30 s less", help: "Take 30 seconds from this phase", inFooter: false, .open) {
      controls, _ in controls.propose(.extend(seconds: -30))
    },
    clock("desk.extend", "e", "extend", help: "Give or take time: 1:30, or seconds", .open) { controls, _ in
      controls.askLength()
    },
    clock("desk.skip", "S", "skip", help: "End this phase now; asks for a reason", inFooter: false, .moving) {
      controls, _ in controls.propose(.skip, reason: .required)
    },
    clock("desk.restart", "R", "restart", help: "Begin this phase again", inFooter: false, .moving) { controls, _ in
      controls.propose(.restart, reason: .optional)
    },
    clock("desk.jump", "J", "jump", help: "Go to another phase; asks for a reason", inFooter: false, .started) {
      controls, _ in controls.askPhase()
    },
    clock("desk.rounds", "N", "rounds", help: "Make the session longer or shorter by rounds", inFooter: false, .open) {
      controls, _ in controls.askRounds()
    },
    clock("desk.stop", "X", "stop", help: "End the session's clock; asks for a reason", inFooter: false, .open) {
      controls, _ in controls.propose(.stop, reason: .required)
    },
    clock(
      "desk.take", "H", "take over", help: "Make this machine the host of the run (with a hub)",
      inFooter: false, .started
    ) { controls, _ in controls.takeRun() },
    undo, redo, whichTime,
  ]

  private static let circuits: [KeyBinding<DeskScreen>] = (1...8).map { number in
    KeyBinding<DeskScreen>(
      BindingID(rawValue: "desk.circuit.\(number)"), [Key(.function(number))], "circuit \(number)",
      help: "Look after circuit \(number)", group: "Circuits", inFooter: false,
      when: {
        $0.desk.circuits.indices.contains(number - 1) ? .enabled : .disabled("there is no circuit \(number)")
      }
    ) { screen, _ in screen.showCircuit(number - 1) }
    .explained { screen in
      guard screen.desk.circuits.indices.contains(number - 1) else { return "Look after circuit \(number)" }
      let name = screen.desk.circuits[number - 1].circuit.name
      return name.isEmpty ? "Look after circuit \(number)" : "Look after \(name)"
    }
  }

  private static let lock = KeyBinding<DeskScreen>(
    "desk.lock", ["L"], "lock", help: "Lock this terminal; the clocks go on", group: "Circuits", inFooter: false
  ) { screen, _ in screen.context.lockScreen() }
}
