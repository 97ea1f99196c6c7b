/// One item of a sheet as it counts.
public struct ScoredItem: Equatable, Sendable {
  /// What was given; nil: blank, or unable.
  public let value: Double?
  /// The largest value there is.
  public let maximum: Double
  /// Whether it could not be assessed: it is in neither sum.
  public let isUnable: Bool

  /// Makes one from its parts.
  public init(value: Double?, maximum: Double, isUnable: Bool = false) {
    (self.value, self.maximum, self.isUnable) = (value, maximum, isUnable)
  }
}

/// The score of one sheet, in percent of what could be had.
public struct SheetScore: Equatable, Sendable {
  /// The sum of the values.
  public let points: Double
  /// The sum of the largest values.
  public let maximum: Double
  /// How many items were left blank.
  public let blanks: Int
  /// How many could not be assessed.
  public let unable: Int
  /// Why there is no score; nil where there is one.
  public let reason: Reason?

  /// 100·points/maximum; nil where there is a reason for none. It may be below 0: values count as they are written.
  public var score: Double? { reason == nil ? 100 * points / maximum : nil }

  /// - Parameter items: the sheet's scored items, without its global rating, those of no answered copy of a section, and
  ///   those that are left out.
  public init(_ items: [ScoredItem], blanks policy: Policy.Blanks) {
    let assessed = items.filter { !$0.isUnable }
    let counted = policy == .leftOut ? assessed.filter { $0.value != nil } : assessed
    points = counted.reduce(0) { $0 + ($1.value ?? 0) }
    maximum = counted.reduce(0) { $0 + $1.maximum }
    blanks = assessed.count { $0.value == nil }
    unable = items.count - assessed.count
    reason =
      policy == .incomplete && blanks > 0 ? .blankItem : maximum <= Moments.tolerance ? .nothingScored : nil
  }
}
