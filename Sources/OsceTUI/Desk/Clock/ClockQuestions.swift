import CircuitModel
import Reports
import Terminal
import Timer

/// What is asked of a person before an action is worked out: rounds, a length, a phase, a time.
extension DeskControls {
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
    context.prompt("Jump to which phase (its number, or r8 for rotation 8):", note: { SafeText(choice.summary($0)) }) {
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
}
