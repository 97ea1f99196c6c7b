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

  /// Records which quadrant a section is about, where no tooth is named. A tooth of another quadrant is taken off.
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
    if let difficulty {
      if most == 0 { throw SheetRefusal.noDifficulty }
      guard (1...most).contains(difficulty) else { throw MarkingRefusal.difficulty(1...most) }
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

extension SectionFacts {
  /// A tooth by the two digits of the FDI notation (ISO 3950): the quadrant, 1 to 4, and the tooth from the midline,
  /// 1 to 8: 11 to 48; of first teeth the quadrant, 5 to 8, and the tooth, 1 to 5: 51 to 85.
  public struct Tooth: Equatable, Sendable, CustomStringConvertible {
    /// The quadrant.
    public let quadrant: Int
    /// The tooth in its quadrant.
    public let place: Int

    /// - Returns: nil if there is no such tooth.
    public init?(quadrant: Int, place: Int) {
      guard (1...8).contains(quadrant), (1...(quadrant <= 4 ? 8 : 5)).contains(place) else { return nil }
      self.quadrant = quadrant
      self.place = place
    }

    /// - Returns: nil if the text is not two such digits; blanks and a point between them are allowed.
    public init?(_ text: String) {
      let digits = text.filter { $0 != " " && $0 != "." }.map(\.wholeNumberValue)
      guard digits.count == 2, text.allSatisfy(\.isASCII), let quadrant = digits[0], let place = digits[1] else {
        return nil
      }
      self.init(quadrant: quadrant, place: place)
    }

    /// Both digits.
    public var description: String { "\(quadrant)\(place)" }
  }
}
