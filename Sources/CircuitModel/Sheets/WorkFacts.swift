import ExamStore

/// What is recorded of work that was done, beside what it was: of items of the kinds `record` and `procedure`.
public struct WorkFacts: Equatable, Sendable {
  /// How often it was done, 1 to 999; nil: not said, which means once.
  public var times: Int?
  /// How difficult it was, from 1 to what `mostDifficult` says; nil: not said.
  public var difficulty: Int?
  /// The supervisor's note.
  public var note: String

  /// - Parameters: see the properties.
  public init(times: Int? = nil, difficulty: Int? = nil, note: String = "") {
    self.times = times
    self.difficulty = difficulty
    self.note = note
  }

  /// How often something can have been done, at most.
  public static let mostTimes = 999

  /// The end of the difficulty scale in a section: its own, or low, average and high where it has none.
  public static func mostDifficult(in section: SectionTemplate) -> Int {
    section.maximumDifficulty > 0 ? section.maximumDifficulty : 3
  }

  /// The facts as changes of an item.
  func changes<Item: Stored.DataQuestionFamily>() -> [FieldChange<Item>] {
    [.times(times), .difficulty(difficulty), .note(note.isEmpty ? nil : note)]
  }
}
