import GRDB

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
    let choices = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT f.dsid, f.name FROM timetableAttendanceLog e JOIN timetable t ON t.dsid = e.timetableID
            JOIN activityType a ON a.dsid = t.activityTypeID AND a.forms = 'one'
            JOIN availableForm v ON v.activityTypeID = a.dsid AND v.dsDeleted = 0
            JOIN typeForm f ON f.dsid = v.typeFormID AND f.dsDeleted = 0
          WHERE e.uuid = ? AND NOT EXISTS (
            SELECT 1 FROM dataForm d WHERE d.attendanceLogID = e.uuid AND d.seat = ? AND d.dsDeleted = 0)
          ORDER BY v."order", v.dsid
          """), arguments: [entry, seat.name]
    ).map { Choice(form: $0[0], name: $0[1] ?? "") }
    return choices.count > 1 ? choices : []
  }
}
