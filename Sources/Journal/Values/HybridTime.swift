/// A hybrid logical clock reading: wall time where clocks agree, a counter where they do not.
///
/// One number orders everything: milliseconds since 1970-01-01T00:00:00Z in the upper 48 bits, a counter in the
/// lower 16. Source: Kulkarni and others, "Logical Physical Clocks", 2014.
public struct HybridTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Milliseconds · 65 536 + counter.
  public let raw: Int64

  /// The latest reading there is (in the year 6429).
  public static let max = HybridTime(raw: .max)

  /// Takes the one number as it stands.
  public init(raw: Int64) {
    self.raw = raw
  }

  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var milliseconds: Int64 { raw >> 16 }

  /// The place among the readings of one millisecond, 0...65 535.
  public var counter: Int { Int(raw & 0xFFFF) }

  /// A reading later than the latest one known and not before the wall clock.
  ///
  /// A full counter runs over into the next millisecond. A wall clock outside 0...2^47 − 1 is held to that range;
  /// after `max` comes `max`.
  /// - Parameters:
  ///   - latest: the largest reading seen on this device, its own and received ones; nil if there is none.
  ///   - wall: milliseconds since 1970-01-01T00:00:00Z.
  public static func next(after latest: HybridTime?, wall: Int64) -> HybridTime {
    let wallRaw = Swift.min(Swift.max(wall, 0), Int64.max >> 16) << 16
    guard let latest else { return HybridTime(raw: wallRaw) }
    let following = latest.raw == .max ? .max : latest.raw + 1
    return HybridTime(raw: Swift.max(wallRaw, following))
  }

  /// Orders by the one number.
  public static func < (left: HybridTime, right: HybridTime) -> Bool { left.raw < right.raw }

  /// Milliseconds and counter with a point between.
  public var description: String { "\(milliseconds).\(counter)" }
}

/// A reading of the exam's common clock: the machine's running time plus the offset that all terminals share.
public struct ExamTime: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z by the exam's clock.
  public let milliseconds: Int64

  /// Takes milliseconds since 1970-01-01T00:00:00Z by the exam's clock.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// Orders by time.
  public static func < (left: ExamTime, right: ExamTime) -> Bool { left.milliseconds < right.milliseconds }
}
