import Characters
import Standards

extension ResultsReport {
  /// The results in lines of at most 80 columns: what the exam comes to, the stations, the candidates.
  public var lines: [String] {
    (heading + [""] + stationLines + [""] + candidateLines + notes).flatMap { TextLines.wrapped($0) }
  }

  /// What the exam comes to, and what of the policy was decided, in few lines.
  public var figureLines: [String] { Array(heading.dropFirst()) }

  private var heading: [String] {
    let counts = CandidateResult.Outcome.allCases.map { "\(results.count($0)) \($0.text)" }
    var lines = ["\(Plural.count(results.candidates.count, "candidate")): \(counts.joined(separator: ", "))"]
    if isProvisional { lines[0] += " · PROVISIONAL" }
    if differsFromLock { lines.append(LockText.notFinal) }
    lines += cutLines
    // What a candidate's page shows decides no figure.
    let decided = policy.choices.filter { $0.decided.source != .standard && $0.key != "feedback" }.map { choice in
      PolicyPhrases.line(choice.key, choice.value, choice.decided.source, choice.decided.origin, file: policy.fileName)
    }
    lines.append((["by \(results.policy.method.text)"] + decided).joined(separator: "; "))
    return lines + policy.sheetChoices.map(\.text) + policy.standingExclusions.map(\.text)
  }

  /// Cut, reliability and error of the exam, or of each set of stations.
  var cutLines: [String] {
    if results.stationSets.isEmpty { return ResultsReport.lines(of: results.figures, results.unit) }
    return results.stationSets.flatMap { figureLines(of: $0) }
  }

  /// What the exam comes to for those who go through a set of stations.
  public func figureLines(of set: Results.StationSet) -> [String] {
    ["\(Plural.count(set.n, "candidate")) at \(set.stations.joined(separator: " "))"]
      + ResultsReport.lines(of: set.figures, results.unit).map { "  \($0)" }
  }

  private static func lines(of figures: ExamFigures, _ unit: ExamScores.Unit) -> [String] {
    let percent = unit == .percent ? " %" : ""
    let minimum = figures.minimumStations.map { " · \(Plural.count($0, "station")) to pass" } ?? ""
    func text(_ figure: Double?) -> String { Figure.tenths(figure) + (figure == nil ? "" : percent) }
    let cut =
      figures.cutMean == nil
      ? "no cut" : "cut \(text(figures.cutMean)), with the error on top \(text(figures.cutPlusSem))"
    return [
      cut + minimum,
      "alpha \(Figure.hundredths(figures.alpha)) · SEM \(text(figures.semMean)) · "
        + "\(Plural.count(figures.nComplete ?? 0, "complete candidate")) · \(Plural.count(figures.k ?? 0, "station"))",
    ]
  }

  private var stationLines: [String] {
    let width = 1 + min(12, max(7, results.stations.map { ColumnWidth.of($0.station) }.max() ?? 7))
    let common = results.stations.map { Set($0.notes) }.reduce(nil as Set<Note>?) { $0?.intersection($1) ?? $1 } ?? []
    let head = "STATION".padded(width) + "   N  MEAN    SD  A GRADE    R²   CUT   ±SE  BELOW"
    let rows = results.stations.map { station in
      station.station.padded(width)
        + [
          Figure.right(String(station.scores.n), 4), Figure.right(Figure.tenths(station.scores.mean), 6),
          Figure.right(Figure.tenths(station.scores.sd), 6),
          Figure.right(Figure.tenths(station.regression.slope), 9),
          Figure.right(Figure.hundredths(station.regression.r2), 6), Figure.right(Figure.tenths(station.cut), 6),
          Figure.right(Figure.tenths(station.cutFigures.seCut), 6),
          Figure.right(station.cutFigures.failed.map { String($0) } ?? "–", 7),
        ].joined() + (station.isExcluded ? "  left out" : station.isPilot ? "  pilot" : "")
    }
    let remarks = results.stations.compactMap { station in
      let own = station.notes.filter { !common.contains($0) }.map(\.text)
      return own.isEmpty ? nil : "  \(station.station): \(own.joined(separator: ", "))"
    }
    let shared = common.sorted().map(\.text)
    return [head] + rows + remarks + (shared.isEmpty ? [] : ["  every station: \(shared.joined(separator: ", "))"])
  }

  private var candidateLines: [String] {
    let width = min(14, max(9, results.candidates.map { ColumnWidth.of($0.number) }.max() ?? 9))
    return ["CANDIDATE".padded(width) + "   MEAN    CUT  PASSED  RANK  OUTCOME"]
      + results.candidates.map { candidate in
        let why = candidate.why
        let near = candidate.isCloseCall ? ["close call"] : []
        let said = (why + near).isEmpty ? "" : ": " + (why + near).joined(separator: ", ")
        return candidate.number.padded(width)
          + [
            Figure.right(Figure.tenths(candidate.mean), 7), Figure.right(Figure.tenths(candidate.cutPlusSem), 7),
            Figure.right(candidate.passedText, 8),
            Figure.right(candidate.rank.map { String($0) } ?? "–", 6),
          ].joined() + "  " + candidate.outcome.text + said
      }
  }

  private var notes: [String] {
    noteTexts.isEmpty ? [] : ["", "to be known: " + noteTexts.joined(separator: ", ")]
  }
}

extension CandidateResult {
  /// Whether any station that counts has a cut: without one nothing is passed or failed.
  private var hasCut: Bool { stations.contains { $0.isCounted && $0.cut != nil } }

  /// Why it came to this and what is to be known of it, without what the outcome says already.
  public var why: [String] { reasons.filter { $0 != .candidateExcluded }.map(\.text) + notes.map(\.text) }

  /// How many stations are passed of those that are due: `3/4`; `–/4` where none has a cut.
  public var passedText: String { "\(hasCut ? String(stationsPassed) : "–")/\(stationsDue)" }

  /// The candidate's stations in lines to read.
  public var lines: [String] {
    let head = "\(outcome.text)" + (why.isEmpty ? "" : ": " + why.joined(separator: ", "))
    let figures =
      "mean \(Figure.tenths(mean)), cut \(Figure.tenths(cutPlusSem)), "
      + "\(hasCut ? String(stationsPassed) : "–") of \(Plural.count(stationsDue, "station")) passed"
    return [head, figures, "", "STATION        SCORE  GRADE    CUT"]
      + stations.map { station in
        let said = station.reason.map { "  \($0.text)" } ?? (station.passed == false ? "  below" : "")
        return station.station.padded(12) + Figure.right(Figure.tenths(station.score), 8)
          + Figure.right(Figure.tenths(station.grade), 7) + Figure.right(Figure.tenths(station.cut), 7) + said
      }
      + criticalFailures.map { "critical at \($0.station): \($0.text)" }
  }
}

extension String {
  fileprivate func padded(_ width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - ColumnWidth.of(self)))
  }
}
