@testable import Standards

/// The six candidates of the worked example: stations A and C with one assessor, B with two, P a pilot.
enum WorkedExample {
  static let stations = ["A", "B", "C", "P"]

  static func seat(_ name: String, _ pair: (Double, Double)?, assessor: String? = nil) -> SeatScore {
    SeatScore(
      seat: name, assessor: assessor, score: pair?.0, grade: pair.map { .value($0.1) } ?? .none(.gradeBlank))
  }

  static func exam(circuits: [String] = ["Red", "Blue", "Blue", "Red", "Blue", "Blue"]) -> ExamScores {
    let a: [(Double, Double)?] = [(72, 4), (55, 2), (61, 3), (80, 5), (48, 1), (66, 3)]
    let c: [(Double, Double)?] = [(81, 5), (60, 3), (58, 2), (77, 4), (45, 2), nil]
    let first: [(Double, Double)?] = [(70, 4), (52, 2), (64, 3), (78, 5), (40, 1), (60, 2)]
    let second: [(Double, Double)?] = [(66, 3), (58, 2), (60, 3), (82, 5), (50, 2), nil]
    let pilot: [(Double, Double)?] = [(90, 5), (20, 1), (50, 2), (60, 3), (70, 3), (80, 4)]
    var plans = stations.map { StationPlan(code: $0) }
    plans[3].isPilot = true
    let candidates = (0..<6).map { index in
      func place(_ station: String, _ seats: [SeatScore]) -> PlaceScore {
        PlaceScore(station: station, circuit: circuits[index], session: "2026-12-01 08:30", seats: seats)
      }
      var critical = place("C", [seat("lead", c[index], assessor: "c")])
      if index == 3 {
        critical.critical = [CriticalFinding(item: "allergy", text: "Asks for allergies", value: 0, state: .failed)]
      }
      return CandidateScores(
        number: String(index + 1), circuit: circuits[index], session: "2026-12-01 08:30",
        places: [
          place("A", [seat("lead", a[index], assessor: "a")]),
          place("B", [seat("lead", first[index], assessor: "b1"), seat("second", second[index], assessor: "b2")]),
          critical, place("P", [seat("lead", pilot[index], assessor: "p")]),
        ])
    }
    return ExamScores(stations: plans, candidates: candidates)
  }

  static var policy: Policy {
    var policy = Policy()
    policy.minimumStations = .number(2)
    return policy
  }

  /// An exam of one station from pairs of score and grade.
  static func station(_ pairs: [(Double, Double)], unit: ExamScores.Unit = .percent) -> ExamScores {
    ExamScores(
      unit: unit, stations: [StationPlan(code: "A")],
      candidates: pairs.enumerated().map { index, pair in
        CandidateScores(
          number: String(index + 1), circuit: nil, session: nil,
          places: [PlaceScore(station: "A", circuit: nil, session: nil, seats: [seat("", pair)])])
      })
  }
}

/// Whether two numbers are the same to 1e-9, or to ten decimals as they are printed.
func near(_ one: Double?, _ other: Double, _ tolerance: Double = 1e-9) -> Bool {
  one.map { abs($0 - other) <= tolerance * max(1, abs(other)) } ?? false
}
