import ExamStore
import Journal

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

  /// - Throws: `MarkingRefusal` where a number is out of range.
  func check(in section: SectionTemplate) throws {
    if let times, !(1...WorkFacts.mostTimes).contains(times) {
      throw MarkingRefusal.times(1...WorkFacts.mostTimes)
    }
    let most = WorkFacts.mostDifficult(in: section)
    if let difficulty, !(1...most).contains(difficulty) {
      throw MarkingRefusal.difficulty(1...most)
    }
  }
}

extension Marking {
  /// Records what was done, how often, how difficult it was, and the supervisor's note: one change. How independently
  /// a procedure was carried out is a level of its own, given with `mark`.
  /// - Parameter section: the section that the item stands in.
  /// - Throws: `MarkingRefusal` where the item records no work, or a number is out of range.
  /// - Returns: the operation.
  @discardableResult public func record(
    _ what: String, _ facts: WorkFacts, of item: SheetItem, in section: SectionTemplate
  ) throws -> OperationID {
    guard item.template.kind.recordsWork else { throw MarkingRefusal.noWork }
    try facts.check(in: section)
    // A procedure is judged by its level; what is written beside it says nothing of who judged that, and when.
    var changes: [FieldChange<Stored.DataQuestion>] = item.template.kind.isWritten ? stamp() : paperStamp(of: item)
    changes += facts.changes() + [.feedback(what)]
    return try set(item, changes)
  }
}
