/// An exam's results: every station, every candidate, and what holds for all. They depend on the scores and the policy
/// alone, not on the order in which anything is given.
public struct Results: Equatable, Sendable {
  /// Stations that some candidates go through, where others have other ones.
  public struct StationSet: Equatable, Sendable {
    /// The stations, in order.
    public let stations: [String]
    /// How many candidates.
    public let n: Int
    /// Their figures.
    public let figures: ExamFigures
  }

  /// What a score is measured in.
  public let unit: ExamScores.Unit
  /// By which choices they were made.
  public let policy: Policy
  /// The stations, in order.
  public let stations: [StationResult]
  /// Where there are several; none where all candidates go through the same.
  public let stationSets: [StationSet]
  /// The figures where all candidates go through the same stations.
  public let figures: ExamFigures
  /// Two markers' agreement at all stations; nil where nobody is marked twice.
  public let agreement: StationResult.Agreements?
  /// In the order of their numbers.
  public let candidates: [CandidateResult]
  /// What is to be known of it.
  public let notes: [Note]

  /// How many candidates have an outcome.
  public func count(_ outcome: CandidateResult.Outcome) -> Int { candidates.count { $0.outcome == outcome } }

  /// - Parameter isProvisional: whether some expected sheet is not there yet.
  public init(_ scores: ExamScores, policy: Policy, isProvisional: Bool = false) {
    unit = scores.unit
    self.policy = policy
    let rules = scores.stations.map { StationRules($0, policy) }
    let order = Dictionary(rules.enumerated().map { ($1.plan.code, $0) }, uniquingKeysWith: { first, _ in first })
    let left = Set(policy.exclude.filter(\.isOfCandidate).compactMap(\.candidate))
    let people = scores.candidates.sorted { CandidateOrder.isBefore($0.number, $1.number) }
    let standings = people.map { person in
      person.places.compactMap { place in
        order[place.station].map { index in
          (
            index,
            Standing(place, of: person, isExcluded: left.contains(person.number), rules[index], policy)
          )
        }
      }.sorted { $0.0 < $1.0 }
    }
    var atStation = [[Standing]](repeating: [], count: rules.count)
    for row in standings { for (index, standing) in row { atStation[index].append(standing) } }
    var stations = rules.indices.map {
      StationResult(rules[$0], atStation[$0], unit: scores.unit, policy: policy)
    }

    // A candidate's set is what the plan has for them, whether or not it came to pass.
    let sets = standings.map { row in row.map(\.0).filter { rules[$0].isCounted } }
    var members: [[Int]: [Int]] = [:]
    for (person, set) in sets.enumerated() where !set.isEmpty && !left.contains(people[person].number) {
      members[set, default: []].append(person)
    }
    if members.isEmpty { members[rules.indices.filter { rules[$0].isCounted }] = [] }
    let keys = members.keys.sorted { $0.lexicographicallyPrecedes($1) }
    var figures: [[Int]: ExamFigures] = [:]
    for set in keys {
      let rows = members[set]!.compactMap { person -> [Double]? in
        let scores = standings[person].filter { set.contains($0.0) }.compactMap(\.1.score)
        return scores.count == set.count ? scores : nil
      }
      figures[set] = ExamFigures(set.map { stations[$0] }, rows, policy)
    }
    for index in stations.indices {
      // A station of several sets has one figure in each, and none of its own.
      let with = keys.filter { $0.contains(index) }
      guard let set = with.first, with.count == 1, let found = figures[set],
        let place = set.firstIndex(of: index)
      else { continue }
      stations[index].alphaIfDeleted = found.alphaIfDeleted[place]
      stations[index].restCorrelation = found.restCorrelation[place]
      if let without = found.alphaIfDeleted[place], let alpha = found.alpha, without > alpha + Moments.tolerance {
        stations[index].notes = (stations[index].notes + [.alphaRises]).sorted()
      }
    }
    self.stations = stations
    var candidates = people.indices.map { person in
      CandidateResult(
        people[person], standings[person].map { ($0.1, stations[$0.0]) },
        isExcluded: left.contains(people[person].number), figures: figures[sets[person]], policy: policy)
    }
    Results.rank(&candidates)
    self.candidates = candidates
    var notes: Set<Note> = isProvisional ? [.provisional] : []
    if keys.count > 1 {
      notes.insert(.severalStationSets)
      self.figures = ExamFigures()
      stationSets = keys.map { set in
        StationSet(stations: set.map { rules[$0].plan.code }, n: members[set]!.count, figures: figures[set]!)
      }
    } else {
      self.figures = figures[keys[0]]!
      stationSets = []
    }
    if stations.allSatisfy({ $0.scores.n == 0 }) { notes.insert(.noScores) }
    self.notes = notes.sorted()
    agreement = Results.agreement(rules.map(\.plan), stations, atStation)
  }

  /// Equal means share the better rank, and the next is skipped.
  private static func rank(_ candidates: inout [CandidateResult]) {
    let judged = candidates.indices.filter {
      candidates[$0].mean != nil && (candidates[$0].outcome == .pass || candidates[$0].outcome == .fail)
    }.sorted { (candidates[$0].mean!, $1) > (candidates[$1].mean!, $0) }
    var (last, rank): (Double?, Int) = (nil, 0)
    for (place, index) in judged.enumerated() {
      let mean = candidates[index].mean!
      if last.map({ $0 - mean > Moments.tolerance }) ?? true { rank = place + 1 }
      last = mean
      candidates[index].rank = rank
    }
  }

  private static func agreement(
    _ plans: [StationPlan], _ stations: [StationResult], _ standings: [[Standing]]
  ) -> StationResult.Agreements? {
    let materials = zip(plans, standings).compactMap { StationResult.material($0, $1) }
    guard let first = materials.first else { return nil }
    let all = materials.dropFirst().reduce(first) { sum, next in
      (sum.items + next.items, sum.grades + next.grades, sum.scores + next.scores)
    }
    return StationResult.Agreements(all)
  }
}

/// The order of candidates: by number where both are digits only, else by Unicode scalars.
public enum CandidateOrder {
  /// Whether one candidate comes before another.
  public static func isBefore(_ one: String, _ other: String) -> Bool {
    if isNumber(one) && isNumber(other) {
      let (a, b) = (one.drop { $0 == "0" }, other.drop { $0 == "0" })
      if a.count != b.count { return a.count < b.count }
      if a != b { return a < b }
    }
    return one.unicodeScalars.lexicographicallyPrecedes(other.unicodeScalars)
  }

  private static func isNumber(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
