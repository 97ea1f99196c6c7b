/// A failure that a person meets: one line that says what happened, what is safe and what to do next.
public struct StoreError: Error, CustomStringConvertible, Equatable, Sendable {
  /// The line as it is printed on standard error or on the screen.
  public let description: String

  /// - Parameter description: one line, without a final full stop or a newline.
  public init(_ description: String) { self.description = description }

  /// The file at a store's path belongs to another program.
  static func foreignDatabase(_ path: String) -> StoreError {
    StoreError("\(path) is a database of another program; nothing was changed")
  }
}
