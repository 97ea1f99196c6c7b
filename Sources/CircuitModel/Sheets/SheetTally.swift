/// What is counted of a sheet's items.
public struct SheetTally: Equatable, Sendable {
  /// Items in all.
  public var items = 0
  /// Items with an answer.
  public var answered = 0
  /// Required items without an answer.
  public var blanks = 0
  /// Items that could not be assessed.
  public var unable = 0
}
