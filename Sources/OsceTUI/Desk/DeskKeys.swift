import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

/// The keys that every page of the desk has.
@MainActor
enum DeskKeys {
  static func all(_ desk: Desk, pages: [String]) -> [Binding<Command>] {
    clock(desk) + circuits(desk) + [lock]
      + pages.enumerated().map { index, name in
        Binding(
          BindingID(rawValue: "desk.page.\(index + 1)"), [.character(Character("\(index + 1)"))], name,
          help: "The page \(name)", group: "Pages", inFooter: false, action: .desk(.page(index + 1)))
      }
  }

  private static func clock(_ desk: Desk) -> [Binding<Command>] {
    let group = "Clock"
    let state = desk.state
    let doubt = desk.context.store.clock.doubt
    func when(_ fits: Bool, _ reason: String) -> Availability {
      if doubt != nil { return .disabled("first say which time is right: \(desk.context.key(.whichTime).plain) asks") }
      // Where two sessions are open the key asks which is meant.
      if desk.circuit?.isUndecided == true { return .enabled }
      if let trouble = desk.circuit?.trouble, !desk.actsOnAll { return .disabled(trouble) }
      return desk.actsOnAll || fits ? .enabled : .disabled(reason)
    }
    let status = state?.status ?? .notStarted
    let open = status == .running || status == .paused || status == .waiting
    let moving = status == .running || status == .paused
    return [
      Binding(
        "desk.pause", ["p"], "pause", help: "Stop the time at once; asks why afterwards", group: group,
        action: .desk(.pause)),
      Binding(
        "desk.pause.all", ["P"], "pause all", help: "Stop every running clock at once; asks why afterwards",
        group: group, action: .desk(.pauseAll)),
      Binding(
        "desk.pause.always", ["ctrl-p"], "pause all now", help: "The same while a line is typed, which is left",
        group: group, inFooter: false, action: .desk(.pauseAll)),
      Binding(
        "desk.resume", ["r"], "resume", help: "Let a paused clock go on", group: group,
        when(status == .paused, "the clock is not paused"), action: .desk(.resume)),
      Binding(
        "desk.start", ["s"], "start", help: "Start the session, or the phase that waits", group: group,
        when(status == .notStarted || status == .waiting, "the clock has been started"), action: .desk(.start)),
      Binding(
        "desk.later", ["@"], "at a time", help: "Start or resume at a time to come", group: group,
        when(status == .notStarted || status == .waiting || status == .paused, "the clock runs"), inFooter: false,
        action: .desk(.later)),
      Binding(
        "desk.more", ["+"], "30 s more", help: "Give this phase 30 seconds more", group: group,
        when(open, "no phase is on"), inFooter: false, action: .desk(.addTime)),
      Binding(
        "desk.less", ["-"], "30 s less", help: "Take 30 seconds from this phase", group: group,
        when(open, "no phase is on"), inFooter: false, action: .desk(.takeTime)),
      Binding(
        "desk.extend", ["e"], "extend", help: "Give or take time: 1:30, or seconds", group: group,
        when(open, "no phase is on"), action: .desk(.extend)),
      Binding(
        "desk.skip", ["S"], "skip", help: "End this phase now; asks for a reason", group: group,
        when(moving, "no phase is on"), inFooter: false, action: .desk(.skip)),
      Binding(
        "desk.restart", ["R"], "restart", help: "Begin this phase again", group: group,
        when(moving, "no phase is on"), inFooter: false, action: .desk(.restart)),
      Binding(
        "desk.jump", ["J"], "jump", help: "Go to another phase; asks for a reason", group: group,
        when(status != .notStarted, "the clock has not started"), inFooter: false, action: .desk(.jump)),
      Binding(
        "desk.rounds", ["N"], "rounds", help: "Make the session longer or shorter by rounds", group: group,
        when(open, "no phase is on"), inFooter: false, action: .desk(.rounds)),
      Binding(
        "desk.stop", ["X"], "stop", help: "End the session's clock; asks for a reason", group: group,
        when(open, "no phase is on"), inFooter: false, action: .desk(.stop)),
      Binding(
        "desk.undo", ["z"], "undo", help: "Undo the last action of any desk (asks first)", group: group,
        action: .desk(.undo)),
      Binding(
        "desk.redo", ["Z"], "redo", help: "Do again what was undone last (asks first)", group: group, inFooter: false,
        action: .desk(.redo)),
      Binding(
        "desk.time", ["T"], "which time", help: "Say which time is right, while that is in doubt",
        group: group, doubt == nil ? .disabled("the exam's time is not in doubt") : .enabled,
        inFooter: doubt != nil, action: .desk(.whichTime)),
    ]
  }

  private static var lock: Binding<Command> {
    Binding(
      "desk.lock", ["L"], "lock", help: "Lock this terminal; the clocks go on", group: "Circuits", inFooter: false,
      action: .lock)
  }

  private static func circuits(_ desk: Desk) -> [Binding<Command>] {
    let several: Availability = desk.circuits.count > 1 ? .enabled : .disabled("there is one circuit")
    return [
      Binding(
        "desk.next", [.tab], "next circuit", help: "Look after the next circuit", group: "Circuits", several,
        inFooter: desk.circuits.count > 1, action: .desk(.nextCircuit)),
      Binding(
        "desk.all", ["A"], desk.actsOnAll ? "one circuit" : "all circuits",
        help: "The next action is for all circuits, or for one again", group: "Circuits",
        several,
        inFooter: desk.circuits.count > 1, action: .desk(.allCircuits)),
    ]
      + (1...8).map { number in
        let name = desk.circuits.indices.contains(number - 1) ? desk.circuits[number - 1].circuit.name : ""
        return Binding(
          BindingID(rawValue: "desk.circuit.\(number)"), [Key(.function(number))], "circuit \(number)",
          help: name.isEmpty ? "Look after circuit \(number)" : "Look after \(name)", group: "Circuits",
          name.isEmpty ? .disabled("there is no circuit \(number)") : .enabled, inFooter: false,
          action: .desk(.circuit(number)))
      }
      + [
        Binding(
          "desk.session", ["o"], "session", help: "Choose the session that the desk controls", group: "Circuits",
          inFooter: false, action: .desk(.chooseSession))
      ]
  }
}

/// What the invigilator can ask of the desk.
enum DeskCommand: Equatable, Sendable {
  // The clock.
  case start, pause, pauseAll, resume, later, addTime, takeTime, extend, skip, restart, jump, rounds, stop, undo, redo
  // The exam's time.
  case whichTime
  // What the clock's keys act on.
  case nextCircuit, allCircuits, chooseSession, circuit(Int)
  // Pages.
  case page(Int)
  // What stands on the pages.
  case extraTime, cover, outOfOrder
  case attendance, incident, incidentTime, tell, tellAll, add, resolve, settled, withdraw, swap, queue, beginRerun
}
