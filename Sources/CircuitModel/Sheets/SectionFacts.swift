import ExamStore
import Journal

/// What is recorded of a section as a whole. Each call is one operation; nil takes the record back.
public enum SectionFacts {
  /// Records which tooth a section is about.
  /// - Throws: `SheetRefusal` if the section asks for none.
  /// - Returns: the operation.
  @discardableResult public static func record(
    _ tooth: Tooth?, of section: SheetSection, in transaction: JournalTransaction
  ) throws -> OperationID {
    if tooth != nil { try refuseUnlessAsked(section, transaction) }
    return try set(
      [.quad(tooth.map { String($0.quadrant) }), .tooth(tooth.map { String($0.place) })], of: section, in: transaction)
  }

  /// Records which quadrant a section is about, where no tooth is meant. A tooth of another quadrant is taken off.
  /// - Throws: `SheetRefusal` if the section asks for none, or there is no such quadrant.
  /// - Returns: the operation.
  @discardableResult public static func record(
    quadrant: Int, of section: SheetSection, in transaction: JournalTransaction
  ) throws -> OperationID {
    try refuseUnlessAsked(section, transaction)
    guard (1...8).contains(quadrant) else {
      throw SheetRefusal.quadrant(quadrant)
    }
    var changes: [FieldChange<Stored.DataSection>] = [.quad(String(quadrant))]
    if section.tooth != nil && section.quadrant != String(quadrant) { changes.append(.tooth(nil)) }
    return try set(changes, of: section, in: transaction)
  }

  /// Records how difficult it was.
  /// - Throws: `SheetRefusal` if the section's scale has no such number.
  /// - Returns: the operation.
  @discardableResult public static func record(
    difficulty: Int?, of section: SheetSection, in transaction: JournalTransaction
  ) throws -> OperationID {
    let most = section.template.maximumDifficulty
    if let difficulty, !(0...most).contains(difficulty) {
      if most == 0 { throw SheetRefusal.noDifficulty }
      throw MarkingRefusal.difficulty(0...most)
    }
    return try set([.difficulty(difficulty)], of: section, in: transaction)
  }

  /// Records how often what the section is about was done.
  /// - Throws: `SheetRefusal` if that is more than the section allows, or less than once.
  /// - Returns: the operation.
  @discardableResult public static func record(
    quantity: Int?, of section: SheetSection, in transaction: JournalTransaction
  ) throws -> OperationID {
    let most = section.template.maximumQuantity > 0 ? section.template.maximumQuantity : WorkFacts.mostTimes
    if let quantity, !(1...most).contains(quantity) {
      throw MarkingRefusal.times(1...most)
    }
    return try set([.quantity(quantity)], of: section, in: transaction)
  }

  private static func refuseUnlessAsked(_ section: SheetSection, _ transaction: JournalTransaction) throws {
    try transaction.refuseIfSigned(Stored.DataSection.row(section.key))
    if !section.template.asksQuadrantAndTooth { throw SheetRefusal.noTooth }
  }

  private static func set(
    _ changes: [FieldChange<Stored.DataSection>], of section: SheetSection, in transaction: JournalTransaction
  ) throws -> OperationID {
    try transaction.refuseIfSigned(Stored.DataSection.row(section.key))
    return try transaction.set(Stored.DataSection.self, section.key, changes)
  }
}
