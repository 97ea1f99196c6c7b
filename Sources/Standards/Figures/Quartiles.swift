/// The quartiles of some numbers.
public struct Quartiles: Equatable, Sendable {
  /// The lower quartile.
  public let low: Double
  /// The median.
  public let median: Double
  /// The upper quartile.
  public let high: Double

  /// Those of some numbers in any order; nil of nothing.
  public init?(_ numbers: [Double]) {
    if numbers.isEmpty { return nil }
    let sorted = numbers.sorted()
    /// The value at (n − 1)·q, between neighbours in proportion.
    func quantile(_ q: Double) -> Double {
      let place = Double(sorted.count - 1) * q
      let below = Int(place.rounded(.down))
      let above = min(below + 1, sorted.count - 1)
      return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
    }
    (low, median, high) = (quantile(0.25), quantile(0.5), quantile(0.75))
  }
}
