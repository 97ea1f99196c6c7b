import CircuitModel
import Foundation
import GRDB
import Testing

@testable import ExamFiles
@testable import ExamStore
@testable import Reports

/// Three candidates at a station with several assessors, S, and at one with a single assessor, T: marked and signed
/// throughout. Each sheet has items `a`, 0 to 20 and mandatory, `x`, 0 to 10, and the global rating.
struct PairedExam {
  let exam: MarkedYear3Exam
  var store: ExamStore { exam.store }

  /// - Parameters:
  ///   - others: who marks at station S beside its lead assessor, as exam.yaml has it.
  ///   - sheets: what station S asks for.
  ///   - weight: what the sheets say that each station weighs.
  ///   - results: the lines under `results:`.
  init(others: String = "ben", sheets: String = "H", weight: Int? = nil, results: [String] = []) throws {
    let plan = """
      exam: Pairs
      timeZone: Europe/London
      phases: [rotation 5 min]
      stations:
        - { code: S, name: Several, sheets: \(sheets) }
        - { code: T, name: Single, sheets: H }
        - { code: R, name: Rest, rest: true }
      circuits:
        - { code: X, name: Circuit }
      sessions:
        - date: 2026-12-07
          start: 09:00
          circuits:
            X:
              assessors: { S: ann, T: dan }
              coMarkers: { S: \(others) }
              slots: [1, 2, 3]

      """
    let sheet = """
      globalRating: global
      borderlineGrade: 3\(weight.map { "\nweight: \($0)" } ?? "")
      sections:
        - name: Section
          items:
            - { key: a, text: First, scale: 0-20, mandatory: true }
            - { key: x, text: Second, scale: 0-10 }
            - { key: global, text: Global, scale: 1-5 }

      """
    let choices = results.isEmpty ? "" : "results:\n" + results.map { "  \($0)\n" }.joined()
    let staff = "username,surname,role\nlea,Lead,lead\nann,Ann,assessor\nben,Ben,assessor\n"
    let files = [
      "exam.yaml": plan + choices, "candidates.csv": "number,surname\n1,One\n2,Two\n3,Three\n",
      "staff.csv": staff + "cat,Cat,assessor\ndan,Dan,assessor\n", "sheets/H.yaml": "name: Sheet H\n" + sheet,
      "sheets/I.yaml": "name: Sheet I\n" + sheet,
    ]
    exam = try MarkedYear3Exam(seed: 1, isWhole: true) { path in
      try FileManager.default.createDirectory(atPath: path + "/sheets", withIntermediateDirectories: true)
      for (name, text) in files { try text.write(toFile: path + "/" + name, atomically: true, encoding: .utf8) }
    }
  }

  /// Sets what an assessor of station S gave for both items, past the journal.
  /// - Parameter seat: the assessor by place, the lead assessor's is 0.
  func give(_ seat: Int, _ candidate: Int, _ a: Double, _ x: Double, on form: String = "H") throws {
    try set("a", on: form, seat, candidate, to: a)
    try set("x", on: form, seat, candidate, to: x)
  }

  /// Sets what an assessor of station S gave for an item, past the journal; nil: nothing.
  func set(_ item: String, on form: String = "H", _ seat: Int, _ candidate: Int, to value: Double?) throws {
    let place = try #require(try store.read { try StationSession.all(in: $0) }.first { $0.stationCode == "S" })
    let name = StationSession.seats(of: place)[seat].name
    try store.writer.inDatabase { db in
      try db.execute(
        sql: """
          UPDATE dataQuestion SET rating = ? WHERE uuid IN (
            SELECT q.uuid FROM dataQuestion q JOIN dataSection s ON s.uuid = q.dataSectionID
              JOIN dataForm d ON d.uuid = s.dataFormID JOIN typeForm f ON f.dsid = d.typeID
              JOIN timetableAttendanceLog e ON e.uuid = d.attendanceLogID JOIN user u ON u.dsid = e.studentID
              JOIN questionToSection l ON l.dsid = q.itemLinkID JOIN typeQuestion k ON k.dsid = l.questionID
            WHERE k.key = ? AND f.code = ? AND d.seat = ? AND u.studentNumber = ? AND e.timetableID = ?)
          """, arguments: [value, item, form, name, String(candidate), place.timetable])
      #expect(db.changesCount == 1, "\(item) of \(candidate) on \(form)")
    }
  }

  func closing() throws -> ClosingReport {
    try store.read { try ClosingReport.read(Diagnosis(), Diagnosis(), in: $0, at: store.clock.now) }
  }

  func lines(_ code: ClosingReport.Code) throws -> [ClosingReport.Line] {
    try closing().checks.first { $0.code == code }?.lines ?? []
  }
}
