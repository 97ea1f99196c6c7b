import ExamStore
import GRDB
import Journal

/// The changes of one mending of sheets, made as one transaction.
struct WrongCandidateStep {
  private let plan: WrongCandidate.Plan
  private let movesAttendance: Bool
  private let transaction: JournalTransaction

  /// What the roster says of the person in the room, and what of the feedback that person got.
  private static let attendance: [Stored.TimetableAttendanceLog.Field] = [.present, .lateAt, .identityNote]
  private static let feedback: [Stored.TimetableAttendanceLog.Field] = [
    .feedbackReceivedAt, .feedbackAgreed, .staffSignout,
  ]

  init(_ plan: WrongCandidate.Plan, movesAttendance: Bool, in transaction: JournalTransaction) {
    self.plan = plan
    self.movesAttendance = movesAttendance
    self.transaction = transaction
  }

  func run() throws -> [OperationID] {
    var operations: [OperationID] = []
    let timetable = try timetable()
    // All is read before anything is written: what has arrived must not be taken along by the next move.
    let notes = try plan.moves.map {
      $0.takesNotes ? try CandidateNotes(of: $0.from, seat: plan.seat, timetable: timetable, in: transaction.db) : nil
    }
    let facts = try plan.moves.map { try given(by: $0.from) }
    for (move, notes) in zip(plan.moves, notes) {
      for sheet in move.sheets {
        operations.append(try transaction.set(Stored.DataForm.self, sheet, [.attendanceLog(move.to)]))
        if try isSigned(sheet) { operations.append(try takeSignatureBack(sheet)) }
      }
      for comment in notes?.comments ?? [] {
        operations.append(
          try transaction.set(Stored.CommentMetaStationCandidate.self, comment, [.attendanceLog(move.to)]))
      }
      for jot in notes?.jots ?? [] {
        operations.append(try transaction.set(Stored.Jot.self, jot, [.attendanceLog(move.to)]))
      }
    }
    for (move, facts) in zip(plan.moves, facts) {
      let standing = try FieldChange<Stored.TimetableAttendanceLog>.standing(
        in: fields + [.identityCheckedAt], of: move.to, in: transaction.db)
      let changed = facts.filter { !standing.contains($0) }
      if !changed.isEmpty {
        operations.append(try transaction.set(Stored.TimetableAttendanceLog.self, move.to, changed))
      }
    }
    return operations
  }

  private func isSigned(_ sheet: String) throws -> Bool {
    try Bool.fetchOne(
      transaction.db, sql: "SELECT signedAt IS NOT NULL FROM dataForm WHERE uuid = ?", arguments: [sheet]) ?? false
  }

  private func takeSignatureBack(_ sheet: String) throws -> OperationID {
    try transaction.set(Stored.DataForm.self, sheet, [.signedAt(nil), .signedBy(nil)], kind: .reopen)
  }

  private func timetable() throws -> Int {
    try plan.moves.first.flatMap { try Roster.timetable(of: $0.from, in: transaction.db) } ?? 0
  }

  /// The fields that go along with an entry's sheets.
  private var fields: [Stored.TimetableAttendanceLog.Field] {
    (plan.seat == .lead ? WrongCandidateStep.feedback : []) + (movesAttendance ? WrongCandidateStep.attendance : [])
  }

  /// What goes along with an entry's sheets. A practice entry has nothing to give and takes nothing.
  private func given(by entry: String) throws -> [FieldChange<Stored.TimetableAttendanceLog>] {
    if try isPractice() { return [] }
    // The person was held against another candidate's name: that check is void for both.
    let check: [FieldChange<Stored.TimetableAttendanceLog>] =
      plan.voidsChecks(movingAttendance: movesAttendance) ? [.identityCheckedAt(nil)] : []
    return try FieldChange.standing(in: fields, of: entry, in: transaction.db) + check
  }

  private func isPractice() throws -> Bool {
    let entries = plan.moves.map(\.from)
    let marks = Array(repeating: "?", count: entries.count).joined(separator: ",")
    return try Bool.fetchOne(
      transaction.db, sql: "SELECT EXISTS (SELECT 1 FROM timetableAttendanceLog WHERE uuid IN (\(marks)) AND practice)",
      arguments: StatementArguments(entries)) ?? false
  }
}
