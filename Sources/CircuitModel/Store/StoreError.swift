/// A failure that a person meets: one line that says what happened, what is safe and what to do next.
public struct StoreError: Error, CustomStringConvertible, Equatable, Sendable {
  /// The line as it is printed on standard error or on the screen.
  public let description: String

  /// - Parameter description: one line, without a final full stop or a newline.
  public init(_ description: String) { self.description = description }

  /// Nothing can be written where the store lies.
  public static func unwritable(_ obstacle: String) -> StoreError {
    StoreError(
      "nothing can be written there (\(obstacle)): no marking, no changes; what only reads still works: plan, status, "
        + "missing, differences, journal, export, clock status, doctor, backup to another disk")
  }

  /// The file at a store's path belongs to another program.
  static func foreignDatabase(_ path: String) -> StoreError {
    StoreError("\(path) is a database of another program; nothing was changed")
  }
}
