extension Sequence {
  /// In the order of rounds, as on the roster: who has none, such as a candidate added on the day, comes after the
  /// others.
  func sortedByRound(_ round: (Element) -> Int?) -> [Element] {
    enumerated().map { (place: $0.offset, round: round($0.element) ?? .max, element: $0.element) }
      .sorted { ($0.round, $0.place) < ($1.round, $1.place) }.map(\.element)
  }
}
