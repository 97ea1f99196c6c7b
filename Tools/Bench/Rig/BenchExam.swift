import CircuitModel
import ExamStore
import GRDB
import Journal

/// A made-up exam of any size: parallel circuits of ten stations, as many sessions as the candidates need, a sheet of
/// sixteen items at each station.
public struct BenchExam: Sendable {
  /// Stations of a circuit, and therefore candidates of a session.
  public static let stations = 10
  /// Items of each sheet that take a digit: the first ones of the sheet, in order.
  public static let markedItems = 14

  /// What the sheets are.
  public enum Sheets: Sendable {
    /// Sixteen items, most of them scored, two written.
    case short
    /// A marking matrix: forty items of five levels, each level with its descriptor.
    case matrix
    /// Thirty items like those of a matrix.
    case thirty

    var items: Int {
      switch self {
      case .short: 16
      case .matrix: 40
      case .thirty: 30
      }
    }
  }

  /// Seconds of a rotation.
  public static let rotationSeconds = 480

  /// How many candidates.
  public let candidates: Int
  /// How many circuits run at the same time.
  public let circuits: Int

  /// What the sheets are.
  public let sheets: Sheets

  /// - Parameters:
  ///   - candidates: rounded up to whole sessions of ten.
  public init(candidates: Int, circuits: Int = 5, sheets: Sheets = .short) {
    self.sheets = sheets
    self.candidates = (candidates + BenchExam.stations - 1) / BenchExam.stations * BenchExam.stations
    self.circuits = circuits
  }

  /// The key of a station session: circuit, session and station count from 1.
  public func timetable(circuit: Int, session: Int, station: Int) -> Int {
    circuit * 100_000 + session * 100 + station
  }

  /// The key and the username of the assessor at a station of a circuit.
  public func assessor(circuit: Int, station: Int) -> (key: Int, username: String) {
    (circuit * 100 + station, "assessor\(circuit * 100 + station)")
  }

  /// The key of the roster entry of a round.
  public func entry(timetable: Int, round: Int) -> String {
    DerivedKeys.key("BenchEntry", String(timetable), String(round))
  }

  /// The session with that number, as people name it: `DATE START`.
  public func session(_ number: Int) -> (date: String, startTime: String) {
    let day = 1 + (number - 1) / 4
    return ("2026-12-" + (day < 10 ? "0" : "") + String(day), ["08:00", "10:00", "13:00", "15:00"][(number - 1) % 4])
  }

  /// Makes a store that holds the exam.
  /// - Throws: `StoreError` if the store cannot be made.
  public func load(into path: String) throws -> ExamStore {
    let store = try ExamStore(StoreLocation(path: path), .createIfMissing)
    _ = try store.write(.program) { try BundleImport.apply(rows, in: $0) }
    return store
  }

  /// Every row of the exam.
  public var rows: [ImportRow] {
    var rows = [row("Config", 1, ["examName": .text("Bench"), "timeZone": .text("UTC")])]
    for station in 1...BenchExam.stations { rows += template(station) }
    for circuit in 1...circuits { rows += ring(circuit) }
    let sessions = candidates / BenchExam.stations
    for number in 0..<sessions { rows += session(circuit: number % circuits + 1, number: number / circuits + 1) }
    return rows
  }

  // MARK: Rows

  private func row(_ entity: String, _ key: Int, _ fields: [String: Value]) -> ImportRow {
    ImportRow(RowKey(entity: entity, id: String(key)), fields)
  }

  private func ring(_ circuit: Int) -> [ImportRow] {
    var rows = [row("ClinicGroup", circuit, ["name": .text("Circuit \(circuit)"), "code": .text("C\(circuit)")])]
    let phases: [(String, Int64, Int64)] = [
      ("reading", 1, 0), ("rotation", Int64(BenchExam.rotationSeconds / 60), 0), ("changeover", 1, 0),
    ]
    for (index, phase) in phases.enumerated() {
      rows.append(
        row(
          "CircuitStationDuration", circuit * 10 + index,
          [
            "clinicGroup": .integer(Int64(circuit)), "durationType": .text(phase.0), "duration": .integer(phase.1),
            "seconds": .integer(phase.2), "order": .integer(Int64(index + 1)),
          ]))
    }
    for station in 1...BenchExam.stations {
      let key = circuit * 100 + station
      rows.append(
        row(
          "ActivityType", key,
          [
            "name": .text("Station \(station)"), "code": .text("C\(circuit)S\(station)"),
            "order": .integer(Int64(station)), "clinicGroup": .integer(Int64(circuit)),
          ]))
      rows.append(
        row("AvailableForm", key, ["activityType": .integer(Int64(key)), "typeForm": .integer(Int64(station))]))
      let person = assessor(circuit: circuit, station: station)
      rows.append(
        row(
          "Staff", person.key,
          ["username": .text(person.username), "forename": .text("Assessor"), "surname": .text("Number \(key)")]))
    }
    return rows
  }

  private func template(_ form: Int) -> [ImportRow] {
    var rows = [row("TypeForm", form, ["name": .text("Sheet \(form)"), "code": .text("F\(form)")])]
    for section in 1...3 {
      let key = form * 10 + section
      rows.append(row("TypeSection", key, ["name": .text("Section \(section) of sheet \(form)")]))
      rows.append(
        row(
          "SectionToForm", key,
          ["section": .integer(Int64(key)), "form": .integer(Int64(form)), "order": .integer(Int64(section))]))
    }
    let count = sheets.items
    for item in 1...count {
      let key = form * 100 + item
      let section = form * 10 + (item - 1) * 3 / count + 1
      var fields: [String: Value] = ["text": .text("Item \(item): does what an item of a mark sheet asks for")]
      switch item {
      case _ where sheets != .short:
        fields["questionType"] = .text("rating")
        rows += descriptors(of: key)
      case 1...6: fields["questionType"] = .text("binary")
      case 15, 16: fields["questionType"] = .text("text")
      default:
        fields["questionType"] = .text("rating")
        fields["lowest"] = .integer(0)
        fields["numberOfOptions"] = .integer(5)
      }
      rows.append(row("TypeQuestion", key, fields))
      rows.append(
        row(
          "QuestionToSection", key,
          ["question": .integer(Int64(key)), "section": .integer(Int64(section)), "order": .integer(Int64(item))]))
    }
    return rows
  }

  private func descriptors(of item: Int) -> [ImportRow] {
    let texts = ["not seen", "poor, with prompts", "fair, some gaps", "good, as expected", "excellent, fluent"]
    return texts.enumerated().map { value, text in
      row(
        "MarkingDescriptor", item * 10 + value,
        [
          "question": .integer(Int64(item)), "descriptor": .text("Item \(item % 100): \(text)"),
          "value": .integer(Int64(value) * Scaled.unit), "order": .integer(Int64(value + 1)),
        ])
    }
  }

  private func session(circuit: Int, number: Int) -> [ImportRow] {
    var rows: [ImportRow] = []
    let first = ((number - 1) * circuits + circuit - 1) * BenchExam.stations
    let when = session(number)
    for slot in 1...BenchExam.stations {
      let candidate = 10_000 + first + slot
      rows.append(
        row(
          "Student", candidate,
          [
            "username": .text("s\(candidate)"), "forename": .text("Candidate"), "surname": .text("Number \(candidate)"),
            "studentNumber": .text(String(candidate)),
          ]))
    }
    for station in 1...BenchExam.stations {
      let timetable = timetable(circuit: circuit, session: number, station: station)
      rows.append(
        row(
          "Timetable", timetable,
          [
            "date": .text(when.date), "startTime": .text(when.startTime),
            "activityType": .integer(Int64(circuit * 100 + station)),
            "staff": .integer(Int64(assessor(circuit: circuit, station: station).key)),
          ]))
      for round in 1...BenchExam.stations {
        let slot = (station - round + BenchExam.stations) % BenchExam.stations + 1
        rows.append(
          ImportRow(
            RowKey(entity: "TimetableAttendanceLog", id: entry(timetable: timetable, round: round)),
            [
              "timetable": .integer(Int64(timetable)), "student": .integer(Int64(10_000 + first + slot)),
              "order": .integer(Int64(round)),
            ]))
      }
    }
    return rows
  }
}
