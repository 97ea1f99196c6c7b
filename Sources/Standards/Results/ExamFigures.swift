/// The figures of a set of stations that candidates go through.
public struct ExamFigures: Equatable, Sendable {
  /// How many have a score at every station.
  public private(set) var nComplete: Int?
  /// How many stations there are.
  public private(set) var k: Int?
  /// The sum of their weights.
  public private(set) var weights: Double?
  /// Cronbach's alpha.
  public private(set) var alpha: Double?
  /// The standard deviation of the totals.
  public private(set) var sdTotal: Double?
  /// The standard error of measurement of a total.
  public private(set) var semTotal: Double?
  /// The standard error of measurement of a mean.
  public private(set) var semMean: Double?
  /// The stations' cuts by their weights.
  public private(set) var cutMean: Double?
  /// The standard error of that: the stations are taken as independent.
  public private(set) var rmse: Double?
  /// The cut with as many standard errors on top as the policy asks.
  public private(set) var cutPlusSem: Double?
  /// How many stations have to be passed, of all of them.
  public private(set) var minimumStations: Int?
  /// How many a candidate whose mean is the cut passes, as a regression predicts it.
  public private(set) var predicted: Double?
  /// The mean of the complete candidates' means.
  public private(set) var meanOfMeans: Double?
  /// Their standard deviation.
  public private(set) var sdOfMeans: Double?
  /// What is to be known of it.
  public private(set) var notes: [Note] = []
  /// The standard error that goes on top of the cut.
  private(set) var error: Double?
  /// Of each station, in order.
  private(set) var alphaIfDeleted: [Double?] = []
  private(set) var restCorrelation: [Double?] = []

  /// Figures of nothing: several sets have none in common.
  init() {}

  /// - Parameters:
  ///   - stations: the set.
  ///   - rows: of each complete candidate the scores in the stations' order.
  init(_ stations: [StationResult], _ rows: [[Double]], _ policy: Policy) {
    let weights = stations.map(\.weight)
    let sum = weights.reduce(0, +)
    let weighted = rows.map { zip($0, weights).map { $0 * $1 } }
    let reliability = Reliability(weighted, stations: stations.count)
    let means = weighted.map { $0.reduce(0, +) / sum }
    (nComplete, k, self.weights) = (rows.count, stations.count, sum)
    (alpha, sdTotal, semTotal) = (reliability.alpha, reliability.sdTotal, reliability.semTotal)
    (alphaIfDeleted, restCorrelation) = (reliability.alphaIfDeleted, reliability.restCorrelation)
    (meanOfMeans, sdOfMeans) = (Moments.mean(means), Moments.deviation(means))
    semMean = sum > 0 ? semTotal.map { $0 / sum } : nil
    var notes = Set(reliability.notes)
    if let alpha, alpha < policy.flags.alpha { notes.insert(.lowAlpha) }
    cutMean = ExamFigures.cut(stations.map { ($0.weight, $0.cut) })
    if cutMean == nil {
      notes.insert(.noCut)
    } else if stations.contains(where: { $0.cutFigures.seCut == nil }) {
      notes.insert(.noRmse)
    } else {
      rmse =
        stations.reduce(0) { $0 + $1.weight * $1.weight * $1.cutFigures.seCut! * $1.cutFigures.seCut! }.squareRoot()
        / sum
    }
    error = policy.sem == .alpha ? semMean : rmse
    if let cutMean {
      cutPlusSem = policy.k == 0 ? cutMean : error.map { cutMean + policy.k * $0 }
      if cutPlusSem == nil { notes.insert(.noSem) }
      let passed = rows.map { row in
        Double(zip(row, stations).count { score, station in policy.rounding.reaches(score, station.cut!) })
      }
      if rows.count >= 3, let number = Line(means, passed)?.at(cutMean), number.isFinite { predicted = number }
    }
    minimumStations = minimum(policy.minimumStations, due: stations.count)
    if policy.minimumStations == .predicted && predicted == nil { notes.insert(.noPrediction) }
    self.notes = notes.sorted()
  }

  /// How many stations have to be passed of those that are due.
  func minimum(_ rule: Policy.MinimumStations, due: Int) -> Int? {
    switch rule {
    case .none: nil
    case .number(let number): number
    case .percent(let percent): Int((percent * Double(due) / 100 - Moments.tolerance).rounded(.up))
    case .predicted:
      predicted.map { Int(min(max(($0 + 0.5 + Moments.tolerance).rounded(.down), 0), Double(k ?? 0))) }
    }
  }

  /// The mean of cuts by weight; nil of none, and where one is missing.
  static func cut(_ cuts: [(weight: Double, cut: Double?)]) -> Double? {
    let weight = cuts.reduce(0) { $0 + $1.weight }
    if weight <= 0 || cuts.contains(where: { $0.cut == nil }) { return nil }
    return cuts.reduce(0) { $0 + $1.weight * $1.cut! } / weight
  }
}
