import Standards

/// What is left out of the results, or excused, with the reason and whose decision it is.
struct StandingExclusion: Sendable {
  let exclusion: Policy.Exclusion
  let source: PolicyInForce.Source
  let origin: PolicyInForce.Origin

  /// What is left out: codes, from the large to the small.
  private var place: String {
    [exclusion.session, exclusion.circuit, exclusion.station, exclusion.candidate, exclusion.item]
      .compactMap { $0 }.joined(separator: " · ")
  }

  /// `left out: RX: Manikin faulty all day (exam.yaml)`
  var text: String {
    "\(exclusion.isExcuse ? "excused" : "left out"): \(place): \(exclusion.reason) (\(PolicyPhrases.decision(source, origin)))"
  }
}
