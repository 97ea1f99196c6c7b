import CircuitModel
import ExamStore
import GRDB
import Timer

/// What an entry of attendance at the desk would do, for the line that asks for it.
public enum AttendancePreview {
  /// Of recording a candidate absent from a round on.
  public static func absent(
    _ student: Int, from round: Int, in session: Session, _ db: Database
  ) throws -> String {
    let board = try HallBoard.read(session, in: db)
    let (gone, kept) = try HallAttendance.absence(of: student, from: round, in: session, db)
    let text = gone.isEmpty ? "Nothing changes" : "ABSENT at \(board.codes(gone))"
    return text + (kept.isEmpty ? "" : "; seen at \(board.codes(kept)), which stays as it is") + "."
  }

  /// Of recording that a candidate came late and joins in a round.
  public static func late(
    _ student: Int, joining round: Int, in session: Session, _ db: Database
  ) throws -> String {
    let board = try HallBoard.read(session, in: db)
    let place = board.places(of: student, from: round).first { $0.round == round }
    let missed = try HallAttendance.missedBy(lateArrivalOf: student, in: round, board, db)
      .filter { !board.isAtRest($0) }
    var text = "LATE: joins in round \(round)" + (place.map { " at \(board.code($0.timetable))" } ?? ", nowhere") + "."
    if !missed.isEmpty { text += " Re-run queue: \(board.codes(missed))." }
    if let entry = place?.entry, entry.isPresent == false, let note = try AttendanceSource.read(entry, in: db) {
      text += " Recorded absent there \(note.text): that is undone."
    }
    let later = HallAttendance.absences(student, from: round + 1, board)
    if !later.isEmpty { text += " No longer absent at \(board.codes(later))\(try recorded(later, board, db))." }
    return text
  }

  /// Of taking a candidate's absence back from a round on.
  public static func present(
    _ student: Int, from round: Int, in session: Session, _ db: Database
  ) throws -> String {
    let board = try HallBoard.read(session, in: db)
    let absences = try HallAttendance.absences(student, from: round, in: session, db)
    if absences.isEmpty { return "Nothing changes: no absence is recorded from round \(round) on." }
    return "HERE: no longer absent at \(board.codes(absences))\(try recorded(absences, board, db))."
  }

  /// What of some absences a station recorded, with who and when: `, recorded absent at CHEST by Dr Davies at the
  /// station, 09:02`; empty if none.
  private static func recorded(_ absences: [RosterEntry], _ board: HallBoard, _ db: Database) throws -> String {
    let foreign = try absences.compactMap { entry -> String? in
      guard let note = try AttendanceSource.read(entry, in: db), note.isFromStation else { return nil }
      return "\(board.codes([entry])) \(note.text)"
    }
    return foreign.isEmpty ? "" : ", recorded absent at \(foreign.joined(separator: "; "))"
  }

  /// Of taking a candidate's lateness back.
  public static func notLate(_ student: Int, in session: Session, _ db: Database) throws -> String {
    let board = try HallBoard.read(session, in: db)
    guard let back = HallAttendance.lateness(of: student, board)?.absences else {
      return "Nothing changes: no lateness is recorded."
    }
    return "NOT LATE"
      + (back.isEmpty
        ? "."
        : ": no longer absent at \(board.codes(back))\(try recorded(back, board, db)), and what of it is queued leaves the re-run queue.")
  }
}

extension HallBoard {
  /// The stations of some entries by their codes, in the order of rounds: `CHEST, ABDO`.
  fileprivate func codes(_ entries: [RosterEntry]) -> String {
    let keys = Set(entries.map(\.key))
    return placed.filter { keys.contains($0.entry.key) }.map { code($0.timetable) }.joined(separator: ", ")
  }
}
