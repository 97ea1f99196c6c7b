import Standards

/// What results come to now and with something else, figure by figure, and for whom the outcome changes.
public struct ResultsComparison: Sendable {
  /// One figure of both.
  public struct Row: Equatable, Sendable {
    /// What it is.
    public let name: String
    /// As it is now.
    public let before: String
    /// As it would be.
    public let after: String
  }

  /// The exam's figures, and those of the station where one was named.
  public let rows: [Row]
  /// Whose outcome changes, in words: `30105: fail → pass`.
  public let changes: [String]

  /// - Parameter station: whose figures are compared too.
  public init(_ before: ResultsReport, _ after: ResultsReport, station: String? = nil) {
    let (one, other) = (before.results, after.results)
    func row(_ name: String, _ value: (Results) -> String) -> Row {
      Row(name: name, before: value(one), after: value(other))
    }
    func figure(_ name: String, _ value: @escaping (ExamFigures) -> Double?) -> Row {
      row(name) { $0.text { Figure.tenths(value($0)) } }
    }
    var rows = CandidateResult.Outcome.allCases.map { outcome in row(outcome.text) { String($0.count(outcome)) } }
    rows += [
      figure("cut %", \.cutMean), figure("cut with the error on top %", \.cutPlusSem),
      row("alpha") { $0.text { Figure.hundredths($0.alpha) } }, figure("SEM of the mean %", \.semMean),
      row("stations to pass") { $0.text { $0.minimumStations.map { String($0) } ?? "none" } },
    ]
    if let station {
      func of(_ name: String, _ value: @escaping (StationResult) -> String) -> Row {
        row("\(station) \(name)") { $0.stations.first { $0.station == station }.map(value) ?? "–" }
      }
      rows += [
        of("mean %") { Figure.tenths($0.scores.mean) }, of("cut %") { Figure.tenths($0.cut) },
        of("below") { $0.cutFigures.failed.map { String($0) } ?? "–" },
        of("R²") { Figure.hundredths($0.regression.r2) },
      ]
    }
    self.rows = rows
    let outcomes = Dictionary(other.candidates.map { ($0.number, $0.outcome) }, uniquingKeysWith: { first, _ in first })
    changes = one.candidates.compactMap { candidate in
      guard let outcome = outcomes[candidate.number], outcome != candidate.outcome else { return nil }
      return "\(candidate.number): \(candidate.outcome.text) → \(outcome.text)"
    }
  }
}
