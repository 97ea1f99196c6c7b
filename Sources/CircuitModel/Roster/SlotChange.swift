import ExamStore
import Foundation
import Journal

/// One line of a session's slot table: from a round on, who comes where a candidate was planned.
///
/// The table as a whole says for each round who comes in whose place, each candidate at most once.
struct SlotChange: Codable, Hashable {
  /// From which round on, until a later line of the same planned candidate.
  let round: Int
  /// Who was planned: a key in `Student`.
  let planned: Int
  /// Who comes: a key in `Student`.
  let comes: Int

  /// Who comes in a round where a candidate was planned.
  static func candidate(planned: Int, round: Int, _ changes: [SlotChange]) -> Int {
    changes.filter { $0.planned == planned && $0.round <= round }.max { $0.round < $1.round }?.comes ?? planned
  }

  /// The table after one more swap: from a round on the one comes wherever the other would have come, whatever was
  /// changed before, for earlier or for later rounds.
  static func adding(
    swapOf first: Int, and second: Int, from round: Int, to changes: [SlotChange]
  ) -> [SlotChange] {
    let rounds = Set(changes.map(\.round)).union([round]).sorted()
    let everybody = Set(changes.map(\.planned)).union([first, second]).sorted()
    var table: [SlotChange] = []
    for planned in everybody {
      var before = planned
      for step in rounds {
        var comes = candidate(planned: planned, round: step, changes)
        if step >= round { comes = comes == first ? second : comes == second ? first : comes }
        if comes != before { table.append(SlotChange(round: step, planned: planned, comes: comes)) }
        before = comes
      }
    }
    return table
  }

  /// Canonical JSON: a list of {comes, planned, round}.
  static func json(_ changes: [SlotChange]) -> String {
    let rows = changes.map { change in
      CanonicalJSON.Node.object([
        .init("comes", .integer(Int64(change.comes))), .init("planned", .integer(Int64(change.planned))),
        .init("round", .integer(Int64(change.round))),
      ])
    }
    return String(decoding: CanonicalJSON.encode(.array(rows)), as: UTF8.self)
  }
}

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
