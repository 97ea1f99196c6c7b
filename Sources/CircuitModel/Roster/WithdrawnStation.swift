import ExamStore
import GRDB

/// A station session that was taken out of the exam: it keeps its place in the ring, and nothing is expected of it.
public struct WithdrawnStation: Hashable, Sendable {
  /// The key in `Timetable`.
  public let timetable: Int
  /// The session.
  public let session: Session
  /// The circuit's name.
  public let circuit: String
  /// The station's code, or its name where it has none.
  public let code: String
  /// The station's name.
  public let name: String
  /// Why; nil where nobody said.
  public let reason: String?
  /// The signed sheets that it holds, which count no more.
  public let signedSheets: Int
  /// The planned assessors by key in `Staff`, second assessors among them.
  public let staff: Set<Int>

  /// What to call it: `RX Prescribing`.
  public var title: String { StationSession.title(code: code, name: name) }

  /// Every one of the exam, in the order of date, start, circuit and ring.
  public static func all(in db: Database) throws -> [WithdrawnStation] {
    try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT t.dsid, t.date, t.startTime, c.dsid AS circuit, c.name AS circuitName,
            \(StationSession.codeSQL) AS code, a.name, a.withdrawn,
            coalesce(t.coverStaffID, t.scheduledCoverStaffID, t.staffID) AS lead,
            (SELECT count(*) FROM dataForm f JOIN timetableAttendanceLog e ON e.uuid = f.attendanceLogID
              WHERE e.timetableID = t.dsid AND e.dsDeleted = 0 AND e.practice = 0 AND f.dsDeleted = 0
                AND f.signedAt IS NOT NULL) AS signed
          FROM timetable t JOIN activityType a ON a.dsid = t.activityTypeID
            JOIN clinicGroup c ON c.dsid = a.clinicGroupID
          WHERE t.cancelled = 1 AND t.dsDeleted = 0 AND a.dsDeleted = 0 AND c.dsDeleted = 0
          ORDER BY t.date, t.startTime, c.dsid, a."order", a.dsid
          """)
    ).map { row in
      let timetable: Int = row["dsid"]
      let others = try Int.fetchAll(
        db, sql: "SELECT staffID FROM additionalStaff WHERE timetableID = ? AND staffID IS NOT NULL AND dsDeleted = 0",
        arguments: [timetable])
      return WithdrawnStation(
        timetable: timetable,
        session: Session(circuit: row["circuit"], date: row["date"] ?? "", startTime: row["startTime"] ?? ""),
        circuit: row["circuitName"], code: row["code"], name: row["name"], reason: row["withdrawn"],
        signedSheets: row["signed"], staff: Set(others + [row["lead"] as Int?].compactMap { $0 }))
    }
  }
}
