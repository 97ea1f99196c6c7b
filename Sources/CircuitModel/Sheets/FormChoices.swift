import ExamStore
import GRDB
import Journal

/// The mark sheet templates among which an assessor chooses, where the station asks for one of several.
public enum FormChoices {
  /// A template.
  public struct Choice: Hashable, Sendable {
    /// The key in `TypeForm`.
    public let form: Int
    /// Its name.
    public let name: String
  }

  /// What is to be chosen from for a candidate: nothing where the station asks for all of its templates, offers one
  /// alone, or the candidate has a sheet at the seat.
  /// - Parameter entry: the key of the roster entry.
  public static func open(entry: String, seat: Seat, in db: Database) throws -> [Choice] {
    let hasSheet = try Bool.fetchOne(
      db.cachedStatement(
        sql: "SELECT EXISTS (SELECT 1 FROM dataForm WHERE attendanceLogID = ? AND seat = ? AND dsDeleted = 0)"),
      arguments: [entry, seat.name])
    return hasSheet == true ? [] : try all(entry: entry, in: db)
  }

  /// What a candidate's sheet is chosen from, whether or not it is chosen: nothing where the station asks for all of its
  /// templates or offers one alone.
  /// - Parameter entry: the key of the roster entry.
  public static func all(entry: String, in db: Database) throws -> [Choice] {
    let choices = try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT f.dsid, f.name FROM timetableAttendanceLog e JOIN timetable t ON t.dsid = e.timetableID
            JOIN activityType a ON a.dsid = t.activityTypeID AND a.forms = 'one'
            JOIN availableForm v ON v.activityTypeID = a.dsid AND v.dsDeleted = 0
            JOIN typeForm f ON f.dsid = v.typeFormID AND f.dsDeleted = 0
          WHERE e.uuid = ? ORDER BY v."order", v.dsid
          """), arguments: [entry]
    ).map { Choice(form: $0[0], name: $0[1] ?? "") }
    return choices.count > 1 ? choices : []
  }

  /// The sheet that another assessor uses for a candidate.
  public struct Used: Hashable, Sendable {
    /// Whose it is.
    public let seat: Seat
    /// The key in `TypeForm`.
    public let form: Int
    /// The template's name.
    public let name: String
  }

  /// What the other seats have chosen for a candidate; nothing where the station does not ask for one of several. It
  /// tells of no mark.
  /// - Parameter entry: the key of the roster entry.
  public static func used(onEntry entry: String, not seat: Seat, in db: Database) throws -> [Used] {
    try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT d.seat, f.dsid, f.name FROM timetableAttendanceLog e JOIN timetable t ON t.dsid = e.timetableID
            JOIN activityType a ON a.dsid = t.activityTypeID AND a.forms = 'one'
            JOIN dataForm d ON d.attendanceLogID = e.uuid AND d.seat <> ? AND d.dsDeleted = 0
            JOIN typeForm f ON f.dsid = d.typeID
          WHERE e.uuid = ? ORDER BY d.seat, d.uuid
          """), arguments: [seat.name, entry]
    ).map { Used(seat: Seat(name: $0[0]), form: $0[1], name: $0[2] ?? "") }
  }

  /// Whether a sheet may still give way to one of another template: it is not signed and nothing is marked on it.
  public static func mayChange(_ sheet: String, in db: Database) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT NOT \(MarkedSheet.condition) FROM dataForm f
          WHERE f.uuid = ? AND f.dsDeleted = 0
          """), arguments: [sheet]) ?? false
  }

  /// Takes away a blank sheet that was chosen by mistake, and makes one of another template in its place.
  /// - Throws: `SheetRefusal` if anything is marked on it by now, or it was signed.
  public static func change(_ sheet: Sheet, to form: Int, seat: Seat, in transaction: JournalTransaction) throws {
    guard try mayChange(sheet.key, in: transaction.db) else {
      throw SheetRefusal.marked
    }
    try transaction.delete(Stored.DataForm.self, sheet.key)
    try SheetGenerator.makeSheets(entry: sheet.entry, seat: seat, form: form, in: transaction)
  }
}
