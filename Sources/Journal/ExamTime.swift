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
