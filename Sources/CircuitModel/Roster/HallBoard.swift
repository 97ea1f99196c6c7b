import ExamStore
import GRDB
import Timer

/// Who is at which station in which round of a session.
///
/// Slot i is in round r at the station of place ((i + r - 2) mod n) + 1 of the ring, n being its length. A cancelled
/// station session keeps its place in the ring and is not among `stations`.
public struct HallBoard: Sendable {
  /// The session.
  public let session: Session
  /// The station sessions in the order of the ring, rest stations included.
  public let stations: [StationSession]
  /// Rounds needed by the rosters.
  public let rounds: Int
  /// Everybody on any roster of the session, by slot in round 1, those without one last; then by number.
  public let candidates: [HallCandidate]
  /// The keys in `Timetable` in the order of the ring, cancelled ones included.
  let ring: [Int]

  /// An entry of the session that has a round, with its station.
  package typealias Place = (timetable: Int, entry: RosterEntry, round: Int)

  /// Every entry of the session that has a round, in the order of rounds and the ring.
  package let placed: [Place]

  private let roster: [Int: [RosterEntry]]
  /// The station session of each entry that has a round, by the entry's key.
  private let timetables: [String: Int]

  /// Reads a session's rosters, with the progress of the lead assessor's sheets.
  public static func read(_ session: Session, in db: Database) throws -> HallBoard {
    try HallBoard(session, db)
  }

  private init(_ session: Session, _ db: Database) throws {
    let ring = try HallBoard.ring(of: session, in: db)
    var roster: [Int: [RosterEntry]] = [:]
    for timetable in ring { roster[timetable] = try Roster.entries(timetable: timetable, seat: .lead, in: db) }
    self.session = session
    stations = try StationSession.all(of: session, in: db)
    rounds = try session.roundsNeeded(db)
    candidates = try HallBoard.everybody(on: roster, ring: ring, rounds: rounds, in: db)
    placed = ring.flatMap { timetable in
      (roster[timetable] ?? []).compactMap { entry in entry.round.map { (timetable, entry, $0) } }
    }.sorted { $0.round < $1.round }
    timetables = Dictionary(placed.map { ($0.entry.key, $0.timetable) }, uniquingKeysWith: { first, _ in first })
    (self.ring, self.roster) = (ring, roster)
  }

  /// The stations of a session in the order in which candidates go round, those that rest or are withdrawn too, by their
  /// keys in `Timetable`.
  package static func ring(of session: Session, in db: Database) throws -> [Int] {
    try Int.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT t.dsid FROM timetable t JOIN activityType a ON a.dsid = t.activityTypeID
          WHERE \(Session.condition) AND t.dsDeleted = 0 AND a.dsDeleted = 0
          ORDER BY a."order", a.dsid, t.dsid
          """), arguments: session.arguments)
  }

  /// The slot whose turn it is at a station of a ring in a round, from 1; 0 for a station that is not in it.
  package static func slot(of timetable: Int, round: Int, in ring: [Int]) -> Int {
    guard let place = ring.firstIndex(of: timetable) else { return 0 }
    return wrapped(place - (round - 1), in: ring) + 1
  }

  /// Who comes to a station in a round, absent or not: usually nobody or one.
  public func entries(station timetable: Int, round: Int) -> [RosterEntry] {
    (roster[timetable] ?? []).filter { $0.round == round }
  }

  /// The slot whose turn it is at a station in a round, from 1; 0 for a station that is not in the ring.
  public func slot(station timetable: Int, round: Int) -> Int {
    HallBoard.slot(of: timetable, round: round, in: ring)
  }

  /// The station at which a slot is in a round.
  /// - Returns: the key in `Timetable`; nil if there is no such slot.
  public func timetable(slot: Int, round: Int) -> Int? {
    (1...max(1, ring.count)).contains(slot) && !ring.isEmpty
      ? ring[HallBoard.wrapped(slot - 1 + round - 1, in: ring)] : nil
  }

  /// Where a candidate comes in the rounds from one on, in order.
  package func places(of student: Int, from round: Int = 1) -> [Place] {
    placed.filter { $0.entry.candidate?.id == student && $0.round >= round }
  }

  /// Every entry of a candidate, in the order of rounds, those without one first.
  package func everywhere(_ student: Int) -> [(timetable: Int, entry: RosterEntry)] {
    ring.flatMap { timetable in
      (roster[timetable] ?? []).filter { $0.candidate?.id == student }.map { (timetable, $0) }
    }.sorted { ($0.1.round ?? 0) < ($1.1.round ?? 0) }
  }

  /// Whether a candidate is recorded as late in any round.
  public func isLate(_ student: Int) -> Bool { places(of: student).contains { $0.entry.lateAt != nil } }

  /// What did not fit at the identity steps of a candidate, each with the code of its station, in the order of rounds.
  public func identityNotes(on student: Int) -> [String] {
    everywhere(student).compactMap { timetable, entry in entry.identityNote.map { "\(code(timetable)): \($0)" } }
  }

  /// Whether an entry is at a rest station, or at a station session that is cancelled.
  package func isAtRest(_ entry: RosterEntry) -> Bool {
    let timetable = timetables[entry.key]
    return !stations.contains { $0.timetable == timetable && !$0.isRest }
  }

  /// The code of a station, or its key where the station session is cancelled.
  package func code(_ timetable: Int) -> String {
    stations.first { $0.timetable == timetable }?.stationCode ?? "station session \(timetable)"
  }

  /// - Throws: `RosterRefusal` if the session has no such round.
  func check(round: Int) throws {
    guard round >= 1, round <= rounds else {
      if rounds == 0 { throw RosterRefusal.noRoster(session: session.name) }
      throw RosterRefusal.noRound(round, session: session.name, rounds: rounds)
    }
  }

  /// - Throws: `RosterRefusal` if the candidate is on no roster of the session.
  func candidate(_ student: Int) throws -> Candidate {
    guard let found = candidates.first(where: { $0.candidate.id == student }) else {
      throw RosterRefusal.notInSession(candidate: student, session: session.name)
    }
    return found.candidate
  }

  private static func wrapped(_ number: Int, in ring: [Int]) -> Int {
    let rest = number % ring.count
    return rest < 0 ? rest + ring.count : rest
  }

  private static func everybody(
    on roster: [Int: [RosterEntry]], ring: [Int], rounds: Int, in db: Database
  ) throws -> [HallCandidate] {
    var people: [Int: Candidate] = [:]
    var slots: [Int: [Int]] = [:]
    var additional: Set<Int> = []
    for timetable in ring {
      for entry in roster[timetable] ?? [] {
        if let planned = entry.planned {
          if people[planned] == nil { people[planned] = try Roster.candidate(planned, in: db) }
          if entry.isAdditional { additional.insert(planned) }
        }
        guard let candidate = entry.candidate else { continue }
        people[candidate.id] = candidate
        guard let round = entry.round, round >= 1, round <= rounds else { continue }
        var places = slots[candidate.id] ?? Array(repeating: 0, count: rounds)
        if places[round - 1] == 0 { places[round - 1] = slot(of: timetable, round: round, in: ring) }
        slots[candidate.id] = places
      }
    }
    let list = people.map { key, candidate in
      HallCandidate(
        candidate: candidate, slots: slots[key] ?? Array(repeating: 0, count: rounds),
        isAdditional: additional.contains(key))
    }
    func rank(_ person: HallCandidate) -> (Int, String, Int) {
      let first = person.slots.first ?? 0
      return (first == 0 ? Int.max : first, person.candidate.number, person.candidate.id)
    }
    return list.sorted { rank($0) < rank($1) }
  }
}

/// A candidate of a session and the slots that they have in it.
public struct HallCandidate: Equatable, Sendable {
  /// Who.
  public let candidate: Candidate
  /// The slot in each round, from round 1 on; 0: nowhere.
  public let slots: [Int]
  /// Whether they were added on the day.
  public let isAdditional: Bool
}
