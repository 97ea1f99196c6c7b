/// What both sides of the exchange agree on.
public enum SyncProtocol {
  /// The version that this program speaks.
  public static let version: Int64 = 1
  /// The versions that a hub of this program answers.
  public static let versions: ClosedRange<Int64> = 1...1
}
