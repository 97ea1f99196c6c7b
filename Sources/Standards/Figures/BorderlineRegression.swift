/// The straight line by least squares through points.
struct Line {
  let slope: Double
  let intercept: Double

  /// - Returns: nil where the points have no two different places.
  init?(_ x: [Double], _ y: [Double]) {
    guard !Moments.isFlat(x), let meanX = Moments.mean(x), let meanY = Moments.mean(y) else { return nil }
    slope = Moments.products(x, y) / Moments.squares(x)
    intercept = meanY - slope * meanX
  }

  func at(_ x: Double) -> Double { intercept + slope * x }
}

/// Score regressed on global grade; the cut is the score that the line gives a borderline candidate (Kramer et al. 2003;
/// Wood, Humphrey-Murto & Norman 2006). Grades count as exact and equally spaced.
public struct BorderlineRegression: Equatable, Sendable {
  /// Points of score a grade: the inter-grade discrimination.
  public private(set) var slope: Double?
  /// The score at grade 0.
  public private(set) var intercept: Double?
  /// The share of the scores' variance that the line explains, 0 to 1.
  public private(set) var r2: Double?
  /// The residuals' standard deviation, with m − 2.
  public private(set) var residualSd: Double?
  /// The line's score at the borderline grade.
  public private(set) var cut: Double?
  /// The standard error of that mean response (Draper & Smith 1998).
  public private(set) var seCut: Double?
  /// What is to be known of it.
  public private(set) var notes: [Note] = []

  /// - Parameters:
  ///   - grades: one a candidate.
  ///   - scores: the same candidates'.
  ///   - borderline: the grade of a borderline candidate; may be fractional.
  public init(grades x: [Double], scores y: [Double], borderline: Double) {
    let count = Double(x.count)
    if x.count < 3 {
      notes.append(.fewPairs)
    } else if let line = Line(x, y), let meanX = Moments.mean(x), let meanY = Moments.mean(y) {
      if Moments.isFlat(y) {
        notes.append(.flatScores)
        (slope, intercept, cut, residualSd, seCut) = (0, y[0], y[0], 0, 0)
      } else {
        let residuals = zip(x, y).reduce(0) { sum, point in
          let residual = (point.1 - meanY) - line.slope * (point.0 - meanX)
          return sum + residual * residual
        }
        let (sxx, sxy) = (Moments.squares(x), Moments.products(x, y))
        let spread = (residuals / (count - 2)).squareRoot()
        (slope, intercept, cut, residualSd) = (line.slope, line.intercept, line.at(borderline), spread)
        r2 = min(1, sxy * sxy / (sxx * Moments.squares(y)))
        seCut = spread * (1 / count + (borderline - meanX) * (borderline - meanX) / sxx).squareRoot()
        if line.slope < -Moments.tolerance {
          notes.append(.negativeSlope)
        } else if line.slope <= Moments.tolerance {
          notes.append(.flatSlope)
        }
      }
    } else {
      notes.append(.flatGrades)
    }
    if let low = x.min(), let high = x.max(),
      borderline < low - Moments.tolerance || borderline > high + Moments.tolerance
    {
      notes.append(.borderlineOutsideGrades)
    }
  }
}
