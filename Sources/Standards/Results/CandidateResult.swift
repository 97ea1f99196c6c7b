/// What the exam comes to for one candidate.
public struct CandidateResult: Equatable, Sendable {
  /// What is decided. The raw values are stable.
  public enum Outcome: String, CaseIterable, Sendable { case pass, fail, incomplete, excluded }

  /// Why. The raw values are stable codes; the order is that in which they are listed.
  public enum Why: String, CaseIterable, Sendable {
    case candidateExcluded
    case missingStation, noCut, noSem, noPrediction, criticalBlank, criticalDisputed, noStations
    case belowCut, tooFewStations, criticalFailure

    /// The outcome that it leads to.
    var outcome: Outcome {
      switch self {
      case .candidateExcluded: .excluded
      case .missingStation, .noCut, .noSem, .noPrediction, .criticalBlank, .criticalDisputed, .noStations: .incomplete
      case .belowCut, .tooFewStations, .criticalFailure: .fail
      }
    }
  }

  /// A station of the candidate's plan.
  public struct Station: Equatable, Sendable {
    /// The station's code.
    public let station: String
    /// The circuit.
    public let circuit: String?
    /// The session, as date and start.
    public let session: String?
    /// Whether the candidate was added there on the day, beside the plan.
    public let isAdded: Bool
    /// The score; nil: none.
    public let score: Double?
    /// The sum of the marks.
    public let points: Double?
    /// What could be had at most.
    public let maximum: Double?
    /// The global grade.
    public let grade: Double?
    /// The station's cut.
    public let cut: Double?
    /// Whether the station is passed; nil without a score or a cut.
    public let passed: Bool?
    /// Whether it is in totals, cuts and counts.
    public let isCounted: Bool
    /// Why there is no score, or no grade.
    public let reason: Reason?
    /// How many items were left blank.
    public let blanks: Int
    /// Who marked, joined with `+`.
    public let assessor: String?
    /// The station's weight.
    public let weight: Double
    /// The grade of a borderline candidate.
    public let borderline: Double
    /// What is to be known of it.
    public let notes: [Note]
  }

  /// A critical item that was failed.
  public struct CriticalFailure: Equatable, Sendable {
    /// The station's code.
    public let station: String
    /// The item by key.
    public let item: String
    /// The item's words.
    public let text: String
    /// What was given.
    public let value: Double?
  }

  /// The candidate's number.
  public let number: String
  /// The circuit.
  public let circuit: String?
  /// The session, as date and start.
  public let session: String?
  /// The stations of the candidate's plan, in order.
  public let stations: [Station]
  /// Σ weight · score.
  public private(set) var total: Double?
  /// The total by the weights.
  public private(set) var mean: Double?
  /// The cut by which the candidate was judged.
  public private(set) var cut: Double?
  /// The cut with as many standard errors on top as the policy asks.
  public private(set) var cutPlusSem: Double?
  /// How many stations count for this candidate.
  public private(set) var stationsDue = 0
  /// How many of them are passed.
  public private(set) var stationsPassed = 0
  /// The critical items that were failed.
  public let criticalFailures: [CriticalFailure]
  /// By mean, among those who pass or fail.
  public internal(set) var rank: Int?
  /// Whether a little less or more would have decided otherwise.
  public private(set) var isCloseCall = false
  /// What is decided.
  public let outcome: Outcome
  /// Everything that speaks for it.
  public let reasons: [Why]
  /// What is to be known of it.
  public private(set) var notes: [Note] = []

  /// - Parameters:
  ///   - standings: the candidate's places in the stations' order, with what is known of each station.
  ///   - figures: those of the candidate's set; nil: the candidate has none.
  init(
    _ candidate: CandidateScores, _ standings: [(standing: Standing, station: StationResult)],
    isExcluded: Bool, figures: ExamFigures?, policy: Policy
  ) {
    (number, circuit, session) = (candidate.number, candidate.circuit, candidate.session)
    stations = standings.map { CandidateResult.station($0.standing, $0.station, policy) }
    let due = zip(standings, stations).filter { $0.0.standing.isDue }
    let held = due.filter { $0.0.standing.score != nil }
    let isMissing = held.count < due.count
    let counted = policy.missing == .prorate ? held : due
    let failures = due.flatMap { pair, _ in
      pair.standing.critical.filter { $0.state == .failed }.map {
        CriticalFailure(station: pair.station.station, item: $0.item, text: $0.text, value: $0.value)
      }
    }
    criticalFailures = failures
    stationsDue = counted.count
    stationsPassed = held.count { $0.1.passed == true }
    var why: Set<Why> = isExcluded ? [.candidateExcluded] : []
    if due.isEmpty || counted.isEmpty {
      if !isExcluded { why.insert(.noStations) }
    } else {
      let basis = policy.missing == .zero ? due : held
      let weight = basis.reduce(0) { $0 + $1.0.station.weight }
      if weight > 0 {
        let sum = held.reduce(0) { $0 + $1.0.station.weight * $1.0.standing.score! }
        (total, mean) = (sum, sum / weight)
      }
      cut = ExamFigures.cut(counted.map { ($0.0.station.weight, $0.0.station.cut) })
      cutPlusSem = cut.flatMap { cut in
        policy.k == 0 ? cut : figures?.error.map { cut + policy.k * $0 }
      }
      if isMissing && policy.missing == .incomplete { why.insert(.missingStation) }
      if isMissing && policy.missing == .prorate { notes.append(.prorated) }
      if cut == nil { why.insert(.noCut) } else if cutPlusSem == nil { why.insert(.noSem) }
    }
    let states = due.flatMap { $0.0.standing.critical.map(\.state) }
    if states.contains(.blank) { why.insert(.criticalBlank) }
    if states.contains(.disputed) { why.insert(.criticalDisputed) }
    if let mean, let cutPlusSem, !policy.rounding.reaches(mean, cutPlusSem) { why.insert(.belowCut) }
    let minimum = due.isEmpty ? nil : figures?.minimum(policy.minimumStations, due: counted.count)
    if let minimum, stationsPassed < minimum { why.insert(.tooFewStations) }
    if policy.minimumStations == .predicted && minimum == nil && !due.isEmpty { why.insert(.noPrediction) }
    if policy.critical.effect == .exam && failures.count > policy.critical.allowed { why.insert(.criticalFailure) }
    reasons = Why.allCases.filter(why.contains)
    outcome = reasons.first?.outcome ?? .pass
    if outcome == .pass || outcome == .fail {
      let isNear =
        if let mean, let cutPlusSem, let error = figures?.error {
          abs(mean - cutPlusSem) <= error + Moments.tolerance
        } else { false }
      isCloseCall = isNear || minimum.map { stationsPassed == $0 || stationsPassed == $0 - 1 } ?? false
    }
  }

  private static func station(_ standing: Standing, _ station: StationResult, _ policy: Policy) -> Station {
    let isFailed = policy.critical.effect == .station && standing.critical.contains { $0.state == .failed }
    var passed: Bool?
    if let score = standing.score, let cut = station.cut {
      passed = policy.rounding.reaches(score, cut) && !isFailed
    }
    var notes = standing.place.notes
    if standing.reason == nil { notes += standing.joined.notes }
    if standing.critical.contains(where: { $0.state == .unable }) { notes.append(.criticalUnable) }
    var reason = standing.reason
    if reason == nil, case .none(let why) = standing.joined.grade { reason = why }
    let isHeld = standing.reason != .candidateExcluded && standing.reason != .excused && standing.reason != .absent
    return Station(
      station: station.station, circuit: standing.place.circuit, session: standing.place.session,
      isAdded: standing.place.isAdded, score: standing.score, points: isHeld ? standing.joined.points : nil,
      maximum: isHeld ? standing.joined.maximum : nil, grade: standing.grade, cut: station.cut, passed: passed,
      isCounted: station.isCounted, reason: reason, blanks: isHeld ? standing.joined.blanks : 0,
      assessor: isHeld ? standing.joined.assessor : nil, weight: station.weight, borderline: station.borderline,
      notes: notes.sorted())
  }
}
