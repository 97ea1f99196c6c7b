import ExamStore
import GRDB
import Journal

/// Recording who is here.
public enum Attendance {
  /// Records a candidate as present or absent; nil takes the record back. Who is not recorded as present any more has
  /// not been seen: the identity step is asked again.
  /// - Throws: `RosterRefusal` if somebody else comes with the entry by now.
  public static func record(
    _ isPresent: Bool?, for entry: RosterEntry, in transaction: JournalTransaction
  ) throws {
    try checkCandidate(of: entry, in: transaction.db)
    var changes: [FieldChange<Stored.TimetableAttendanceLog>] = [.present(isPresent)]
    if try isPresent != true && wasChecked(entry, in: transaction.db) { changes.append(.identityCheckedAt(nil)) }
    try set(changes, of: entry, in: transaction)
  }

  /// Records that the person in the room was checked to be the candidate, who is therefore present, and makes the
  /// sheets of that seat. The time is that of the first assessor who checked: a second one changes nothing of it.
  /// - Parameter form: which template, where the station asks for one of several; nil for the first.
  /// - Throws: `RosterRefusal` if somebody else comes with the entry by now.
  /// - Returns: the keys of the sheets.
  public static func passIdentityStep(
    entry: RosterEntry, seat: Seat, form: Int? = nil, in transaction: JournalTransaction
  ) throws -> [String] {
    let isChecked = try wasChecked(entry, in: transaction.db)
    return try open(
      entry, seat: seat, form: form, isChecked ? [] : [.identityCheckedAt(transaction.clock.now)], in: transaction)
  }

  /// Records a candidate whose marks are typed from paper as present, and makes the sheets of that seat. Who types sees
  /// no candidate: no identity check is recorded.
  /// - Parameter form: which template, where the station asks for one of several; nil for the first.
  /// - Throws: `RosterRefusal` if somebody else comes with the entry by now.
  /// - Returns: the keys of the sheets.
  public static func openFromPaper(
    entry: RosterEntry, seat: Seat, form: Int? = nil, in transaction: JournalTransaction
  ) throws -> [String] {
    try open(entry, seat: seat, form: form, [], in: transaction)
  }

  private static func open(
    _ entry: RosterEntry, seat: Seat, form: Int?, _ checks: [FieldChange<Stored.TimetableAttendanceLog>],
    in transaction: JournalTransaction
  ) throws -> [String] {
    try checkCandidate(of: entry, in: transaction.db)
    var changes = checks
    if entry.isPresent != true && !entry.isPractice { changes.append(.present(true)) }
    if !changes.isEmpty { try set(changes, of: entry, in: transaction) }
    return try SheetGenerator.makeSheets(entry: entry.key, seat: seat, form: form, in: transaction)
  }

  /// Sets fields of an entry. Of what its author was shown, only the attendance itself can contradict another's.
  static func set(
    _ changes: [FieldChange<Stored.TimetableAttendanceLog>], of entry: RosterEntry, in transaction: JournalTransaction
  ) throws {
    let attendance: Set<Stored.TimetableAttendanceLog.Field> = [.present]
    try transaction.set(
      Stored.TimetableAttendanceLog.self, entry.key, changes, shown: entry.shown.limited(to: attendance))
  }

  private static func wasChecked(_ entry: RosterEntry, in db: Database) throws -> Bool {
    let sql = "SELECT 1 FROM timetableAttendanceLog WHERE uuid = ? AND identityCheckedAt IS NOT NULL"
    return try Int.fetchOne(db.cachedStatement(sql: sql), arguments: [entry.key]) != nil
  }

  /// Slots may have been changed since the entry was read: what was meant for one candidate is never recorded for
  /// another.
  /// - Throws: `RosterRefusal` if somebody else comes with the entry by now.
  public static func checkCandidate(of entry: RosterEntry, in db: Database) throws {
    let comes = try Int.fetchOne(
      db.cachedStatement(
        sql: "SELECT \(SlotChanges.candidate) FROM timetableAttendanceLog e WHERE e.uuid = ?"), arguments: [entry.key])
    guard comes == entry.candidate?.id else {
      throw RosterRefusal.slotsChanged
    }
  }

  /// The practice entry of a station session, made if it is not there.
  public static func practiceEntry(timetable: Int, in transaction: JournalTransaction) throws -> String {
    let key = DerivedKeys.practice(timetable: timetable)
    try transaction.create(
      Stored.TimetableAttendanceLog.self, key, [.timetable(timetable), .practice(true)])
    return key
  }
}

extension Attendance {
  /// Records that somebody stands in for the planned assessor from now on.
  /// - Returns: the operation, by which it is undone.
  @discardableResult public static func cover(
    _ timetable: Int, by staff: Int, in transaction: JournalTransaction
  ) throws -> OperationID {
    try transaction.set(Stored.Timetable.self, timetable, [.coverStaff(staff)])
  }

  /// Takes back that somebody stands in, where nobody has said since who does.
  public static func takeBack(cover: OperationID, of timetable: Int, in transaction: JournalTransaction) throws {
    let heads = try RowTable.of(Stored.Timetable.self).heads(of: String(timetable), in: transaction.db)
    if heads?[Stored.Timetable.Field.coverStaff] == [cover] { try transaction.undo(cover) }
  }
}
