/// A failure that a person meets: one line that says what happened, what is safe and what to do next.
public struct StoreError: Error, CustomStringConvertible, Equatable, Sendable {
  /// The line as it is printed on standard error or on the screen.
  public let description: String
  /// Whether the disk or the store did not take it; else a rule refused it.
  public let isOfDisk: Bool

  /// - Parameters:
  ///   - description: one line, without a final full stop or a newline.
  ///   - isOfDisk: whether the disk or the store did not take it.
  public init(_ description: String, isOfDisk: Bool = false) {
    (self.description, self.isOfDisk) = (description, isOfDisk)
  }

  /// Nothing can be written where the store lies.
  public static func unwritable(_ obstacle: String) -> StoreError {
    StoreError(
      "nothing can be written there (\(obstacle)): no marking, no changes; what only reads still works: plan, status, "
        + "missing, differences, journal, export, clock status, doctor, backup to another disk", isOfDisk: true)
  }

  /// The file at a store's path belongs to another program.
  static func foreignDatabase(_ path: String) -> StoreError {
    StoreError("\(path) is a database of another program; nothing was changed")
  }
}
