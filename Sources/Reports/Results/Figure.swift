/// Figures for people: one decimal for percentages, two for coefficients, a dash for none and for what is no number.
public enum Figure {
  /// One decimal.
  public static func tenths(_ number: Double?) -> String { text(number, 1) }
  /// Two decimals.
  public static func hundredths(_ number: Double?) -> String { text(number, 2) }

  private static func text(_ number: Double?, _ decimals: Int) -> String {
    guard let number, number.isFinite else { return "–" }
    let unit = decimals == 1 ? 10.0 : 100.0
    let scaled = (abs(number) * unit).rounded()
    guard scaled < 1e15 else { return "\(number)" }
    let (whole, rest) = Int64(scaled).quotientAndRemainder(dividingBy: Int64(unit))
    let digits = String(rest)
    let fraction = String(repeating: "0", count: decimals - digits.count) + digits
    return (number < 0 && scaled > 0 ? "-" : "") + "\(whole).\(fraction)"
  }

  /// At the right of so many columns.
  public static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
