import Characters
import CircuitModel

/// Reads `candidates.csv` and `staff.csv`.
struct PeopleReader {
  static let candidateColumns = [
    "number", "surname", "forename", "title", "email", "year", "group", "major", "extra_reading_seconds",
    "extra_station_seconds", "access", "consent",
  ]
  static let staffColumns = ["username", "title", "forename", "surname", "email", "role", "passcode"]
  static let roles = ExamRole.allCases.map(\.name)

  let problems: ProblemList

  /// Nil if the file as a whole cannot be used.
  func candidates(_ source: SourceFile) -> [ExamPlan.Candidate]? {
    guard
      let table = CSVTable(
        source, columns: Self.candidateColumns, needed: ["number", "surname"], problems: problems)
    else { return nil }
    var seen: [String: Int] = [:]
    return table.rows.compactMap { row in
      guard needed(row, ["number", "surname"], "candidate") else { return nil }
      guard isFirst(row["number"], "candidate number", row.place, &seen) else { return nil }
      checkSeen(row["number"], "candidate number", row.place)
      return ExamPlan.Candidate(
        number: row["number"], surname: row["surname"], forename: row["forename"], title: row["title"],
        email: row["email"], year: row["year"], groups: many(row["group"]), majors: many(row["major"]),
        extraReadingSeconds: seconds(row, "extra_reading_seconds"),
        extraStationSeconds: seconds(row, "extra_station_seconds"), access: row["access"], consent: row["consent"],
        place: row.place)
    }
  }

  /// Nil if the file as a whole cannot be used.
  func staff(_ source: SourceFile) -> [ExamPlan.StaffMember]? {
    guard
      let table = CSVTable(source, columns: Self.staffColumns, needed: ["username", "surname"], problems: problems)
    else { return nil }
    var seen: [String: Int] = [:]
    return table.rows.compactMap { row in
      guard needed(row, ["username", "surname"], "staff") else { return nil }
      guard isFirst(row["username"], "username", row.place, &seen) else { return nil }
      checkSeen(row["username"], "username", row.place)
      if row["username"].unicodeScalars.contains(where: { $0.properties.isWhitespace }) {
        problems.error(row.place, "username \(Visible.quoted(row["username"])) has a space in it")
      }
      let role = Self.roles.first { $0 == row["role"].lowercased() }
      if role == nil, !row["role"].isEmpty {
        problems.error(
          row.place,
          "role must be one of \(Self.roles.joined(separator: ", ")), not \(Visible.quoted(row["role"]))"
            + NearestName.hint(for: row["role"], among: Self.roles))
      }
      let passcode = row["passcode"]
      if !passcode.isEmpty, passcode.unicodeScalars.count < 4 {
        problems.error(row.place, "the passcode of \(Visible.quoted(row["username"])) is shorter than 4 characters")
      }
      return ExamPlan.StaffMember(
        username: row["username"], surname: row["surname"], forename: row["forename"], title: row["title"],
        email: row["email"], role: role ?? ExamRole.assessor.name, passcode: passcode.isEmpty ? nil : passcode,
        place: row.place)
    }
  }

  private func needed(_ row: CSVTable.Row, _ columns: [String], _ what: String) -> Bool {
    let empty = columns.filter { UnsafeCharacter.showsNothing(row[$0]) }
    for column in empty {
      let held = row[column].isEmpty ? "is empty" : "shows nothing: \(Visible.quoted(row[column]))"
      problems.error(row.place, "\(what): \(Visible.quoted(column)) \(held)")
    }
    return empty.isEmpty
  }

  /// What cannot be seen cannot be typed: nobody would find the person.
  private func checkSeen(_ key: String, _ what: String, _ place: Place) {
    if let fault = UnseenCharacter.fault(of: key, what) { problems.error(place, fault) }
  }

  private func isFirst(_ key: String, _ what: String, _ place: Place, _ seen: inout [String: Int]) -> Bool {
    if let line = seen[key.lowercased()] {
      problems.error(place, "duplicate \(what) \(Visible.quoted(key)) (first on line \(line))")
      return false
    }
    seen[key.lowercased()] = place.line
    return true
  }

  private func seconds(_ row: CSVTable.Row, _ column: String) -> Int {
    let text = row[column]
    if text.isEmpty { return 0 }
    if let seconds = Int(text), 0...86_400 ~= seconds { return seconds }
    problems.error(row.place, "\(column) must be a whole number of seconds, 0 to 86400, not \(Visible.quoted(text))")
    return 0
  }

  private func many(_ cell: String) -> [String] {
    var names: [String] = []
    for name in cell.split(separator: ";").map(\.trimmed) where !name.isEmpty && !names.contains(name) {
      names.append(name)
    }
    return names
  }
}
