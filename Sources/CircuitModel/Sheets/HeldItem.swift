import Timer

/// An item of a sheet that was started.
public struct HeldItem: Sendable {
  /// The key in the family of `DataQuestion`; empty where only blanks were asked for.
  public let key: String
  /// Its number as the sheet shows it: which of its items it is, from 1, those of copied sections counted.
  public let number: Int
  /// Which copy of its section it stands in, from 1.
  public let copy: Int
  /// What it was made from, and its section.
  public let part: SheetPart
  /// The value given; nil: none.
  public let rating: MarkValue?
  /// Whether it was marked as impossible to assess.
  public let isUnable: Bool
  /// The written answer, or the feedback on an item with levels.
  public let feedback: String
  /// When it was marked last.
  public let markedAt: Instant?
  /// The key of the `MarkingDescriptor` chosen.
  public let descriptor: Int?
  /// The key of who judged.
  public let judge: Int?
  /// The key of who typed.
  public let enteredBy: Int?
  /// Whether it was typed from paper.
  public let isFromPaper: Bool

  /// How often it was done, how difficult it was, and the supervisor's note.
  public let work: WorkFacts
  /// What is recorded beside the answer; nothing where only blanks were asked for.
  package let facts: ItemFacts

  /// The section.
  public var section: SectionTemplate { part.section }
  /// What it was made from.
  public var template: ItemTemplate { part.item }

  /// Whether it has no answer.
  public var isBlank: Bool {
    part.item.kind.isBlank(
      hasLevel: rating != nil || isUnable, hasText: !feedback.isEmpty, hasWork: work != WorkFacts())
  }

  /// The level that was given; of two with one value the one whose descriptor was chosen.
  package var level: Level? { rating.flatMap { template.level(worth: $0, descriptor: descriptor) } }

  /// The words of the level given, where it is a described one.
  public var descriptorText: String? {
    guard template.kind.hasDescriptors, let level, !level.text.isEmpty else { return nil }
    return level.text
  }
}

/// What is recorded with an item beside its answer, and with the section that it stands in.
package struct ItemFacts: Sendable {
  /// The tags chosen, as JSON; nil: none.
  package var tags: String?
  /// Whether it was recommended.
  package var isRecommended = false
  /// Whether it completes a case.
  package var isCompletedCase = false
  /// The section's quadrant of the mouth.
  package var quadrant: String?
  /// The section's tooth.
  package var tooth: String?
  /// How often the section was done.
  package var quantity: Int?
  /// How difficult it was.
  package var difficulty: Int?

  /// The tags chosen.
  package var tagList: [String] { tags == nil || tags == "[]" ? [] : TemplateReader.strings(json: tags) }
}

extension ItemKind {
  /// Whether an item of the kind that holds these has no answer. One that is not known may be answered by any of them.
  /// `AnsweredItem` says the same in SQL.
  func isBlank(hasLevel: Bool, hasText: Bool, hasWork: Bool) -> Bool {
    if !isKnown { return !hasLevel && !hasText && !hasWork }
    return isWritten ? !hasText : !hasLevel
  }
}

extension HeldItem {
  /// One without an answer, of which nothing more was asked.
  init(blank part: SheetPart, number: Int, copy: Int) {
    self.init(
      key: "", number: number, copy: copy, part: part, rating: nil, isUnable: false, feedback: "", markedAt: nil,
      descriptor: nil, judge: nil, enteredBy: nil, isFromPaper: false, work: WorkFacts(), facts: ItemFacts())
  }
}
