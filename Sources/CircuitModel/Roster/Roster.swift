import ExamStore
import GRDB
import Journal
import Timer

/// Who comes to a station session, round by round.
public enum Roster {
  /// A stored round, held within what a session can have: lists are as long as their last round.
  package static func round(_ stored: Int?) -> Int? { stored.map { min(max($0, 0), Expansion.mostRounds) } }

  /// The roster in the order of rounds; a round that nobody is planned for has no entry.
  /// - Parameter seat: whose sheets the progress is of.
  public static func entries(timetable: Int, seat: Seat, in db: Database) throws -> [RosterEntry] {
    try fetch("e.timetableID = ? AND e.practice = 0 ORDER BY e.\"order\", e.uuid", [timetable], seat: seat, in: db)
  }

  /// One entry; nil if it is not there.
  public static func entry(_ key: String, seat: Seat, in db: Database) throws -> RosterEntry? {
    try fetch("e.uuid = ?", [key], seat: seat, in: db).first
  }

  /// Some entries by their keys, with the progress of the lead assessor's sheets; those that are not there are left out.
  static func entries(keys: [String], in db: Database) throws -> [String: RosterEntry] {
    var found: [String: RosterEntry] = [:]
    // As many at once as make one statement that is kept; the rest of the last ones names nothing.
    for start in stride(from: 0, to: keys.count, by: keysAtOnce) {
      let some = keys[start..<min(start + keysAtOnce, keys.count)]
      let padded = Array(some) + Array(repeating: "", count: keysAtOnce - some.count)
      let marks = Array(repeating: "?", count: keysAtOnce).joined(separator: ",")
      for entry in try fetch("e.uuid IN (\(marks))", StatementArguments(padded), seat: .lead, in: db) {
        found[entry.key] = entry
      }
    }
    return found
  }

  private static let keysAtOnce = 16

  /// Who is planned at every station session, by its key, each in the order of rounds.
  public static func planned(in db: Database) throws -> [Int: [PlannedEntry]] {
    var found: [Int: [PlannedEntry]] = [:]
    let rows = try ReadRow.fetchCursor(
      db,
      sql: """
        SELECT e.timetableID, e."order", e.present, \(candidateColumns)
        FROM timetableAttendanceLog e LEFT JOIN user u ON u.dsid = \(SlotChanges.candidate)
        WHERE e.dsDeleted = 0 AND e.practice = 0 ORDER BY e.timetableID, e."order", e.uuid
        """)
    while let row = try rows.next() {
      found[row[0], default: []].append(
        PlannedEntry(round: Roster.round(row[1]), candidate: candidate(row), isPresent: row[2]))
    }
    return found
  }

  /// Whether a change of any of these rows may show on the roster of a station session.
  public static func concerns(_ rows: Set<RowKey>, timetable: Int, in db: Database) throws -> Bool {
    try rows.contains { row in
      switch row.entity {
      case Stored.Student.entityName, Stored.SlotTable.entityName, Stored.RerunEntry.entityName,
        Stored.ExamRuling.entityName, Stored.Config.entityName:
        true
      case Stored.TimetableAttendanceLog.entityName: try self.timetable(of: row.id, in: db) == timetable
      default: try RowPlace.of(row, in: db)?.timetable == timetable
      }
    }
  }

  /// The station session on whose roster an entry is; nil where there is no such entry.
  static func timetable(of entry: String, in db: Database) throws -> Int? {
    try Int.fetchOne(
      db.cachedStatement(sql: "SELECT timetableID FROM timetableAttendanceLog WHERE uuid = ?"), arguments: [entry])
  }

  private static func fetch(
    _ condition: String, _ arguments: StatementArguments, seat: Seat, in db: Database
  ) throws -> [RosterEntry] {
    let rows = try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT e.uuid, e."order", e.present, e.identityCheckedAt, e.lateAt, e.identityNote, e.practice, e.additional,
            e.heads, e.studentID AS planned, (
              SELECT min(r.place) FROM rerunEntry r
              WHERE r.attendanceLogID = e.uuid AND r.status = 'queued' AND r.dsDeleted = 0
            ) AS rerun, \(candidateColumns)
          FROM timetableAttendanceLog e LEFT JOIN user u ON u.dsid = \(SlotChanges.candidate)
          WHERE e.dsDeleted = 0 AND \(condition)
          """), arguments: arguments)
    let progress = try sheets(of: rows.map { $0["uuid"] }, seat: seat, in: db)
    return rows.map { row in
      let key: String = row["uuid"]
      return RosterEntry(
        key: key, round: Roster.round(row["order"]), candidate: candidate(row), planned: row["planned"],
        isAdditional: row["additional"], rerunRound: row["rerun"], isPresent: row["present"],
        identityCheckedAt: (row["identityCheckedAt"] as Int64?).map { Instant(stored: $0) },
        lateAt: (row["lateAt"] as Int64?).map { Instant(stored: $0) }, identityNote: row["identityNote"],
        isPractice: row["practice"],
        shown: ShownHeads(HeadsColumn(text: row["heads"])), sheets: progress[key] ?? [])
    }
  }

  private static let candidateColumns = """
    u.dsid, u.studentNumber, u.title, u.forename, u.surname, u.extraReadingSeconds, u.extraStationSeconds, u.access,
    \(CandidateLabel.column) AS label
    """

  /// A candidate by key; nil if there is none.
  public static func candidate(_ student: Int, in db: Database) throws -> Candidate? {
    try ReadRow.fetchOne(
      db.cachedStatement(
        sql: "SELECT \(candidateColumns) FROM user u WHERE u.dsid = ? AND u.entity = 'Student' AND u.dsDeleted = 0"),
      arguments: [student]
    ).flatMap { candidate($0) }
  }

  private static func candidate(_ row: ReadRow) -> Candidate? {
    guard let id = row["dsid"] as Int? else { return nil }
    let surname: String? = row["surname"]
    let name = personName(title: row["title"], forename: row["forename"], surname: surname) ?? "no name"
    return Candidate(
      id: id, number: row["studentNumber"] ?? "", label: row["label"], name: name,
      surname: surname.flatMap { $0.isEmpty ? nil : $0 } ?? name,
      extraReadingSeconds: row["extraReadingSeconds"] ?? 0, extraStationSeconds: row["extraStationSeconds"] ?? 0,
      access: row["access"])
  }

  private static func sheets(of entries: [String], seat: Seat, in db: Database) throws -> [String: [SheetProgress]] {
    guard !entries.isEmpty else { return [:] }
    let hasHub = try Enrolment.exists(db)
    let marks = Array(repeating: "?", count: entries.count).joined(separator: ",")
    // By the index of entries: that of seats, with a plus kept away, leads to every sheet of the exam.
    let rows = try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT f.attendanceLogID AS entry, f.uuid, y.name, f.signedAt, u.title, u.forename, u.surname,
            count(q.uuid) AS items, sum(\(AnsweredItem.condition)) AS answered,
            max(q.source IS '\(Marking.Source.paper.rawValue)') AS paper,
            max(EXISTS (SELECT 1 FROM fork k WHERE k.entity = q.entity AND k.entityID = q.uuid)) AS forked,
            \(hasHub ? SheetPlaces.isUnsent : "1") AS unsent
          FROM dataForm f LEFT JOIN typeForm y ON y.dsid = f.typeID LEFT JOIN user u ON u.dsid = f.signedByID
            LEFT JOIN dataSection s ON s.dataFormID = f.uuid AND s.dsDeleted = 0
            LEFT JOIN dataQuestion q ON q.dataSectionID = s.uuid AND q.dsDeleted = 0
          WHERE f.attendanceLogID IN (\(marks)) AND +f.seat = ? AND f.dsDeleted = 0 GROUP BY f.uuid
          ORDER BY (
            SELECT min(a."order") FROM availableForm a JOIN timetable t ON t.activityTypeID = a.activityTypeID
            JOIN timetableAttendanceLog e ON e.timetableID = t.dsid
            WHERE e.uuid = f.attendanceLogID AND a.typeFormID = f.typeID), f.typeID
          """), arguments: StatementArguments(entries) + [seat.name])
    return Dictionary(grouping: rows, by: { $0["entry"] as String }).mapValues { rows in
      rows.map {
        let isForked = $0["forked"] as Bool? ?? false, isUnsent = $0["unsent"] as Bool? ?? true
        let answered: Int = $0["answered"]
        return SheetProgress(
          key: $0["uuid"], name: $0["name"] ?? "", answered: answered, items: $0["items"],
          signedAt: ($0["signedAt"] as Int64?).map { Instant(stored: $0) },
          signedBy: personName(title: $0["title"], forename: $0["forename"], surname: $0["surname"]),
          isFromPaper: $0["paper"] as Bool? ?? false,
          place: isForked ? .attention : answered == 0 ? .empty : isUnsent ? .disk : .hub)
      }
    }
  }
}
