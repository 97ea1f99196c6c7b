import CircuitModel
import ExamStore
import Journal
import Reports
import Standards
import Terminal

import struct Foundation.CharacterSet

/// One station: its scatter with the line and the cut, and its figures.
@MainActor
final class StationResultScreen: AppScreen {
  let context: AppContext
  private let results: ResultsScreen
  private var station: StationResult

  /// - Parameter results: the screen that computes them, and goes on doing so.
  init(_ context: AppContext, _ results: ResultsScreen, _ station: StationResult) {
    (self.context, self.results, self.station) = (context, results, station)
  }

  private var stations: [StationResult] { results.report?.results.stations ?? [] }

  nonisolated private static let group = "Station"
  nonisolated static let keys = KeyTable<StationResultScreen>(
    "Results of a station", at: .desk,
    [
      KeyBinding(
        "station.next", ["]", .tab], "next station", help: "The next station", group: group
      ) { screen, _ in screen.turn(by: 1) },
      KeyBinding(
        "station.previous", ["["], "station before", help: "The station before", group: group
      ) { screen, _ in screen.turn(by: -1) },
      KeyBinding(
        "station.items", ["i"], "items", help: "The items, and what was given; one is left out there", group: group
      ) { screen, _ in screen.context.push(StationItemsScreen(screen.context, screen.results, screen.station.station))
      },
      KeyBinding(
        "station.markers", ["m"], "assessors", help: "How circuits, sessions and assessors differ", group: group
      ) { screen, _ in screen.showAssessors() },
      KeyBinding(
        "station.blanks", ["b"], "blanks", help: "Try blanks as zero, left out, incomplete", group: group
      ) { screen, _ in screen.tryOut { $0.tryBlanks() } },
      KeyBinding(
        "station.double", ["d"], "double marks", help: "Try the mean, the first assessor, or adjudication",
        group: group, inFooter: false
      ) { screen, _ in screen.tryOut { $0.tryDoubleMarks() } },
      KeyBinding(
        "station.export", ["x"], "export", help: "Write the stations as CSV, or everything as JSON",
        group: group
      ) { screen, _ in screen.export() },
      .back("station.back", "Back to all stations", group: group),
    ])

  let showsClock = false

  var heading: Heading {
    let cut = station.cut.map { "CUT \(Figure.tenths($0)) % ±\(Figure.tenths(station.cutFigures.seCut))" } ?? "NO CUT"
    let below = station.cutFigures.failed.map { "\($0) below · " } ?? ""
    let name = [station.station, station.name].compactMap { $0 }.joined(separator: " ")
    return Heading(badge: SafeText(cut), text: SafeText(below + name), trailing: SafeText("n \(station.scores.n)"))
  }

  private func turn(by step: Int) {
    guard let index = stations.firstIndex(where: { $0.station == station.station }) else { return }
    station = stations[(index + step + stations.count) % stations.count]
  }

  private func tryOut(_ change: (ResultsScreen) -> Void) {
    change(results)
    readAgain()
  }

  private func showAssessors() {
    context.overlay = .reader(
      Reader(title: SafeText("Assessors at \(station.station)"), text: station.groupLines.joined(separator: "\n")))
  }

  // MARK: Export

  private func export() {
    guard let report = results.report else { return }
    context.prompt("Write to FILE.csv (stations) or FILE.json (everything):") { [context] path in
      let path = path.trimmingCharacters(in: .whitespaces)
      guard path.hasSuffix(".csv") || path.hasSuffix(".json") else {
        return context.refuse("name a file that ends in .csv or .json")
      }
      do {
        let file = try AtomicFile(path)
        if path.hasSuffix(".json") {
          try file.write(Array((report.json.text + "\n").utf8))
        } else {
          try report.write(.stations, as: .csv, to: file.write)
        }
        try file.finish()
        context.showMessage(SafeText("written to \(path)"), .good)
      } catch { context.showError(error) }
    }
  }

  // MARK: Following

  private func readAgain() { station = stations.first { $0.station == station.station } ?? station }

  func reload() {
    results.reload()
    readAgain()
  }

  func follow(_ rows: Set<RowKey>) -> Bool {
    defer { readAgain() }
    return results.follow(rows)
  }

  var deadline: Int64? { results.deadline }

  func passTime(_ now: Int64) -> Bool {
    defer { readAgain() }
    return results.passTime(now)
  }

  // MARK: Drawing

  func draw(on canvas: inout Canvas, in region: Rect) {
    let theme = context.theme
    let side = 27
    let (right, left) = region.splitRight(min(side, region.width))
    if region.width >= 64 {
      ScatterView(station: station, theme: theme).draw(
        on: &canvas, in: left.rows(0, max(1, left.height - 2)).columns(0, max(1, left.width - 2)))
    }
    var row = 0
    canvas.draw("GRADE     n   mean  below", in: right, row: row, style: theme[.heading])
    for grade in station.grades.reversed() {
      row += 1
      let points = station.points.filter { abs($0.grade - grade.grade) < 1e-9 }
      let below = station.cut.map { cut in points.count { $0.score < cut - 1e-9 } }
      let mark = abs(grade.grade - station.borderline) < 1e-9 ? " B" : ""
      let line =
        Figure.right(ShownGrade.text(grade.grade), 3) + mark.padded(to: 3) + Figure.right("\(grade.n)", 5)
        + Figure.right(Figure.tenths(grade.mean), 7) + Figure.right(below.map { "\($0)" } ?? "–", 7)
      canvas.draw(SafeText(line), in: right, row: row, style: theme[mark.isEmpty ? .normal : .heading])
    }
    row += 2
    for (name, value) in figures {
      canvas.draw(SafeText(name), in: right, row: row, style: theme[.muted])
      canvas.draw(SafeText(value), in: right, row: row, .right, style: theme[.normal])
      row += 1
    }
    let below = right.rows(row + 1, max(0, right.height - row - 3))
    if below.height > Self.bins { drawScores(on: &canvas, in: below) }
    let notes =
      station.notes.map(\.text) + (station.isExcluded ? ["left out"] : station.isPilot ? ["pilot, never counted"] : [])
    let foot = region.rows(max(0, region.height - 2), 2)
    canvas.drawWrapped(notes.joined(separator: " · "), in: foot, style: theme[.warning])
    canvas.cursor = region.origin
  }

  /// Tenths of the scale.
  private static let bins = 10

  /// How many scores lie in each tenth, the one with the cut named, where a taller terminal has room for them.
  private func drawScores(on canvas: inout Canvas, in region: Rect) {
    let theme = context.theme
    func bin(_ score: Double) -> Int { min(max(0, Int((score / 10).rounded(.down))), Self.bins - 1) }
    var counts = Array(repeating: 0, count: Self.bins)
    for score in station.allScores { counts[bin(score)] += 1 }
    let most = max(1, counts.max() ?? 1)
    canvas.draw("SCORES       of \(station.scores.n)", in: region, style: theme[.heading])
    for (row, number) in (0..<Self.bins).reversed().enumerated() {
      let count = counts[number]
      let isCut = station.cut.map(bin) == number
      let width = max(count > 0 ? 1 : 0, count * 13 / most)
      let bar = (0..<width).reduce(SafeText("")) { text, _ in text + theme.glyphs.stepDone }
      let style = theme[isCut ? .heading : .normal]
      canvas.draw(
        SafeText(Figure.right("\(number * 10)", 3) + (isCut ? " cut" : "")), in: region, row: row + 1, style: style)
      canvas.draw(bar, in: region.columns(8, 13), row: row + 1, style: theme[.normal])
      canvas.draw(SafeText(count == 0 ? "" : "\(count)"), in: region, row: row + 1, .right, style: style)
    }
  }

  private var figures: [(String, String)] {
    [
      ("mean", Figure.tenths(station.scores.mean)), ("sd", Figure.tenths(station.scores.sd)),
      ("a grade", Figure.tenths(station.regression.slope)), ("R²", Figure.hundredths(station.regression.r2)),
      ("alpha without", Figure.hundredths(station.alphaIfDeleted)),
      ("between circuits %", Figure.tenths(station.comparisons.circuits.varianceComponentPct)),
      ("between assessors %", Figure.tenths(station.comparisons.assessors.varianceComponentPct)),
      ("blanks", "\(station.itemCounts.blanks)"), ("unable", "\(station.itemCounts.unable)"),
      ("pairs left out", "\(station.leftOut.count)"),
    ]
  }
}

/// A grade as it is shown.
private enum ShownGrade {
  static func text(_ grade: Double) -> String {
    grade == grade.rounded() ? String(Int(grade)) : Figure.tenths(grade)
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
