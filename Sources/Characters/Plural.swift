/// Counts with the noun or the verb that agrees.
public enum Plural {
  /// `1 warning`, `2 warnings`.
  /// - Parameter many: the plural, where it is not the noun with an s.
  public static func count(_ number: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
    "\(number) \(noun(number, one, many))"
  }

  /// The noun alone, for a count that stands elsewhere.
  public static func noun(_ number: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
    number == 1 ? one : many ?? one + "s"
  }

  /// `once`, `2 times`.
  public static func times(_ number: some BinaryInteger) -> String { number == 1 ? "once" : "\(number) times" }

  /// The verb alone, for a count that stands elsewhere: `was`, `were`.
  public static func verb(_ number: some BinaryInteger, _ one: String, _ many: String) -> String {
    number == 1 ? one : many
  }
}
