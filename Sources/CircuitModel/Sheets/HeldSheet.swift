import Timer

/// A mark sheet that was started.
public struct HeldSheet: Sendable {
  /// The key in `DataForm`.
  public let key: String
  /// When it was signed; nil while it is open.
  public let signedAt: Instant?
  /// The items in order, those of copied sections included, as far as they were asked for.
  public let items: [HeldItem]
  /// How many there are of which kind.
  public let tally: SheetTally
  /// What its sections ask for and lack.
  public let blankFacts: [BlankFact]
}
