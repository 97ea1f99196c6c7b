import CircuitModel
import ExamStore
import Foundation
import GRDB
import SeededNumbers
import Testing

@testable import ExamFiles
@testable import Reports

/// A small exam with a random plan, and a day on which anything happens that the desk, the assessors or the lead can do.
final class RandomDay {
  let exam: MarkedYear3Exam
  /// What was done, in short: what a rule refused is not in it.
  private(set) var steps: [String] = []
  private var random: Seeded
  private let lead: ExamLead

  init(seed: UInt64) throws {
    var random = Seeded(seed: seed)
    let folder = RandomDay.folder(&random)
    exam = try MarkedYear3Exam(seed: seed, isWhole: random.chance(30)) { path in
      try FileManager.default.createDirectory(atPath: path + "/sheets", withIntermediateDirectories: true)
      for (name, text) in folder { try text.write(toFile: path + "/" + name, atomically: true, encoding: .utf8) }
    }
    lead = try exam.store.read { try ExamLead.authorise(ExamLead.find(username: "lea", in: $0), by: nil) }
    self.random = random
  }

  /// Two to five stations in one or two circuits and one or two sessions; rest stations, second assessors, several sheets
  /// of which all or one is filled, and empty slots.
  private static func folder(_ random: inout Seeded) -> [String: String] {
    let count = Int.random(in: 2...5, using: &random)
    let rest = count > 2 && random.chance(40) ? Int.random(in: 0..<count, using: &random) : nil
    var stations: [String] = []
    for place in 0..<count {
      let forms = random.chance(30) ? ", sheets: [A, B], forms: \(random.chance(50) ? "all" : "one")" : ", sheets: A"
      stations.append("  - { code: S\(place), name: Station \(place)\(place == rest ? ", rest: true" : forms) }")
    }
    let circuits = random.chance(50) ? ["X", "Y"] : ["X"]
    var number = 0
    var sessions = ""
    for start in random.chance(50) ? ["09:00", "14:00"] : ["09:00"] {
      sessions += "  - date: 2026-12-07\n    start: \(start)\n    circuits:\n"
      for circuit in circuits {
        let marked = (0..<count).filter { $0 != rest }
        let posts = marked.map { "S\($0): \(circuit.lowercased())\($0)" }
        let second =
          random.chance(50) ? "S\(marked.randomElement(using: &random)!): second\(circuit.lowercased())" : nil
        var slots: [String] = []
        for _ in 0..<count {
          number += 1
          slots.append(random.chance(20) && slots.contains { $0 != "empty" } ? "empty" : String(number))
        }
        sessions += "      \(circuit):\n        assessors: { \(posts.joined(separator: ", ")) }\n"
        if let second { sessions += "        coMarkers: { \(second) }\n" }
        sessions += "        slots: [\(slots.joined(separator: ", "))]\n"
      }
    }
    let people = ["x", "y"].flatMap { circuit in
      (0..<count).map { "\(circuit)\($0),Assessor \(circuit)\($0),assessor" } + [
        "second\(circuit),Second \(circuit),assessor"
      ]
    }
    let sheet = """
      globalRating: global
      borderlineGrade: 2
      sections:
        - name: Section
          items:
            - { key: wash, text: Washes hands }
            - { key: asks, text: Asks, scale: 0-4, unable: true }
            - { key: global, text: Global, scale: 1-5 }
      """
    return [
      "exam.yaml": """
      exam: Random exam
      timeZone: Europe/London
      phases: [rotation 5 min]
      stations:
      \(stations.joined(separator: "\n"))
      circuits:
      \(circuits.map { "  - { code: \($0), name: Circuit \($0) }" }.joined(separator: "\n"))
      sessions:
      \(sessions)
      """,
      "candidates.csv": "number,surname\n" + (1...max(1, number)).map { "\($0),Candidate \($0)\n" }.joined(),
      "staff.csv": "username,surname,role\nlea,Lead,lead\n" + people.map { $0 + "\n" }.joined(),
      "sheets/A.yaml": "name: Sheet A\n" + sheet, "sheets/B.yaml": "name: Sheet B\n" + sheet,
    ]
  }

  /// Does something somewhere. What a rule refuses changes nothing, and is as good a step as another.
  func step() throws {
    let places = try exam.store.read { try StationSession.all(in: $0) }.filter { !$0.isRest }
    guard let place = places.randomElement(using: &random) else { return }
    let (board, entries, queued, rulings) = try exam.store.read { db in
      try (
        HallBoard.read(place.session, in: db), Roster.entries(timetable: place.timetable, seat: .lead, in: db),
        RerunQueue.items(place.session, in: db).filter { $0.status == .queued }, ExamRuling.all(in: db)
      )
    }
    guard let entry = entries.randomElement(using: &random), let candidate = entry.candidate else { return }
    let round = Int.random(in: 1...max(1, board.rounds), using: &random)
    let number = String(Int.random(in: 1...40, using: &random))
    let other = board.candidates.randomElement(using: &random)?.candidate.id ?? candidate.id
    let scope = ExamRuling.Scope(
      circuit: place.circuit.name, session: "\(place.session.date) \(place.session.startTime)",
      station: place.stationCode, candidate: random.chance(70) ? candidate.number : nil)
    let kind = Int.random(in: 0..<19, using: &random)
    do {
      try exam.store.write(Author(staff: lead.member.id, reason: "as it happened")) { transaction in
        switch kind {
        case 0, 1: try Attendance.record(false, for: entry, in: transaction)
        case 2: try Attendance.record(random.chance(50) ? true : nil, for: entry, in: transaction)
        case 3: try HallAttendance.absent(candidate.id, from: round, in: place.session, transaction)
        case 4: _ = try HallAttendance.late(candidate.id, joining: round, in: place.session, transaction)
        case 5: try RerunQueue.add(entry: entry.key, reason: "fire alarm", transaction)
        case 6:
          guard let item = queued.randomElement(using: &random) else { return }
          try RerunQueue.withdraw(item.key, transaction)
        case 7:
          guard let item = queued.randomElement(using: &random) else { return }
          try RerunQueue.finish(item.key, transaction)
        case 8:
          let newcomer = Newcomer.new(number: "9\(number)", forename: "Extra", surname: "Candidate")
          let slot = ExtraCandidates.freeSlots(board, from: round).randomElement(using: &random)
          if let slot {
            try ExtraCandidates.add(newcomer, slot: slot, from: round, in: place.session, transaction)
          } else {
            try ExtraCandidates.addToRerun(newcomer, in: place.session, transaction)
          }
        case 9:
          try AdditionalCandidate.add(
            number: number, names: [], timetable: place.timetable, round: random.chance(70) ? round : nil,
            in: transaction)
        case 10: try SlotChanges.swap(candidate.id, other, from: round, in: place.session, transaction)
        case 11: try Attendance.cover(place.timetable, by: lead.member.id, in: transaction)
        case 12:
          try StationOutage.record(
            place, in: entry.round ?? 1, entries: [entry], reason: "light bulb", transaction)
        case 13:
          try Rulings.make(.exclusion, on: .init(candidate: candidate.number), reason: "ill", by: lead, transaction)
        case 14: try Rulings.make(.excuse, on: scope, reason: "fire alarm", by: lead, transaction)
        case 15:
          let sheet = try String.fetchOne(
            transaction.db, sql: "SELECT uuid FROM dataForm WHERE attendanceLogID = ?", arguments: [entry.key])
          try Rulings.make(.exclusion, on: .init(sheet: sheet), reason: "void attempt", by: lead, transaction)
        case 16:
          guard let ruling = rulings.randomElement(using: &random) else { return }
          try Rulings.withdraw(ruling.key, reason: "not so", by: lead, transaction)
        case 17:
          let held = try String.fetchOne(
            transaction.db, sql: "SELECT uuid FROM dataForm WHERE attendanceLogID = ?", arguments: [entry.key])
          guard let sheet = try held.flatMap({ try Sheet.read($0, in: transaction.db) }) else { return }
          if sheet.isSigned {
            try Signing.reopen(sheet, in: transaction)
          } else {
            try Signing.sign(sheet, in: transaction)
          }
        default:
          // A station that is lost, seldom: what it holds has no place in the plan any more.
          guard places.count > 1, random.chance(30) else { return }
          try transaction.set("Timetable", String(place.timetable), ["cancelled": .bool(true)])
        }
        steps.append("\(kind) \(place.stationCode) \(candidate.number)")
      }
    } catch is any RuleRefusal {}
  }
}
