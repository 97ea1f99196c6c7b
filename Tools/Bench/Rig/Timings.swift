/// Measured times and what is said of them.
public struct Timings: Sendable {
  private var nanoseconds: [Int64] = []

  /// No times yet.
  public init() {}

  /// Adds one time in nanoseconds.
  public mutating func add(_ time: Int64) { nanoseconds.append(time) }

  /// Adds all times of another measurement.
  public mutating func add(_ other: Timings) { nanoseconds += other.nanoseconds }

  /// How many there are.
  public var count: Int { nanoseconds.count }

  /// The time in microseconds that this share (0...1) of all times do not exceed (nearest rank); 0 if there are none.
  public func microseconds(at share: Double) -> Double {
    guard !nanoseconds.isEmpty else { return 0 }
    let sorted = nanoseconds.sorted()
    let rank = Int((share * Double(sorted.count)).rounded(.up))
    return Double(sorted[min(max(rank, 1), sorted.count) - 1]) / 1000
  }

  /// The median in microseconds.
  public var median: Double { microseconds(at: 0.5) }

  /// Count, p10, p50, p90, p99 and largest in one line, in microseconds.
  public var line: String {
    let shares = [("p10", 0.1), ("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("max", 1)]
    return shares.map { "\($0.0) \(pad(text(microseconds(at: $0.1)), to: 7))" }.joined(separator: "  ")
      + "  µs  (\(count))"
  }
}

/// A number with no decimals from 100 on, one below.
public func text(_ number: Double) -> String { decimal(number, number >= 100 ? 0 : 1) }

/// A number with that many decimals.
public func decimal(_ number: Double, _ places: Int) -> String {
  var scale = 1.0
  for _ in 0..<places { scale *= 10 }
  let scaled = Int64((abs(number) * scale).rounded())
  let whole = scaled / Int64(scale)
  let rest = String(scaled % Int64(scale))
  let sign = number < 0 && scaled != 0 ? "-" : ""
  return places == 0
    ? "\(sign)\(whole)" : "\(sign)\(whole)." + String(repeating: "0", count: places - rest.count) + rest
}

/// A text put to the right of a field.
public func pad(_ text: String, to width: Int) -> String {
  String(repeating: " ", count: max(0, width - text.count)) + text
}
