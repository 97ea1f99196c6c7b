import Glibc

/// Location and spread of some scores.
public struct GroupFigures: Equatable, Sendable {
  /// How many there are.
  public let n: Int
  /// Their mean; nil of none.
  public let mean: Double?
  /// Their standard deviation with n − 1; nil of fewer than two.
  public let sd: Double?
  /// The middle one, or the mean of the two middle ones; nil of none.
  public let median: Double?

  init(_ scores: [Double]) {
    n = scores.count
    mean = Moments.mean(scores)
    sd = Moments.deviation(scores)
    median = Moments.median(scores)
  }
}

/// The candidates judged borderline; their mean or median is a cut (Livingston & Zieky 1982).
enum BorderlineGroup {
  static func of(grades: [Double], scores: [Double], borderline: Double, band: Double) -> GroupFigures {
    GroupFigures(
      zip(grades, scores).filter { abs($0.0 - borderline) <= band + Moments.tolerance }.map(\.1))
  }
}

/// Those graded below the borderline against those above it; the cut is where two normal curves through them cross
/// (Livingston & Zieky 1982).
public struct ContrastingGroups: Equatable, Sendable {
  /// Those graded below.
  public let failing: GroupFigures
  /// Those graded above.
  public let passing: GroupFigures
  /// The score at which both curves are equally high; nil where there is none between the two means.
  public let cut: Double?

  init(grades: [Double], scores: [Double], borderline: Double, band: Double) {
    let points = Array(zip(grades, scores))
    let low = points.filter { $0.0 < borderline - band - Moments.tolerance }.map(\.1)
    let high = points.filter { $0.0 > borderline + band + Moments.tolerance }.map(\.1)
    (failing, passing) = (GroupFigures(low), GroupFigures(high))
    cut = Moments.isFlat(low) || Moments.isFlat(high) ? nil : ContrastingGroups.crossing(failing, passing)
  }

  /// The root between both means of t²(1/s1² − 1/s2²) − 2t(m1/s1² − m2/s2²) + m1²/s1² − m2²/s2² + 2·ln(s1/s2) = 0.
  private static func crossing(_ one: GroupFigures, _ other: GroupFigures) -> Double? {
    guard let m1 = one.mean, let m2 = other.mean, let s1 = one.sd, let s2 = other.sd, s1 > 0, s2 > 0, m1 < m2
    else { return nil }
    if abs(s1 - s2) <= Moments.tolerance * max(s1, s2) { return (m1 + m2) / 2 }
    // Measured from the first mean, so that large scores cost no digits.
    let distance = m2 - m1
    let a = 1 / (s1 * s1) - 1 / (s2 * s2)
    let b = 2 * distance / (s2 * s2)
    let c = -distance * distance / (s2 * s2) + 2 * log(s1 / s2)
    let discriminant = b * b - 4 * a * c
    if discriminant < 0 { return nil }
    // The form that takes no difference of two like numbers.
    let q = -(b + (b < 0 ? -1 : 1) * discriminant.squareRoot()) / 2
    let roots = [q / a, q == 0 ? .infinity : c / q]
    return roots.first { $0 > 0 && $0 < distance }.map { m1 + $0 }
  }
}
