import Foundation
import SeededNumbers
import Standards
import Testing

@testable import ExamFiles
@testable import Reports

@Suite("The order of the rows of scores") struct RowOrderTests {
  @Test("changes no result") func shuffled() throws {
    for seed in Seeded.seeds(30) {
      var random = Seeded(seed: seed)
      let rows = rows(&random)
      let options = policy(&random)
      let first = try figures(rows, options)
      for _ in 0..<3 {
        let again = try figures(rows.shuffled(using: &random), options)
        #expect(first.keys == again.keys, "OSCE_SEED=\(seed)")
        for (name, figure) in first {
          switch (figure, again[name]) {
          case (.number(let one), .number(let other)?):
            #expect(abs(one - other) <= 1e-9 * max(1, abs(one)), "OSCE_SEED=\(seed) \(name)")
          case (let one, let other): #expect(one == other, "OSCE_SEED=\(seed) \(name)")
          }
        }
      }
    }
  }

  private static let header = "candidate,circuit,session,station,score,grade,points,maximum,assessor,seat,reason"

  /// Up to thirty candidates in up to three circuits, with second assessors, gaps, absences and scores of one decimal, so
  /// that ties, flat grades and figures on the edge of a cut happen.
  private func rows(_ random: inout Seeded) -> [String] {
    let stations = (0..<Int.random(in: 1...6, using: &random)).map { "S\($0)" }
    let circuits = Int.random(in: 1...3, using: &random)
    let mostGrade = random.chance(10) ? 1 : 5
    var rows: [String] = []
    for candidate in 1...Int.random(in: 2...30, using: &random) {
      let circuit = Int.random(in: 0..<circuits, using: &random)
      let ability = Double.random(in: 0...1, using: &random)
      for station in stations where !random.chance(4) {
        for seat in random.chance(20) ? ["", "second"] : [""] {
          let noise = Double.random(in: -0.2...0.2, using: &random)
          let score = (min(max(ability + noise, 0), 1) * 1000).rounded() / 10
          let grade = min(mostGrade, 1 + Int(ability * 5))
          let (written, reason): (String, String) =
            random.chance(3) ? ("", "absent") : random.chance(3) ? ("", "noSheet") : (String(score), "")
          let graded = written.isEmpty || random.chance(3) ? "" : String(grade)
          rows.append(
            [
              String(candidate), "C\(circuit)", "2026-12-07 0\(circuit + 7):00", station, written, graded, written,
              written.isEmpty ? "" : "100", "a\(circuit)\(station)\(seat)", seat, reason,
            ].joined(separator: ","))
        }
      }
    }
    return rows
  }

  private func policy(_ random: inout Seeded) -> PolicyDocument {
    var options = PolicyDocument()
    options.missing = ["incomplete", "prorate", "zero"].randomElement(using: &random)
    options.method = ["borderlineRegression", "borderlineGroup", "contrastingGroups"].randomElement(using: &random)
    options.doubleMarks = ["mean", "first"].randomElement(using: &random)
    options.k = Double(Int.random(in: 0...2, using: &random))
    options.minimumStations = ["none", "predicted", "60%"].randomElement(using: &random)
    return options
  }

  private enum Value: Equatable {
    case number(Double)
    case other(String)
  }

  /// All that the results say, each by the names of what it belongs to.
  private func figures(_ rows: [String], _ options: PolicyDocument) throws -> [String: Value] {
    let text = ([Self.header] + rows).joined(separator: "\n") + "\n"
    let file = try ScoreFile.read("-") { Array(text.utf8) }
    let report = ResultsReport(file.scores, PolicyInForce(options: options))
    var figures: [String: Value] = [:]
    collect(report.json, "", &figures)
    return figures
  }

  /// A list of things is looked at by their names; a list of names in their order by the alphabet: stations stand in the
  /// order in which the rows name them.
  private func collect(_ document: JSONDocument, _ path: String, _ figures: inout [String: Value]) {
    switch document {
    case .object(let members): for (name, member) in members { collect(member, "\(path).\(name)", &figures) }
    case .array(let elements):
      let texts = elements.map(\.text)
      let names = ["station", "number", "candidate", "group", "grade"]
      for (place, element) in elements.enumerated() {
        guard case .object(let members) = element else { continue }
        var name = names.lazy.compactMap { name in members.first { $0.0 == name }?.1.text }.first ?? String(place)
        // A set of stations has no name but theirs.
        if case .array(let stations)? = members.first(where: { $0.0 == "stations" })?.1, path.hasSuffix("Sets") {
          name = stations.map(\.text).sorted().joined()
        }
        collect(element, "\(path)[\(name)]", &figures)
      }
      if elements.allSatisfy({ if case .object = $0 { false } else { true } }) {
        figures[path] = .other(texts.sorted().joined(separator: " "))
      }
    case .real(let number): figures[path] = .number(number)
    default: figures[path] = .other(document.text)
    }
  }
}
