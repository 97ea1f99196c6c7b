import Characters

/// How times and phases are put on a screen.
public enum PhaseText {
  /// The whole seconds shown for a time left: a started second counts whole, and nothing is below 0.
  public static func shownSeconds(_ milliseconds: Int64) -> Int64 {
    guard milliseconds > 0 else { return 0 }
    return milliseconds / 1000 + (milliseconds % 1000 == 0 ? 0 : 1)
  }

  /// The digits shown for a time left: `mm:ss`, from an hour on `h:mm:ss`.
  public static func digits(_ milliseconds: Int64) -> String {
    let seconds = shownSeconds(milliseconds)
    let tail = "\(padded(seconds / 60 % 60)):\(padded(seconds % 60))"
    return seconds < 3600 ? tail : "\(seconds / 3600):\(tail)"
  }

  /// The digits without a leading zero, for a line of text: `0:38`.
  public static func shortDigits(_ milliseconds: Int64) -> String {
    let digits = digits(milliseconds)
    return digits.count == 5 && digits.hasPrefix("0") ? String(digits.dropFirst()) : digits
  }

  /// How far two clocks stand apart: `120 ms`, from ten seconds on the digits, `3:10:00`.
  public static func apart(_ milliseconds: Int64) -> String {
    let distance = Int64(clamping: milliseconds.magnitude)
    return distance < 10_000 ? "\(distance) ms" : digits(distance)
  }

  /// A length in words: "2 minutes", "1 minute 30 seconds".
  public static func length(_ milliseconds: Int64) -> String {
    let seconds = shownSeconds(milliseconds)
    let minutes = seconds / 60
    if minutes == 0 { return Plural.count(seconds, "second") }
    let whole = Plural.count(minutes, "minute")
    return seconds % 60 == 0 ? whole : "\(whole) \(Plural.count(seconds % 60, "second"))"
  }

  /// A length with short units: `53 s`, `2 min 5 s`, `3 h 10 min`.
  public static func span(_ milliseconds: Int64) -> String {
    let seconds = shownSeconds(milliseconds)
    if seconds < 60 { return "\(seconds) s" }
    let (whole, rest, units) =
      seconds < 3600 ? (seconds / 60, seconds % 60, ("min", "s")) : (seconds / 3600, seconds / 60 % 60, ("h", "min"))
    return rest == 0 ? "\(whole) \(units.0)" : "\(whole) \(units.0) \(rest) \(units.1)"
  }

  /// A length with the seconds from an hour on too: `1 h 9 min 50 s`.
  public static func exactSpan(_ milliseconds: Int64) -> String {
    let seconds = shownSeconds(milliseconds)
    return seconds < 3600 || seconds % 60 == 0 ? span(milliseconds) : "\(span(milliseconds)) \(seconds % 60) s"
  }

  /// What is announced when that much time is left: "2 minutes left", and at the end "Time is up".
  public static func timeLeft(_ milliseconds: Int64) -> String {
    milliseconds > 0 ? "\(length(milliseconds)) left" : "Time is up"
  }

  /// A phase's title for a heading: "ROTATION", "BREAK".
  public static func title(_ type: PhaseType) -> String {
    type.name.uppercased()
  }

  /// What everybody does in a phase, for a clock that says the round beside it: "STATION", "READING".
  public static func heading(_ type: PhaseType) -> String {
    type == .rotation ? "STATION" : title(type)
  }

  /// What is announced when a phase begins.
  /// - Parameter isLastRound: whether no round follows this one: nobody moves then.
  public static func beginning(_ phase: PlannedPhase, round: Int, isLastRound: Bool) -> String {
    switch phase.type {
    case .rotation: "Round \(round): begin"
    case .reading: "Round \(round): reading time"
    case .feedback: "Feedback"
    case .changeover: isLastRound ? "The last round is over" : "Move to the next station"
    case .breakTime: "Break: \(length(phase.plannedMs))"
    case .other(let name): name
    }
  }

  private static func padded(_ number: Int64) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}

/// The digits of a countdown for a screen reader, which would be talked over by one that changes every second.
public enum QuietDigits {
  /// Rounds the time left up to the next step: a minute, in the last minute ten seconds.
  /// - Parameter remaining: milliseconds.
  /// - Returns: milliseconds, at least `remaining`.
  public static func stepped(_ remaining: Int64) -> Int64 {
    let seconds = PhaseText.shownSeconds(remaining)
    let step: Int64 = seconds > 60 ? 60 : 10
    return (seconds + step - 1) / step * step * 1000
  }
}
