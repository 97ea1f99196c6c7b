import ArgumentParser
import CircuitModel
import ExamStore
import Timer

/// What the words of a command line mean.
extension ClockCommand {
  func instants() throws -> [Instant] { try at.map(AtOption.instant) }

  /// - Throws: `ValidationError` where its value is not one that it takes.
  func task() throws -> ClockTask {
    let verb = try ClockVerb(written: action)
    if verb == .take, value != nil || !at.isEmpty || passage != nil {
      throw ValidationError("take takes no value, --at or --passage")
    }
    if value != nil, !verb.takesValue { throw ValidationError("\(action) takes no value") }
    switch verb {
    case .start: return .move(.start)
    case .pause: return .move(.pause)
    case .resume: return .move(.resume)
    case .extend: return .move(.extend(seconds: try number("whole seconds")))
    case .skip: return .move(.skip)
    case .restart: return .move(.restart)
    case .jump: return .move(.jump(index: try number("the number of a phase")))
    case .rounds: return .move(.rounds(try number("the number of rounds")))
    case .stop: return .move(.stop)
    case .rerun: return .move(.rerun(rounds: try number("the number of rounds")))
    case .annul:
      guard let value else { throw ValidationError("annul takes the id of an event; log lists them") }
      return .move(.annul(target: value))
    case .take: return .take
    case .anchor: return .anchor(try clockSetting())
    case .log: return .log
    case .status: return .status
    }
  }

  private func number<N: FixedWidthInteger>(_ name: String) throws -> N {
    guard let value, let number = N(value) else {
      throw ValidationError("\(action) takes \(name), as in: osce clock 1 \(action) 3")
    }
    return number
  }

  private func clockSetting() throws -> ExamTimeCorrection {
    if circuit != .all { throw ValidationError("the exam's time is one for all circuits: osce clock all anchor") }
    switch (value, try instants().first) {
    case (nil, let instant?): return .time(instant)
    case (nil, nil), ("machine", nil): return .machine
    case ("last", nil): return .lastRecord
    default: throw ValidationError("anchor takes machine or last, or --at with a time")
    }
  }
}
