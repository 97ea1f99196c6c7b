import CircuitModel
import ExamStore
import Foundation
import Testing

@testable import ExamFiles
@testable import Reports

@Suite("The exam folder")
struct ExamFolderTests {
  @Test("a small exam has no problem")
  func small() throws {
    let (plan, problems) = SmallExam().read()
    #expect(problems == [])
    let exam = try #require(plan)
    #expect(exam.circuits.map(\.code) == ["X"])
    #expect(exam.sessions[0].slots.map { $0?.code } == ["1", nil, "2"])
  }

  @Test("the year 3 exam has no problem but a scale that is typed, and is as large as it says")
  func year3() throws {
    let (plan, problems) = ExamFolder.read(Fixtures.path("year3-osce"))
    let typed = "item 'quality': no key marks 10 levels from 11 to 20; '=' and the value does"
    #expect(problems.map(\.description) == ["sheets/RX.yaml:39: warning: \(typed)"])
    let exam = try #require(plan)
    #expect(exam.circuits.count == 2)
    #expect(exam.circuits.allSatisfy { $0.stations.count == 8 && $0.stations.count(where: \.isRest) == 1 })
    #expect(exam.candidates.count == 30)
    #expect(exam.staff.count >= 20)
    let slots = exam.sessions.flatMap(\.slots)
    #expect(slots.count == 32)
    #expect(slots.count { $0 == nil } == 2)
    #expect(Set(slots.compactMap { $0?.code }).count == 30)
    #expect(exam.sheets.count == 7)
    #expect(exam.sheets.allSatisfy { 12...25 ~= $0.items.count })
    #expect(Set(exam.sheets.flatMap(\.items).map(\.type)) == Set(MarkSheetReader.itemTypes))
    #expect(exam.sheets.allSatisfy { $0.items.last?.key == $0.globalRating?.code })
    #expect(exam.candidates.count { $0.extraStationSeconds > 0 } == 1)
    #expect(exam.circuits[0].phases.map(\.seconds) == [60, 480, 60])
    #expect(exam.circuits[0].phases.map(\.manualStart) == [true, false, false])
  }

  @Test("the example of 'osce new' has no problem")
  func example() throws {
    let scratch = Scratch()
    let folder = scratch.path + "/new"
    try ExampleFolder.write(to: folder)
    let (plan, problems) = ExamFolder.read(folder)
    #expect(problems.map(\.description) == [])
    #expect(plan != nil)
    #expect(throws: (any Error).self) { try ExampleFolder.write(to: folder) }
  }

  @Test("of an example that cannot be written whole nothing is left")
  func noExample() throws {
    let scratch = Scratch()
    let folder = scratch.path + "/new"
    #expect(mkdir(folder, 0o700) == 0)
    #expect(FileManager.default.createFile(atPath: folder + "/sheets", contents: nil))
    #expect(throws: ExampleFolder.Failure.self) { try ExampleFolder.write(to: folder) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["sheets"])
  }

  @Test("a folder that is not there is one problem in one line")
  func noFolder() {
    let (plan, problems) = ExamFolder.read("/nowhere/at/all")
    #expect(plan == nil)
    #expect(problems.count == 1)
  }

  @Test("keys are read without regard to case, spaces, underscores and hyphens")
  func keys() throws {
    var exam = SmallExam()
    exam.exam = exam.exam.replacingOccurrences(of: "timeZone", with: "Time Zone")
      .replacingOccurrences(
        of: "rotation 5 min]", with: "{type: Rotation, minutes: 1, seconds: 30, manual_start: yes}]")
    let (plan, problems) = exam.read()
    #expect(problems == [])
    #expect(try #require(plan).circuits[0].phases[0].seconds == 90)
    #expect(try #require(plan).circuits[0].phases[0].manualStart)
  }

  @Test(
    "a session may end after midnight, and not half a day later",
    arguments: [
      ("23:50", "02:20", true), ("09:00", "09:00", false), ("21:00", "08:59", true), ("10:00", "09:00", false),
    ])
  func overMidnight(start: String, end: String, isTaken: Bool) {
    var exam = SmallExam()
    exam.exam = exam.exam.replacingOccurrences(of: "start: 09:00", with: "start: \"\(start)\"\n    end: \"\(end)\"")
    #expect(exam.read().problems.isEmpty == isTaken)
  }

  @Test("codes that look like numbers or booleans keep their letters")
  func codes() throws {
    var exam = SmallExam()
    exam.exam = exam.exam.replacingOccurrences(of: "code: C", with: "code: NO")
      .replacingOccurrences(of: "C: ben", with: "NO: ben").replacingOccurrences(
        of: "[1, empty, 2]", with: "[007, ~, 2]")
    exam.candidates = "number,surname\n007,One\n2,Two\n"
    let (plan, problems) = exam.read()
    #expect(problems == [])
    #expect(try #require(plan).circuits[0].stations[2].code == "NO")
    #expect(try #require(plan).sessions[0].slots.map { $0?.code } == ["007", nil, "2"])
  }

  @Test("lines end as the writer's editor ends them", arguments: ["\r\n", "\n"])
  func lineEnds(_ end: String) {
    var exam = SmallExam()
    exam.exam = "\u{FEFF}" + exam.exam.replacingOccurrences(of: "\n", with: end)
    exam.candidates = "\u{FEFF}" + exam.candidates.replacingOccurrences(of: "\n", with: end)
    #expect(exam.read().problems == [])
  }

  @Test("short forms of a scale mean what they say")
  func scales() {
    #expect(MarkSheetReader.scale("0-4") == .init(lowest: 0, step: 1, options: 5))
    #expect(MarkSheetReader.scale("1 to 10") == .init(lowest: 1, step: 1, options: 10))
    #expect(MarkSheetReader.scale("0-1 step 0.5") == .init(lowest: 0, step: 0.5, options: 3))
    #expect(MarkSheetReader.scale("0 - 20") == .init(lowest: 0, step: 1, options: 21))
    #expect(MarkSheetReader.scale("4-0") == nil)
    #expect(MarkSheetReader.scale("0-1 step 0.3") == nil)
    #expect(MarkSheetReader.scale("five") == nil)
  }

  @Test(
    "lengths are read with their units, and never guessed",
    arguments: [
      ("60 s", 60), ("8 min", 480), ("8m", 480), ("8:30", 510), ("1 hour", 3_600), ("0 s", 0), ("8", nil),
      ("8:60", nil),
      ("-1 min", nil), ("99999999999 s", nil), ("25 h", nil), ("", nil),
    ] as [(String, Int?)])
  func lengths(_ text: String, _ seconds: Int?) {
    #expect(WrittenTime.length(text) == seconds)
  }

  @Test("a boolean has words and no values, a procedure the levels it is given, or four of its own")
  func kinds() throws {
    func read(_ item: String) -> (MarkSheet.Item?, [String]) {
      var exam = SmallExam()
      exam.sheet = exam.sheet.replacingOccurrences(of: "      - Washes hands", with: "      - { key: k, \(item) }")
      let (plan, problems) = exam.read()
      return (plan?.sheets[0].items[0], problems)
    }
    let (fact, none) = read("type: boolean, text: Interpreter")
    #expect(none == [] && fact?.low.text == "No" && fact?.high.text == "Yes")
    #expect(
      read("type: boolean, text: X, high: 2").1.contains { $0.contains("'high' belongs to an item of type binary") })
    #expect(read("type: boolean, text: X, threshold: 1").1.contains { $0.contains("'threshold' belongs") })
    let (procedure, free) = read("type: procedure, text: Venepuncture, threshold: 3")
    #expect(free == [] && procedure?.descriptors.map(\.value) == [1, 2, 3, 4])
    let (scaled, fine) = read("type: procedure, text: X, scale: 1-5")
    #expect(fine == [] && scaled?.descriptors.isEmpty == true && scaled?.scale?.options == 5)
    let two = "descriptors: [{ value: 1, text: a }, { value: 2, text: b }]"
    #expect(read("type: procedure, text: X, \(two)").0?.descriptors.count == 2)
    #expect(read("type: procedure, text: X, scale: 1-5, \(two)").1.contains { $0.contains("not both") })
    #expect(read("type: record, text: X, scale: 1-5").1.contains { $0.contains("'scale' belongs") })
  }

  @Test("what the stations ask is written in the exam, checked, and reaches the store only where it is not the usual")
  func stationRules() throws {
    func read(_ lines: String, station: String = "name: First") -> (ExamPlan?, [String]) {
      var exam = SmallExam()
      exam.exam = exam.exam.replacingOccurrences(of: "timeZone:", with: lines + "\ntimeZone:")
        .replacingOccurrences(of: "name: First", with: station)
      return exam.read()
    }
    let (plan, none) = read(
      "show_names: no\nidentity_digits: 2\nidle_lock_minutes: 5\nphrases: [Good, Calm]",
      station: "name: First, doubleMarkingMargin: 7.5")
    #expect(none == [])
    #expect(plan?.rules == StationRules(showsNames: false, identityDigits: 2, idleLockMinutes: 5))
    #expect(plan?.circuits[0].stations[0].doubleMarkingMargin == 7.5)
    #expect(plan?.phrases.map(\.texts) == [["Good", "Calm"]])
    var keys = NaturalKeys()
    let rows = try #require(plan).bundle(&keys).rows
    #expect(rows.allSatisfy { $0.entity != "CommentGroup" })
    let settings = rows.first { $0.entity == "Config" }?.values["settings"]
    guard case .text(let json)? = settings else { throw CancellationError() }
    #expect(json.contains("\"identityDigits\":2") && json.contains("\"\":[\"Good\",\"Calm\"]"))
    let (usual, _) = read("show_names: yes")
    var other = NaturalKeys()
    let plain = try #require(usual).bundle(&other).rows.first { $0.entity == "Config" }?.values["settings"]
    #expect(plain == .text(#"{"phrases":{},"roles":{"ann":"assessor","ben":"assessor"}}"#))
    for (line, word) in [
      ("identity_digits: 1", "0 or 2"), ("identity_digits: 3", "0 to 2"), ("idle_lock_minutes: -1", "0 to 240"),
      ("show_names: maybe", "true or false"), ("phrases: [a, a]", "duplicate"),
      ("phrases: [\(String(repeating: "x", count: 501))]", "500"),
    ] {
      #expect(read(line).1.contains { $0.contains(word) }, "\(line): \(read(line).1)")
    }
    #expect(read("", station: "name: First, doubleMarkingMargin: 101").1.contains { $0.contains("0 to 100") })
  }

  @Test("how long candidates' data is kept, and what each agreed to, are read, checked, and reach the store")
  func retention() throws {
    var exam = SmallExam()
    let zone = "timeZone:"
    exam.exam = exam.exam.replacingOccurrences(of: zone, with: "retentionDays: 730\n" + zone)
    exam.candidates = "number,surname,consent\n1,One,\"film, 2026-10-01\"\n2,Two,\n"
    let (plan, none) = exam.read()
    #expect(none == [])
    var keys = NaturalKeys()
    let rows = try #require(plan).bundle(&keys).rows
    #expect(rows.first { $0.entity == "Config" }?.values["retentionDays"] == .integer(730))
    #expect(
      rows.filter { $0.entity == "Student" }.map { $0.values["consent"] } == [.text("film, 2026-10-01"), .null])
    for (value, word) in [("0", "1 to 36500"), ("36501", "1 to 36500"), ("a year", "whole number")] {
      exam.exam = exam.exam.replacing(/retentionDays: .*/, with: "retentionDays: \(value)")
      #expect(exam.read().1.contains { $0.contains(word) }, "\(value)")
    }
  }

  @Test("a quoted cell may hold commas, quotes and line ends, and lines are still counted")
  func csv() throws {
    let problems = ProblemList()
    let text = "a,b\n\"x, \"\"y\"\"\nz\",2\n\n# note\n3,4\n"
    let source = try #require(SourceFile(bytes: Array(text.utf8), name: "f.csv", problems: problems))
    let rows = CSVReader.read(source, problems: problems)
    #expect(rows.map(\.cells) == [["a", "b"], ["x, \"y\"\nz", "2"], ["3", "4"]])
    #expect(rows.map(\.line) == [1, 2, 6])
    #expect(problems.problems.isEmpty)
  }
}
