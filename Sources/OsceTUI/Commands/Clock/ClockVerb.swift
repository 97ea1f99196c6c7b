import ArgumentParser
import Characters
import CircuitModel
import Timer

/// The words for what `osce clock` does.
enum ClockVerb: String, CaseIterable {
  case start
  case pause
  case resume
  case extend
  case skip
  case restart
  case jump
  case rounds
  case stop
  case rerun
  case annul
  case take
  case anchor
  case log
  case status

  /// - Throws: `ValidationError` for another word; it names them all.
  init(written text: String) throws {
    if let verb = ClockVerb(rawValue: text) {
      self = verb
      return
    }
    let names = ClockVerb.allCases.map(\.rawValue)
    let (others, last) = (names.dropLast().joined(separator: ", "), names.last ?? "")
    throw ValidationError(
      "there is no action \(text)\(EditDistance.hint(for: text, among: names)); the actions are \(others) and \(last)")
  }

  /// Whether nothing is done to a clock.
  var isToRead: Bool { self == .log || self == .status }

  /// Whether a value may stand behind it.
  var takesValue: Bool { [.extend, .jump, .rounds, .rerun, .annul, .anchor].contains(self) }
}

/// What `osce clock` is to do, with its value.
enum ClockTask {
  case move(ClockAction)
  case take
  case anchor(ExamTimeCorrection)
  case log
  case status
}
