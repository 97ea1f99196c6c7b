import ExamStore
import GRDB
import Journal

/// Adding a candidate to a session on the day. A running clock stays as it is: the newcomer takes a slot that is free.
public enum ExtraCandidates {
  /// The slots for which no roster has an entry in the rounds from one on, absent candidates counted as there.
  public static func freeSlots(_ board: HallBoard, from round: Int) -> [Int] {
    guard round >= 1, round <= board.rounds, !board.ring.isEmpty else { return [] }
    return (1...board.ring.count).filter { slot in
      (round...board.rounds).allSatisfy { round in
        board.timetable(slot: slot, round: round).map { board.entries(station: $0, round: round).isEmpty } ?? false
      }
    }
  }

  /// Puts a candidate into a free slot from a round on, and queues the stations that the slot passed before for the
  /// re-run.
  ///
  /// Each station gets one entry, marked as additional. Where the place of an earlier round belongs to somebody else,
  /// the entry has no round but that of the re-run.
  /// - Throws: `RosterRefusal` if the slot is not free, the session has no such round, the candidate comes in it
  ///   already, or a new candidate's number is empty or in use.
  /// - Returns: the keys of the roster entries, in the order of rounds.
  @discardableResult public static func add(
    _ newcomer: Newcomer, slot: Int, from round: Int, in session: Session, _ transaction: JournalTransaction
  ) throws -> [String] {
    let board = try HallBoard.read(session, in: transaction.db)
    try board.check(round: round)
    guard freeSlots(board, from: round).contains(slot) else {
      throw RosterRefusal.slotTaken(slot, from: round, free: freeSlots(board, from: round))
    }
    let student = try student(newcomer, board, transaction)
    var keys: [String] = []
    for place in places(board, slot: slot, from: round) {
      let (timetable, isMissed) = (place.station.timetable, place.round < round)
      let isFree = board.entries(station: timetable, round: place.round).isEmpty
      let key = try AdditionalCandidate.enter(
        student, at: timetable, round: isFree ? place.round : nil, isMissed: isMissed, transaction)
      if isMissed { try RerunQueue.add(entry: key, reason: "added in round \(round)", transaction) }
      keys.append(key)
    }
    return keys
  }

  /// Puts a candidate into the session's re-run alone, at every station with a mark sheet: where no slot is free, or
  /// the rounds are over.
  /// - Throws: as `add`, but for the slot and the round.
  /// - Returns: the keys of the roster entries, in the order of the ring.
  @discardableResult public static func addToRerun(
    _ newcomer: Newcomer, in session: Session, _ transaction: JournalTransaction
  ) throws -> [String] {
    let board = try HallBoard.read(session, in: transaction.db)
    let student = try student(newcomer, board, transaction)
    return try board.stations.filter { !$0.isRest }.map { station in
      let key = try AdditionalCandidate.enter(
        student, at: station.timetable, round: nil, isMissed: true, transaction)
      try RerunQueue.add(entry: key, reason: "added for the re-run", transaction)
      return key
    }
  }

  /// The stations of an extra candidate: those of the slot from the round on, and those that it passed before, which
  /// are made up in the re-run. Rest stations that it passed are left out.
  public static func places(
    _ board: HallBoard, slot: Int, from round: Int
  ) -> [(station: StationSession, round: Int)] {
    guard board.rounds >= 1 else { return [] }
    // A ring longer than the rounds is not gone through whole; one that is shorter is gone through again.
    return (max(1, board.rounds - board.ring.count + 1)...board.rounds).compactMap { number in
      guard let timetable = board.timetable(slot: slot, round: number),
        let station = board.stations.first(where: { $0.timetable == timetable }), number >= round || !station.isRest
      else { return nil }
      return (station, number)
    }
  }

  private static func student(
    _ newcomer: Newcomer, _ board: HallBoard, _ transaction: JournalTransaction
  ) throws -> Int {
    switch newcomer {
    case .known(let student):
      guard try Roster.candidate(student, in: transaction.db) != nil else {
        throw CandidateRefusal.unknown(student)
      }
      if let known = board.candidates.first(where: { $0.candidate.id == student }) {
        throw RosterRefusal.alreadyInSession(known.candidate.name, session: board.session.name)
      }
      return student
    case .new(let number, let forename, let surname):
      if CandidateNumber.trimmed(surname).isEmpty { throw CandidateRefusal.newWithoutSurname }
      return try CandidateNumber.make(number, forename: forename, surname: surname, transaction)
    }
  }
}

/// Who is added to a session on the day.
public enum Newcomer: Equatable, Sendable {
  /// A candidate of the exam: the key in `Student`.
  case known(Int)
  /// Somebody whom the exam does not know yet; the number must be unused.
  case new(number: String, forename: String, surname: String)

  /// The candidate who has a number, else somebody new.
  /// - Parameter names: forename and surname of somebody new, in that order; what is more belongs to the surname.
  /// - Throws: `CandidateRefusal` if nobody has the number and the names are not two.
  public init(number: String, names: [String], in db: Database) throws {
    if let known = try CandidateNumber.holders(number, in: db).first {
      self = .known(known)
    } else if names.count >= 2 {
      self = .new(number: number, forename: names[0], surname: names.dropFirst().joined(separator: " "))
    } else {
      throw CandidateRefusal.unknownNumber(number)
    }
  }
}
