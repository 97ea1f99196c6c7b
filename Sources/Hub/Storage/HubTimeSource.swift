import ExamStore

/// A hub's two clocks.
public struct HubTimeSource: Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var now: @Sendable () -> Int64
  /// Milliseconds that only ever rise, from anywhere.
  public var steady: @Sendable () -> Int64

  /// How far two machines' clocks may differ where an operation is held against a time of the hub's, in milliseconds.
  static let slack: Int64 = 5000

  /// Clocks.
  public init(now: @escaping @Sendable () -> Int64, steady: @escaping @Sendable () -> Int64) {
    self.now = now
    self.steady = steady
  }

  /// The machine's.
  public static let machine = HubTimeSource(now: SystemClock.live.wall, steady: SystemClock.live.boot)
}
