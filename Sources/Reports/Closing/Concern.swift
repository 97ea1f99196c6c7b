import CircuitModel
import ExamStore
import GRDB
import Timer

/// A comment that its author marked as a concern: for the exam lead, who reads it and says what becomes of it.
public struct Concern: Equatable, Sendable {
  /// The key of the comment.
  public let key: String
  /// The circuit's name.
  public let circuit: String?
  /// Date and start.
  public let session: String?
  /// The station's code.
  public let station: String?
  /// The round in which the candidate comes.
  public let round: Int?
  /// The candidate's number; nil where it is about a station or a circuit.
  public let candidate: String?
  /// Who wrote it, by username.
  public let author: String?
  /// When.
  public let time: Instant?
  /// In the author's words.
  public let text: String

  /// Every concern, the oldest first. Practice has none.
  public static func all(in db: Database) throws -> [Concern] {
    try ReadRow.fetchAll(
      db,
      sql: """
        SELECT * FROM (
          SELECT m.uuid, c.name, t.date, t.startTime, NULL AS code, NULL AS round, NULL AS number, m.authorID AS author,
            m.time AS time, m.text
          FROM commentMetaCircuit m LEFT JOIN clinicGroup c ON c.dsid = m.circuitID
            LEFT JOIN timetable t ON t.dsid = m.timetableID
          WHERE m.dsDeleted = 0 AND m.concern <> 0
          UNION ALL
          SELECT m.uuid, c.name, t.date, t.startTime, \(StationSession.codeSQL), NULL, NULL, m.authorID, m.time,
            m.text
          FROM commentMetaStation m LEFT JOIN activityType a ON a.dsid = m.stationID
            LEFT JOIN clinicGroup c ON c.dsid = a.clinicGroupID LEFT JOIN timetable t ON t.dsid = m.timetableID
          WHERE m.dsDeleted = 0 AND m.concern <> 0
          UNION ALL
          SELECT m.uuid, c.name, t.date, t.startTime, \(StationSession.codeSQL), e."order",
            \(CandidateLabel.column), m.authorID, m.time, m.text
          FROM commentMetaStationCandidate m LEFT JOIN timetableAttendanceLog e ON e.uuid = m.attendanceLogID
            LEFT JOIN timetable t ON t.dsid = e.timetableID LEFT JOIN activityType a ON a.dsid = t.activityTypeID
            LEFT JOIN clinicGroup c ON c.dsid = a.clinicGroupID LEFT JOIN user u ON u.dsid = \(SlotChanges.candidate)
          WHERE m.dsDeleted = 0 AND m.concern <> 0 AND coalesce(e.practice, 0) = 0
        ) k LEFT JOIN user w ON w.dsid = k.author ORDER BY k.time, k.uuid
        """
    ).map { row in
      Concern(
        key: row[0], circuit: row[1],
        session: (row[2] as String?).flatMap { date in (row[3] as String?).map { "\(date) \($0)" } },
        station: row[4], round: row[5], candidate: row[6], author: row["username"],
        time: (row[8] as Int64?).map { Instant(stored: $0) }, text: row[9] ?? "")
    }
  }
}
