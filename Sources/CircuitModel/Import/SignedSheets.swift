import ExamStore
import GRDB

/// The signed sheets that count: no import takes one of them out of the exam unless somebody has agreed to that.
struct SignedSheets {
  /// The codes of their stations, by key.
  private let stations: [String: String]

  static func read(_ db: Database) throws -> SignedSheets {
    SignedSheets(stations: try counted("f.signedAt IS NOT NULL", in: db))
  }

  /// - Throws: `ImportRefusal` with how many of them count no more.
  func check(_ db: Database) throws {
    if stations.isEmpty { return }
    let still = try SignedSheets.counted("1", in: db)
    let lost = stations.filter { still[$0.key] == nil }
    if lost.isEmpty { return }
    throw ImportRefusal.losesSigned(sheets: lost.count, stations: Set(lost.values).sorted())
  }

  private static func counted(_ condition: String, in db: Database) throws -> [String: String] {
    let rows = try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT f.uuid, \(StationSession.codeSQL)
          FROM dataForm f JOIN timetableAttendanceLog e ON e.uuid = f.attendanceLogID
            JOIN timetable t ON t.dsid = e.timetableID JOIN activityType a ON a.dsid = t.activityTypeID
            JOIN clinicGroup c ON c.dsid = a.clinicGroupID
          WHERE \(condition) AND e.practice = 0 AND t.cancelled = 0 AND f.dsDeleted = 0 AND e.dsDeleted = 0
            AND t.dsDeleted = 0 AND a.dsDeleted = 0 AND c.dsDeleted = 0
          """))
    return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
  }
}
