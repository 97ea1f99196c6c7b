import ExamStore
import Journal

extension Marking {
  /// Chooses a tag on an item, or takes it off again.
  /// - Throws: `MarkingRefusal` if the item does not offer the tag.
  /// - Returns: the operation; nil, with nothing changed, where the tag is as asked already.
  @discardableResult public func set(tag: String, _ isChosen: Bool, on item: SheetItem) throws -> OperationID? {
    guard item.template.tags.contains(tag) else { throw MarkingRefusal.noSuchTag(tag) }
    if item.tags.contains(tag) == isChosen { return nil }
    let chosen = item.template.tags.filter { $0 == tag ? isChosen : item.tags.contains($0) }
    return try say(.tags(chosen.isEmpty ? nil : TagMirror.json(chosen)), of: item)
  }

  /// Says whether an item completes a case.
  @discardableResult public func set(completedCase: Bool, on item: SheetItem) throws -> OperationID {
    try say(.completedCase(completedCase), of: item)
  }

  /// Says whether an item is recommended.
  @discardableResult public func set(recommended: Bool, on item: SheetItem) throws -> OperationID {
    try say(.recommended(recommended), of: item)
  }

  private func say(_ change: FieldChange<Stored.DataQuestion>, of item: SheetItem) throws -> OperationID {
    try set(item, [change] + paperStamp(of: item))
  }
}
