import Standards

extension ResultsReport {
  /// The whole of it: `{"schema":1,"state","at","head","policy","stations","stationSets","exam","candidates","notes"}`.
  /// Members are never left out; what is undefined is null.
  public var json: JSONDocument {
    .object([
      ("schema", .integer(1)), ("state", .optional(state?.rawValue)), ("at", .time(at)), ("head", .optional(head)),
      ("policy", policy.json), ("stations", .array(results.stations.map { $0.json(results.unit) })),
      ("stationSets", .array(results.stationSets.map(\.json))), ("exam", exam),
      ("candidates", .array(results.candidates.map(\.json))), ("notes", notes),
    ])
  }

  /// What is to be known of the results, and last that they are not those that were locked.
  private var notes: JSONDocument {
    let other = differsFromLock ? ["otherThanLocked"] : []
    return .array((results.notes.map(\.rawValue) + other).map { .text($0) })
  }

  private var exam: JSONDocument {
    .object(
      [
        ("n", .number(results.candidates.count)), ("passed", .number(results.count(.pass))),
        ("failed", .number(results.count(.fail))), ("incomplete", .number(results.count(.incomplete))),
        ("excluded", .number(results.count(.excluded))),
      ] + results.figures.members + [("agreement", .optional(results.agreement))])
  }
}

extension JSONDocument {
  /// Codes, in their order.
  static func codes(_ codes: [some RawRepresentable<String>]) -> JSONDocument {
    .array(codes.map { .text($0.rawValue) })
  }

  fileprivate static func optional(_ agreements: StationResult.Agreements?) -> JSONDocument {
    agreements.map {
      .object([("items", $0.items.json), ("grade", $0.grade.json), ("score", $0.score.json)])
    } ?? .null
  }
}

extension ExamFigures {
  fileprivate var members: [(String, JSONDocument)] {
    [
      ("nComplete", .number(nComplete)), ("k", .number(k)), ("weights", .real(weights)), ("alpha", .real(alpha)),
      ("sdTotal", .real(sdTotal)), ("semTotal", .real(semTotal)), ("semMean", .real(semMean)),
      ("cutMean", .real(cutMean)), ("rmse", .real(rmse)), ("cutPlusSem", .real(cutPlusSem)),
      ("minimumStations", .number(minimumStations)), ("predicted", .real(predicted)),
      ("meanOfMeans", .real(meanOfMeans)), ("sdOfMeans", .real(sdOfMeans)), ("notes", .codes(notes)),
    ]
  }
}

extension Results.StationSet {
  fileprivate var json: JSONDocument {
    .object([("stations", .array(stations.map { .text($0) })), ("n", .number(n))] + figures.members)
  }
}

extension StationResult {
  fileprivate func json(_ unit: ExamScores.Unit) -> JSONDocument {
    .object(identity(unit) + figures + groups + rest)
  }

  private func identity(_ unit: ExamScores.Unit) -> [(String, JSONDocument)] {
    [
      ("station", .text(station)), ("name", .optional(name)), ("n", .number(scores.n)), ("pairs", .number(pairs)),
      ("unit", .text(unit.rawValue)), ("counted", .bool(isCounted)), ("pilot", .bool(isPilot)),
      ("excluded", .bool(isExcluded)), ("weight", .real(weight)), ("borderline", .real(borderline)),
    ]
  }

  private var figures: [(String, JSONDocument)] {
    [
      ("mean", .real(scores.mean)), ("sd", .real(scores.sd)), ("median", .real(scores.median)),
      ("min", .real(minimum)), ("max", .real(maximum)), ("slope", .real(regression.slope)),
      ("intercept", .real(regression.intercept)), ("r2", .real(regression.r2)),
      ("residualSd", .real(regression.residualSd)), ("cut", .real(cut)), ("seCut", .real(cutFigures.seCut)),
      ("cutMethod", .text(cutFigures.method.rawValue)), ("failed", .number(cutFigures.failed)),
      ("gradedPassBelowCut", .number(cutFigures.gradedPassBelowCut)),
      ("gradedFailAboveCut", .number(cutFigures.gradedFailAboveCut)),
    ]
  }

  private var groups: [(String, JSONDocument)] {
    [
      (
        "grades",
        .array(grades.map { .object([("grade", .real($0.grade)), ("n", .number($0.n)), ("mean", .real($0.mean))]) })
      ),
      (
        "borderlineGroup",
        .object([
          ("n", .number(borderlineGroup.n)), ("mean", .real(borderlineGroup.mean)),
          ("median", .real(borderlineGroup.median)),
        ])
      ),
      (
        "contrastingGroups",
        .object([
          ("failing", contrastingGroups.failing.json), ("passing", contrastingGroups.passing.json),
          ("cut", .real(contrastingGroups.cut)),
        ])
      ),
    ]
  }

  private var rest: [(String, JSONDocument)] {
    [
      ("alphaIfDeleted", .real(alphaIfDeleted)), ("restCorrelation", .real(restCorrelation)),
      (
        "between",
        .object([
          ("circuit", comparisons.circuits.json), ("session", comparisons.sessions.json),
          ("assessor", comparisons.assessors.json),
        ])
      ),
      ("agreement", .optional(comparisons.agreement)), ("blanks", .number(itemCounts.blanks)),
      ("unable", .number(itemCounts.unable)),
      ("criticalFailures", .number(itemCounts.criticalFailures)),
      (
        "leftOut",
        .array(
          leftOut.map { .object([("candidate", .text($0.candidate)), ("reason", .text($0.reason.rawValue))]) })
      ),
      ("notes", .codes(notes)),
    ]
  }
}

extension GroupFigures {
  fileprivate var json: JSONDocument {
    .object([("n", .number(n)), ("mean", .real(mean)), ("sd", .real(sd))])
  }
}

extension BetweenGroups {
  fileprivate var json: JSONDocument {
    .object([
      (
        "groups",
        .array(groups.map { .object([("group", .text($0.name)), ("n", .number($0.n)), ("mean", .real($0.mean))]) })
      ),
      ("msBetween", .real(msBetween)), ("msWithin", .real(msWithin)), ("f", .real(f)), ("n0", .real(n0)),
      ("eta2", .real(eta2)), ("varianceComponentPct", .real(varianceComponentPct)), ("notes", .codes(notes)),
    ])
  }
}

extension Agreement {
  fileprivate var json: JSONDocument {
    .object([
      ("n", .number(n)), ("exact", .real(exact)), ("withinOne", .real(withinOne)), ("kappa", .real(kappa)),
      ("weightedKappa", .real(weightedKappa)), ("meanDifference", .real(meanDifference)),
      ("sdDifference", .real(sdDifference)), ("beyondMargin", .number(beyondMargin)), ("icc", .real(icc)),
      ("icc2", .real(icc2)),
      (
        "leftOut",
        .object([
          ("blank", .number(leftOut.blank)), ("unable", .number(leftOut.unable)),
          ("otherForm", .number(leftOut.otherForm)),
        ])
      ),
      ("notes", .codes(notes)),
    ])
  }
}

extension CandidateResult {
  fileprivate var json: JSONDocument {
    .object([
      ("number", .text(number)), ("circuit", .optional(circuit)), ("session", .optional(session)),
      ("stations", .array(stations.map(\.json))), ("total", .real(total)), ("mean", .real(mean)), ("cut", .real(cut)),
      ("cutPlusSem", .real(cutPlusSem)), ("stationsDue", .number(stationsDue)),
      ("stationsPassed", .number(stationsPassed)),
      (
        "criticalFailures",
        .array(
          criticalFailures.map {
            .object([
              ("station", .text($0.station)), ("item", .text($0.item)), ("text", .text($0.text)),
              ("value", .real($0.value)),
            ])
          })
      ),
      ("rank", .number(rank)), ("closeCall", .bool(isCloseCall)), ("outcome", .text(outcome.rawValue)),
      ("reasons", .codes(reasons)), ("notes", .codes(notes)),
    ])
  }
}

extension CandidateResult.Station {
  fileprivate var json: JSONDocument {
    .object([
      ("station", .text(station)), ("score", .real(score)), ("points", .real(points)), ("maximum", .real(maximum)),
      ("grade", .real(grade)), ("cut", .real(cut)), ("passed", .flag(passed)), ("counted", .bool(isCounted)),
      ("reason", .optional(reason?.rawValue)), ("blanks", .number(blanks)), ("notes", .codes(notes)),
    ])
  }
}
