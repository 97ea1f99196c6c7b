import CircuitModel
import ExamStore
import GRDB
import Timer

/// What a candidate met in a session, station by station: for an appeal, and to be read out to an examination board.
public struct CandidateLedger: Equatable, Sendable {
  /// The candidate.
  public let candidate: Candidate
  /// The session.
  public let session: Session
  /// One line for each station that the candidate comes to, in the order of rounds; stations made up in a re-run after
  /// them.
  public let lines: [LedgerLine]

  /// Plain sentences: who, then a paragraph for each station. Times of day are local.
  public func text() -> [String] {
    var first = "Candidate \(candidate.number), \(candidate.name), session \(session.name)."
    if let start = session.plannedStart {
      first += " Planned times are the timetable's, from \(LocalTime.reading(of: start).time)."
    }
    if let adjustments = candidate.adjustments { first += " Adjustments: \(adjustments)." }
    return [first] + lines.map(\.text)
  }

  /// Reads a candidate's ledger. Where slots were changed, the stations are those that the candidate really comes to.
  /// - Parameters:
  ///   - student: the candidate's key.
  ///   - instant: as of when the clock is read.
  /// - Throws: `StoreError` if the candidate is on no roster of the session.
  public static func read(
    _ student: Int, session: Session, at instant: Instant, in db: Database
  ) throws -> CandidateLedger {
    let held = HeldRounds(try SessionTimeline.read(session, at: instant, in: db))
    let plan = try PlannedRounds(session, in: db)
    let incidents = try Incidents.all(of: session, in: db)
    let places = Dictionary(
      try StationSession.all(of: session, in: db).map { ($0.timetable, $0) }
    ) { first, _ in first }
    var lines: [LedgerLine] = []
    var made: [LedgerLine] = []
    var candidate: Candidate?
    for (key, timetable) in try entries(of: student, session, db) {
      guard let place = places[timetable], let entry = try Roster.entry(key, seat: .lead, in: db) else { continue }
      candidate = candidate ?? entry.candidate
      let here = incidents.filter { $0.timetable == timetable }
      let reruns = try reruns(of: key, db)
      let madeUp = reruns.first { rerun in
        held.lines(of: HeldRounds.Slot(round: rerun.round, isRerun: true)).contains { $0.passage?.start != nil }
      }
      func line(_ slot: HeldRounds.Slot) -> LedgerLine {
        LedgerLine(
          entry: entry, place: place, isRerun: slot.isRerun, round: slot.round,
          planned: slot.isRerun ? nil : plan[slot.round], held: held.lines(of: slot), endings: held.endings,
          madeUp: slot.isRerun ? nil : madeUp,
          incidents: here.filter { incident in
            let own = incident.outageRound.map { HeldRounds.Slot(round: $0, isRerun: false) }
            return incident.entries.map { $0.contains(key) && !slot.isRerun }
              ?? ((own ?? incident.time.flatMap { held.slot(at: $0) }) == slot)
          })
      }
      if let round = entry.round { lines.append(line(HeldRounds.Slot(round: round, isRerun: false))) }
      for rerun in reruns { made.append(line(HeldRounds.Slot(round: rerun.round, isRerun: true))) }
    }
    guard let candidate else { throw StoreError("this candidate is on no roster of \(session.name)") }
    return CandidateLedger(candidate: candidate, session: session, lines: lines + made.sorted { $0.round < $1.round })
  }

  /// The candidate's roster entries in a session, in the order of rounds; those without a round after them, in the order
  /// of the re-run.
  static func entries(
    of student: Int, _ session: Session, _ db: Database
  ) throws -> [(key: String, timetable: Int)] {
    try ReadRow.fetchAll(
      db,
      sql: """
        SELECT e.uuid, e.timetableID, (
            SELECT min(r.place) FROM rerunEntry r
            WHERE r.attendanceLogID = e.uuid AND r.dsDeleted = 0 AND r.status <> 'withdrawn'
          ) AS rerun
        FROM timetableAttendanceLog e JOIN timetable t ON t.dsid = e.timetableID
        JOIN activityType a ON a.dsid = t.activityTypeID
        WHERE \(Session.condition) AND e.dsDeleted = 0 AND e.practice = 0
          AND \(SlotChanges.candidate) = ?
        ORDER BY e."order" IS NULL, e."order", rerun IS NULL, rerun, a."order", e.uuid
        """, arguments: session.arguments + [student]
    ).map { ($0[0], $0[1]) }
  }

  /// The rounds of the re-run in which a roster entry is made up, each with why it was queued.
  private static func reruns(of entry: String, _ db: Database) throws -> [LedgerLine.MadeUp] {
    try ReadRow.fetchAll(
      db,
      sql: """
        SELECT place, reason FROM rerunEntry WHERE attendanceLogID = ? AND dsDeleted = 0 AND status <> 'withdrawn'
        ORDER BY place
        """, arguments: [entry]
    ).map { LedgerLine.MadeUp(round: $0[0], reason: $0[1]) }
  }
}
