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
  /// Two assessors' agreement at all stations; nil where nobody is marked twice.
  public let agreement: StationResult.Agreements?
  /// In the order of their numbers.
  public let candidates: [CandidateResult]
  /// What is to be known of it.
  public let notes: [Note]

  /// How many candidates have an outcome.
  public func count(_ outcome: CandidateResult.Outcome) -> Int { candidates.count { $0.outcome == outcome } }

  /// The set of stations that a candidate goes through; nil where all go through the same.
  public func set(of candidate: CandidateResult) -> StationSet? {
    let own = candidate.stations.filter(\.isCounted).map(\.station)
    return stationSets.first { $0.stations == own }
  }

  /// The set with a station that most candidates go through; nil where all go through the same.
  public func largestSet(with station: String) -> StationSet? {
    stationSets.filter { $0.stations.contains(station) }.max { $0.n < $1.n }
  }

  /// - Parameter isProvisional: whether some expected sheet is not there yet.
  public init(_ scores: ExamScores, policy: Policy, isProvisional: Bool = false) {
    unit = scores.unit
    self.policy = policy
    let decisions = scores.stations.map { StationDecision($0, policy) }
    let order = Dictionary(decisions.enumerated().map { ($1.plan.code, $0) }, uniquingKeysWith: { first, _ in first })
    let left = Set(policy.exclude.filter(\.isOfCandidate).compactMap(\.candidate))
    let people = scores.candidates.sorted { CandidateOrder.isBefore($0.number, $1.number) }
    let standings = people.map { person in
      let isExcluded = left.contains(person.number)
      return PersonStandings(
        isExcluded: isExcluded,
        places: person.places.compactMap { place in
          order[place.station].map { index in
            (index, Standing(place, of: person, isExcluded: isExcluded, decisions[index], policy))
          }
        }.sorted { $0.0 < $1.0 })
    }
    var atStation = [[Standing]](repeating: [], count: decisions.count)
    for person in standings { for (index, standing) in person.places { atStation[index].append(standing) } }
    var stations = decisions.indices.map {
      StationResult(decisions[$0], atStation[$0], unit: scores.unit, policy: policy)
    }
    let counted = decisions.indices.filter { decisions[$0].isCounted }
    let sets = MemberSet.all(standings, counted: counted, stations, policy)
    for index in stations.indices {
      // A station of several sets has one figure in each, and none of its own.
      let with = sets.filter { $0.stations.contains(index) }
      guard let set = with.first, with.count == 1, let place = set.stations.firstIndex(of: index) else { continue }
      stations[index].alphaIfDeleted = set.figures.alphaIfDeleted[place]
      stations[index].restCorrelation = set.figures.restCorrelation[place]
      if let without = set.figures.alphaIfDeleted[place], let alpha = set.figures.alpha,
        without > alpha + Moments.tolerance
      {
        stations[index].notes = (stations[index].notes + [.alphaRises]).sorted()
      }
    }
    self.stations = stations
    let figures = Dictionary(uniqueKeysWithValues: sets.map { ($0.stations, $0.figures) })
    var candidates = zip(people, standings).map { person, standings in
      CandidateResult(
        person, standings.places.map { ($0.standing, stations[$0.index]) }, isExcluded: standings.isExcluded,
        figures: figures[standings.set(of: counted)], policy: policy)
    }
    Results.rank(&candidates)
    self.candidates = candidates
    // Sets are never empty: where nobody counts, there is that of all stations.
    let isOne = sets.count == 1
    self.figures = isOne ? sets[0].figures : ExamFigures()
    stationSets =
      isOne
      ? []
      : sets.map { set in
        StationSet(stations: set.stations.map { decisions[$0].plan.code }, n: set.members, figures: set.figures)
      }
    var notes: Set<Note> = isProvisional ? [.provisional] : []
    if !isOne { notes.insert(.severalStationSets) }
    if stations.allSatisfy({ $0.scores.n == 0 }) { notes.insert(.noScores) }
    self.notes = notes.sorted()
    agreement = Results.agreement(decisions.map(\.plan), stations, atStation)
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

/// A candidate's standings with the places of their stations, in the stations' order.
private struct PersonStandings {
  let isExcluded: Bool
  let places: [(index: Int, standing: Standing)]

  /// What the plan has for the candidate of the stations that count, whether or not it came to pass.
  func set(of counted: [Int]) -> [Int] { places.map(\.index).filter(counted.contains) }
}

/// Stations that some candidates go through, by their places, with the figures of those who have a score at each.
private struct MemberSet {
  let stations: [Int]
  let members: Int
  let figures: ExamFigures

  /// The sets in the stations' order; where no candidate counts, the one set of all stations that count.
  static func all(
    _ standings: [PersonStandings], counted: [Int], _ stations: [StationResult], _ policy: Policy
  ) -> [MemberSet] {
    let people = standings.filter { !$0.isExcluded }
    var members = Dictionary(grouping: people) { $0.set(of: counted) }
    members[[]] = nil
    if members.isEmpty { members[counted] = [] }
    return members.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { set, members in
      let rows = members.compactMap { person -> [Double]? in
        let scores = person.places.filter { set.contains($0.index) }.compactMap(\.standing.score)
        return scores.count == set.count ? scores : nil
      }
      return MemberSet(
        stations: set, members: members.count, figures: ExamFigures(set.map { stations[$0] }, rows, policy))
    }
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
