import CircuitModel
import ExamStore
import GRDB
import Timer

/// `osce export attendance`: one row per roster entry.
enum AttendanceExport {
  static let columns = [
    "date", "start", "circuit", "station", "timetable", "round", "student_number", "candidate", "present",
    "identity_checked_at", "late_at", "additional", "signed_out", "feedback_received_at", "feedback_agreed",
    "cancelled", "identity_note",
  ]

  static func forEachRow(in db: Database, _ body: ([ExportCell]) throws -> Void) throws {
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
      try body([
        .optional(row["date"]), .optional(row["startTime"]), .text(row["circuit"]),
        .text(row["code"]), .number(row["timetable"] as Int),
        .number(row["round"] as Int?),
        .optional(row["studentNumber"]),
        .optional(personName(title: row["title"], forename: row["forename"], surname: row["surname"])),
        .flag(row["present"]), .milliseconds(row["identityCheckedAt"]), .milliseconds(row["lateAt"]),
        .flag(row["additional"]), .flag(row["staffSignout"]), .milliseconds(row["feedbackReceivedAt"]),
        .flag(row["feedbackAgreed"]), .flag(row["cancelled"]), .optional(row["identityNote"]),
      ])
    }
  }
}

/// `osce export signins`: one row per sign-in.
enum SignInsExport {
  static let columns = [
    "time", "staff", "name", "date", "start", "circuit", "station", "timetable", "device", "host", "ssh_key",
    "signed_out_at",
  ]

  static func forEachRow(in db: Database, _ body: ([ExportCell]) throws -> Void) throws {
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
      try body([
        .milliseconds(row["time"]), .optional(row["username"]),
        .optional(personName(title: row["title"], forename: row["forename"], surname: row["surname"])),
        .optional(row["date"]), .optional(row["startTime"]), .optional(row["circuit"]),
        .optional(row["code"]), .number(row["timetable"] as Int?),
        .optional(row["device"] ?? row["appUUID"]), .optional(row["host"]), .optional(row["sshKey"]),
        .milliseconds(row["ended"]),
      ])
    }
  }
}

extension ExportCell {
  /// An instant that is stored as milliseconds.
  static func milliseconds(_ value: Int64?) -> ExportCell { value.map { .time(Instant(milliseconds: $0)) } ?? .empty }
}
