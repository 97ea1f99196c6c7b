import Standards

/// Scores that another program wrote: one row a candidate and station, or an assessor of them.
public struct ScoreFile: Sendable {
  /// What the file holds.
  public let scores: ExamScores
  /// The candidates whom it leaves out of the exam.
  public let excluded: [String]

  private static let needed = ["candidate", "circuit", "station", "score", "grade"]
  private static let columns =
    needed + [
      "assessor", "maximum", "seat", "session", "points", "weight", "borderline", "cut", "passed", "counted", "reason",
    ]

  /// Reads a file, or standard input where the path is `-`.
  /// - Throws: `ScoreFileFault` with every fault by its line.
  public static func read(_ path: String, standardInput: () throws -> [UInt8]) throws -> ScoreFile {
    let problems = ProblemList()
    let name = name(of: path)
    let source =
      path == "-"
      ? SourceFile(bytes: try standardInput(), name: name, problems: problems)
      : SourceFile(path: path, name: name, problems: problems)
    guard let source, let table = CSVTable(source, columns: columns, needed: needed, problems: problems) else {
      throw ScoreFileFault(problems: problems.problems.inFileOrder())
    }
    if table.rows.isEmpty && problems.problems.isEmpty {
      problems.error(Place(file: name, line: 1), "there are no rows below the heading")
    }
    var heading = heading(source)
    // As `results` writes scores that are no percentages.
    let amounts = ["points", "maximum"]
    if heading.contains("points"), table.rows.allSatisfy({ row in amounts.allSatisfy { row[$0].isEmpty } }) {
      heading.subtract(amounts)
    }
    var reader = ScoreFileReader(heading: heading, problems: problems)
    for row in table.rows { reader.take(row) }
    if problems.problems.hasErrors { throw ScoreFileFault(problems: problems.problems.inFileOrder()) }
    return reader.file
  }

  /// What a file is called: its path, or that it is standard input.
  public static func name(of path: String) -> String { path == "-" ? "standard input" : path }

  private static func heading(_ source: SourceFile) -> Set<String> {
    let cells = CSVReader.read(source, problems: ProblemList()).first?.cells ?? []
    return Set(cells.map(Fields.folded))
  }

  fileprivate init(scores: ExamScores, excluded: [String]) { (self.scores, self.excluded) = (scores, excluded) }
}

/// What is wrong with a file of scores, line by line.
public struct ScoreFileFault: Error, CustomStringConvertible {
  /// What was found, in the order of the file.
  public let problems: [Problem]

  /// The first error, and how many more there are.
  public var description: String {
    let errors = problems.filter { $0.severity == .error }
    let more = errors.count > 1 ? " (and \(errors.count - 1) more)" : ""
    return (errors.first?.description ?? "the file cannot be read") + more
  }
}

/// Takes rows, and makes the scores of them.
private struct ScoreFileReader {
  /// Beyond this a number is a slip, and the squares of some are no numbers any more.
  private static let largest = 1e9

  private let hasMaximum: Bool
  private let hasPoints: Bool
  private let problems: ProblemList
  private var lines: [String: Int] = [:]
  /// In the file's order, as the stations are.
  private var people: [Person] = []
  private var personIndex: [String: Int] = [:]
  private var stations: [StationPlan] = []
  private var stationIndex: [String: Int] = [:]
  private var ofCircuit: [String: [String]] = [:]
  /// The assessors of each station, by their seats.
  private var seats: [String: Set<String>] = [:]

  private struct Person {
    let number: String
    let circuit: String
    let session: String
    var places: [String: PlaceScore] = [:]
    var isExcluded = true
  }

  init(heading: Set<String>, problems: ProblemList) {
    hasMaximum = heading.contains("maximum")
    hasPoints = heading.contains("points")
    self.problems = problems
  }

  mutating func take(_ row: CSVTable.Row) {
    let number = text(row, "candidate"), circuit = text(row, "circuit"), station = text(row, "station")
    for (name, value) in [("candidate", number), ("station", station)] where value.isEmpty {
      problems.error(row.place, "'\(name)' is empty")
    }
    let seat = text(row, "seat")
    let key = [number, station, seat].joined(separator: "\u{1F}")
    if let line = lines.updateValue(row.place.line, forKey: key) {
      problems.error(
        row.place,
        "duplicate candidate \(Visible.quoted(number)) at station \(Visible.quoted(station)) (first on line \(line))"
      )
      return
    }
    describe(station, row)
    if ofCircuit[circuit]?.contains(station) != true { ofCircuit[circuit, default: []].append(station) }
    let index = personIndex[number] ?? people.count
    if index == people.count {
      personIndex[number] = index
      people.append(Person(number: number, circuit: circuit, session: text(row, "session")))
    }
    let reason = reason(row)
    if reason != .candidateExcluded { people[index].isExcluded = false }
    var place =
      people[index].places[station]
      ?? PlaceScore(
        station: station, circuit: circuit.isEmpty ? nil : circuit, session: nonEmpty(text(row, "session")), seats: [])
    if reason == .absent || reason == .excused { place.reason = reason }
    place.seats.append(self.seat(seat, row, reason))
    seats[station, default: []].insert(seat)
    people[index].places[station] = place
  }

  private mutating func describe(_ station: String, _ row: CSVTable.Row) {
    let index = stationIndex[station] ?? stations.count
    if index == stations.count {
      stationIndex[station] = index
      stations.append(StationPlan(code: station))
    }
    stations[index].weight = number(row, "weight") ?? stations[index].weight
    stations[index].borderline = number(row, "borderline") ?? stations[index].borderline
    if let weight = stations[index].weight, weight < 0 {
      problems.error(row.place, "'weight' must not be negative")
    }
    switch row["counted"] {
    case "false": stations[index].isPilot = true
    case "", "true": break
    default: problems.error(row.place, "'counted' must be true or false, not \(Visible.quoted(row["counted"]))")
    }
  }

  private func seat(_ name: String, _ row: CSVTable.Row, _ reason: Reason?) -> SeatScore {
    let written = number(row, "score"), maximum = number(row, "maximum")
    var score = written
    if let written, hasMaximum, !hasPoints {
      if let maximum, maximum > 0 {
        let percent = 100 * written / maximum
        score = percent
        if abs(percent) > ScoreFileReader.largest {
          problems.error(row.place, "'score' must be at most 1e9 percent of 'maximum' in size")
        }
      } else {
        problems.error(row.place, "'maximum' must be above 0 where there is a score")
      }
    }
    let grade = number(row, "grade")
    var seat = SeatScore(
      seat: name, assessor: nonEmpty(text(row, "assessor")), score: score,
      grade: grade.map { .value($0) } ?? .none(score == nil ? .gradeBlank : reason ?? .gradeBlank), reason: reason)
    seat.points = hasPoints ? number(row, "points") : hasMaximum ? written : nil
    seat.maximum = maximum
    return seat
  }

  private func reason(_ row: CSVTable.Row) -> Reason? {
    let text = text(row, "reason")
    if text.isEmpty { return nil }
    if let reason = Reason(rawValue: text) { return reason }
    problems.error(
      row.place,
      "reason \(Visible.quoted(text)) is unknown" + NearestName.hint(for: text, among: Reason.allCases.map(\.rawValue)))
    return nil
  }

  /// A number with a point and perhaps an exponent; nil for an empty cell.
  private func number(_ row: CSVTable.Row, _ column: String) -> Double? {
    let text = row[column]
    if text.isEmpty { return nil }
    let marks = Set("0123456789.eE+-")
    if let number = Double(text), number.isFinite, text.allSatisfy(marks.contains) {
      if abs(number) <= ScoreFileReader.largest { return number }
      problems.error(row.place, "'\(column)' must be from -1e9 to 1e9, not \(Visible.quoted(text))")
      return nil
    }
    problems.error(row.place, "'\(column)' must be a number, not \(Visible.quoted(text))")
    return nil
  }

  /// A text, without the apostrophe that keeps a spreadsheet from taking it for a formula.
  private func text(_ row: CSVTable.Row, _ column: String) -> String {
    let text = row[column]
    return text.first == "'" && text.dropFirst().first.map("=+-@".contains) == true ? String(text.dropFirst()) : text
  }

  private func nonEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }

  /// A place with all assessors of its station: of one who has no row there nothing is held. The lead's seat has no name; the
  /// others stand by theirs.
  private func withEverySeat(_ place: PlaceScore) -> PlaceScore {
    var place = place
    let there = Set(place.seats.map(\.seat))
    // Where nobody marked at all, nothing tells that two were to.
    if !there.isEmpty {
      place.seats += (seats[place.station] ?? []).subtracting(there).map {
        SeatScore(seat: $0, score: nil, grade: .none(.gradeBlank))
      }
    }
    place.seats.sort { $0.seat.unicodeScalars.lexicographicallyPrecedes($1.seat.unicodeScalars) }
    return place
  }

  /// Every station that anybody of a circuit has is planned for all of them.
  var file: ScoreFile {
    let candidates = people.map { person in
      let circuit = nonEmpty(person.circuit)
      let planned = ofCircuit[person.circuit] ?? []
      let others = person.places.keys.filter { !planned.contains($0) }.sorted()
      return CandidateScores(
        number: person.number, circuit: circuit, session: nonEmpty(person.session),
        places: (planned + others).map {
          withEverySeat(
            person.places[$0]
              ?? PlaceScore(station: $0, circuit: circuit, session: nonEmpty(person.session), seats: []))
        })
    }
    return ScoreFile(
      scores: ExamScores(
        unit: hasMaximum || hasPoints ? .percent : .points, stations: stations,
        candidates: candidates), excluded: people.filter(\.isExcluded).map(\.number))
  }
}
