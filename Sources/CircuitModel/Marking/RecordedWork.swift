import ExamStore
import Journal

extension WorkFacts {
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
