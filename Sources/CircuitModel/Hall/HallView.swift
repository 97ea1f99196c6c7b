import ExamStore
import GRDB
import Timer

/// Who is at which station now and who comes next: by the rosters, in a re-run by its queue.
public struct HallView: Sendable {
  /// The session's rosters.
  public let board: HallBoard
  /// Where its clock stands.
  public let moment: SessionStage
  /// The session's runs, which say so.
  private let runs: [Run]
  /// How many rounds the session has: as its clock has them, else as its rosters do.
  private let rounds: Int
  /// The rounds that the rosters have and the clock holds: what was cut off them is not held.
  public var rosteredRounds: Int { min(rounds, board.rounds) }
  /// The last of the rosters' rounds that is held, or was before the clock was stopped.
  public var heldRounds: Int {
    if case .over(.session(let last)) = moment { min(last, rosteredRounds) } else { rosteredRounds }
  }
  /// The re-run's queue, without what was taken out of it.
  public let queue: [RerunItem]
  /// The sheets that the lead has ruled out.
  private let excluded: Set<String>
  /// By the entries of stations with second assessors: what those have not signed.
  private let seconds: [String: Seconds]

  /// What the second assessors have not signed of an entry.
  private struct Seconds {
    /// Whose sheets are due.
    var unsigned: [StationSession.Assessor] = []
    /// How many of them have nothing due but sheets that are ruled out.
    var ruledOut = 0
  }

  /// A round of the session itself, or of its re-run.
  public enum Round: Hashable, Sendable {
    case session(Int)
    case rerun(Int)
  }

  /// - Parameters:
  ///   - instant: as of when the clock is read.
  ///   - isExcused: whether nothing is due of an entry's candidate at a station session: no re-run owes them anything.
  public static func read(
    _ session: Session, at instant: Instant,
    excusing isExcused: (RosterEntry, StationSession) -> Bool = { _, _ in false }, in db: Database
  ) throws -> HallView {
    let runs = try Run.all(of: session, in: db)
    let board = try HallBoard.read(session, in: db)
    let excluded = try ExamRuling.excludedSheets(in: db)
    return HallView(
      board: board, moment: SessionStage(of: runs, at: instant), runs: runs,
      rounds: SessionStage.rounds(of: runs, at: instant) ?? board.rounds,
      queue: try RerunQueue.items(session, excusing: isExcused, without: excluded, in: db)
        .filter { $0.status != .withdrawn },
      excluded: excluded, seconds: try seconds(at: board.stations, without: excluded, in: db))
  }

  private static func seconds(
    at stations: [StationSession], without excluded: Set<String>, in db: Database
  ) throws -> [String: Seconds] {
    var seconds: [String: Seconds] = [:]
    for station in stations where !station.isRest {
      for person in station.assessors where person.role == .secondAssessor {
        for entry in try Roster.entries(timetable: station.timetable, seat: person.seat, in: db) where !entry.isSigned {
          if entry.isRuledOut(by: excluded) {
            seconds[entry.key, default: Seconds()].ruledOut += 1
          } else {
            seconds[entry.key, default: Seconds()].unsigned.append(person)
          }
        }
      }
    }
    return seconds
  }

  /// The second assessors who have not signed their sheets of an entry, as far as those are due; empty where the station
  /// has none.
  public func unsignedSecondAssessors(of entry: RosterEntry) -> [StationSession.Assessor] {
    seconds[entry.key]?.unsigned ?? []
  }

  /// Whether nothing of an entry is due from the lead assessor, since what is not signed is ruled out.
  public func isRuledOut(_ entry: RosterEntry) -> Bool { entry.isRuledOut(by: excluded) }

  /// From how many of those who mark at an entry's station nothing is due, since what is not signed is ruled out.
  public func ruledOutSheets(of entry: RosterEntry) -> Int {
    (isRuledOut(entry) ? 1 : 0) + (seconds[entry.key]?.ruledOut ?? 0)
  }

  /// Whether everybody who marks at an entry's station has signed its sheets, as far as those are due.
  public func isSigned(_ entry: RosterEntry) -> Bool { entry.isSigned && unsignedSecondAssessors(of: entry).isEmpty }

  /// Whether it is still so at an instant, if nothing is saved meanwhile.
  public func isOf(_ instant: Instant) -> Bool { SessionStage(of: runs, at: instant) == moment }

  /// The round that is shown: the one that is on; before the start the first, after the end the one that was held last.
  public var now: Round {
    switch moment {
    case .before: .session(1)
    case .on(let round, _): .session(max(1, round))
    case .over(let last): last
    case .rerun(let round): .rerun(max(1, round))
    }
  }

  /// The round after it; nil where nobody comes any more.
  public var next: Round? {
    let places = queue.filter(\.isDue).map(\.place)
    if case .over = moment { return places.min().map { .rerun($0) } }
    switch now {
    case .session(let round) where round < rounds: return .session(round + 1)
    case .session: return places.min().map { .rerun($0) }
    case .rerun(let round): return places.contains { $0 > round } ? .rerun(round + 1) : nil
    }
  }

  /// Who comes to a station in a round, absent or not: usually nobody or one.
  public func entries(station timetable: Int, _ round: Round) -> [RosterEntry] {
    switch round {
    case .session(let round): board.entries(station: timetable, round: round)
    case .rerun(let round):
      queue.filter { $0.place == round && $0.station.timetable == timetable }.map(\.entry)
    }
  }

  /// Whether an entry is owed by the re-run alone: it is queued, and not signed by everybody who marks there.
  public func isOwedByRerun(_ entry: RosterEntry) -> Bool { queue.contains { $0.isDue && $0.entry.key == entry.key } }

  /// Whether an entry waits for the re-run because its station was out of order.
  public func isOutOfOrder(_ entry: RosterEntry) -> Bool { queue.contains { $0.isOutage && $0.entry.key == entry.key } }

  /// Where a candidate comes in a round, and with which entry; nil for nowhere.
  public func place(of student: Int, _ round: Round) -> (station: StationSession, entry: RosterEntry)? {
    for station in board.stations {
      if let entry = entries(station: station.timetable, round).first(where: { $0.candidate?.id == student }) {
        return (station, entry)
      }
    }
    return nil
  }

  /// What becomes of a candidate's extra time at the station where they are in the round that is shown.
  public func fit(_ candidate: Candidate, at station: StationSession, phases: PhaseList) -> AdjustmentFit {
    guard case .rerun(let round) = now else {
      guard case .session(let round) = now else { return .none }
      return .of(candidate, at: station.timetable, round: round, board: board, phases: phases)
    }
    let isFollowed = entries(station: station.timetable, .rerun(round + 1)).contains {
      $0.candidate.map { $0.id != candidate.id } ?? false
    }
    let isLast = !queue.contains { $0.place > round }
    return .of(
      candidate, after: round, isLast: isLast, isFollowed: isFollowed,
      next: place(of: candidate.id, .rerun(round + 1))?.station, phases: phases)
  }
}
