import Standards

/// The stations' part of the page for an exam board: plot, figures and groups of each.
struct BoardStations {
  /// Assessors with fewer candidates are not shown with a figure.
  private static let smallestGroup = 5

  private let stations: [StationResult]
  /// The assessors' codes by username, A1, A2 … in the order of usernames; nil where the page has names.
  private let codes: [Substring: String]?

  init(_ stations: [StationResult], hasNames: Bool) {
    self.stations = stations
    let assessors = Set(
      stations.flatMap { $0.comparisons.assessors.groups.flatMap { $0.name.split(separator: "+") } }
    ).sorted()
    codes =
      hasNames
      ? nil : Dictionary(uniqueKeysWithValues: assessors.enumerated().map { ($0.element, "A\($0.offset + 1)") })
  }

  func add(to page: inout HTMLPage) {
    page.heading(2, "Stations")
    for station in stations {
      let name = [station.station, station.name].compactMap { $0 }.joined(separator: " ")
      let state = station.isExcluded ? " · left out" : station.isPilot ? " · pilot, never counted" : ""
      page.markup("<section class=\"station\">\n")
      page.heading(3, name + state)
      page.markup("<div class=\"pair\">\n")
      if let plot = ScatterPlot.svg(station, name: name) { page.markup(plot) }
      page.table(
        ["grade", "n", "mean"],
        station.grades.map { [ShortestNumber.text($0.grade), String($0.n), Figure.tenths($0.mean)] }, texts: 0)
      page.markup("</div>\n")
      tables(of: station, &page)
      page.list(lines(of: station))
      page.markup("</section>\n")
    }
  }

  private func tables(of station: StationResult, _ page: inout HTMLPage) {
    page.table(
      ["n", "pairs", "mean", "sd", "median", "min", "max", "cut", "±SE", "below", "alpha without", "rest r"],
      [
        [
          String(station.scores.n), String(station.pairs), Figure.tenths(station.scores.mean),
          Figure.tenths(station.scores.sd), Figure.tenths(station.scores.median), Figure.tenths(station.minimum),
          Figure.tenths(station.maximum), Figure.tenths(station.cut), Figure.tenths(station.cutFigures.seCut),
          station.cutFigures.failed.map { String($0) } ?? "–", Figure.hundredths(station.alphaIfDeleted),
          Figure.hundredths(station.restCorrelation),
        ]
      ], texts: 0)
    let regression = station.regression
    page.table(
      ["cut by", "borderline grade", "weight", "intercept", "slope", "R²", "residual sd"],
      [
        [
          station.cutFigures.method.text, ShortestNumber.text(station.borderline), ShortestNumber.text(station.weight),
          Figure.tenths(regression.intercept), Figure.tenths(regression.slope), Figure.hundredths(regression.r2),
          Figure.tenths(regression.residualSd),
        ]
      ])
    let groups = [
      ("borderline", station.borderlineGroup), ("below borderline", station.contrastingGroups.failing),
      ("above borderline", station.contrastingGroups.passing),
    ]
    page.table(
      ["Graded", "n", "mean", "sd", "median"],
      groups.map { name, group in
        [
          name, String(group.n), Figure.tenths(group.mean), Figure.tenths(group.sd), Figure.tenths(group.median),
        ]
      })
    let between = [
      ("circuits", station.comparisons.circuits), ("sessions", station.comparisons.sessions),
      ("assessors", station.comparisons.assessors),
    ]
    page.table(
      ["Between", "groups", "eta²", "F", "% of variance", "to be known"],
      between.map { name, found in
        [
          name, String(found.groups.count), Figure.hundredths(found.eta2), Figure.hundredths(found.f),
          Figure.tenths(found.varianceComponentPct), found.notes.map(\.text).joined(separator: ", "),
        ]
      })
  }

  private func lines(of station: StationResult) -> [String] {
    var lines: [String] = []
    if !station.notes.isEmpty { lines.append("to be known: " + station.notes.map(\.text).joined(separator: ", ")) }
    lines.append("cut between the contrasting groups \(Figure.tenths(station.contrastingGroups.cut))")
    lines.append(
      "graded a pass but below the cut: \(station.cutFigures.gradedPassBelowCut.map { String($0) } ?? "–") · graded a fail but at "
        + "it: \(station.cutFigures.gradedFailAboveCut.map { String($0) } ?? "–")")
    lines.append(GroupText.caution)
    let shown = station.comparisons.assessors.groups.filter { $0.n >= BoardStations.smallestGroup }
    let few = station.comparisons.assessors.groups.count - shown.count
    if !shown.isEmpty || few > 0 {
      let known = shown.map { "\(assessors($0.name)) \(Figure.tenths($0.mean)) (n \($0.n))" }
      let hidden = few > 0 ? ["\(few) with fewer than \(BoardStations.smallestGroup) candidates not shown"] : []
      lines.append("assessors: " + (known + hidden).joined(separator: ", "))
    }
    lines.append(
      "blanks \(station.itemCounts.blanks), unable to assess \(station.itemCounts.unable), critical failures \(station.itemCounts.criticalFailures)"
    )
    return lines
  }

  /// An assessor, or several who marked together.
  private func assessors(_ group: String) -> String {
    guard let codes else { return group }
    return group.split(separator: "+").compactMap { codes[$0] }.joined(separator: "+")
  }
}
