/// How far two assessors of the same candidates agree: the first has the lead's seat, the second another.
public struct Agreement: Equatable, Sendable {
  /// How far two assessors may differ, in percent of the maximum, where the station does not say.
  public static let usualMargin = 10.0

  /// Whether two assessors are further apart than they may be; a difference as large as the margin is not, whatever its last
  /// digits are.
  public static func isBeyond(_ points: Double, margin: Double) -> Bool { points > margin + Moments.tolerance }

  /// Two assessors' values of one thing.
  public struct Pair: Equatable, Sendable {
    /// The first assessor's value.
    public let first: Double
    /// The other assessor's value.
    public let second: Double
    /// Who gave them, where that is known.
    public let assessors: [String?]
    /// How far two scores may differ, in points.
    public let margin: Double

    /// Two values of one thing.
    public init(
      _ first: Double, _ second: Double, assessors: [String?] = [nil, nil], margin: Double = Agreement.usualMargin
    ) {
      (self.first, self.second, self.assessors, self.margin) = (first, second, assessors, margin)
    }
  }

  /// Pairs that cannot be compared, by why.
  public struct LeftOut: Equatable, Sendable {
    /// One of the two is blank.
    public var blank = 0
    /// One of the two could not be assessed.
    public var unable = 0
    /// The two used different sheets.
    public var otherForm = 0

    /// Nothing yet.
    public init() {}

    static func + (one: LeftOut, other: LeftOut) -> LeftOut {
      var sum = one
      sum.blank += other.blank
      sum.unable += other.unable
      sum.otherForm += other.otherForm
      return sum
    }
  }

  /// What is compared, for the whole of a station.
  public struct Material: Equatable, Sendable {
    /// What both gave.
    public var pairs: [Pair] = []
    /// What cannot be compared.
    public var leftOut = LeftOut()
    /// Whether the pairs are of items whose scales differ.
    public var hasMixedScales = false

    /// Nothing yet.
    public init() {}

    static func + (one: Material, other: Material) -> Material {
      var sum = one
      sum.pairs += other.pairs
      sum.leftOut = one.leftOut + other.leftOut
      sum.hasMixedScales = one.hasMixedScales || other.hasMixedScales
      return sum
    }
  }

  /// How many pairs there are.
  public let n: Int
  /// The share of equal values.
  public private(set) var exact: Double?
  /// The share that differs by one at most.
  public private(set) var withinOne: Double?
  /// Cohen 1960; nil for scores.
  public private(set) var kappa: Double?
  /// Cohen 1968, quadratic weights; nil for scores.
  public private(set) var weightedKappa: Double?
  /// The mean of first − second.
  public private(set) var meanDifference: Double?
  /// Its standard deviation, with n − 1.
  public private(set) var sdDifference: Double?
  /// Pairs over the margin; nil but for scores.
  public private(set) var beyondMargin: Int?
  /// ICC(1,1), Shrout & Fleiss 1979: the reliability of one assessor; nil but for scores.
  public private(set) var icc: Double?
  /// ICC(2,1), where the same two persons marked every pair; nil but for scores.
  public private(set) var icc2: Double?
  /// Pairs that could not be compared.
  public let leftOut: LeftOut
  /// What is to be known of it.
  public private(set) var notes: [Note] = []

  /// - Parameter isScore: whether the values are scores; else they are categories.
  init(_ material: Material, isScore: Bool) {
    let pairs = material.pairs
    n = pairs.count
    leftOut = material.leftOut
    let differences = pairs.map { $0.first - $0.second }
    if n > 0 {
      exact = Double(differences.count { abs($0) <= Moments.tolerance }) / Double(n)
      withinOne = Double(differences.count { abs($0) <= 1 + Moments.tolerance }) / Double(n)
      meanDifference = Moments.mean(differences)
    }
    sdDifference = Moments.deviation(differences)
    if isScore {
      beyondMargin = pairs.count { Agreement.isBeyond(abs($0.first - $0.second), margin: $0.margin) }
      icc = Agreement.oneWay(pairs, differences)
      icc2 = Agreement.twoWay(pairs, differences)
    } else if n > 0 {
      if material.hasMixedScales { notes.append(.mixedScales) }
      kappas(pairs)
    }
  }

  private mutating func kappas(_ pairs: [Pair]) {
    let n = Double(pairs.count)
    var (first, second): ([Double: Double], [Double: Double]) = ([:], [:])
    for pair in pairs {
      first[pair.first, default: 0] += 1
      second[pair.second, default: 0] += 1
    }
    let values = Set(first.keys).union(second.keys).sorted()
    let chance = values.reduce(0) { $0 + (first[$1] ?? 0) * (second[$1] ?? 0) } / (n * n)
    let equal = Double(pairs.count { abs($0.first - $0.second) <= Moments.tolerance }) / n
    if 1 - chance > 1e-12 {
      kappa = (equal - chance) / (1 - chance)
    } else {
      notes = [.oneCategory] + notes
    }
    var expected = 0.0
    for one in values {
      for other in values { expected += (one - other) * (one - other) * (first[one] ?? 0) * (second[other] ?? 0) }
    }
    let observed = pairs.reduce(0) { $0 + ($1.first - $1.second) * ($1.first - $1.second) } / n
    if expected > 0 { weightedKappa = 1 - observed / (expected / (n * n)) }
  }

  /// The mean square between candidates, of the pairs' means.
  private static func rows(_ pairs: [Pair]) -> Double {
    2 * Moments.squares(pairs.map { ($0.first + $0.second) / 2 }) / Double(pairs.count - 1)
  }

  /// (MSR − MSW)/(MSR + MSW): the assessors differ from room to room, so that "first" is no person.
  private static func oneWay(_ pairs: [Pair], _ differences: [Double]) -> Double? {
    if pairs.count < 2 { return nil }
    let between = rows(pairs)
    let within = differences.reduce(0) { $0 + $1 * $1 } / Double(2 * pairs.count)
    return between + within > 0 ? (between - within) / (between + within) : nil
  }

  private static func twoWay(_ pairs: [Pair], _ differences: [Double]) -> Double? {
    guard pairs.count > 1, let assessors = pairs.first?.assessors, assessors.allSatisfy({ $0 != nil }),
      pairs.allSatisfy({ $0.assessors == assessors }), let mean = Moments.mean(differences)
    else { return nil }
    let n = Double(pairs.count)
    let between = rows(pairs)
    let columns = n * mean * mean / 2
    let error = Moments.squares(differences) / (2 * (n - 1))
    let all = between + error + 2 * (columns - error) / n
    return all > 0 ? (between - error) / all : nil
  }
}
