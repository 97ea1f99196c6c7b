import ExamStore

/// What a swap of slots means for the two candidates over the whole session: the stations with a mark sheet at which
/// each comes twice, and those that each never meets.
///
/// A round for which a candidate is recorded absent counts only where it is queued for the re-run.
public struct SlotSwap: Sendable {
  /// The two, with the codes of the stations that they meet more than once; nobody who meets none twice.
  public let repeated: [(candidate: Candidate, stations: [String])]
  /// The two, with the codes of the stations that they miss; nobody who misses none.
  public let missed: [(candidate: Candidate, stations: [String])]

  /// - Parameters:
  ///   - people: the two.
  ///   - round: the round from which on each comes where the other would have come.
  ///   - board: the session before the swap.
  init(_ people: [Candidate], from round: Int, on board: HallBoard) {
    let examined = board.stations.filter { !$0.isRest }
    var repeated: [(candidate: Candidate, stations: [String])] = []
    var missed: [(candidate: Candidate, stations: [String])] = []
    for (candidate, other) in [(people[0], people[1]), (people[1], people[0])] {
      let own = board.places(of: candidate.id)
      let away = Set(own.filter { $0.entry.isPresent == false && $0.entry.rerunRound == nil }.map(\.round))
      let met = own.filter { $0.round < round } + board.places(of: other.id, from: round)
      let stations = met.filter { !away.contains($0.round) }.map(\.timetable)
      func codes(_ isListed: (Int) -> Bool) -> [String] {
        examined.filter { station in isListed(stations.count { $0 == station.timetable }) }.map(\.stationCode)
      }
      let (twice, never) = (codes { $0 > 1 }, codes { $0 == 0 })
      if !twice.isEmpty { repeated.append((candidate, twice)) }
      if !never.isEmpty { missed.append((candidate, never)) }
    }
    self.repeated = repeated
    self.missed = missed
  }
}
