/// What a section asks to have recorded of itself as a whole.
public enum SectionFact: String, Sendable, CaseIterable {
  /// Which tooth, or which quadrant.
  case tooth
  /// How often.
  case quantity
  /// How difficult it was.
  case difficulty

  /// What a section asks for. Where a section is copied, the copies say how often.
  public static func asked(by section: SectionTemplate) -> [SectionFact] {
    var asked: [SectionFact] = []
    if section.asksQuadrantAndTooth { asked.append(.tooth) }
    if section.maximumQuantity > 0 && !section.isDuplicable { asked.append(.quantity) }
    if section.maximumDifficulty > 0 { asked.append(.difficulty) }
    return asked
  }
}

/// What a section of a started sheet asks for and lacks.
public struct BlankFact: Equatable, Sendable {
  /// The section.
  public let section: SectionTemplate
  /// Which copy of it, from 1.
  public let copy: Int
  /// What is lacking.
  public let fact: SectionFact

  /// - Parameters:
  ///   - isUsed: whether the section has an answer, or an item that needs one: of any other nothing is asked.
  ///   - isHeld: whether something is recorded.
  static func of(
    _ section: SectionTemplate, copy: Int, isUsed: Bool, isHeld: (SectionFact) -> Bool
  ) -> [BlankFact] {
    guard isUsed else { return [] }
    return SectionFact.asked(by: section).filter { !isHeld($0) }.map {
      BlankFact(section: section, copy: copy, fact: $0)
    }
  }
}

extension Sheet {
  /// What its sections ask for and lack, in order.
  public var blankFacts: [BlankFact] {
    sections.flatMap { section in
      let isUsed = section.items.contains { !$0.isBlank || template.requires($0.template) }
      return BlankFact.of(section.template, copy: section.copy, isUsed: isUsed) { fact in
        switch fact {
        case .tooth: section.quadrant != nil
        case .quantity: section.quantity != nil
        case .difficulty: section.difficulty != nil
        }
      }
    }
  }
}
