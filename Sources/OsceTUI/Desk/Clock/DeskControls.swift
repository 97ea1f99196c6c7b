import CircuitModel
import ExamStore
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

  /// Holds the person at the desk to what `osce clock` asks for.
  func permit() throws {
    guard let sitting = context.sitting else { return }
    try context.store.read { db in
      // As they are now: a passcode may have been set since they sat down.
      guard let member = try StaffMember.active(db).first(where: { $0.id == sitting.staff.id }) else {
        throw StaffRefusal.unknown(sitting.staff.username)
      }
      try GuardedTask.clocks.check(member, in: db)
    }
  }

  func sayTrouble() {
    context.refuse(SafeText(desk.circuit?.trouble ?? "there is no circuit; import an exam first"))
  }

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
}

extension DeskControls.ActionResult {
  /// What became of a pause.
  init(_ clock: PausedClock, name: String) {
    self.init(
      name: name, event: clock.event?.id, standing: clock.standing?.pause, calledOff: clock.calledOff)
    if clock.event == nil { refusal = clock.refusal.map { clock.standing?.text ?? $0.description } ?? "not started" }
  }
}
