import Standards

/// What a station has from its mark sheets that no choice for all stations says.
struct SheetChoice: Sendable {
  let station: String
  /// By the keys that `results:` in exam.yaml has for a station.
  let values: [(key: String, value: Double)]

  /// Nil where the sheets decide nothing, or the same as is used elsewhere.
  /// - Parameter borderline: the grade that is given for all stations.
  init?(_ plan: StationPlan, borderline: Double, _ policy: Policy) {
    let own = policy.stations[plan.code]
    var values: [(key: String, value: Double)] = []
    if let grade = plan.borderline, grade != borderline, own?.borderline == nil, policy.borderlineForAll == nil {
      values.append(("borderline", grade))
    }
    if let weight = plan.weight, weight != 1, own?.weight == nil { values.append(("weight", weight)) }
    if values.isEmpty { return nil }
    (station, self.values) = (plan.code, values)
  }

  /// `borderline 2.5, weight 2`
  var valueText: String { values.map { "\($0.key) \(ShortestNumber.text($0.value))" }.joined(separator: ", ") }

  /// `HIST: borderline 2.5, weight 2 (mark sheets)`
  var text: String { "\(station): \(valueText) (\(PolicyPhrases.decision(.sheet, .init())))" }
}
