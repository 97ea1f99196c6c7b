/// How far a check of a whole store has come, for somebody who waits for it.
public struct CheckProgress: Sendable {
  private let tell: (@Sendable (_ what: String, _ count: Int) -> Void)?

  /// - Parameter tell: takes what is looked at and how many of it have been, now and then.
  public init(_ tell: @escaping @Sendable (_ what: String, _ count: Int) -> Void) { self.tell = tell }

  private init() { tell = nil }

  /// Nobody waits.
  public static let silent = CheckProgress()

  func report(_ what: String, _ count: Int) {
    if count & 0xFFF == 0 { tell?(what, count) }
  }
}
