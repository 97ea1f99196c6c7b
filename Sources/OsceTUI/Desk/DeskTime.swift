import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

/// Asks the invigilator which time is right, where the machine's clock cannot be believed after a restart.
@MainActor
struct DeskTime {
  let desk: Desk
  private var context: AppContext { desk.context }

  func ask() {
    guard let doubt = context.store.clock.doubt else { return }
    let machine = LocalTime.reading(of: Instant(milliseconds: context.store.clock.wall))
    let exam = LocalTime.reading(of: desk.now)
    context.ask(
      "Which time is right?",
      "\(doubt.line). The last record is of \(LocalTime.reading(of: doubt.lastRecord).time); the exam goes on from there.",
      [
        ("m", SafeText("use the system clock: \(machine.date) \(machine.time)"), { set(.machine, "the machine's") }),
        ("l", SafeText("keep exam time: \(exam.date) \(exam.time)"), { set(.lastRecord, "the last record's") }),
        ("t", "enter another time", { type(exam.date) }),
      ])
  }

  private func type(_ today: String) {
    context.prompt("The time now (HH:MM:SS, or YYYY-MM-DD HH:MM:SS):") { text in
      let words = text.split(separator: " ").map(String.init)
      guard let time = words.last, words.count <= 2,
        let instant = LocalTime.instant(date: words.count == 2 ? words[0] : today, time: time)
      else { return context.refuse(SafeText("enter a time such as 10:42:00, not \"\(text)\"")) }
      let reading = LocalTime.reading(of: instant)
      set(.time(instant), "\(reading.date) \(reading.time)")
    }
  }

  /// Says what setting the time ends or skips, and does it on Enter. If it would do something else by then, it is said
  /// again and nothing is done.
  /// - Parameter written: the reason as it was written before that; nil at first.
  private func set(_ setting: ExamTimeCorrection, _ name: String, again written: String? = nil) {
    guard let effects = effects(of: setting) else { return }
    let head = written == nil ? "" : ClockQuestion.askedAgain
    let text = effects.map { " \($0)." }.joined()
    context.confirm(
      SafeText("\(head)The exam's time becomes \(name) on every screen of this machine.\(text)"), reason: .required,
      written: written ?? ""
    ) { reason in
      guard let current = self.effects(of: setting) else { return }
      guard current == effects else { return set(setting, name, again: reason) }
      give(setting, ending: effects, reason)
    }
  }

  private func give(_ setting: ExamTimeCorrection, ending effects: [ExamTimeCorrection.Effect], _ reason: String?) {
    context.save(
      reason: reason,
      { transaction in
        guard try setting.effects(on: transaction.clock, in: transaction.db) == effects else {
          throw StoreError("the clocks have moved on meanwhile: nothing was done; ask again")
        }
        return try setting.apply(in: transaction)
      },
      then: { [desk, context] result in
        guard case .success = result else { return }
        _ = context.follower.look(for: context.sitting?.staff.id)
        desk.reload()
        context.showMessage(SafeText("the exam's time is \(LocalTime.reading(of: desk.now).time)"))
      })
  }

  /// What it ends or skips by now; nil where that could not be read, which is said.
  private func effects(of setting: ExamTimeCorrection) -> [ExamTimeCorrection.Effect]? {
    do { return try context.store.read { try setting.effects(on: context.store.clock, in: $0) } } catch {
      context.showError(error)
      return nil
    }
  }
}
