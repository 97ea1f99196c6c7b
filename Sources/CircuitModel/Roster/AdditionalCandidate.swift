import ExamStore
import GRDB
import Journal

/// A candidate who stands at the station and is not on its roster.
public enum AdditionalCandidate {
  /// Puts a candidate on the roster of one station session.
  /// - Parameters:
  ///   - number: the candidate number; a number that the exam does not know makes a new candidate.
  ///   - names: forename and surname of a candidate whom the exam does not know, or the surname alone; may be empty.
  ///   - timetable: the station session.
  ///   - round: the round in which the candidate comes; nil: none.
  /// - Returns: the key of the roster entry.
  /// - Throws: `CandidateRefusal` if the number is blank or several candidates have it, `RosterRefusal` if the candidate is on this roster
  ///   already, the session has no such round, or somebody else comes in it.
  @discardableResult public static func add(
    number: String, names: [String] = [], timetable: Int, round: Int?, in transaction: JournalTransaction
  ) throws -> String {
    let known = try check(number: number, timetable: timetable, in: transaction.db)
    if let round { try check(round: round, timetable: timetable, in: transaction.db) }
    let student = try known ?? make(number, names, transaction)
    return try enter(student, at: timetable, round: round, isMissed: false, transaction)
  }

  /// Makes the roster entry of a candidate who was added, or brings it back where it was taken off again.
  /// - Throws: `RosterRefusal` if the candidate has an entry there, or if by a change of slots another would come with it.
  static func enter(
    _ student: Int, at timetable: Int, round: Int?, isMissed: Bool, _ transaction: JournalTransaction
  ) throws -> String {
    let key = DerivedKeys.additional(timetable: timetable, student: student)
    let changes: [FieldChange<Stored.TimetableAttendanceLog>] = [
      .additional(true), .addedInApp(true), .order(round), .present(isMissed ? false : nil),
    ]
    let isTakenOff = try Bool.fetchOne(
      transaction.db, sql: "SELECT dsDeleted FROM timetableAttendanceLog WHERE uuid = ?", arguments: [key])
    switch isTakenOff {
    case nil:
      try transaction.create(
        Stored.TimetableAttendanceLog.self, key, [.timetable(timetable), .student(student)] + changes)
    // What is said of the row now brings it back.
    case true?: try transaction.set(Stored.TimetableAttendanceLog.self, key, changes)
    case false?: throw RosterRefusal.entryOfAnother
    }
    guard try Roster.entry(key, seat: .lead, in: transaction.db)?.candidate?.id == student else {
      throw RosterRefusal.entryForAnother
    }
    return key
  }

  /// Who has a number, if somebody with it may be added to a station session.
  /// - Returns: the key in `Student`; nil for a number that the exam does not know.
  /// - Throws: `RosterRefusal` as `add` does for the number.
  @discardableResult public static func check(number: String, timetable: Int, in db: Database) throws -> Int? {
    let number = CandidateNumber.trimmed(number)
    if number.isEmpty { throw CandidateRefusal.noNumber }
    let session = try StationSession.find(timetable, in: db)
    if session.isRest { throw RosterRefusal.restStation(session.stationTitle) }
    let known = try CandidateNumber.holders(number, in: db)
    if known.count > 1 { throw CandidateRefusal.ambiguous(number, count: known.count) }
    guard let student = known.first else { return nil }
    let roster = try Roster.entries(timetable: timetable, seat: .lead, in: db)
    if let there = roster.first(where: { $0.candidate?.id == student }) {
      throw RosterRefusal.onRosterAlready(number, round: there.round)
    }
    return student
  }

  /// Who has a number, and at which sessions of the day they are planned: what must be seen before they are added.
  /// - Returns: nil for a number that the exam does not know, or that several have.
  public static func known(number: String, timetable: Int, in db: Database) throws
    -> (candidate: Candidate, places: [(circuit: String, start: String, isHere: Bool)])?
  {
    let holders = try CandidateNumber.holders(CandidateNumber.trimmed(number), in: db)
    guard holders.count == 1, let candidate = try Roster.candidate(holders[0], in: db) else { return nil }
    let here = try StationSession.find(timetable, in: db).session
    return (
      candidate,
      try sessions(of: candidate.id, on: here.date, in: db).map {
        ($0.circuit, $0.session.startTime, $0.session == here)
      }
    )
  }

  /// The sessions of a day on whose rosters a candidate is, each with its circuit's name, in the order of their starts.
  public static func sessions(of student: Int, on date: String, in db: Database) throws
    -> [(circuit: String, session: Session)]
  {
    try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT DISTINCT c.name, t.startTime, c.dsid
          FROM timetableAttendanceLog e JOIN timetable t ON t.dsid = e.timetableID
            JOIN activityType a ON a.dsid = t.activityTypeID JOIN clinicGroup c ON c.dsid = a.clinicGroupID
          WHERE \(SlotChanges.candidate) = ? AND t.date = ? AND e.dsDeleted = 0 AND e.practice = 0
          ORDER BY t.startTime, c.name
          """), arguments: [student, date]
    ).map { (circuit: $0[0] ?? "", session: Session(circuit: $0[2], date: date, startTime: $0[1] ?? "")) }
  }

  /// - Throws: `RosterRefusal` if the session has no such round, or somebody comes to the station in it.
  public static func check(round: Int, timetable: Int, in db: Database) throws {
    let rounds = try rounds(timetable, in: db)
    guard (1...max(1, rounds)).contains(round) else {
      throw RosterRefusal.noRoundHere(round, rounds: rounds)
    }
    let roster = try Roster.entries(timetable: timetable, seat: .lead, in: db)
    if let other = roster.first(where: { $0.round == round })?.candidate {
      throw RosterRefusal.roundTaken(round, by: other.number)
    }
  }

  /// The rounds in which a candidate may come to a station session: those of its session, and in one whose rosters are
  /// not filled one for each station.
  public static func rounds(_ timetable: Int, in db: Database) throws -> Int {
    let board = try HallBoard.read(try StationSession.find(timetable, in: db).session, in: db)
    return max(board.rounds, board.ring.count)
  }

  /// Whether an entry can be taken off its roster: it was added on the day, at this station alone, and nothing is
  /// recorded of it.
  public static func canTakeOff(_ entry: String, in db: Database) throws -> Bool {
    try Bool.fetchOne(
      db,
      sql: """
        SELECT e.addedInApp AND NOT \(UsedEntry.condition)
          AND NOT EXISTS (
            SELECT 1 FROM timetableAttendanceLog o JOIN timetable t ON t.dsid = e.timetableID
              JOIN timetable u ON u.dsid = o.timetableID AND u.date = t.date AND u.startTime = t.startTime
            WHERE o.studentID = e.studentID AND o.uuid <> e.uuid AND o.addedInApp AND o.dsDeleted = 0)
        FROM timetableAttendanceLog e WHERE e.uuid = ? AND e.dsDeleted = 0
        """, arguments: [entry]) ?? false
  }

  /// Takes a candidate off the roster who was added there by mistake. Adding the same one brings the entry back.
  /// - Throws: `RosterRefusal` if something is recorded by now.
  public static func takeOff(_ entry: String, in transaction: JournalTransaction) throws {
    guard try canTakeOff(entry, in: transaction.db) else {
      throw RosterRefusal.recorded
    }
    try transaction.delete(Stored.TimetableAttendanceLog.self, entry)
  }

  private static func make(_ number: String, _ names: [String], _ transaction: JournalTransaction) throws -> Int {
    let surname = names.dropFirst(names.count > 1 ? 1 : 0).joined(separator: " ")
    return try CandidateNumber.make(
      number, forename: names.count > 1 ? names[0] : "", surname: surname, transaction)
  }
}
