/// How far scores differ between groups: circuits, sessions, assessors. Candidates are not dealt to groups at random, so
/// what is found is of the assessor and of the cohort.
public struct BetweenGroups: Equatable, Sendable {
  /// One group.
  public struct Group: Equatable, Sendable {
    /// What it goes by.
    public let name: String
    /// How many scores it has.
    public let n: Int
    /// Their mean.
    public let mean: Double
  }

  /// The groups by name.
  public let groups: [Group]
  /// The mean square between groups.
  public private(set) var msBetween: Double?
  /// The mean square within groups.
  public private(set) var msWithin: Double?
  /// Their ratio.
  public private(set) var f: Double?
  /// The mean size of a group as the variance component counts it.
  public private(set) var n0: Double?
  /// The share of the sum of squares that lies between groups, a fraction.
  public private(set) var eta2: Double?
  /// The share of the variance that lies between groups, in percent: the estimator of the analysis of variance (Searle,
  /// Casella & McCulloch 1992).
  public private(set) var varianceComponentPct: Double?
  /// What is to be known of it.
  public private(set) var notes: [Note] = []

  /// - Parameter scores: each with its group's name; one without a name is left out.
  init(_ scores: [(group: String?, score: Double)]) {
    var members: [String: [Double]] = [:]
    for (group, score) in scores { if let group { members[group, default: []].append(score) } }
    groups = members.sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }.map {
      Group(name: $0.key, n: $0.value.count, mean: Moments.mean($0.value)!)
    }
    let all = groups.flatMap { members[$0.name]! }
    let (count, size) = (Double(groups.count), Double(all.count))
    guard let mean = Moments.mean(all) else { return }
    if let why = BetweenGroups.reason(groups.count, all) {
      notes = [why]
      return
    }
    if groups.contains(where: { $0.n == 1 }) { notes.append(.groupOfOne) }
    // Taken from the mean first, scores that lie close together keep every digit of their differences.
    let apart = members.mapValues { $0.map { $0 - mean } }
    let centre = Moments.mean(groups.flatMap { apart[$0.name]! })!
    let between = groups.reduce(0) { sum, group in
      let distance = Moments.mean(apart[group.name]!)! - centre
      return sum + Double(group.n) * distance * distance
    }
    let within = groups.reduce(0) { $0 + Moments.squares(apart[$1.name]!) }
    let sizes = (size - groups.reduce(0) { $0 + Double($1.n * $1.n) } / size) / (count - 1)
    let (msb, msw) = (between / (count - 1), within / (size - count))
    (msBetween, msWithin, n0) = (msb, msw, sizes)
    if groups.allSatisfy({ Moments.isFlat(members[$0.name]!) }) {
      (msWithin, eta2, varianceComponentPct) = (0, 1, 100)
      notes.append(.noWithin)
    } else {
      let component = max(0, (msb - msw) / sizes)
      (f, eta2, varianceComponentPct) = (
        msb / msw, between / (between + within), 100 * component / (component + msw)
      )
    }
  }

  /// Why there are no figures.
  private static func reason(_ groups: Int, _ scores: [Double]) -> Note? {
    if groups == 1 { return .oneGroup }
    if groups == scores.count { return .noReplication }
    return Moments.isFlat(scores) ? .flatScores : nil
  }

  mutating func add(_ note: Note) { notes = (notes + [note]).sorted() }
}
