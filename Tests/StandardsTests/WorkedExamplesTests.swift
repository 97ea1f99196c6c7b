import Testing

@testable import Standards

@Suite("The worked examples of the results") struct WorkedExamplesTests {
  @Test("a sheet's blanks are counted as nothing, left out, or make it incomplete") func sheet() {
    let items: [ScoredItem] = [
      .init(value: 1, maximum: 1), .init(value: 3, maximum: 4), .init(value: nil, maximum: 3),
      .init(value: nil, maximum: 2, isUnable: true), .init(value: -2, maximum: 2), .init(value: 1, maximum: 1),
      .init(value: 4, maximum: 5), .init(value: 0, maximum: 1), .init(value: nil, maximum: 5),
    ]
    let zero = SheetScore(items, blanks: .zero)
    #expect(zero.points == 7 && zero.maximum == 22 && near(zero.score, 31.8181818182, 1e-11))
    #expect(zero.blanks == 2 && zero.unable == 1)
    let left = SheetScore(items, blanks: .leftOut)
    #expect(left.points == 7 && left.maximum == 14 && near(left.score, 50) && left.blanks == 2)
    let incomplete = SheetScore(items, blanks: .incomplete)
    #expect(incomplete.score == nil && incomplete.reason == .blankItem && incomplete.blanks == 2)
  }

  /// n, mean, sd, slope, intercept, R², residual SD, cut, SE of the cut, failed, borderline group.
  private static let stations: [(String, Int, [Double], failed: Int, group: Int, Double)] = [
    (
      "A", 6,
      [
        63.6666666667, 11.5700763466, 8.1000000000, 39.3666666667, 0.9802290837, 1.8188824408, 55.5666666667,
        0.9392668536,
      ], 2, 1, 55
    ),
    (
      "B", 6,
      [
        61.6666666667, 11.8434229286, 8.7800000000, 36.7900000000, 0.9159743346, 3.8382938918, 54.3500000000,
        1.9191469459,
      ], 1, 2, 57.5
    ),
    (
      "C", 5,
      [
        64.2000000000, 14.7546602807, 10.5588235294, 30.4117647059, 0.8706057986, 6.1285253960, 51.5294117647,
        3.9326070137,
      ], 1, 2, 51.5
    ),
    (
      "P", 6,
      [
        61.6666666667, 24.8327740429, 17.0000000000, 10.6666666667, 0.9372972973, 6.9522178715, 44.6666666667,
        3.5901098714,
      ], 1, 1, 50
    ),
  ]

  @Test("four stations have the figures of the worked example") func stationFigures() {
    let results = Results(WorkedExample.exam(), policy: WorkedExample.policy)
    for (expected, found) in zip(WorkedExamplesTests.stations, results.stations) {
      let figures = [
        found.scores.mean, found.scores.sd, found.regression.slope, found.regression.intercept, found.regression.r2,
        found.regression.residualSd, found.cut, found.cutFigures.seCut,
      ]
      #expect(found.station == expected.0 && found.scores.n == expected.1)
      for (one, other) in zip(figures, expected.2) { #expect(near(one, other, 1e-10), "\(expected.0): \(other)") }
      #expect(found.cutFigures.failed == expected.failed && found.borderlineGroup.n == expected.group)
      #expect(near(found.borderlineGroup.mean, expected.5), "\(expected.0)")
    }
    #expect(results.stations.map(\.isCounted) == [true, true, true, false])
    #expect(results.stations[2].leftOut == [.init(candidate: "6", reason: .noSheet)])
    #expect(results.stations[2].itemCounts.criticalFailures == 1)
  }

  @Test("the exam has the figures of the worked example") func examFigures() {
    let results = Results(WorkedExample.exam(), policy: WorkedExample.policy)
    let exam = results.figures
    #expect(exam.nComplete == 5 && exam.k == 3 && exam.weights == 3 && exam.minimumStations == 2)
    let expected: [(Double?, Double)] = [
      (exam.alpha, 0.9731159101), (exam.sdTotal, 39.8534816547), (exam.semTotal, 6.5345237011),
      (exam.semMean, 2.1781745670), (exam.cutMean, 53.8153594771), (exam.rmse, 1.4918573489),
      (exam.cutPlusSem, 55.9935340442), (exam.predicted, 1.4361643291),
    ]
    for (one, other) in expected { #expect(near(one, other, 1e-10), "\(other)") }
    let deleted = [0.9338045399, 0.9564507349, 0.9930442504]
    for (station, other) in zip(results.stations, deleted) { #expect(near(station.alphaIfDeleted, other, 1e-10)) }
    for (station, other) in zip(results.stations, [0.9836755764, 0.9481072971, 0.9059122702]) {
      #expect(near(station.restCorrelation, other, 1e-10))
    }
    #expect(results.stations.map { $0.notes.contains(.alphaRises) } == [false, false, true, false])
    #expect(results.stations[3].alphaIfDeleted == nil)
  }

  @Test("the candidates pass, fail and stay open as in the worked example") func candidates() {
    let results = Results(WorkedExample.exam(), policy: WorkedExample.policy)
    let means = [73.6666666667, 56.6666666667, 60.3333333333, 79, 46, 63]
    for (candidate, mean) in zip(results.candidates, means) { #expect(near(candidate.mean, mean, 1e-10)) }
    #expect(results.candidates.map(\.outcome) == [.pass, .pass, .pass, .fail, .fail, .incomplete])
    #expect(results.candidates.map(\.isCloseCall) == [false, true, false, false, false, false])
    #expect(results.candidates.map(\.rank) == [2, 4, 3, 1, 5, nil])
    #expect(results.candidates[1].stationsPassed == 2 && results.candidates[1].stations[0].passed == false)
    #expect(results.candidates[3].reasons == [.criticalFailure])
    #expect(results.candidates[4].reasons == [.belowCut, .tooFewStations])
    #expect(results.candidates[5].reasons == [.missingStation])
    #expect(results.candidates[5].stations[1].notes == [.oneAssessor])
  }

  @Test("a missing station counts as what the others come to, where that is chosen") func prorated() {
    var policy = WorkedExample.policy
    policy.missing = .prorate
    let last = Results(WorkedExample.exam(), policy: policy).candidates[5]
    #expect(last.outcome == .pass && last.notes == [.prorated])
    #expect(near(last.cut, 54.9583333333, 1e-10) && near(last.cutPlusSem, 57.1365079004, 1e-10))
  }

  @Test("a missing station counts as nothing, where that is chosen") func zero() {
    var policy = WorkedExample.policy
    policy.missing = .zero
    let last = Results(WorkedExample.exam(), policy: policy).candidates[5]
    #expect(near(last.mean, 42) && last.outcome == .fail && last.reasons == [.belowCut])
    #expect(last.stationsDue == 3 && last.stationsPassed == 2)
  }

  @Test("as many stations must be passed as the cut predicts") func predicted() {
    var policy = Policy()
    policy.minimumStations = .predicted
    #expect(Results(WorkedExample.exam(), policy: policy).figures.minimumStations == 1)
  }

  @Test("a station that weighs twice moves the figures of the exam") func weight() {
    var policy = WorkedExample.policy
    policy.stations["A", default: .init()].weight = 2
    let results = Results(WorkedExample.exam(), policy: policy)
    let exam = results.figures
    let expected: [(Double?, Double)] = [
      (exam.weights, 4), (exam.alpha, 0.9291743318), (exam.sdTotal, 52.6526352617), (exam.semTotal, 14.0124944246),
      (exam.semMean, 3.5031236062), (exam.cutMean, 54.2531862745), (exam.rmse, 1.1905201545),
      (exam.cutPlusSem, 57.7563098807), (results.candidates[1].mean, 56.25),
    ]
    for (one, other) in expected { #expect(near(one, other, 1e-10), "\(other)") }
    #expect(results.candidates[1].outcome == .fail)
  }

  @Test("what lies between circuits is told from what lies within them") func circuits() {
    let results = Results(WorkedExample.exam(), policy: WorkedExample.policy)
    let c = results.stations[2].comparisons.circuits
    for (one, other) in [
      (c.msBetween, 730.1333333333), (c.msWithin, 46.8888888889), (c.n0, 2.4), (c.eta2, 0.8384627163),
      (c.varianceComponentPct, 85.8586986875),
    ] { #expect(near(one, other, 1e-10), "\(other)") }
    let others = ["Red", "Red", "Blue", "Blue", "Blue", "Blue"]
    let a = Results(WorkedExample.exam(circuits: others), policy: WorkedExample.policy).stations[0].comparisons.circuits
    #expect(near(a.msBetween, 0.0833333333, 1e-9) && near(a.msWithin, 167.3125))
    #expect(near(a.eta2, 0.0001245020, 1e-9) && a.varianceComponentPct == 0)
    #expect(results.stations[2].notes.contains(.largeBetween))
  }

  private static let grades: [(Double, Double)] = [
    (4, 4), (3, 2), (2, 2), (5, 4), (1, 2), (3, 3), (2, 3), (4, 4), (5, 5), (3, 1),
  ]

  @Test("how far two assessors' grades agree is told beyond chance") func gradeAgreement() {
    var material = Agreement.Material()
    material.pairs = WorkedExamplesTests.grades.map { .init($0, $1) }
    let grades = Agreement(material, isScore: false)
    #expect(near(grades.exact, 0.5) && near(grades.withinOne, 0.9) && near(grades.kappa, 0.3670886076, 1e-10))
    #expect(near(grades.weightedKappa, 0.7333333333, 1e-10) && near(grades.meanDifference, 0.2))
    #expect(near(grades.sdDifference, 0.9189365835, 1e-10) && grades.icc == nil && grades.beyondMargin == nil)
    material.pairs = WorkedExamplesTests.grades.map { .init($0, $1, assessors: ["a", "b"]) }
    let scores = Agreement(material, isScore: true)
    #expect(near(scores.icc, 0.7551020408, 1e-10) && near(scores.icc2, 0.7534246575, 1e-10) && scores.kappa == nil)
  }

  @Test("how far two assessors' scores agree is told, and how many lie beyond the margin") func scoreAgreement() {
    var exam = WorkedExample.exam()
    let score = Results(exam, policy: .init()).stations[1].comparisons.agreement!.score
    #expect(score.n == 5 && near(score.meanDifference, -2.4) && near(score.sdDifference, 6.2289646010, 1e-10))
    #expect(near(score.icc, 0.8998366903, 1e-10) && near(score.icc2, 0.8995633188, 1e-10) && score.beyondMargin == 0)
    exam.stations[1].margin = 5
    var policy = Policy()
    policy.doubleMarks = .adjudicated
    let ruled = Results(exam, policy: policy)
    #expect(ruled.stations[1].comparisons.agreement!.score.beyondMargin == 2)
    let open = ruled.candidates.filter { $0.stations[1].reason == .notAdjudicated }.map(\.number)
    #expect(open == ["2", "5"])
    #expect(ruled.agreement?.score.n == 5)
  }

  @Test("contrasting groups set the cut between those who fail and those who pass") func contrast() {
    let failing = [48.0, 50, 41, 52], passing = [61.0, 70, 66, 80, 58]
    let groups = ContrastingGroups(
      grades: failing.map { _ in 1 } + passing.map { _ in 3 }, scores: failing + passing, borderline: 2, band: 0)
    #expect(near(groups.failing.mean, 47.75) && near(groups.passing.mean, 67))
    #expect(near(groups.failing.sd, 4.7871355388, 1e-10) && near(groups.passing.sd, 8.6023252670, 1e-10))
    #expect(near(groups.cut, 55.8393372650, 1e-10))
  }

  @Test("the borderline regression of twelve candidates gives the line and the cut exactly") func twelve() {
    let scores: [Double] = [8, 10, 11, 13, 12, 14, 15, 16, 17, 18, 19, 20]
    let grades: [Double] = [1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5]
    let line = BorderlineRegression(grades: grades, scores: scores, borderline: 2)
    #expect(near(line.slope, 665.0 / 251) && near(line.intercept, 1679.0 / 251) && near(line.cut, 3009.0 / 251))
    #expect(near(line.r2, 0.94774, 1e-5) && near(line.seCut, 0.31621, 1e-5))
  }
}
