/// How far the stations of an exam agree about its candidates: Cronbach's alpha (1951) with each station as one item.
struct Reliability {
  let alpha: Double?
  /// The standard deviation of the totals, with n − 1.
  let sdTotal: Double?
  /// The standard error of measurement of a total.
  let semTotal: Double?
  /// Alpha without each station.
  let alphaIfDeleted: [Double?]
  /// Each station's correlation with the sum of the others.
  let restCorrelation: [Double?]
  private(set) var notes: [Note] = []

  /// - Parameters:
  ///   - rows: of each candidate with a score at every station, the weighted scores in the stations' order.
  ///   - stations: how many stations there are.
  init(_ rows: [[Double]], stations: Int) {
    let none = [Double?](repeating: nil, count: stations)
    let totals = rows.map { $0.reduce(0, +) }
    if stations < 2 { notes.append(.fewStations) }
    if rows.count < 2 {
      notes.append(.fewCandidates)
      (alpha, sdTotal, semTotal, alphaIfDeleted, restCorrelation) = (nil, nil, nil, none, none)
      return
    }
    let columns = (0..<stations).map { station in rows.map { $0[station] } }
    if Moments.isFlat(totals) {
      notes.append(.flatTotals)
      (alpha, sdTotal, semTotal) = (nil, 0, stations < 2 ? nil : 0)
    } else {
      let deviation = Moments.deviation(totals)!
      let alpha = Reliability.alpha(columns)
      (self.alpha, sdTotal) = (alpha, deviation)
      semTotal = alpha.map { deviation * (1 - max(0, $0)).squareRoot() }
      if let alpha, alpha < 0 { notes.append(.negativeAlpha) }
    }
    // Without a station, totals that are equal may differ.
    alphaIfDeleted = (0..<stations).map { left in
      Reliability.alpha(columns.enumerated().filter { $0.offset != left }.map(\.element))
    }
    restCorrelation = (0..<stations).map { station in
      stations < 2
        ? nil
        : Moments.correlation(
          columns[station],
          rows.map { row in row.enumerated().reduce(0) { $1.offset == station ? $0 : $0 + $1.element } })
    }
  }

  /// k/(k − 1)·(1 − Σ var(part)/var(total)); nil of fewer than two parts, and where all totals are the same.
  private static func alpha(_ parts: [[Double]]) -> Double? {
    guard parts.count > 1, let first = parts.first else { return nil }
    let totals = first.indices.map { row in parts.reduce(0) { $0 + $1[row] } }
    guard !Moments.isFlat(totals), let all = Moments.variance(totals) else { return nil }
    let each = parts.reduce(0) { $0 + (Moments.variance($1) ?? 0) }
    let k = Double(parts.count)
    // Rounding would leave more than 1 of stations that agree wholly, and a root of less than nothing.
    return min(1, k / (k - 1) * (1 - each / all))
  }
}
