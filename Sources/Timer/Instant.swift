/// A point in exam time, in whole milliseconds since the Unix epoch.
///
/// Arithmetic is held at the ends of the range, so that no imported number can overflow.
public struct Instant: RawRepresentable, Comparable, Hashable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z; negative before it.
  public var milliseconds: Int64

  /// The instant that many milliseconds after the Unix epoch.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// The instant that many milliseconds after the Unix epoch.
  public init(rawValue: Int64) {
    milliseconds = rawValue
  }

  /// Milliseconds since the Unix epoch.
  public var rawValue: Int64 { milliseconds }

  /// The first instant that can be told.
  public static let earliest = Instant(milliseconds: .min)

  /// The last instant that can be told.
  public static let latest = Instant(milliseconds: .max)

  /// Earlier comes first.
  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The instant `milliseconds` later.
  public static func + (instant: Instant, milliseconds: Int64) -> Instant {
    Instant(milliseconds: instant.milliseconds.addingSaturated(milliseconds))
  }

  /// The instant `milliseconds` earlier.
  public static func - (instant: Instant, milliseconds: Int64) -> Instant {
    Instant(milliseconds: instant.milliseconds.subtractingSaturated(milliseconds))
  }

  /// Milliseconds from `earlier` to `later`; negative when they stand the other way round. Its size is a number too.
  public static func - (later: Instant, earlier: Instant) -> Int64 {
    max(later.milliseconds.subtractingSaturated(earlier.milliseconds), -.max)
  }

  /// The last whole second since the Unix epoch at or before the instant.
  public var wholeSeconds: Int64 { milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0) }
}

extension Int64 {
  /// The sum, held at the nearest end of the range instead of overflowing.
  func addingSaturated(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, held at the nearest end of the range instead of overflowing.
  package func subtractingSaturated(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }

  /// The product, held at the nearest end of the range instead of overflowing.
  func multipliedSaturated(by other: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}
