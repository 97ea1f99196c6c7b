import ExamStore

/// How a value stands to an item's thresholds, in a word: what the assessor reads beside a chosen level.
public enum ThresholdWord: String, Sendable, CaseIterable {
  /// At the threshold or above.
  case satisfactory
  /// Under the threshold and not under the lower one.
  case borderline
  /// Under the lower threshold, or under the only one.
  case below

  /// The word for a value.
  /// - Returns: nil where there is no value or no threshold.
  public static func of(_ value: MarkValue?, threshold: MarkValue?, lowerThreshold: MarkValue?) -> ThresholdWord? {
    guard let value, let upper = threshold ?? lowerThreshold else { return nil }
    if value >= upper { return .satisfactory }
    return threshold != nil && lowerThreshold.map { value >= $0 } == true ? .borderline : .below
  }

  /// The word for what an item of a sheet was given; never one for the global rating, which is a judgement of its own
  /// and not to be steered.
  public static func of(_ item: SheetItem, in template: SheetTemplate) -> ThresholdWord? {
    of(item.rating, of: item.template, in: template)
  }

  /// The word for a level of an item, chosen or not.
  public static func of(_ value: MarkValue?, of item: ItemTemplate, in template: SheetTemplate) -> ThresholdWord? {
    item.link == template.globalRating
      ? nil : of(value, threshold: item.threshold, lowerThreshold: item.lowerThreshold)
  }
}
