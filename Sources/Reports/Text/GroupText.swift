import Standards

/// What is said of figures between circuits, sessions and assessors.
enum GroupText {
  /// Why such a figure judges no assessor.
  static let caution = "differences between groups mix assessor and cohort: candidates are not assigned at random"
}

extension StationResult {
  /// How far circuits, sessions and assessors differ, and two assessors of a candidate agree, in lines to read.
  public var groupLines: [String] {
    var lines = [GroupText.caution]
    for (name, between) in [
      ("circuits", comparisons.circuits), ("sessions", comparisons.sessions), ("assessors", comparisons.assessors),
    ] {
      let figures =
        "eta² \(Figure.hundredths(between.eta2)), F \(Figure.hundredths(between.f)), "
        + "\(Figure.tenths(between.varianceComponentPct)) % of variance"
      let notes = between.notes.map(\.text)
      lines += ["", ([name + ": " + figures] + notes).joined(separator: ", ")]
      lines += between.groups.map { "  \($0.name): mean \(Figure.tenths($0.mean)) %, n \($0.n)" }
    }
    guard let agreement = comparisons.agreement else { return lines }
    lines.append("")
    for (name, found) in [("items", agreement.items), ("grades", agreement.grade), ("scores", agreement.score)] {
      lines.append(
        "two assessors on \(name): n \(found.n), exact \(Figure.hundredths(found.exact)), weighted kappa "
          + "\(Figure.hundredths(found.weightedKappa)), difference \(Figure.tenths(found.meanDifference)), ICC "
          + Figure.hundredths(found.icc))
    }
    return lines
  }
}
