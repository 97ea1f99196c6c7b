import Characters
import CircuitModel

/// What is recorded of a section as a whole, in words: `tooth 36, difficulty 2`.
enum SectionText {
  /// - Returns: nothing where nothing is recorded.
  static func facts(quadrant: String?, tooth: String?, quantity: Int?, difficulty: Int?) -> String {
    [
      tooth.map { "tooth \(quadrant ?? "")\($0)" } ?? quadrant.map { "quadrant \($0)" },
      quantity.map { Plural.times($0) }, difficulty.map { "difficulty \($0)" },
    ].compactMap { $0 }.joined(separator: ", ")
  }

  /// The copies of a section after the first say which one they are.
  static func copy(_ copy: Int) -> String { copy > 1 ? " (copy \(copy))" : "" }
}
