import CircuitModel
import ExamStore
import GRDB
import Timer

/// `osce export attendance`: one row per roster entry.
enum AttendanceExport {
  static let columns = table.map(\.name)

  private static let table: [ExportColumn<ReadRow>] = [
    .init("date") { .optional($0["date"]) },
    .init("start") { .optional($0["startTime"]) },
    .init("circuit") { .text($0["circuit"]) },
    .init("station") { .text($0["code"]) },
    .init("timetable") { .number($0["timetable"] as Int) },
    .init("round") { .number($0["round"] as Int?) },
    .init("student_number") { .optional($0["studentNumber"]) },
    .init("candidate") { .optional(personName(title: $0["title"], forename: $0["forename"], surname: $0["surname"])) },
    .init("present") { .flag($0["present"]) },
    .init("identity_checked_at") { .milliseconds($0["identityCheckedAt"]) },
    .init("late_at") { .milliseconds($0["lateAt"]) },
    .init("additional") { .flag($0["additional"]) },
    .init("signed_out") { .flag($0["staffSignout"]) },
    .init("feedback_received_at") { .milliseconds($0["feedbackReceivedAt"]) },
    .init("feedback_agreed") { .flag($0["feedbackAgreed"]) },
    .init("cancelled") { .flag($0["cancelled"]) },
    .init("identity_note") { .optional($0["identityNote"]) },
  ]

  static func forEachRow(in db: Database, _ body: ([ExportCell]) throws -> Void) throws {
    var cells: [ExportCell] = []
    let rows = try ReadRow.fetchCursor(
      db,
      sql: """
        SELECT t.date, t.startTime, c.name AS circuit, \(StationSession.codeSQL) AS code, t.dsid AS timetable,
          e."order" AS round, u.studentNumber, u.title, u.forename, u.surname, e.present, e.identityCheckedAt, e.lateAt,
          e.additional, e.staffSignout, e.feedbackReceivedAt, e.feedbackAgreed, t.cancelled, e.identityNote
        FROM timetableAttendanceLog e JOIN timetable t ON t.dsid = e.timetableID
          JOIN activityType a ON a.dsid = t.activityTypeID JOIN clinicGroup c ON c.dsid = a.clinicGroupID
          LEFT JOIN user u ON u.dsid = \(SlotChanges.candidate)
        WHERE e.dsDeleted = 0 AND t.dsDeleted = 0 AND e.practice = 0
        ORDER BY t.date, t.startTime, c.dsid, a."order", a.dsid, e."order", e.uuid
        """)
    while let row = try rows.next() {
      table.fill(&cells, with: row)
      try body(cells)
    }
  }
}

/// `osce export signins`: one row per sign-in.
enum SignInsExport {
  static let columns = table.map(\.name)

  private static let table: [ExportColumn<ReadRow>] = [
    .init("time") { .milliseconds($0["time"]) },
    .init("staff") { .optional($0["username"]) },
    .init("name") { .optional(personName(title: $0["title"], forename: $0["forename"], surname: $0["surname"])) },
    .init("date") { .optional($0["date"]) },
    .init("start") { .optional($0["startTime"]) },
    .init("circuit") { .optional($0["circuit"]) },
    .init("station") { .optional($0["code"]) },
    .init("timetable") { .number($0["timetable"] as Int?) },
    .init("device") { .optional($0["device"] ?? $0["appUUID"]) },
    .init("host") { .optional($0["host"]) },
    .init("ssh_key") { .optional($0["sshKey"]) },
    .init("signed_out_at") { .milliseconds($0["ended"]) },
  ]

  static func forEachRow(in db: Database, _ body: ([ExportCell]) throws -> Void) throws {
    var cells: [ExportCell] = []
    let rows = try ReadRow.fetchCursor(
      db,
      sql: """
        SELECT s.time, u.username, u.title, u.forename, u.surname, t.date, t.startTime, c.name AS circuit,
          \(StationSession.codeSQL) AS code, t.dsid AS timetable, s.appUUID, d.name AS device, p.host, p.sshKey, p.ended
        FROM staffSignIn s LEFT JOIN user u ON u.dsid = s.staffID LEFT JOIN timetable t ON t.dsid = s.timetableID
          LEFT JOIN activityType a ON a.dsid = t.activityTypeID LEFT JOIN clinicGroup c ON c.dsid = a.clinicGroupID
          LEFT JOIN device d ON d.uuid = s.appUUID
          LEFT JOIN sitting p ON p.uuid = (SELECT uuid FROM sitting o WHERE o.staffID = s.staffID
            AND o.timetableID = s.timetableID AND o.deviceID = s.appUUID AND o.began = s.time ORDER BY uuid LIMIT 1)
        WHERE s.dsDeleted = 0 ORDER BY s.time, s.uuid
        """)
    while let row = try rows.next() {
      table.fill(&cells, with: row)
      try body(cells)
    }
  }
}

extension ExportCell {
  /// An instant that is stored as milliseconds.
  static func milliseconds(_ value: Int64?) -> ExportCell { value.map { .time(Instant(milliseconds: $0)) } ?? .empty }
}
