import CircuitModel
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
        ("m", SafeText("the machine's: \(machine.date) \(machine.time)"), { set(.machine, "the machine's") }),
        ("l", SafeText("as it goes on now: \(exam.date) \(exam.time)"), { set(.lastRecord, "the last record's") }),
        ("t", "another one, typed", { type(exam.date) }),
      ])
  }

  private func type(_ today: String) {
    context.prompt("The time now (HH:MM:SS, or YYYY-MM-DD HH:MM:SS):") { text in
      let words = text.split(separator: " ").map(String.init)
      guard let time = words.last, words.count <= 2,
        let instant = LocalTime.instant(date: words.count == 2 ? words[0] : today, time: time)
      else { return context.refuse(SafeText("a time such as 10:42:00 was asked for; got \"\(text)\"")) }
      let reading = LocalTime.reading(of: instant)
      set(.time(instant), "\(reading.date) \(reading.time)")
    }
  }

  private func set(_ setting: ClockSetting, _ name: String) {
    context.confirm(question(setting, name), reason: .required, renewed: { question(setting, name) }) {
      reason in
      context.save(because: reason, { try setting.apply(in: $0) }) { [desk, context] result in
        guard case .success = result else { return }
        _ = context.pollStore()
        desk.reload()
        context.say(SafeText("the exam's time is \(LocalTime.reading(of: desk.now).time)"))
      }
    }
  }

  /// What is asked before it is set, with what it ends or skips by then.
  private func question(_ setting: ClockSetting, _ name: String) -> SafeText {
    let effects = try? context.store.read { try setting.effects(on: context.store.clock, in: $0) }
    let words = (effects ?? []).map { " \($0)." }.joined()
    return SafeText("The exam's time becomes \(name) on every screen of this machine.\(words)")
  }
}
