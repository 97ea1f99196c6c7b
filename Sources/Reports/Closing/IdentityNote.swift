import CircuitModel
import ExamStore
import GRDB

/// What did not fit when a candidate's identity was checked at a station: for the lead, who decides what becomes of it.
public struct IdentityNote: Equatable, Sendable {
  /// The roster entry's key.
  public let entry: String
  /// The day of the station session, local.
  public let date: String
  /// Its start, local.
  public let start: String
  /// The circuit's name.
  public let circuit: String
  /// The station's code.
  public let station: String
  /// The station session's key in `Timetable`.
  public let timetable: Int
  /// The round in which the candidate comes; nil where none is planned.
  public let round: Int?
  /// The candidate's number.
  public let number: String?
  /// The candidate's name.
  public let candidate: String?
  /// What did not fit, in the assessor's words.
  public let text: String

  /// Every note that stands, in the order of sessions, stations and rounds. Practice has none that counts.
  public static func all(in db: Database) throws -> [IdentityNote] {
    try ReadRow.fetchAll(
      db,
      sql: """
        SELECT t.date, t.startTime, c.name AS circuit, \(StationSession.codeSQL) AS code, t.dsid AS timetable,
          e."order" AS round, u.studentNumber, u.title, u.forename, u.surname, e.identityNote, e.uuid AS entry
        FROM timetableAttendanceLog e JOIN timetable t ON t.dsid = e.timetableID
          JOIN activityType a ON a.dsid = t.activityTypeID JOIN clinicGroup c ON c.dsid = a.clinicGroupID
          LEFT JOIN user u ON u.dsid = \(SlotChanges.candidate)
        WHERE e.identityNote IS NOT NULL AND e.dsDeleted = 0 AND t.dsDeleted = 0 AND e.practice = 0
        ORDER BY t.date, t.startTime, c.dsid, a."order", a.dsid, e."order", e.uuid
        """
    ).map { row in
      IdentityNote(
        entry: row["entry"], date: row["date"] ?? "", start: row["startTime"] ?? "", circuit: row["circuit"],
        station: row["code"], timetable: row["timetable"], round: row["round"],
        number: row["studentNumber"],
        candidate: personName(title: row["title"], forename: row["forename"], surname: row["surname"]),
        text: row["identityNote"])
    }
  }

  var json: JSONDocument {
    .object([
      ("date", .text(date)), ("start", .text(start)), ("circuit", .text(circuit)), ("station", .text(station)),
      ("timetable", .number(timetable)), ("round", .number(round)), ("student_number", .optional(number)),
      ("candidate", .optional(candidate)), ("note", .text(text)),
    ])
  }
}
