import Journal

/// What is recorded of a section as a whole.
public enum SectionFacts {
  /// A tooth by the two digits of the FDI notation: the quadrant, 1 to 4, and the tooth from the midline, 1 to 8; for
  /// first teeth 5 to 8 and 1 to 5.
  public struct Tooth: Equatable, Sendable {
    /// The quadrant.
    public let quadrant: Int
    /// The tooth in its quadrant.
    public let place: Int

    /// - Returns: nil if the text is not two such digits; blanks and a point between them are allowed.
    public init?(_ text: String) {
      let digits = text.filter { $0 != " " && $0 != "." }.map(\.wholeNumberValue)
      guard digits.count == 2, text.allSatisfy(\.isASCII), let quadrant = digits[0], let place = digits[1],
        (1...8).contains(quadrant), (1...(quadrant <= 4 ? 8 : 5)).contains(place)
      else { return nil }
      self.quadrant = quadrant
      self.place = place
    }
  }

  /// Records which tooth a section is about.
  /// - Returns: the operation.
  @discardableResult public static func record(
    _ tooth: Tooth, of section: SheetSection, in transaction: JournalTransaction
  ) throws -> OperationID {
    try set(["quad": .text(String(tooth.quadrant)), "tooth": .text(String(tooth.place))], of: section, in: transaction)
  }

  /// Records how difficult it was.
  /// - Throws: `StoreError` if the section's scale has no such number.
  /// - Returns: the operation.
  @discardableResult public static func record(
    difficulty: Int, of section: SheetSection, in transaction: JournalTransaction
  ) throws -> OperationID {
    let most = section.template.maximumDifficulty
    guard (0...most).contains(difficulty) else { throw StoreError("the difficulty is a number from 0 to \(most)") }
    return try set(["difficulty": .integer(Int64(difficulty))], of: section, in: transaction)
  }

  private static func set(
    _ fields: [String: Value], of section: SheetSection, in transaction: JournalTransaction
  ) throws -> OperationID {
    try transaction.refuseIfSigned(RowKey(entity: "DataSection", id: section.key))
    return try transaction.set("DataSection", section.key, fields)
  }
}
