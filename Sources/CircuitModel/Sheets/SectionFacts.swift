import ExamStore
import Journal

/// What is recorded of a section as a whole. Each call is one operation; nil takes the record back.
public enum SectionFacts {
  /// Records which tooth a section is about.
  /// - Throws: `StoreError` if the section asks for none.
  /// - Returns: the operation.
  @discardableResult public static func record(
    _ tooth: Tooth?, of section: SheetSection, in transaction: JournalTransaction
  ) throws -> OperationID {
    if tooth != nil { try refuseUnlessAsked(section, transaction) }
    return try set(
      ["quad": text(tooth?.quadrant), "tooth": text(tooth?.place)], of: section, in: transaction)
  }

  /// Records which quadrant a section is about, where no tooth is meant. A tooth of another quadrant is taken off.
  /// - Throws: `StoreError` if the section asks for none, or there is no such quadrant.
  /// - Returns: the operation.
  @discardableResult public static func record(
    quadrant: Int, of section: SheetSection, in transaction: JournalTransaction
  ) throws -> OperationID {
    try refuseUnlessAsked(section, transaction)
    guard (1...8).contains(quadrant) else {
      throw StoreError("a quadrant is 1 to 4, or 5 to 8 for first teeth, not \(quadrant)")
    }
    var fields: [String: Value] = ["quad": text(quadrant)]
    if section.tooth != nil && section.quadrant != String(quadrant) { fields["tooth"] = .null }
    return try set(fields, of: section, in: transaction)
  }

  /// Records how difficult it was.
  /// - Throws: `StoreError` if the section's scale has no such number.
  /// - Returns: the operation.
  @discardableResult public static func record(
    difficulty: Int?, of section: SheetSection, in transaction: JournalTransaction
  ) throws -> OperationID {
    let most = section.template.maximumDifficulty
    if let difficulty, !(0...most).contains(difficulty) {
      throw StoreError(
        most == 0 ? "this section asks for no difficulty" : "the difficulty is a number from 0 to \(most)")
    }
    return try set(["difficulty": number(difficulty)], of: section, in: transaction)
  }

  /// Records how often what the section is about was done.
  /// - Throws: `StoreError` if that is more than the section allows, or less than once.
  /// - Returns: the operation.
  @discardableResult public static func record(
    quantity: Int?, of section: SheetSection, in transaction: JournalTransaction
  ) throws -> OperationID {
    let most = section.template.maximumQuantity > 0 ? section.template.maximumQuantity : WorkFacts.mostTimes
    if let quantity, !(1...most).contains(quantity) {
      throw StoreError("how often is a number from 1 to \(most)")
    }
    return try set(["quantity": number(quantity)], of: section, in: transaction)
  }

  private static func refuseUnlessAsked(_ section: SheetSection, _ transaction: JournalTransaction) throws {
    try transaction.refuseIfSigned(RowKey(entity: "DataSection", id: section.key))
    if !section.template.asksQuadrantAndTooth { throw StoreError("this section asks for no quadrant and tooth") }
  }

  private static func text(_ number: Int?) -> Value { number.map { .text(String($0)) } ?? .null }
  private static func number(_ number: Int?) -> Value { number.map { .integer(Int64($0)) } ?? .null }

  private static func set(
    _ fields: [String: Value], of section: SheetSection, in transaction: JournalTransaction
  ) throws -> OperationID {
    try transaction.refuseIfSigned(RowKey(entity: "DataSection", id: section.key))
    return try transaction.set("DataSection", section.key, fields)
  }
}
