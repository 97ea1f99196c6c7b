import ExamStore
import Standards
import Timer

/// The tables in which results are written for other programs.
public enum ResultsTable: String, CaseIterable, Sendable {
  /// One row a candidate.
  case candidates
  /// One row a station.
  case stations
  /// One row a candidate and station; `osce results --from` reads it back to the same figures.
  case scores
  /// One row a sheet.
  case sheets
  /// One row a station: how far two assessors agree.
  case agreement
  /// One row a candidate who is due at a station and is no pair of score and grade.
  case leftout
  /// One row a choice.
  case policy

  /// The names of the columns, in order.
  public var columns: [String] {
    switch self {
    case .candidates:
      [
        "number", "circuit", "session", "total", "mean", "cut", "cut_plus_sem", "stations_due", "stations_passed",
        "critical_failures", "rank", "close_call", "outcome", "reasons", "notes",
      ]
    case .stations:
      [
        "station", "name", "n", "pairs", "counted", "pilot", "weight", "borderline", "mean", "sd", "median", "min",
        "max", "slope", "intercept", "r2", "residual_sd", "cut", "se_cut", "cut_method", "failed",
        "graded_pass_below_cut", "graded_fail_above_cut", "borderline_n", "borderline_mean", "borderline_median",
        "contrasting_cut", "alpha_if_deleted", "rest_correlation", "circuit_eta2", "circuit_variance_pct",
        "assessor_eta2", "assessor_variance_pct", "blanks", "unable", "notes",
      ]
    case .scores:
      [
        "candidate", "circuit", "session", "station", "score", "grade", "points", "maximum", "assessor", "weight",
        "borderline", "cut", "passed", "counted", "reason",
      ]
    case .sheets:
      [
        "candidate", "station", "form", "seat", "assessor", "sheet", "signed_at", "points", "maximum", "score", "grade",
        "blanks", "unable", "eligible", "reason",
      ]
    case .agreement:
      [
        "station", "what", "n", "exact", "within_one", "kappa", "weighted_kappa", "mean_difference", "sd_difference",
        "beyond_margin", "icc", "icc2", "blank", "unable", "other_form", "notes",
      ]
    case .leftout: ["station", "candidate", "reason"]
    case .policy: ["key", "value", "source", "by", "at"]
    }
  }
}

extension ResultsReport {
  /// Writes a table: comma-separated values, or rows for a workbook.
  /// - Parameter write: takes the next bytes.
  /// - Throws: what `write` throws.
  public func write(_ table: ResultsTable, as format: ExportFormat, to write: ([UInt8]) throws -> Void) throws {
    let encoder: any ExportEncoder =
      format == .xlsx ? StreamedRows(table.rawValue, table.columns) : CSVRows(table.columns)
    try ExportWriter.write(rows(table), encoder, to: write)
  }

  func rows(_ table: ResultsTable) -> [[ExportCell]] {
    switch table {
    case .candidates: results.candidates.map(\.row)
    case .stations: results.stations.map(\.row)
    case .scores: results.candidates.flatMap(\.scoreRows)
    case .sheets: sheets.map(\.row)
    case .agreement:
      results.stations.flatMap { station in
        station.comparisons.agreement.map { agreement in
          [("items", agreement.items), ("grade", agreement.grade), ("score", agreement.score)].map {
            [.text(station.station), .text($0.0)] + $0.1.row
          }
        } ?? []
      }
    case .leftout:
      results.stations.flatMap { station in
        station.leftOut.map { [.text(station.station), .text($0.candidate), .text($0.reason.rawValue)] }
      }
    case .policy:
      policy.choices.map { choice in
        let value = if case .text(let text) = choice.value { text } else { choice.value.text }
        let origin = choice.decided.origin
        return [
          .text(choice.key), .text(value), .text(choice.decided.source.rawValue), .optional(origin.by),
          .instant(origin.at),
        ]
      }
        + policy.sheetChoices.flatMap { choice in
          choice.values.map { key, value in
            [
              .text("stations.\(choice.station).\(key)"), .text(ShortestNumber.text(value)),
              .text(PolicyInForce.Source.sheet.rawValue), .empty, .empty,
            ]
          }
        }
        + policy.standingExclusions.map { standing in
          let exclusion = standing.exclusion
          let parts = [
            exclusion.station, exclusion.item, exclusion.circuit, exclusion.session, exclusion.candidate,
            exclusion.reason,
          ]
          return [
            .text("exclude"), .text(parts.compactMap { $0 }.joined(separator: ", ")),
            .text(standing.source.rawValue), .optional(standing.origin.by), .instant(standing.origin.at),
          ]
        }
    }
  }
}

extension ExportCell {
  fileprivate static func codes(_ codes: [some RawRepresentable<String>]) -> ExportCell {
    codes.isEmpty ? .empty : .text(codes.map(\.rawValue).joined(separator: " "))
  }
}

extension CandidateResult {
  fileprivate var row: [ExportCell] {
    [
      .text(number), .optional(circuit), .optional(session), .real(total), .real(mean), .real(cut), .real(cutPlusSem),
      .number(stationsDue), .number(stationsPassed), .number(criticalFailures.count), .number(rank),
      .bool(isCloseCall), .text(outcome.rawValue), .codes(reasons), .codes(notes),
    ]
  }

  /// What reads back to the same figures: a station that counts for nobody is told by `counted`, a candidate's own
  /// reason by `reason`.
  fileprivate var scoreRows: [[ExportCell]] {
    stations.map { station in
      [
        .text(number), .optional(station.circuit), .optional(station.session), .text(station.station),
        .real(station.score), .real(station.grade), .real(station.points), .real(station.maximum),
        .optional(station.assessor), .real(station.weight), .real(station.borderline), .real(station.cut),
        .flag(station.passed), .bool(station.isCounted), .optional(station.reason?.rawValue),
      ]
    }
  }
}

extension StationResult {
  fileprivate var row: [ExportCell] {
    [
      .text(station), .optional(name), .number(scores.n), .number(pairs), .bool(isCounted), .bool(isPilot),
      .real(weight), .real(borderline), .real(scores.mean), .real(scores.sd), .real(scores.median), .real(minimum),
      .real(maximum), .real(regression.slope), .real(regression.intercept), .real(regression.r2),
      .real(regression.residualSd), .real(cut), .real(cutFigures.seCut), .text(cutFigures.method.rawValue),
      .number(cutFigures.failed),
      .number(cutFigures.gradedPassBelowCut), .number(cutFigures.gradedFailAboveCut), .number(borderlineGroup.n),
      .real(borderlineGroup.mean), .real(borderlineGroup.median), .real(contrastingGroups.cut), .real(alphaIfDeleted),
      .real(restCorrelation), .real(comparisons.circuits.eta2), .real(comparisons.circuits.varianceComponentPct),
      .real(comparisons.assessors.eta2),
      .real(comparisons.assessors.varianceComponentPct), .number(itemCounts.blanks), .number(itemCounts.unable),
      .codes(notes),
    ]
  }
}

extension SheetRecord {
  fileprivate var row: [ExportCell] {
    [
      .text(candidate), .text(station), .text(form), .text(seat), .optional(assessor), .optional(sheet),
      .instant(signedAt), .real(score?.points), .real(score?.maximum), .real(score?.score), .real(grade),
      .number(score?.blanks), .number(score?.unable), .bool(isEligible), .optional(reason?.rawValue),
    ]
  }
}

extension Agreement {
  fileprivate var row: [ExportCell] {
    [
      .number(n), .real(exact), .real(withinOne), .real(kappa), .real(weightedKappa), .real(meanDifference),
      .real(sdDifference), .number(beyondMargin), .real(icc), .real(icc2), .number(leftOut.blank),
      .number(leftOut.unable), .number(leftOut.otherForm), .codes(notes),
    ]
  }
}
