import ExamStore
import GRDB

/// Who is to come where in which round of a session, as a rota says; it becomes the session's slot table, by the same
/// rule as a swap: in each round everybody comes exactly once where somebody was planned.
public struct Rota: Sendable {
  /// One place: a candidate at a station in a round.
  public struct Place: Hashable, Sendable {
    /// The key in `Student`.
    public let candidate: Int
    /// The key in `Timetable`.
    public let timetable: Int
    /// From 1.
    public let round: Int

    /// - Parameters: see the properties.
    public init(candidate: Int, timetable: Int, round: Int) {
      (self.candidate, self.timetable, self.round) = (candidate, timetable, round)
    }
  }

  /// Why a rota cannot be followed.
  public enum Fault: Hashable, Sendable {
    /// Nobody is planned at this place, which keeps its empty slot.
    case emptySlot(Place)
    /// The candidate is planned nowhere in this round.
    case notInRound(Place)
    /// The candidate is at another station in the same round.
    case twoStations(Place, other: Place)
    /// Another candidate is at this station in the same round.
    case twoCandidates(Place, other: Place)
    /// Something is recorded there for who comes so far, by the key in `Student`.
    case recorded(Place, candidate: Int)
    /// A candidate, by the key in `Student`, has lost the planned place in a round and has no other.
    case withoutPlace(Int, round: Int)
  }

  private let board: HallBoard
  private var comes: [Int: [Int: Int]] = [:]
  /// What is wrong with it, in the order of rounds.
  public private(set) var faults: [Fault] = []

  /// Completes a rota: who is not named in a round stays where they come so far, and who cannot takes the one place left,
  /// or a rest.
  /// - Parameters:
  ///   - places: what it says, in its order.
  ///   - board: the session as it stands.
  public init(_ places: [Place], on board: HallBoard) {
    self.board = board
    let byRound = Dictionary(grouping: places, by: \.round)
    for round in stride(from: 1, through: board.rounds, by: 1) { arrange(byRound[round] ?? [], round) }
  }

  private func planned(_ round: Int) -> [(timetable: Int, entry: RosterEntry, planned: Int)] {
    board.placed.filter { $0.round == round && !$0.entry.isAdditional }.compactMap { place in
      place.entry.planned.map { (place.timetable, place.entry, $0) }
    }
  }

  private mutating func arrange(_ places: [Place], _ round: Int) {
    let planned = planned(round)
    let people = Set(planned.map(\.planned))
    var found: [Int: Int] = [:]
    var (stations, candidates): ([Int: Place], [Int: Place]) = ([:], [:])
    for place in places {
      if let other = candidates[place.candidate] {
        faults.append(.twoStations(place, other: other))
      } else if let other = stations[place.timetable] {
        faults.append(.twoCandidates(place, other: other))
      } else if !people.contains(place.candidate) {
        faults.append(.notInRound(place))
      } else if let slot = planned.first(where: { $0.timetable == place.timetable }) {
        found[slot.planned] = place.candidate
      } else {
        faults.append(.emptySlot(place))
      }
      (candidates[place.candidate], stations[place.timetable]) = (place, place)
    }
    var left = people.subtracting(candidates.keys)
    var open = planned.filter { found[$0.planned] == nil }
    open.removeAll { slot in
      guard let now = slot.entry.candidate?.id, left.remove(now) != nil else { return false }
      found[slot.planned] = now
      return true
    }
    let isOneWay = open.count == 1 || open.allSatisfy { board.isAtRest($0.entry) }
    if isOneWay, left.count == open.count {
      for (slot, candidate) in zip(open, left.sorted()) { found[slot.planned] = candidate }
    } else {
      faults += left.sorted().map { .withoutPlace($0, round: round) }
    }
    comes[round] = found
    for slot in planned {
      guard let next = found[slot.planned], let now = slot.entry.candidate, next != now.id,
        Rota.isRecorded(slot.entry)
      else { continue }
      faults.append(.recorded(Place(candidate: next, timetable: slot.timetable, round: round), candidate: now.id))
    }
  }

  private static func isRecorded(_ entry: RosterEntry) -> Bool {
    entry.isPresent != nil || entry.identityCheckedAt != nil || entry.rerunRound != nil
      || entry.sheets.contains { $0.answered > 0 }
  }

  /// Writes it as the session's slot table.
  /// - Returns: how many places another candidate has than before; nil where marks, signatures or notes stand in the way,
  ///   which then are among the faults.
  public mutating func follow(_ transaction: JournalTransaction) throws -> Int? {
    let traces = try MarkedEntries.read(board.session, in: transaction.db)
    var changed = 0
    for place in board.placed where !place.entry.isAdditional {
      guard let planned = place.entry.planned, let next = comes[place.round]?[planned], let now = place.entry.candidate,
        next != now.id
      else { continue }
      changed += 1
      if traces.hasMarks(place.entry) || traces.noted.contains(place.entry.key) {
        let fault = Fault.recorded(
          Place(candidate: next, timetable: place.timetable, round: place.round), candidate: now.id)
        if !faults.contains(fault) { faults.append(fault) }
      }
    }
    if !faults.isEmpty { return nil }
    if changed > 0 { try SlotChanges.write(table, of: board.session, transaction) }
    return changed
  }

  private var table: [SlotChange] {
    let everybody = Set(comes.values.flatMap(\.keys)).sorted()
    var table: [SlotChange] = []
    for planned in everybody {
      var before = planned
      for round in comes.keys.sorted() {
        guard let next = comes[round]?[planned], next != before else { continue }
        before = next
        table.append(SlotChange(round: round, planned: planned, comes: next))
      }
    }
    return table
  }
}
