import CircuitModel
import ExamStore
import GRDB

/// What the plan has at a station session: who comes.
enum RosterPlan {
  /// Somebody who comes. Practice is left out.
  struct Entry {
    let key: String
    /// What names nobody else, see `CandidateLabel`.
    let number: String
    let name: String
    /// The round; nil where none is planned.
    let round: Int?
    /// Whether somebody was added on the day, beside the plan.
    let isAdded: Bool
    /// Whether the candidate is here; nil: not recorded.
    let isPresent: Bool?
    /// Seconds at a station beyond everybody's.
    let extraStationSeconds: Int
  }

  /// The roster, in the order of rounds.
  static func entries(timetable: Int, in db: Database) throws -> [Entry] {
    try entries(timetable: timetable, "e.dsDeleted = 0 AND u.dsDeleted = 0", in: db)
  }

  /// Entries that were taken off the roster, or whose candidate was.
  static func removed(timetable: Int, in db: Database) throws -> [Entry] {
    try entries(timetable: timetable, "(e.dsDeleted OR u.dsDeleted)", in: db)
  }

  private static func entries(timetable: Int, _ condition: String, in db: Database) throws -> [Entry] {
    try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT e.uuid, \(CandidateLabel.column), e.present, e."order", u.title, u.forename, u.surname,
            u.extraStationSeconds, e.additional
          FROM timetableAttendanceLog e JOIN user u ON u.dsid = \(SlotChanges.candidate)
          WHERE e.timetableID = ? AND e.practice = 0 AND \(condition)
          ORDER BY e."order", e.uuid
          """), arguments: [timetable]
    ).map { row in
      Entry(
        key: row[0], number: row[1], name: personName(title: row[4], forename: row[5], surname: row[6]) ?? "",
        round: row[3], isAdded: row[8] ?? false, isPresent: row[2], extraStationSeconds: row[7] ?? 0)
    }
  }
}
