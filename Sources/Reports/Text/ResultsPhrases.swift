import Characters
import Standards

extension Note {
  /// As people say it.
  public var text: String {
    switch self {
    case .noScores: "no scores"
    case .oneScore: "one score only"
    case .fewPairs: "too few pairs for a line"
    case .flatGrades: "one grade for all"
    case .flatScores: "one score for all"
    case .negativeSlope: "better grades for worse scores"
    case .flatSlope: "scores do not follow grades"
    case .cutOutsideScale: "cut beyond the scale"
    case .cutOutsideScores: "cut beyond the scores"
    case .borderlineOutsideGrades: "no grade as low or high as borderline"
    case .noBorderlineGroup: "nobody borderline"
    case .noContrast: "no contrasting groups"
    case .smallSample: "few candidates"
    case .lowR2: "low R²"
    case .largeBetween: "groups differ"
    case .lowAlpha: "low alpha"
    case .oneGroup: "one group"
    case .noReplication: "one score a group"
    case .noAssessor: "no assessor known"
    case .groupOfOne: "a group of one"
    case .noWithin: "no difference within groups"
    case .assessorNestedInCircuit: "assessors stay in one circuit"
    case .assessorIsCircuit: "one assessor a circuit"
    case .fewStations: "too few stations for alpha"
    case .fewCandidates: "too few complete candidates"
    case .flatTotals: "one total for all"
    case .negativeAlpha: "negative alpha"
    case .alphaRises: "alpha rises without it"
    case .fixedCut: "cut set by the exam"
    case .noCut: "no cut"
    case .noRmse: "no standard error of the cut"
    case .noSem: "no standard error"
    case .noPrediction: "no prediction"
    case .noStations: "no stations"
    case .severalStationSets: "circuits have different stations"
    case .prorated: "judged by the stations held"
    case .severalVersions: "sheets of several versions"
    case .severalForms: "several sheets"
    case .oneAssessor: "one assessor only"
    case .secondAttempt: "second attempt"
    case .criticalUnable: "a critical item could not be assessed"
    case .oneCategory: "one value for all"
    case .mixedScales: "items of different scales"
    case .provisional: "sheets are still missing"
    }
  }
}

extension CandidateResult {
  /// The codes of the stations of the candidate's plan that count.
  fileprivate var countedStations: [String] { stations.filter(\.isCounted).map(\.station) }
  /// Whether the candidate is recorded absent at all of them.
  fileprivate var isAbsent: Bool {
    let counted = stations.filter(\.isCounted)
    return !counted.isEmpty && counted.allSatisfy { $0.reason == .absent }
  }
  /// Of these, those of the candidate's own circuit and session: where the candidate was added besides, others need not
  /// come.
  fileprivate var ownStations: [String] { stations.filter { $0.isCounted && $0.place == ownPlace }.map(\.station) }
  /// The first circuit and session, or where the candidate was added there alone, that of a station of the plan.
  fileprivate var ownPlace: [String?] {
    let planned = stations.filter { !$0.isAdded }.map(\.place)
    let first = [circuit, session]
    return planned.contains(first) ? first : planned.first ?? first
  }
}

extension CandidateResult.Station {
  /// Circuit and session.
  fileprivate var place: [String?] { [circuit, session] }
}

extension CandidateResult.Why {
  /// As people say it.
  public var text: String {
    switch self {
    case .candidateExcluded: "left out"
    case .missingStation: "a station is missing"
    case .noCut: "no cut"
    case .noSem: "no standard error"
    case .noPrediction: "no prediction"
    case .criticalBlank: "a critical item is blank"
    case .criticalDisputed: "assessors disagree on a critical item"
    case .noStations: "no stations"
    case .belowCut: "below the cut"
    case .tooFewStations: "too few stations passed"
    case .criticalFailure: "failed a critical item"
    }
  }
}

extension CandidateResult.Outcome {
  /// As people say it.
  public var text: String {
    switch self {
    case .pass: "pass"
    case .fail: "fail"
    case .incomplete: "incomplete"
    case .excluded: "left out"
    }
  }
}

extension Policy.Method {
  /// As people say it.
  public var text: String {
    switch self {
    case .borderlineRegression: "borderline regression"
    case .borderlineGroup: "the mean of the borderline group"
    case .borderlineGroupMedian: "the median of the borderline group"
    case .contrastingGroups: "contrasting groups"
    case .fixed: "fixed cuts"
    }
  }
}

extension Reason {
  /// Why there is no score or no grade, in few words.
  public var text: String {
    switch self {
    case .absent: "absent"
    case .noSheet: "no sheet"
    case .unsigned: "not signed"
    case .blankItem: "an item is blank"
    case .nothingScored: "nothing could be assessed"
    case .formMissing: "a sheet is missing"
    case .notAdjudicated: "not adjudicated"
    case .excused: "excused"
    case .candidateExcluded: "candidate left out"
    case .gradeBlank: "no global rating"
    case .gradeUnable: "global rating unable to assess"
    case .noGlobalItem: "the sheet has no global rating"
    }
  }
}

extension ResultsReport {
  /// What is to be known of the exam, in words: of several sets of stations, who has fewer than others.
  var noteTexts: [String] {
    (results.notes + results.figures.notes).flatMap { $0 == .severalStationSets ? setTexts : [$0.text] }
  }

  /// Why there are several sets of stations: candidates who have fewer than others of their circuit and session, or
  /// circuits and sessions that differ.
  private var setTexts: [String] {
    let people = results.candidates.filter { $0.outcome != .excluded }
    let groups = Dictionary(grouping: people, by: \.ownPlace)
    let whole = groups.mapValues { Set($0.flatMap(\.ownStations)) }
    let order = results.stations.map(\.station)
    let fewer = people.filter { !$0.isAbsent }.compactMap { person -> String? in
      let missed = (whole[person.ownPlace] ?? []).subtracting(person.countedStations)
      return missed.isEmpty ? nil : "\(person.number) without \(order.filter(missed.contains).joined(separator: " "))"
    }
    if fewer.isEmpty { return [Note.severalStationSets.text] }
    let named = fewer.prefix(5) + (fewer.count > 5 ? ["and \(fewer.count - 5) more"] : [])
    let lacking =
      "\(Plural.count(fewer.count, "candidate has", "candidates have")) fewer stations: \(named.joined(separator: ", "))"
    return (Set(whole.values).count > 1 ? [Note.severalStationSets.text] : []) + [lacking]
  }

  /// The cut, or that of each set of stations, and how many came to what, in a line.
  public var summary: String {
    let counts = CandidateResult.Outcome.allCases.map { "\(results.count($0)) \($0.text)" }
    return "cut \(results.text { Figure.tenths($0.cutPlusSem) }), " + counts.joined(separator: ", ")
  }
}

extension Results {
  /// A figure of the exam in words, or of each set of stations: `61.1 · 62.6`; once where it is the same of all.
  func text(_ figure: (ExamFigures) -> String) -> String {
    let texts = stationSets.isEmpty ? [figure(figures)] : stationSets.map { figure($0.figures) }
    return Set(texts).count == 1 ? texts[0] : texts.joined(separator: " · ")
  }
}
