/// A candidate at a station, as it counts.
struct Standing {
  let candidate: String
  let place: PlaceScore
  let joined: JoinedScore
  /// Why there is no score; nil where there is one.
  let reason: Reason?
  /// Whether the station is to be had of this candidate.
  let isDue: Bool
  /// The critical items that are failed or open, whether or not there is a score; none where the candidate is not due
  /// or was absent.
  let critical: [CriticalFinding]

  init(
    _ place: PlaceScore, of candidate: CandidateScores, isExcluded: Bool, _ decision: StationDecision, _ policy: Policy
  ) {
    self.candidate = candidate.number
    self.place = place
    joined = JoinedScore(
      place.seats, isDouble: place.seats.count > 1, by: policy.doubleMarks, margin: decision.plan.margin,
      ruling: place.ruling)
    let isExcused = place.reason == .excused || policy.excuses(at: .init(place, of: candidate.number))
    let why = place.reason ?? (joined.score == nil ? joined.reason : nil)
    reason = isExcluded ? .candidateExcluded : isExcused ? .excused : why
    isDue = decision.isCounted && !isExcluded && !isExcused
    critical = isDue && place.reason == nil ? place.critical.filter { !$0.isWaived } : []
  }

  /// The score that counts.
  var score: Double? { reason == nil ? joined.score : nil }

  /// Whether what was marked here is the station's: not that of who was absent, is excused or left out of the exam.
  var isOfStation: Bool { place.reason == nil && reason != .excused && reason != .candidateExcluded }

  /// The grade that counts.
  var grade: Double? { reason == nil ? joined.grade.value : nil }

  /// Why there is no pair of score and grade; nil where there is one, and where none is due.
  var whyNoPair: Reason? {
    if reason == .excused { return nil }
    if let reason { return reason }
    if case .none(let why) = joined.grade { return why }
    return nil
  }
}
