import ArgumentParser
import Characters
import CircuitModel
import ExamStore
import Timer

/// What the words of a command line mean.
extension ClockCommand {
  func instants() throws -> [Instant] {
    try at.map { text in
      guard let instant = Timestamp.parse(text) else {
        throw ValidationError("--at takes a time such as 2026-12-07T09:00:00Z; got \"\(text)\"")
      }
      // What begins in the last year that can be written may end after it.
      guard ("1900"..."9998").contains(String(Timestamp.text(instant).prefix(4))) else {
        throw ValidationError("--at takes a time of the years 1900 to 9998; got \"\(text)\"")
      }
      return instant
    }
  }

  func clockAction() throws -> ClockAction {
    func number<N: FixedWidthInteger>(_ name: String) throws -> N {
      guard let value, let number = N(value) else {
        throw ValidationError("\(action) takes \(name), as in: osce clock 1 \(action) 3")
      }
      return number
    }
    if !["extend", "jump", "rounds", "rerun", "annul"].contains(action), value != nil {
      throw ValidationError("\(action) takes no value")
    }
    switch action {
    case "start": return .start
    case "pause": return .pause
    case "resume": return .resume
    case "extend": return .extend(seconds: try number("whole seconds"))
    case "skip": return .skip
    case "restart": return .restart
    case "jump": return .jump(index: try number("the number of a phase"))
    case "rounds": return .rounds(try number("the number of rounds"))
    case "stop": return .stop
    case "rerun": return .rerun(rounds: try number("the number of rounds"))
    case "annul":
      guard let value else { throw ValidationError("annul takes the id of an event; log lists them") }
      return .annul(target: value)
    default:
      let actions = [
        "start", "pause", "resume", "extend", "skip", "restart", "jump", "rounds", "stop", "rerun", "annul", "take",
        "anchor", "log",
      ]
      throw ValidationError(
        "there is no action \(action)\(EditDistance.hint(for: action, among: actions + ["status"])); the actions are "
          + actions.joined(separator: ", ") + " and status")
    }
  }

  func clockSetting() throws -> ExamTimeCorrection {
    if circuit != "all" { throw ValidationError("the exam's time is one for all circuits: osce clock all anchor") }
    switch (value, try instants().first) {
    case (nil, let instant?): return .time(instant)
    case (nil, nil), ("machine", nil): return .machine
    case ("last", nil): return .lastRecord
    default: throw ValidationError("anchor takes machine or last, or --at with a time")
    }
  }
}
