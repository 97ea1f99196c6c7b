import SeededNumbers
import Testing

@testable import Standards

@Suite("What has no simple answer has a defined one") struct DefinedAnswersTests {
  private func station(_ pairs: [(Double, Double)], _ policy: Policy = .init()) -> StationResult {
    Results(WorkedExample.station(pairs), policy: policy).stations[0]
  }

  private func notes(_ station: StationResult) -> [Note] {
    station.notes.filter { $0 != .smallSample && $0 != .noContrast }
  }

  @Test("without a score there is no figure, and with one neither a deviation nor a cut") func few() {
    let none = Results(ExamScores(stations: [StationPlan(code: "A")], candidates: []), policy: .init())
    #expect(none.stations[0].scores.n == 0 && none.stations[0].scores.mean == nil && none.stations[0].cut == nil)
    #expect(notes(none.stations[0]) == [.noScores, .fewPairs, .noBorderlineGroup, .noCut])
    #expect(none.notes == [.noScores] && none.figures.alpha == nil)
    let one = station([(50, 2)])
    #expect(one.scores.mean == 50 && one.minimum == 50 && one.scores.sd == nil)
    #expect(notes(one) == [.oneScore, .fewPairs, .noCut])
  }

  @Test("a failed critical item fails its candidate though the station gives no score, an open one is a reason too")
  func criticalWithoutScore() {
    for (state, why) in [
      (CriticalFinding.State.failed, CandidateResult.Why.criticalFailure), (.blank, .criticalBlank),
    ] {
      for reason in [Reason.blankItem, .notAdjudicated] {
        var exam = WorkedExample.exam()
        let place = exam.candidates[3].places.firstIndex { $0.station == "C" }!
        exam.candidates[3].places[place].seats = [
          SeatScore(seat: "lead", score: nil, grade: .value(4), reason: reason)
        ]
        exam.candidates[3].places[place].critical = [
          CriticalFinding(item: "allergy", text: "Asks for allergies", value: 0, state: state)
        ]
        for missing in [Policy.Missing.prorate, .incomplete] {
          var policy = WorkedExample.policy
          policy.missing = missing
          let found = Results(exam, policy: policy).candidates[3]
          #expect(found.reasons.contains(why) && found.outcome != .pass, "\(reason) \(missing) \(found.reasons)")
          #expect(found.criticalFailures.map(\.item) == (state == .failed ? ["allergy"] : []))
        }
        exam.candidates[3].places[place].reason = .absent
        #expect(!Results(exam, policy: WorkedExample.policy).candidates[3].reasons.contains(why))
      }
    }
  }

  @Test("of two assessors the one with a sheet says why there is no score, not the one without") func heldOfTwo() {
    let nothing = SeatScore(seat: "lead", score: nil, grade: .none(.gradeBlank), reason: .noSheet)
    let unsigned = SeatScore(seat: "second", score: nil, grade: .none(.gradeBlank), reason: .unsigned)
    for (seats, reason) in [([nothing, unsigned], Reason.unsigned), ([nothing, nothing], .noSheet)] {
      #expect(JoinedScore(seats, isDouble: true, by: .mean, margin: 10).reason == reason)
    }
  }

  @Test("whom the figures leave out, the agreement of two assessors leaves out") func agreementOfTheDue() {
    var policy = WorkedExample.policy
    func n(_ policy: Policy) -> [Int] {
      let b = Results(WorkedExample.exam(), policy: policy).stations[1].comparisons.agreement!
      return [b.score.n, b.grade.n]
    }
    #expect(n(policy) == [5, 5])
    policy.exclude = [.init(candidate: "1", reason: "Withdrawn"), .init(station: "B", candidate: "2", reason: "Ill")]
    #expect(n(policy) == [3, 3])
  }

  @Test("two pairs of score and grade make no line and no cut") func twoPairs() {
    let found = station([(50, 2), (60, 3)])
    #expect(found.regression.slope == nil && found.cut == nil && notes(found) == [.fewPairs, .noCut])
  }

  @Test("where all have one grade there is no cut") func flatGrades() {
    let found = station([(50, 2), (60, 2), (61, 2)])
    #expect(found.regression.r2 == nil && found.cutFigures.seCut == nil && notes(found) == [.flatGrades, .noCut])
  }

  @Test("where all have one score the line is flat and the score is the cut") func flatScores() {
    let found = station([(50, 1), (50, 2), (50, 3)])
    #expect(found.regression.slope == 0 && found.cut == 50 && found.cutFigures.seCut == 0 && found.regression.r2 == nil)
    #expect(notes(found) == [.flatScores])
  }

  @Test("a line that falls is noted, and one without a slope too") func slopes() {
    let down = station([(70, 1), (60, 2), (50, 3), (45, 4)])
    #expect(down.regression.slope! < 0 && notes(down) == [.negativeSlope])
    let flat = station([(40, 1), (60, 2), (40, 3)])
    #expect(abs(flat.regression.slope!) <= 1e-9 && notes(flat) == [.flatSlope, .lowR2])
    #expect(near(flat.cut, 140.0 / 3))
  }

  @Test("a cut beyond the scale, beyond the scores or from grades that nobody got is noted") func outside() {
    var policy = Policy()
    policy.borderline = 1
    let below = station([(10, 4), (40, 5), (11, 4), (39, 5)], policy)
    #expect(below.cut! < 0)
    #expect(
      notes(below) == [.cutOutsideScale, .cutOutsideScores, .borderlineOutsideGrades, .noBorderlineGroup])
    let points = Results(
      WorkedExample.station([(10, 4), (40, 5), (11, 4), (39, 5)], unit: .points), policy: policy
    ).stations[0]
    #expect(!points.notes.contains(.cutOutsideScale))
  }

  @Test("a fractional borderline finds nobody until its band is widened") func band() {
    var policy = Policy()
    policy.borderline = 2.5
    policy.method = .borderlineGroup
    let pairs: [(Double, Double)] = [(40, 1), (50, 2), (60, 3), (70, 4)]
    #expect(notes(station(pairs, policy)) == [.noBorderlineGroup, .noCut])
    policy.borderlineBand = 0.5
    #expect(station(pairs, policy).cut == 55 && station(pairs, policy).cutFigures.seCut == nil)
  }

  @Test("groups of which nothing follows say why") func groups() {
    func figure(_ scores: [(String?, Double)]) -> BetweenGroups { BetweenGroups(scores.map { ($0.0, $0.1) }) }
    #expect(figure([("R", 1), ("R", 2)]).notes == [.oneGroup])
    #expect(figure([("R", 1), ("B", 2)]).notes == [.noReplication])
    #expect(figure([("R", 1), ("R", 1), ("B", 1), ("B", 1)]).notes == [.flatScores])
    let apart = figure([("R", 1), ("R", 1), ("B", 2), ("B", 2), ("G", 3)])
    #expect(apart.notes == [.groupOfOne, .noWithin] && apart.f == nil && apart.eta2 == 1)
    #expect(apart.varianceComponentPct == 100 && apart.msWithin == 0)
    let anonymous = Results(WorkedExample.station([(1, 1), (2, 2), (3, 3)]), policy: .init()).stations[0].comparisons
      .assessors
    #expect(anonymous.notes == [.noAssessor] && anonymous.f == nil)
  }

  @Test("too few stations or candidates, or equal totals, give no reliability") func reliability() {
    let one = Results(WorkedExample.station([(40, 1), (50, 2), (60, 3)]), policy: .init())
    #expect(one.figures.alpha == nil && one.figures.semMean == nil && one.figures.sdTotal == 10)
    #expect(one.figures.notes == [.fewStations, .noSem] && one.candidates[0].reasons.contains(.noSem))
    #expect(Reliability([[1, 2]], stations: 2).notes == [.fewCandidates])
    let flat = Reliability([[1, 2], [2, 1]], stations: 2)
    #expect(flat.notes == [.flatTotals] && flat.alpha == nil && flat.sdTotal == 0 && flat.semTotal == 0)
    for both in [[60.3, 61.9], [60.1, 61.7], [33.3, 66.6, 99.9], [0.1, 0.2, 0.3]] {
      let whole = Reliability(both.map { [$0, $0, $0] }, stations: 3)
      #expect(whole.alpha.map { $0 <= 1 } == true && whole.semTotal.map { $0 < 1e-6 } == true, "\(both)")
    }
    let rest = Reliability([[60, 40, 20], [40, 60, 20]], stations: 3)
    #expect(rest.alpha == nil && rest.alphaIfDeleted == [0, 0, nil] && rest.restCorrelation == [-1, -1, nil])
    let against = Reliability([[1, 5], [2, 3], [3, 2]], stations: 2)
    #expect(against.notes == [.negativeAlpha] && against.alpha! < 0 && against.semTotal == against.sdTotal)
  }

  @Test("a station's own cut has no standard error") func fixedCut() {
    var policy = WorkedExample.policy
    policy.stations["A", default: .init()].cut = 55
    let results = Results(WorkedExample.exam(), policy: policy)
    let a = results.stations[0]
    #expect(a.cut == 55 && a.cutFigures.seCut == nil && a.cutFigures.method == .fixed && a.regression.slope != nil)
    #expect(a.notes.contains(.fixedCut) && results.figures.rmse == nil && results.figures.notes == [.noRmse])
    #expect(results.figures.cutMean != nil && results.candidates[0].outcome == .pass)
    policy.sem = .rmse
    #expect(Results(WorkedExample.exam(), policy: policy).candidates[0].reasons == [.noSem])
  }

  @Test("one station without a cut leaves every candidate open") func noCut() {
    var exam = WorkedExample.exam()
    for index in exam.candidates.indices { exam.candidates[index].places[0].seats[0].grade = .none(.gradeBlank) }
    let results = Results(exam, policy: WorkedExample.policy)
    #expect(results.figures.cutMean == nil && results.figures.notes == [.noCut])
    #expect(results.candidates.allSatisfy { $0.outcome == .incomplete && $0.reasons.contains(.noCut) })
    #expect(results.stations[0].leftOut.count == 6 && results.stations[0].leftOut[0].reason == .gradeBlank)
  }

  @Test("who is absent, excused or left out is told apart") func missing() {
    var exam = WorkedExample.exam()
    exam.candidates[0].places[0].reason = .absent
    exam.candidates[1].places[0].reason = .excused
    var policy = WorkedExample.policy
    policy.exclude = [.init(candidate: "3", reason: "Withdrawn"), .init(station: "P", reason: "Void")]
    let results = Results(exam, policy: policy)
    #expect(results.candidates[0].reasons.first == .missingStation && results.candidates[0].outcome == .incomplete)
    #expect(results.candidates[1].stationsDue == 2 && results.candidates[1].outcome == .pass)
    #expect(results.candidates[2].outcome == .excluded && results.candidates[2].rank == nil)
    #expect(results.stations[0].scores.n == 3)
    #expect(
      results.stations[0].leftOut == [
        .init(candidate: "1", reason: .absent), .init(candidate: "3", reason: .candidateExcluded),
      ])
    #expect(results.stations[3].isExcluded && !results.stations[3].isCounted && results.stations[3].cut != nil)
  }

  @Test("circuits with other stations are judged by their own") func sets() {
    var exam = WorkedExample.exam()
    for index in 3..<6 { exam.candidates[index].places.remove(at: 2) }
    let results = Results(exam, policy: .init())
    #expect(results.notes == [.severalStationSets] && results.figures == ExamFigures())
    #expect(results.stationSets.map(\.stations) == [["A", "B"], ["A", "B", "C"]])
    #expect(results.stationSets.map(\.n) == [3, 3] && results.stations[0].alphaIfDeleted == nil)
    #expect(results.candidates[0].cut != results.candidates[3].cut)
  }

  @Test("a critical item that failed, is blank or is disputed is told apart") func critical() {
    var exam = WorkedExample.exam()
    exam.candidates[0].places[2].critical = [.init(item: "x", text: "X", value: nil, state: .blank)]
    exam.candidates[1].places[2].critical = [.init(item: "x", text: "X", value: nil, state: .disputed)]
    exam.candidates[2].places[2].critical = [.init(item: "x", text: "X", value: nil, state: .unable)]
    var policy = WorkedExample.policy
    let results = Results(exam, policy: policy)
    #expect(results.candidates[0].reasons == [.criticalBlank] && results.candidates[1].reasons == [.criticalDisputed])
    #expect(results.candidates[2].outcome == .pass && results.candidates[2].stations[2].notes == [.criticalUnable])
    policy.critical.allowed = 1
    #expect(Results(exam, policy: policy).candidates[3].outcome == .pass)
    policy.critical.allowed = 0
    policy.critical.effect = .station
    let station = Results(exam, policy: policy).candidates[3]
    #expect(station.outcome == .pass && station.stationsPassed == 2 && station.stations[2].passed == false)
  }

  @Test("what is rounded is compared so, and nothing is made from it") func rounding() {
    var rounding = Policy.Rounding()
    rounding.mode = .nearest
    #expect(rounding(49.95) == 50 && rounding(49.94) == 49.9)
    rounding.mode = .up
    #expect(rounding(49.91) == 50 && rounding(49.9) == 49.9)
    rounding.mode = .down
    #expect(rounding(49.99) == 49.9 && rounding(49.9) == 49.9)
    rounding.decimals = 0
    rounding.mode = .nearest
    #expect(rounding.reaches(49.5, 50) && !rounding.reaches(49.4, 50))
  }

  @Test("the least number of stations is read in every way of saying it, and nothing else") func minimum() {
    #expect(Policy.MinimumStations("60%") == .percent(60) && Policy.MinimumStations("predicted") == .predicted)
    #expect(Policy.MinimumStations("6") == .number(6) && Policy.MinimumStations("none") == Policy.MinimumStations.none)
    for wrong in ["", "-1", "101%", "x%", "1.5", "nan%"] { #expect(Policy.MinimumStations(wrong) == nil, "\(wrong)") }
    var policy = Policy()
    policy.minimumStations = .percent(60)
    #expect(Results(WorkedExample.exam(), policy: policy).figures.minimumStations == 2)
    policy.minimumStations = .percent(66.66666666666667)
    #expect(Results(WorkedExample.exam(), policy: policy).figures.minimumStations == 2)
  }

  @Test("candidates come in the order of their numbers") func order() {
    let sorted = ["10", "9", "a", "B", "09", "100"].sorted(by: CandidateOrder.isBefore)
    #expect(sorted == ["09", "9", "10", "100", "B", "a"])
  }

  @Test("random exams: figures are finite, outcomes add up, and the order of what is given is nothing") func random() {
    let seed = Seeded.seed
    var random = Seeded(seed: seed)
    for _ in 0..<300 {
      var exam = DefinedAnswersTests.exam(using: &random)
      var policy = Policy()
      policy.method = Policy.Method.allCases.filter { $0 != .fixed }.randomElement(using: &random)!
      policy.missing = Policy.Missing.allCases.randomElement(using: &random)!
      policy.doubleMarks = Policy.DoubleMarks.allCases.randomElement(using: &random)!
      policy.minimumStations = [.none, .number(2), .percent(50), .predicted].randomElement(using: &random)!
      policy.k = [0, 1, 1.64].randomElement(using: &random)!
      let results = Results(exam, policy: policy)
      let counts = CandidateResult.Outcome.allCases.map(results.count)
      #expect(counts.reduce(0, +) == exam.candidates.count, "OSCE_SEED=\(seed)")
      let text = String(describing: results)
      #expect(!text.contains("nan") && !text.contains("inf"), "OSCE_SEED=\(seed)")
      exam.candidates.shuffle(using: &random)
      for index in exam.candidates.indices { exam.candidates[index].places.shuffle(using: &random) }
      #expect(String(describing: Results(exam, policy: policy)) == text, "OSCE_SEED=\(seed)")
    }
  }

  @Test("a blank is counted whatever it is worth, and of nobody who was absent, is excused or left out") func blanks() {
    let whole: [ScoredItem] = [.init(value: 3, maximum: 4), .init(value: 1, maximum: 1)]
    let blank = whole + [.init(value: nil, maximum: 3), .init(value: nil, maximum: 2)]
    for rule in Policy.Blanks.allCases {
      func seat(_ name: String, _ items: [ScoredItem]) -> SeatScore {
        let score = SheetScore(items, blanks: rule)
        return SeatScore(seat: name, assessor: name, sheets: [(form: "A", result: .success((score, .value(3))))])
      }
      let seats = [
        [seat("lead", blank)], [seat("lead", blank), seat("second", whole)], [seat("lead", blank)],
        [seat("lead", blank)], [seat("lead", blank)],
      ]
      let candidates = seats.enumerated().map { index, seats in
        CandidateScores(
          number: String(index + 1), circuit: nil, session: nil,
          places: [
            PlaceScore(station: "A", circuit: nil, session: nil, seats: seats, reason: index == 2 ? .absent : nil)
          ])
      }
      var policy = Policy()
      policy.blanks = rule
      policy.exclude = [
        .init(station: "A", candidate: "4", reason: "Fire alarm"), .init(candidate: "5", reason: "Withdrawn"),
      ]
      let results = Results(ExamScores(stations: [StationPlan(code: "A")], candidates: candidates), policy: policy)
      #expect(results.candidates.map { $0.stations[0].blanks } == [2, 2, 0, 0, 0], "\(rule)")
      #expect(results.stations[0].itemCounts.blanks == 4, "\(rule)")
      #expect(results.candidates[0].stations[0].reason == (rule == .incomplete ? Reason.blankItem : nil), "\(rule)")
    }
  }

  // MARK: Several sheets of one assessor

  private static func seat(
    _ name: String, isSigned: Bool = true, _ sheets: [(form: String, items: [ScoredItem], grade: Double)]
  ) -> SeatScore {
    SeatScore(
      seat: name, assessor: name, isSigned: isSigned,
      sheets: sheets.map { ($0.form, .success((SheetScore($0.items, blanks: .zero), .value($0.grade)))) })
  }

  @Test("a sheet on which nothing could be assessed takes nothing from the assessor's others") func unableSheet() {
    let marked = ScoredItem(value: 3, maximum: 4, isUnable: false)
    let unable = ScoredItem(value: nil, maximum: 4, isUnable: true)
    let seat = Self.seat("lead", [("X", [marked], 3), ("Y", [unable], 3)])
    #expect(seat.score == 75 && seat.reason == nil && seat.points == 3 && seat.maximum == 4)
    #expect(Self.seat("lead", [("X", [unable], 3), ("Y", [unable], 3)]).reason == .nothingScored)
  }

  @Test("two assessors' grades are compared sheet by sheet, and only what both have signed") func gradesByForm() {
    let marked = [ScoredItem(value: 3, maximum: 4, isUnable: false)]
    func agreement(isSigned: Bool) -> StationResult.Agreements? {
      let lead = Self.seat("lead", [("X", marked, 4), ("Y", marked, 2)])
      let other = Self.seat("other", isSigned: isSigned, [("X", marked, 3), ("Y", marked, 3)])
      let place = PlaceScore(station: "A", circuit: nil, session: nil, seats: [lead, other])
      let exam = ExamScores(
        stations: [StationPlan(code: "A")],
        candidates: [CandidateScores(number: "1", circuit: nil, session: nil, places: [place])])
      return Results(exam, policy: .init()).stations[0].comparisons.agreement
    }
    #expect(agreement(isSigned: true)?.grade.n == 2 && agreement(isSigned: true)?.grade.exact == 0)
    #expect(agreement(isSigned: true)?.score.n == 1)
    #expect(agreement(isSigned: false) == nil)
  }

  @Test("no correlation is above 1 by the last digits of its sums") func perfect() {
    let x = [1.0, 2, 3, 4, 5, 6, 7]
    let y = x.map { $0 * 2.3 }
    #expect(Moments.correlation(x, y) == 1 && Moments.correlation(x, y.map { -$0 }) == -1)
    #expect(BorderlineRegression(grades: x, scores: y, borderline: 2).r2 == 1)
  }

  private static func exam(using random: inout Seeded) -> ExamScores {
    let stations = (0..<Int.random(in: 1...4, using: &random)).map { StationPlan(code: "S\($0)") }
    let candidates = (0..<Int.random(in: 0...8, using: &random)).map { number in
      CandidateScores(
        number: String(number), circuit: random.chance(50) ? "R" : "B", session: "1",
        places: stations.filter { _ in random.chance(90) }.map { station in
          let seats = (0..<Int.random(in: 0...2, using: &random)).map { seat in
            SeatScore(
              seat: "s\(seat)", assessor: random.chance(80) ? "a\(Int.random(in: 0...2, using: &random))" : nil,
              score: random.chance(90) ? Double(Int.random(in: -10...100, using: &random)) : nil,
              grade: random.chance(90) ? .value(Double(Int.random(in: 1...4, using: &random))) : .none(.gradeBlank))
          }
          return PlaceScore(
            station: station.code, circuit: random.chance(50) ? "R" : "B", session: "1", seats: seats,
            reason: random.chance(5) ? .absent : random.chance(5) ? .excused : nil)
        })
    }
    return ExamScores(stations: stations, candidates: candidates)
  }
}
