import Testing

@testable import ExamFiles

@Suite("The generated rotation")
struct RingTests {
  /// (station, round) of each slot, from the rows of a bundle.
  private func places(stations: Int, slots: [String]) throws -> [String: [Int: Int]] {
    var exam = SmallExam()
    let codes = (1...stations).map { "S\($0)" }
    exam.exam = """
      exam: Ring
      timeZone: Europe/London
      phases: [rotation 1 min]
      stations:
      \(codes.map { "  - { code: \($0), sheets: A }" }.joined(separator: "\n"))
      circuits: [{ code: X }]
      sessions:
        - date: 2026-12-07
          start: 09:00
          circuits: { X: { slots: [\(slots.joined(separator: ", "))] } }
      """
    let numbers = slots.filter { $0 != "empty" }
    exam.candidates = "number,surname\n" + numbers.map { "\($0),N\n" }.joined()
    let plan = try #require(exam.read().plan)
    var keys = NaturalKeys()
    let bundle = plan.bundle(&keys)
    var places: [String: [Int: Int]] = [:]
    for row in bundle.rows(of: "TimetableAttendanceLog") {
      let student = bundle.rows(of: "Student").first { $0.values["dsid"] == row.values["student"] }
      let timetable = bundle.rows(of: "Timetable").first { $0.values["dsid"] == row.values["timetable"] }
      guard case .text(let number)? = student?.values["studentNumber"], case .integer(let round)? = row.values["order"],
        case .integer(let station)? = timetable?.values["order"]
      else { continue }
      places[number, default: [:]][Int(round)] = Int(station)
    }
    return places
  }

  @Test("slot i is in round r at station ((i + r − 2) mod n) + 1", arguments: [1, 2, 3, 8])
  func formula(_ count: Int) throws {
    let slots = (1...count).map { String(100 + $0) }
    let places = try places(stations: count, slots: slots)
    for slot in 1...count {
      for round in 1...count {
        #expect(places[slots[slot - 1]]?[round] == (slot + round - 2) % count + 1)
      }
    }
  }

  @Test("an empty slot keeps its place, and nobody meets anybody at a station")
  func emptySlot() throws {
    let places = try places(stations: 4, slots: ["101", "empty", "103"])
    #expect(places["101"] == [1: 1, 2: 2, 3: 3, 4: 4])
    #expect(places["103"] == [1: 3, 2: 4, 3: 1, 4: 2])
  }

  @Test("roster keys follow from natural keys alone")
  func keys() throws {
    var exam = SmallExam()
    func entries() throws -> [String] {
      var keys = NaturalKeys()
      return try #require(exam.read().plan).bundle(&keys).rows(of: "TimetableAttendanceLog").compactMap { $0.key?.id }
    }
    let first = try entries().sorted()
    exam.staff = "username,surname\nzoe,Zoe\nann,Ann\nben,Ben\n"
    exam.candidates = "number,surname\n2,Two\n1,Another name\n"
    #expect(try entries().sorted() == first)
    #expect(Set(first).count == 6)
  }
}

extension ExamFiles.Bundle {
  /// The rows of one entity, in order.
  fileprivate func rows(of entity: String) -> [Row] { rows.filter { $0.entity == entity } }
}
