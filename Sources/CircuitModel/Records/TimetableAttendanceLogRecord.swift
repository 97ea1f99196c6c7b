// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of TimetableAttendanceLog. A roster entry: one candidate in one station session.
public struct TimetableAttendanceLogRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "timetableAttendanceLog"
  /// The entity's name in the catalogue.
  public static let entityName = "TimetableAttendanceLog"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "uuid", "present", "order", "additional", "addedInApp", "staffSignout", "feedbackReceivedAt", "feedbackAgreed",
    "identityCheckedAt", "lateAt", "identityNote", "practice", "dsDeleted", "timetableID", "studentID",
  ]

  /// The row's key.
  public var uuid: String

  /// TimetableAttendanceLog.present. No value: not yet recorded. The reference has a plain boolean, which cannot
  /// tell that from absent.
  public var present: Bool?

  /// TimetableAttendanceLog.order. The round in which the candidate comes, from 1. No value: not placed in a round.
  public var order: Int?

  /// TimetableAttendanceLog.additional.
  public var additional: Bool

  /// TimetableAttendanceLog.addedInApp.
  public var addedInApp: Bool

  /// TimetableAttendanceLog.staffSignout.
  public var staffSignout: Bool

  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var feedbackReceivedAt: Int64?

  /// TimetableAttendanceLog.feedbackAgreed.
  public var feedbackAgreed: Bool

  /// Milliseconds since 1970-01-01T00:00:00Z. When the assessor passed the identity step.
  public var identityCheckedAt: Int64?

  /// Milliseconds since 1970-01-01T00:00:00Z. When a late candidate came in; no value: not late.
  public var lateAt: Int64?

  /// TimetableAttendanceLog.identityNote. What did not fit when the candidate's identity was checked; no value: it
  /// fitted, or was not checked.
  public var identityNote: String?

  /// TimetableAttendanceLog.practice. A practice entry, which never counts in what is expected or exported.
  public var practice: Bool

  /// TimetableAttendanceLog.dsDeleted. Soft delete. Not indexed: nearly every row holds the same value.
  public var dsDeleted: Bool

  /// The key of timetable, a Timetable.
  public var timetableID: Int

  /// The key of student, a Student. A practice entry has no candidate.
  public var studentID: Int?

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    uuid = try row.decode(forColumn: "uuid")
    present = try row.decode(forColumn: "present")
    order = try row.decode(forColumn: "order")
    additional = try row.decode(forColumn: "additional")
    addedInApp = try row.decode(forColumn: "addedInApp")
    staffSignout = try row.decode(forColumn: "staffSignout")
    feedbackReceivedAt = try row.decode(forColumn: "feedbackReceivedAt")
    feedbackAgreed = try row.decode(forColumn: "feedbackAgreed")
    identityCheckedAt = try row.decode(forColumn: "identityCheckedAt")
    lateAt = try row.decode(forColumn: "lateAt")
    identityNote = try row.decode(forColumn: "identityNote")
    practice = try row.decode(forColumn: "practice")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    timetableID = try row.decode(forColumn: "timetableID")
    studentID = try row.decode(forColumn: "studentID")
  }
}
