import CircuitModel
import Foundation
import GRDB
import SeededNumbers
import Standards
import Testing

@testable import ExamFiles
@testable import ExamStore
@testable import Reports

@Suite("Results") struct ResultsTests {
  private func report(_ exam: MarkedYear3Exam, _ options: PolicyDocument = .init()) throws -> ResultsReport {
    try exam.store.read { try ResultsReport.read(options, in: $0, at: exam.store.clock.now) }
  }

  /// Scores and grades from the rows of `export marks` alone, by candidate and station: a second computation that
  /// shares nothing with the first.
  private func recomputed(_ rows: [[String: String]]) -> [String: (score: Double, grade: Double?)] {
    var seats: [String: [(score: Double, grade: Double?)]] = [:]
    for (key, rows) in Dictionary(grouping: rows, by: { "\($0["student_number"]!) \($0["station"]!)|\($0["seat"]!)" }) {
      let counted = rows.contains { $0["pilot"] == "false" } ? rows.filter { $0["pilot"] == "false" } : rows
      guard counted.allSatisfy({ !$0["signed_at"]!.isEmpty && $0["present"] != "false" }) else { continue }
      let used = Set(
        counted.filter { $0["where"] != "empty" }.map { "\($0["sheet"]!) \($0["section"]!) \($0["copy"]!)" })
      var (points, maximum) = (0.0, 0.0)
      var grade: Double?
      for row in counted {
        if row["role"] == "global" { grade = Double(row["value"]!) }
        guard row["role"] == "item", let most = Double(row["maximum"]!), row["unable"] == "false",
          row["copy"] == "1" || used.contains("\(row["sheet"]!) \(row["section"]!) \(row["copy"]!)")
        else { continue }
        points += Double(row["value"]!) ?? 0
        maximum += most
      }
      if maximum > 0 {
        seats[String(key.split(separator: "|")[0]), default: []].append((100 * points / maximum, grade))
      }
    }
    return seats.mapValues { seats in
      let grades = seats.compactMap(\.grade)
      return (
        seats.reduce(0) { $0 + $1.score } / Double(seats.count),
        grades.isEmpty ? nil : grades.reduce(0, +) / Double(grades.count)
      )
    }
  }

  @Test("of a marked exam agree with what its exported marks come to") func recomputedFromExport() throws {
    let seed = Seeded.seed
    let exam = try MarkedYear3Exam(seed: seed)
    let results = try report(exam).results
    let expected = recomputed(try exam.rows(.marks))
    var compared = 0
    for candidate in results.candidates {
      for station in candidate.stations {
        let other = expected["\(candidate.number) \(station.station)"]
        #expect((station.score == nil) == (other == nil), "OSCE_SEED=\(seed) \(candidate.number) \(station)")
        guard let score = station.score, let other else { continue }
        #expect(abs(score - other.score) < 1e-9, "OSCE_SEED=\(seed) \(candidate.number) \(station.station)")
        #expect(station.grade == other.grade, "OSCE_SEED=\(seed) \(candidate.number) \(station.station)")
        compared += 1
      }
    }
    #expect(compared > 60)
    for station in results.stations where station.regression.slope != nil {
      let points = expected.filter { $0.key.hasSuffix(" \(station.station)") }.values.compactMap { place in
        place.grade.map { (x: $0, y: place.score) }
      }
      let n = Double(points.count)
      let (x, y) = (points.reduce(0) { $0 + $1.x } / n, points.reduce(0) { $0 + $1.y } / n)
      let slope =
        points.reduce(0) { $0 + ($1.x - x) * ($1.y - y) } / points.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
      let cut = y + slope * (station.borderline - x)
      #expect(abs(cut - station.cut!) < 1e-9, "OSCE_SEED=\(seed) \(station.station)")
    }
    #expect(CandidateResult.Outcome.allCases.map(results.count).reduce(0, +) == results.candidates.count)
  }

  @Test("of a whole exam are final, and the scores that it writes read back to the same figures") func readBack() throws
  {
    let exam = try MarkedYear3Exam(isWhole: true)
    let report = try report(exam)
    #expect(report.state == .final && report.results.notes.contains(.provisional) == false)
    #expect(report.results.count(.pass) > 0 && report.results.figures.alpha != nil)
    var bytes: [UInt8] = []
    try report.write(.scores, as: .csv) { bytes += $0 }
    let file = try ScoreFile.read("-") { bytes }
    let again = ResultsReport(file.scores, PolicyInForce()).results
    for (one, other) in zip(report.results.stations, again.stations) {
      #expect(one.station == other.station && one.regression == other.regression && one.scores == other.scores)
      #expect(
        one.cut == other.cut && one.alphaIfDeleted == other.alphaIfDeleted
          && one.comparisons.circuits == other.comparisons.circuits)
      #expect(one.comparisons.assessors == other.comparisons.assessors && one.isCounted == other.isCounted)
    }
    #expect(again.figures == report.results.figures)
    #expect(again.candidates.map(\.mean) == report.results.candidates.map(\.mean))
  }

  @Test("judge who is excused at a station to which they never come by the other stations, in the set of all")
  func excusedWithoutPlace() throws {
    let exam = try MarkedYear3Exam(isWhole: true)
    let number = try #require(try report(exam).results.candidates.first).number
    try exam.loseRound(of: number, at: "CHEST")
    let lost = try report(exam).results
    #expect(lost.stationSets.count == 2 && lost.candidates[0].reasons.contains(.noSem))
    func expected() throws -> Int {
      try exam.store.read { try ClosingReport.read(Diagnosis(), Diagnosis(), in: $0, at: exam.store.clock.now) }
        .identity.expected
    }
    let before = try expected()
    let lead = try exam.store.read { try ExamLead.authorise(ExamLead.find(username: "cdubois", in: $0), by: nil) }
    try exam.store.write(Author(staff: lead.member.id)) {
      try Rulings.make(
        .excuse, on: .init(station: "CHEST", candidate: number), reason: "changed slots", by: lead, $0)
    }
    let excused = try report(exam)
    let candidate = excused.results.candidates[0]
    let held = candidate.stations.filter { $0.score != nil }
    #expect(candidate.stations.first { $0.station == "CHEST" }?.reason == .excused)
    #expect(candidate.stationsDue == held.count && !candidate.reasons.contains(.noSem))
    #expect(!candidate.reasons.contains(.missingStation))
    let semMean = try #require(excused.results.figures.semMean)
    let cut = try #require(candidate.cut)
    #expect(excused.results.stationSets.isEmpty && candidate.cutPlusSem == cut + semMean)
    #expect(try expected() == before)
    #expect(!excused.rows(.sheets).contains { $0[0] == .text(number) && $0[1] == .text("CHEST") })
    // The table of scores has the station too, so that a file of it has the same set.
    var bytes: [UInt8] = []
    try excused.write(.scores, as: .csv) { bytes += $0 }
    let again = Results(try ScoreFile.read("-") { bytes }.scores, policy: .init())
    #expect(again.stationSets.isEmpty && again.figures == excused.results.figures)
    #expect(again.candidates.map(\.cutPlusSem) == excused.results.candidates.map(\.cutPlusSem))
  }

  @Test("that take unsigned sheets are provisional until the last one is signed") func heldSheets() throws {
    let exam = try MarkedYear3Exam(isWhole: true)
    var held = PolicyDocument()
    held.sheets = "held"
    #expect(try report(exam, held).state == .final)
    let before = try report(exam, held).results
    try exam.store.writer.inDatabase {
      try $0.execute(sql: "UPDATE dataForm SET signedAt = NULL WHERE uuid = (SELECT min(uuid) FROM dataForm)")
    }
    let after = try report(exam, held)
    #expect(after.state == .live && after.results.notes.contains(.provisional))
    #expect(after.results.candidates.map(\.mean) == before.candidates.map(\.mean), "the unsigned sheet counts")
  }

  @Test("every table has the columns that it names, and a row for each thing that it is of") func tables() throws {
    let exam = try MarkedYear3Exam()
    let report = try report(exam)
    for table in ResultsTable.allCases {
      var bytes: [UInt8] = []
      try report.write(table, as: .csv) { bytes += $0 }
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
      #expect(lines[0] == table.columns.joined(separator: ","), "\(table)")
      let rows = MarkedYear3Exam.table(bytes)
      switch table {
      case .candidates: #expect(rows.count == report.results.candidates.count)
      case .stations: #expect(rows.map { $0["station"]! } == report.results.stations.map(\.station))
      case .sheets: #expect(rows.allSatisfy { $0["eligible"] == "true" || $0["reason"] != "" })
      case .policy: #expect(rows[0]["key"] == "method" && rows[0]["source"] == "default")
      case .scores, .agreement, .leftout: #expect(!rows.isEmpty)
      }
    }
  }

  @Test("follow what the exam's file decides, and an option outranks it for one print") func policy() throws {
    let block = """
      results:
        k: 0
        minimumStations: 60%
        stations:
          RX: { pilot: true }
          ABDO: { weight: 2, cut: 55 }
        exclude:
          - { station: CHEST, candidate: 30101, reason: Taken ill }
          - { candidate: 30102, reason: Withdrawn }
      """
    let exam = try MarkedYear3Exam(results: block, isWhole: true)
    let report = try report(exam)
    let results = report.results
    #expect(results.stations.first { $0.station == "RX" }?.isPilot == true)
    let abdo = try #require(results.stations.first { $0.station == "ABDO" })
    #expect(abdo.cut == 55 && abdo.weight == 2 && abdo.notes.contains(.fixedCut))
    #expect(results.figures.cutPlusSem == results.figures.cutMean && results.policy.minimumStations == .percent(60))
    let ill = try #require(results.candidates.first { $0.number == "30101" })
    #expect(ill.stations.first { $0.station == "CHEST" }?.reason == .excused && !ill.reasons.contains(.missingStation))
    let withdrawn = try #require(results.candidates.first { $0.number == "30102" })
    #expect(withdrawn.outcome == .excluded && withdrawn.lines[0] == "left out")
    var options = PolicyDocument()
    options.k = 2
    let other = try self.report(exam, options)
    #expect(other.results.figures.cutPlusSem! > other.results.figures.cutMean!)
    let choice = try #require(other.policy.choices.first { $0.key == "k" })
    let heading = other.figureLines.joined(separator: "\n")
    #expect(heading.contains("minimum stations: 60% (exam.yaml)") && heading.contains("k: 2 (option of this print)"))
    #expect(!heading.contains("{") && !heading.contains("minimumStations"))
    #expect(choice.decided.source == .option && report.policy.choices.first { $0.key == "k" }?.decided.source == .file)
  }

  @Test("name the mark sheets as the source of the borderline grade where nobody else decides it") func ofSheets()
    throws
  {
    func borderline(_ results: [String] = [], _ options: PolicyDocument = .init()) throws -> [String] {
      let exam = try PairedExam(results: results)
      let report = try report(exam.exam, options)
      let choice = try #require(report.policy.choices.first { $0.key == "borderline" })
      return [choice.value.text, choice.decided.source.rawValue, String(report.results.stations[0].borderline)]
    }
    #expect(try borderline() == ["3", "sheet", "3.0"])
    #expect(try borderline(["borderline: 2.5"]) == ["2.5", "file", "3.0"])
    #expect(try borderline(["stations: { T: { borderline: 4 } }"]) == ["2", "default", "3.0"])
    #expect(try borderline(["stations: { T: { pilot: true, borderline: 4 } }"]) == ["3", "sheet", "3.0"])
    var options = PolicyDocument()
    options.borderline = 2
    #expect(try borderline([], options) == ["2", "option", "2.0"])
    // Who closes the exam reads and seals the same.
    let lines = try PairedExam().closing().policy.lines
    #expect(lines.contains("borderline: 3 (mark sheets)"), "\(lines)")
  }

  @Test("print beside the choices for all stations what single ones have from their mark sheets") func ofSingleSheets()
    throws
  {
    func lines(_ results: [String], weight: Int? = nil, _ options: PolicyDocument = .init()) throws -> [String] {
      let exam = try PairedExam(weight: weight, results: results)
      let report = try report(exam.exam, options)
      let lines = report.lines.filter { $0.hasSuffix("(mark sheets)") && !$0.contains(";") }
      if options == .init() { #expect(try exam.closing().policy.lines.suffix(lines.count) == lines[...]) }
      let rows = report.rows(.policy).filter { $0[2] == .text("sheet") && $0[0] != .text("borderline") }
      #expect(rows.isEmpty == lines.isEmpty, "\(rows)")
      return lines
    }
    #expect(try lines([]) == [])
    #expect(
      try lines(["borderline: 2.5"]) == ["S: borderline 3 (mark sheets)", "T: borderline 3 (mark sheets)"])
    #expect(
      try lines(["borderline: 2", "stations: { T: { borderline: 4 } }"], weight: 2) == [
        "S: borderline 3, weight 2 (mark sheets)", "T: weight 2 (mark sheets)",
      ])
    #expect(try lines(["stations: { S: { weight: 1 }, T: { weight: 1 } }"], weight: 2) == [])
    var options = PolicyDocument()
    options.borderline = 2
    #expect(try lines([], options) == [])
  }

  @Test("by choices that cannot be read are refused, not made by others") func unreadable() throws {
    let exam = try MarkedYear3Exam(isWhole: true)
    // No import lets this in: the file was changed, or a newer program wrote it.
    let queue = try DatabaseQueue(path: exam.folder.path + "/exam.sqlite")
    try queue.writeWithoutTransaction {
      try $0.execute(sql: #"UPDATE config SET settings = '{"results":{"k":"two"}}'"#)
    }
    try queue.close()
    #expect(throws: StoreError.self) { try report(exam) }
  }

  @Test(
    "what a block of results gets wrong is named with its line",
    arguments: [
      ("results: { k: 9 }", "'k' must be 0 to 5"), ("results: { methd: fixed }", "did you mean 'method'?"),
      ("results: { method: fixed }", "needs a 'cut'"),
      ("results: { stations: { CHEST: { cut: 101 } } }", "'cut' must be 0 to 100"),
      ("results: { stations: { CHEAT: { pilot: true } } }", "did you mean 'CHEST'?"),
      ("results: { stations: { CHEST: { pilotItems: [nothing] } } }", "is on no sheet of station 'CHEST'"),
      ("results: { stations: { CHEST: { weight: -1 } } }", "'weight' must be 0 to 1000"),
      ("results: { exclude: [{ station: CHEST }] }", "'reason' is missing"),
      ("results: { exclude: [{ circuit: A, reason: x }] }", "is missing"),
      ("results: { exclude: [{ candidate: 9, reason: x }] }", "candidate '9' is not in the exam"),
      (
        "results: { exclude: [{ station: CHEST, reason: x }, { station: CHEST, reason: y }] }",
        "the same is left out on line"
      ),
      ("results: { minimumStations: 12 }", "'minimumStations' is 12, but"),
      ("results: { minimumStations: many }", "'minimumStations' is none, a number"),
      ("results: { rounding: { mode: sideways } }", "'mode' must be one of"),
      ("results: { borderline: 40 }", "'borderline'"),
    ])
  func wrongBlock(block: String, text: String) throws {
    let folder = Scratch()
    let copy = folder.path + "/exam"
    try FileManager.default.copyItem(atPath: Fixtures.path("year3-osce"), toPath: copy)
    var exam = try String(contentsOfFile: copy + "/exam.yaml", encoding: .utf8)
    exam += "\n" + block + "\n"
    if block.contains("borderline: 40") { exam = exam.replacing("borderline: 40", with: "borderline: 4000") }
    try exam.write(toFile: copy + "/exam.yaml", atomically: true, encoding: .utf8)
    let (_, problems) = ExamFolder.read(copy)
    let errors = problems.filter { $0.severity == .error }
    #expect(errors.contains { $0.message.contains(text) && $0.line > 90 }, "\(errors.map(\.description))")
  }

  @Test(
    "a file of scores that cannot be one is refused with its line",
    arguments: [
      ("candidate,circuit,station,score\n1,R,A,5\n", ":1: column 'grade' is missing"),
      ("candidate,circuit,station,score,grad\n1,R,A,5,1\n", "did you mean 'grade'?"),
      ("candidate,circuit,station,score,grade\n", "no rows"),
      ("candidate,circuit,station,score,grade\n1,R,A,nan,2\n", ":2: 'score' must be a number"),
      ("candidate;circuit;station;score;grade\n1;R;A;x;2\n", ":2: 'score' must be a number"),
      ("candidate,circuit,station,score,grade\r1,R,A,x,2\r", ":2: 'score' must be a number"),
      ("candidate,circuit,station,score,grade\n1,R,A,inf,2\n", ":2: 'score' must be a number"),
      ("candidate,circuit,station,score,grade\n1,R,A,0x10,2\n", ":2: 'score' must be a number"),
      ("candidate,circuit,station,score,grade\n1,R,A,5,2\n1,R,A,6,2\n", ":3: duplicate candidate '1'"),
      ("candidate,circuit,station,score,grade,maximum\n1,R,A,5,2,0\n", "'maximum' must be above 0"),
      ("candidate,circuit,station,score,grade\n1,R,A,1e160,2\n", ":2: 'score' must be from -1e9 to 1e9, not '1e160'"),
      (
        "candidate,circuit,station,score,grade,maximum\n1,R,A,5,2,10\n2,R,A,5,2,1e-300\n",
        ":3: 'score' must be at most 1e9 percent of 'maximum' in size"
      ),
      ("candidate,circuit,station,score,grade\n1,R,A,\"5\"x,2\n", "text after a closing quote"),
      ("candidate,circuit,station,score,grade,reason\n1,R,A,,2,asleep\n", "reason 'asleep' is unknown"),
      ("", "empty"),
    ])
  func wrongFile(text: String, expected: String) {
    #expect(throws: ScoreFileFault.self) { _ = try ScoreFile.read("-") { Array(text.utf8) } }
    do { _ = try ScoreFile.read("-") { Array(text.utf8) } } catch { #expect("\(error)".contains(expected), "\(error)") }
  }

  @Test("a figure that is no number is a dash") func noNumber() {
    for number in [Double.nan, .infinity, -.infinity] {
      #expect(Figure.tenths(number) == "–" && Figure.hundredths(number) == "–")
    }
  }

  @Test("where no station has a cut nobody is shown as having passed none") func passedWithoutCut() throws {
    func first(_ grades: [Int]) throws -> CandidateResult {
      let rows = grades.enumerated().map { "\($0 + 1),R,A,\(50 + $0),\($1)\n" }
      let text = "candidate,circuit,station,score,grade\n" + rows.joined()
      return try #require(
        Results(try ScoreFile.read("-") { Array(text.utf8) }.scores, policy: .init()).candidates.first)
    }
    let without = try first([2, 2])
    #expect(without.passedText == "–/1" && without.lines[1].hasSuffix("– of 1 station passed"))
    #expect(try first([1, 2, 3, 4]).passedText == "0/1")
    let text = "candidate,circuit,station,score,grade\n1,R,A,50,2\n"
    let report = ResultsReport(try ScoreFile.read("-") { Array(text.utf8) }.scores, PolicyInForce(options: .init()))
    #expect(report.figureLines[0] == "no cut" && report.figureLines[1].hasPrefix("alpha – · SEM – · "))
  }

  @Test("where a station of a file has two assessors, a candidate with one of them has the note of it")
  func oneAssessor() throws {
    let text =
      "candidate,circuit,station,seat,score,grade\n1,R,B,,70,4\n1,R,B,second,66,3\n2,R,B,,60,2\n3,R,A,,50,2\n"
    let results = Results(try ScoreFile.read("-") { Array(text.utf8) }.scores, policy: .init())
    func place(_ candidate: Int, _ station: String) -> CandidateResult.Station? {
      results.candidates[candidate].stations.first { $0.station == station }
    }
    #expect(place(0, "B")?.notes == [] && place(0, "B")?.score == 68)
    #expect(place(1, "B")?.notes == [.oneAssessor] && place(1, "B")?.score == 60)
    #expect(place(2, "A")?.notes == [] && place(2, "B")?.reason == .noSheet && place(2, "B")?.notes == [])
  }

  @Test("of one candidate at one station say so in the singular") func counted() throws {
    let text = "candidate,circuit,station,score,grade\n1,R,A,60,3\n"
    let report = ResultsReport(try ScoreFile.read("-") { Array(text.utf8) }.scores, PolicyInForce())
    #expect(report.lines.contains { $0.hasSuffix(" · 1 complete candidate · 1 station") }, "\(report.lines)")
    let candidate = try #require(report.results.candidates.first)
    #expect(candidate.lines.contains { $0.hasSuffix(", – of 1 station passed") }, "\(candidate.lines)")
  }

  @Test("of several sets of stations have a figure of each, and the set of a candidate and of a station")
  func severalSets() throws {
    let rows = (1...4).flatMap { number in
      [
        "\(number),R,A,\(50 + 5 * number),\(number)", "\(number),R,B,\(48 + 6 * number),\(number)",
        "\(number + 4),Q,A,\(30 + 5 * number),\(number)", "\(number + 4),Q,C,\(28 + 4 * number),\(number)",
      ]
    }
    let text = "candidate,circuit,station,score,grade\n" + rows.map { $0 + "\n" }.joined()
    let report = ResultsReport(try ScoreFile.read("-") { Array(text.utf8) }.scores, PolicyInForce())
    let results = report.results
    let cuts = results.stationSets.map { Figure.tenths($0.figures.cutPlusSem) }
    try #require(cuts.count == 2 && cuts[0] != cuts[1] && !cuts.contains("–"))
    #expect(report.summary.hasPrefix("cut \(cuts[0]) · \(cuts[1]), "))
    let row = ResultsComparison(report, report).rows.first { $0.name == "cut with the error on top %" }
    #expect(row?.before == "\(cuts[0]) · \(cuts[1])")
    #expect(results.candidates.map { results.set(of: $0)?.stations.last } == ["B", "B", "B", "B", "C", "C", "C", "C"])
    let last = try #require(results.largestSet(with: "C"))
    #expect(report.figureLines(of: last)[0] == "4 candidates at A C")
  }

  @Test("an item that is left out is no critical failure either") func excludedCritical() throws {
    let block = "results:\n  exclude:\n    - { station: CHEST, item: allergies, reason: The actor was never told }"
    let whole = try report(try MarkedYear3Exam(isWhole: true)).results
    let without = try report(try MarkedYear3Exam(results: block, isWhole: true)).results
    func failures(_ results: Results) -> Int {
      results.candidates.count { $0.criticalFailures.contains { $0.item == "allergies" } }
    }
    #expect(failures(whole) > 0 && failures(without) == 0)
  }

  @Test("a sheet that a bundle brings without its version counts like any other") func unversioned() throws {
    let exam = try MarkedYear3Exam()
    let before = try report(exam).results
    try exam.store.writer.inDatabase { try $0.execute(sql: "UPDATE dataForm SET versionID = NULL") }
    let after = try report(exam).results
    #expect(after.candidates == before.candidates && after.stations == before.stations)
  }

  @Test("a sheet whose items name no assessor is not that of a lead who amended one of them", arguments: [true, false])
  func amendedOne(isSheetJudged: Bool) throws {
    let exam = try PairedExam()
    func assessors() throws -> [String?] {
      let results = try report(exam.exam).results
      return results.candidates.flatMap { $0.stations.filter { $0.station == "T" }.map(\.assessor) }
    }
    #expect(try assessors() == ["dan", "dan", "dan"])
    try exam.store.writer.inDatabase { db in
      func staff(_ name: String) throws -> Int {
        try #require(try Int.fetchOne(db, sql: "SELECT dsid FROM user WHERE username = ?", arguments: [name]))
      }
      let sheet = try #require(
        try String.fetchOne(
          db,
          sql: """
            SELECT d.uuid FROM dataForm d JOIN timetableAttendanceLog e ON e.uuid = d.attendanceLogID
              JOIN timetable t ON t.dsid = e.timetableID JOIN activityType a ON a.dsid = t.activityTypeID
              JOIN user u ON u.dsid = e.studentID
            WHERE a.code = 'T' AND u.studentNumber = '1'
            """))
      // As a bundle brings one, with an amendment.
      let items = "dataSectionID IN (SELECT uuid FROM dataSection WHERE dataFormID = ?)"
      try db.execute(sql: "UPDATE dataQuestion SET judgedByID = NULL WHERE \(items)", arguments: [sheet])
      try db.execute(
        sql: "UPDATE dataQuestion SET judgedByID = ? WHERE uuid = (SELECT min(uuid) FROM dataQuestion WHERE \(items))",
        arguments: [try staff("lea"), sheet])
      if isSheetJudged {
        try db.execute(
          sql: "UPDATE dataForm SET judgedByID = ? WHERE uuid = ?", arguments: [try staff("cat"), sheet])
      }
    }
    #expect(try assessors() == [isSheetJudged ? "cat" : "dan", "dan", "dan"])
  }

  @Test("of an absence and a sheet that is still due at one station the sheet is due, whatever the absent have signed")
  func absentAndDue() throws {
    let exam = try MarkedYear3Exam(isWhole: true)
    let places = try exam.store.read { try StationSession.all(in: $0) }
    let first = try #require(places.first { !$0.isRest && $0.stationCode == "CHEST" })
    let other = try #require(places.last { $0.stationCode == "CHEST" && $0.session != first.session })
    let entries = try exam.store.read { db in
      try [first, other].map {
        try #require(try Roster.entries(timetable: $0.timetable, seat: .lead, in: db).first { $0.candidate != nil })
      }
    }
    // Each of them a second time, at the station session of the other.
    try exam.store.write(.program) { transaction in
      for (entry, place) in zip(entries, [other, first]) {
        try AdditionalCandidate.add(
          number: entry.candidate!.number, timetable: place.timetable, round: nil, in: transaction)
      }
      for entry in entries { try transaction.set("TimetableAttendanceLog", entry.key, ["present": .bool(false)]) }
    }
    let results = try report(exam).results
    for entry in entries {
      let candidate = try #require(results.candidates.first { $0.number == entry.candidate?.number })
      #expect(candidate.stations.first { $0.station == "CHEST" }?.reason == .noSheet, "\(candidate.number)")
    }
  }

  @Test("assessors are compared on items that count, of candidates who are there, and on what both have signed")
  func compared() throws {
    func items(_ exam: MarkedYear3Exam, _ options: PolicyDocument = .init()) throws -> Int {
      try report(exam, options).results.stations.compactMap { $0.comparisons.agreement?.items.n }.reduce(0, +)
    }
    let exam = try MarkedYear3Exam(isWhole: true)
    let whole = try items(exam)
    let place = try #require(
      try exam.store.read { try StationSession.all(in: $0) }.first { StationSession.seats(of: $0).count > 1 })
    let station = try #require(
      try report(exam).results.stations.first { $0.station == place.stationCode }?.comparisons.agreement)
    #expect(whole > 0 && station.items.n > station.score.n && station.score.n > 0)
    let each = station.items.n / station.score.n
    let entry = try #require(
      try exam.store.read { try Roster.entries(timetable: place.timetable, seat: .lead, in: $0) }.first)
    try exam.store.writer.inDatabase {
      try $0.execute(sql: "UPDATE timetableAttendanceLog SET present = 0 WHERE uuid = ?", arguments: [entry.key])
    }
    #expect(try items(exam) == whole - each)
    try exam.store.writer.inDatabase { try $0.execute(sql: "UPDATE dataForm SET signedAt = NULL WHERE seat <> 'lead'") }
    var held = PolicyDocument()
    held.sheets = "held"
    let unsigned = try report(exam, held).results.stations.compactMap(\.comparisons.agreement)
    #expect(unsigned.allSatisfy { $0.items.n == 0 && $0.grade.n == 0 && $0.score.n == 0 })
  }

  @Test("a station that is withdrawn keeps its place among the others") func withdrawnOrder() throws {
    let exam = try MarkedYear3Exam()
    let before = try report(exam).results.stations.map(\.station)
    try exam.store.writer.inDatabase {
      try $0.execute(
        sql:
          "UPDATE timetable SET cancelled = 1 WHERE activityTypeID IN (SELECT dsid FROM activityType WHERE code = ?)",
        arguments: [before[1]])
    }
    #expect(try report(exam).results.stations.map(\.station) == before)
  }

  @Test("a table of scores that are no percentages reads back to the same figures") func rawReadBack() throws {
    let text = "candidate,circuit,station,score,grade\n1,R,A,130,1\n2,R,A,140,2\n3,R,A,150,3\n"
    let scores = try ScoreFile.read("-") { Array(text.utf8) }.scores
    let results = Results(scores, policy: .init())
    var bytes: [UInt8] = []
    try ResultsReport(scores, PolicyInForce()).write(.scores, as: .csv) { bytes += $0 }
    let again = Results(try ScoreFile.read("-") { bytes }.scores, policy: .init())
    #expect(again.unit == .points && again.stations[0].notes == results.stations[0].notes)
    #expect(again.stations[0].cut == results.stations[0].cut)
  }

  @Test("a file of scores may have a byte order mark, CR LF, exponents, guarded texts and a maximum") func lenient()
    throws
  {
    let text =
      "\u{FEFF}grade,station,candidate,circuit,score,maximum\r\n2,A,'=1,R,1e1,2.5e1\r\n3,A,2,R,20,25\r\n,A,3,R,,\r\n4,B,2,R,5,10\r\n"
    let scores = try ScoreFile.read("-") { Array(text.utf8) }.scores
    #expect(scores.unit == .percent && scores.candidates.map(\.number) == ["=1", "2", "3"])
    #expect(scores.candidates[0].places[0].seats[0].score == 40)
    // What others of the circuit have is due of everybody in it.
    #expect(scores.candidates[0].places.map(\.station) == ["A", "B"])
    let results = Results(scores, policy: .init())
    #expect(results.candidates[2].reasons.contains(.missingStation))
    #expect(results.stations[0].leftOut.map(\.candidate) == ["3"])
  }

  @Test("two assessors who fill several sheets used no other sheet where one of them has left one unsigned")
  func severalSheetsEach() throws {
    let exam = try MarkedYear3Exam(seed: 1, isWhole: true) { path in
      try FileManager.default.copyItem(atPath: Fixtures.path("year3-osce"), toPath: path)
      try FileManager.default.copyItem(
        atPath: path + "/sheets/CONSENT.yaml", toPath: path + "/sheets/CONSENTB.yaml")
      let plan = try String(contentsOfFile: path + "/exam.yaml", encoding: .utf8)
      try plan.replacing("{ code: CONSENT,", with: "{ code: CONSENT, sheets: [CONSENT, CONSENTB], forms: all,")
        .write(toFile: path + "/exam.yaml", atomically: true, encoding: .utf8)
    }
    func agreement() throws -> StationResult.Agreements {
      try #require(try report(exam).results.stations.first { $0.station == "CONSENT" }?.comparisons.agreement)
    }
    /// Opens one of the sheets of the first candidate again.
    func reopen(_ seat: String, _ form: String) throws {
      let staff = try exam.store.read { try StaffMember.find(username: "cdubois", in: $0).id }
      try exam.store.write(Author(staff: staff, reason: "misheard")) { transaction in
        let found = try String.fetchOne(
          transaction.db,
          sql: """
            SELECT d.uuid FROM dataForm d JOIN typeForm f ON f.dsid = d.typeID
            WHERE d.seat \(seat) AND f.code = ? AND d.attendanceLogID = (SELECT attendanceLogID FROM dataForm
              WHERE seat <> 'lead' ORDER BY rowid LIMIT 1)
            """, arguments: [form])
        let key = try #require(found)
        try Signing.reopen(try #require(try Sheet.read(key, in: transaction.db)), in: transaction)
      }
    }
    let before = try agreement()
    #expect(before.items.leftOut.otherForm == 0)
    try reopen("<> 'lead'", "CONSENT")
    let one = try agreement()
    #expect(one.items.n < before.items.n && one.items.leftOut.otherForm == 0 && one.grade.n == before.grade.n - 1)
    // Nothing that both have signed is left: two grades of different sheets are no pair.
    try reopen("= 'lead'", "CONSENTB")
    let none = try agreement()
    #expect(none.grade.n == before.grade.n - 2 && none.grade.leftOut == before.grade.leftOut)
    #expect(none.items.leftOut.otherForm == 0)
  }
}
