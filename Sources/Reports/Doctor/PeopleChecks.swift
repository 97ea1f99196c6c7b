import CircuitModel
import ExamStore
import GRDB

/// Looks whether candidates and staff can be told apart, and have one place at a time.
struct PeopleChecks {
  let db: Database

  func run(_ diagnosis: inout Diagnosis) throws {
    var candidates = Problems()
    let students = try ReadRow.fetchAll(
      db, sql: "SELECT dsid, studentNumber FROM user WHERE entity = 'Student' AND dsDeleted = 0 ORDER BY dsid")
    for (number, keys) in shared(students) {
      candidates.add("number \(number) is of \(keys.count) candidates: keys \(list(keys))")
    }
    for row in students where (row[1] as String? ?? "").isEmpty {
      candidates.add("the candidate with the key \(row[0] as Int) has no number")
    }
    try rounds(&candidates)
    diagnosis.add("candidates", problems: candidates, sound: "\(students.count), each with a number of their own")
    var staff = Problems()
    try self.staff(&staff)
    if !staff.isEmpty { diagnosis.add("staff", problems: staff, sound: "") }
  }

  /// What a session has one of: a candidate at a station in a round, a station for a candidate in a round.
  private func rounds(_ problems: inout Problems) throws {
    let entries = """
      timetableAttendanceLog e JOIN timetable t ON t.dsid = e.timetableID JOIN activityType a ON a.dsid = t.activityTypeID
        JOIN user u ON u.dsid = \(SlotChanges.candidate)
      WHERE e.dsDeleted = 0 AND e.practice = 0 AND t.dsDeleted = 0 AND t.cancelled = 0 AND a.dsDeleted = 0
        AND u.dsDeleted = 0 AND e."order" > 0
      """
    for row in try ReadRow.fetchAll(
      db,
      sql: """
        SELECT \(Session.nameSQL), \(StationSession.codeSQL), e."order", count(*) FROM \(entries)
        GROUP BY e.timetableID, e."order" HAVING count(*) > 1 ORDER BY 1, 2, 3
        """)
    {
      problems.add(
        "\(row[0] as String? ?? ""): station \(row[1] as String? ?? "") has \(row[3] as Int) candidates in round "
          + "\(row[2] as Int)")
    }
    for row in try ReadRow.fetchAll(
      db,
      sql: """
        SELECT \(Session.nameSQL), \(CandidateLabel.column), e."order", count(*) FROM \(entries)
        GROUP BY u.dsid, t.date, t.startTime, e."order" HAVING count(DISTINCT e.timetableID) > 1 ORDER BY 1, 2, 3
        """)
    {
      problems.add(
        "\(row[0] as String? ?? ""): candidate \(row[1] as String) is at \(row[3] as Int) stations in round "
          + "\(row[2] as Int)")
    }
  }

  /// Usernames that several active members of staff have: none of them can sign in.
  private func staff(_ problems: inout Problems) throws {
    let rows = try ReadRow.fetchAll(
      db, sql: "SELECT dsid, username FROM user WHERE entity = 'Staff' AND dsDeleted = 0 AND active <> 0 ORDER BY dsid")
    for (name, keys) in shared(rows) {
      problems.add("username \(name) is of \(keys.count) members of staff: keys \(list(keys))")
    }
  }

  /// The names that several rows have, whatever the case of their letters and the blanks around them, with the keys of
  /// these.
  private func shared(_ rows: [ReadRow]) -> [(name: String, keys: [Int])] {
    let named = rows.compactMap { row in (row[1] as String?).map { (name: $0, key: row[0] as Int) } }
    return Dictionary(grouping: named.filter { !$0.name.isEmpty }) { CandidateNumber.compared($0.name) }.values
      .filter { $0.count > 1 }.map { ($0[0].name, $0.map(\.key)) }.sorted { $0.keys[0] < $1.keys[0] }
  }

  private func list(_ keys: [Int]) -> String { keys.map(String.init).joined(separator: ", ") }
}
