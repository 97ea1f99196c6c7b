import ExamStore
import GRDB
import Timer

/// A station that cannot be used in a round.
public enum StationOutage {
  /// How the text of its incident begins, before the number of the round.
  private static let start = "out of order in round "

  /// Records that a station was out of order: an incident, and the candidates who were to be examined there are queued for
  /// the re-run; who was queued there before keeps the round, and has this reason by now. What they were given there
  /// already stays on their sheets.
  /// - Parameter round: the session's round in which it was, which may be still to come: the incident's text says it.
  /// - Throws: `RerunRefusal` where a sheet is signed.
  public static func record(
    _ station: StationSession, in round: Int, entries: [RosterEntry], reason: String,
    _ transaction: JournalTransaction
  ) throws {
    try Incidents.report(
      .equipment, at: station.timetable, secondsLost: nil, text: "\(start)\(round): \(reason)", transaction)
    for entry in entries where entry.candidate != nil {
      try RerunQueue.add(
        entry: entry.key, reason: RerunQueue.outage + reason, replacingReason: true, transaction)
    }
  }

  /// The round that the text of an incident names as the one in which its station was out of order.
  static func round(in text: String) -> Int? {
    guard text.hasPrefix(start) else { return nil }
    return Int(text.dropFirst(start.count).prefix { $0 != ":" })
  }

  /// Whom a station session could not examine, by number, each with the round; who left the re-run queue is not among them.
  public static func all(at timetable: Int, in db: Database) throws -> [(round: Int, number: String)] {
    try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT e."order", u.studentNumber, r.reason FROM timetableAttendanceLog e
          JOIN rerunEntry r ON r.attendanceLogID = e.uuid JOIN user u ON u.dsid = \(SlotChanges.candidate)
          WHERE e.timetableID = ? AND e.dsDeleted = 0 AND r.dsDeleted = 0 AND r.status = 'queued'
            AND e."order" IS NOT NULL ORDER BY 1, 2
          """), arguments: [timetable]
    ).compactMap { row in
      (row[2] as String?)?.hasPrefix(RerunQueue.outage) == true ? (row[0], row[1] as String? ?? "") : nil
    }
  }
}
