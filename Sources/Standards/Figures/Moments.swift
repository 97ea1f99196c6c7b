/// Sums over numbers, in two passes: the mean first, then deviations from it. A one-pass sum of squares loses the digits
/// that matter where the spread is small beside the numbers.
enum Moments {
  /// Within this two scores, grades or cuts are the same.
  static let tolerance = 1e-9

  /// The mean; nil of nothing.
  static func mean(_ numbers: [Double]) -> Double? {
    numbers.isEmpty ? nil : numbers.reduce(0, +) / Double(numbers.count)
  }

  /// Σ(x − x̄)²; 0 of nothing.
  static func squares(_ numbers: [Double]) -> Double {
    guard let mean = mean(numbers) else { return 0 }
    return numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }

  /// Σ(x − x̄)(y − ȳ); 0 of nothing.
  static func products(_ x: [Double], _ y: [Double]) -> Double {
    guard let meanX = mean(x), let meanY = mean(y) else { return 0 }
    return zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
  }

  /// The variance with n − 1; nil of fewer than two.
  static func variance(_ numbers: [Double]) -> Double? {
    numbers.count < 2 ? nil : squares(numbers) / Double(numbers.count - 1)
  }

  /// The standard deviation with n − 1; nil of fewer than two.
  static func deviation(_ numbers: [Double]) -> Double? { variance(numbers)?.squareRoot() }

  /// The middle one, or the mean of the two middle ones; nil of nothing.
  static func median(_ numbers: [Double]) -> Double? {
    if numbers.isEmpty { return nil }
    let sorted = numbers.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// Whether all are the same. Asked of the numbers, never of a sum of squares.
  static func isFlat(_ numbers: [Double]) -> Bool {
    guard let low = numbers.min(), let high = numbers.max() else { return true }
    return high - low <= tolerance
  }

  /// Pearson's correlation, −1 to 1 whatever the last digits of its sums are; nil where one of them is flat.
  static func correlation(_ x: [Double], _ y: [Double]) -> Double? {
    if x.count < 2 || isFlat(x) || isFlat(y) { return nil }
    return min(1, max(-1, products(x, y) / (squares(x) * squares(y)).squareRoot()))
  }
}
