import ExamStore

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
