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
