import CircuitModel
import ExamStore
import Journal
import Reports
import Standards
import Terminal
import Timer

/// The results so far: stations, or candidates, with what the exam comes to. Nothing ticks: they are computed when asked
/// for, and after each ruling.
@MainActor
final class ResultsScreen: TableScreen {
  /// What is listed.
  enum Page { case stations, candidates }

  let context: AppContext
  private(set) var report: ResultsReport?
  private var page = Page.stations
  /// What is tried out, without a ruling.
  private var trial = PolicyDocument()
  var table = Table([])

  init(_ context: AppContext) {
    self.context = context
    compute()
  }

  nonisolated private static let group = "Results"
  nonisolated static let keys = KeyTable<ResultsScreen>(
    "Results", at: .desk,
    [
      KeyBinding(
        "results.open", [.enter], "open", help: "A station's scatter; a candidate's stations", group: group,
        when: { $0.hasRows }
      ) { screen, _ in screen.open() },
      KeyBinding(
        "results.page", [.tab], "candidates", help: "Stations, or candidates", group: group
      ) { screen, _ in
        screen.page = screen.page == .stations ? .candidates : .stations
        screen.fill()
      }
      .labelled { $0.page == .stations ? "candidates" : "stations" },
      KeyBinding(
        "results.error", ["e"], "error", help: "Try 0, 1 or 2 standard errors on top of the cut", group: group
      ) { screen, _ in screen.tryErrors() },
      KeyBinding(
        "results.blanks", ["b"], "blanks", help: "Try blanks as zero, left out, incomplete", group: group
      ) { screen, _ in screen.tryBlanks() },
      KeyBinding(
        "results.double", ["d"], "double marks", help: "Try the mean, the first marker, or adjudication",
        group: group, inFooter: false
      ) { screen, _ in screen.tryDoubleMarks() },
      KeyBinding(
        "results.exclude", ["x"], "leave out", help: "Leave out this station or candidate, with a reason",
        group: group, when: { $0.hasRows }
      ) { screen, _ in screen.exclude() },
      KeyBinding(
        "results.decide", ["w"], "rule so", help: "Make what is tried out the exam's choice", group: group,
        when: { $0.isTrial ? .enabled : .disabled("nothing is tried out") }
      ) { screen, _ in screen.decide() }
      .inFooter { $0.isTrial },
      KeyBinding(
        "results.again", ["r"], "compute again", help: "Read all marks and compute, nothing tried out", group: group
      ) { screen, _ in screen.computeAgain() },
      KeyBinding(
        "results.back", [.escape], "back", help: "Back to the grid", group: group, inFooter: false, reach: .small
      ) {
        screen, _ in screen.context.goBack()
      },
    ])

  private var hasRows: Availability { table.rows.isEmpty ? .disabled("there is nothing to open") : .enabled }
  private var isTrial: Bool { trial != PolicyDocument() }

  let showsClock = false

  var heading: Heading {
    guard let report else { return Heading(text: "Results") }
    let counts = CandidateResult.Outcome.allCases.filter { report.results.count($0) > 0 }.map {
      "\(report.results.count($0)) \($0.words)"
    }
    let cut = report.results.figures.cutPlusSem.map { "CUT \(Figure.tenths($0)) %" } ?? "NO CUT"
    let state = report.state == .live ? "provisional" : report.state?.rawValue ?? ""
    return Heading(
      badge: SafeText(cut), text: SafeText(counts.joined(separator: " · ")),
      trailing: SafeText(trial == PolicyDocument() ? state : "TRIED OUT, not decided"))
  }

  private func computeAgain() {
    trial = PolicyDocument()
    compute()
    context.say("computed again")
  }

  private func tryErrors() {
    let k = trial.k ?? report?.results.policy.k ?? 1
    trial.k = k >= 2 ? 0 : k.rounded(.down) + 1
    compute()
    context.say(SafeText("tried out: \(Figure.tenths(trial.k)) standard errors on top of the cut"))
  }

  private func tryBlanks() {
    trial.blanks = next(Policy.Blanks.allCases.map(\.rawValue), after: report?.results.policy.blanks.rawValue)
    compute()
    context.say(SafeText("tried out: blanks \(trial.blanks ?? "")"))
  }

  private func tryDoubleMarks() {
    trial.doubleMarks = next(
      Policy.DoubleMarks.allCases.map(\.rawValue), after: report?.results.policy.doubleMarks.rawValue)
    compute()
    context.say(SafeText("tried out: double marks \(trial.doubleMarks ?? "")"))
  }

  private func next(_ words: [String], after word: String?) -> String {
    let index = word.flatMap { words.firstIndex(of: $0) } ?? -1
    return words[(index + 1) % words.count]
  }

  // MARK: Rulings

  private func exclude() {
    guard let report, table.rows.indices.contains(table.selection.index) else { return }
    let scope: ExamRuling.Scope
    let name: String
    var without = trial
    var exclusion = PolicyDocument.Exclusion(reason: "tried out")
    switch page {
    case .stations:
      name = report.results.stations[table.selection.index].station
      scope = .init(station: name)
      exclusion.station = name
    case .candidates:
      name = report.results.candidates[table.selection.index].number
      scope = .init(candidate: name)
      exclusion.candidate = name
    }
    without.exclude = [exclusion]
    let after = try? read(without)
    let change = after.map { "Without \(name): \(words(of: $0)). Now: \(words(of: report))." } ?? "Without \(name)."
    rule(SafeText(change), saying: SafeText("\(name) is left out")) { lead, reason, transaction in
      try Rulings.make(.exclusion, on: scope, reason: reason, by: lead, transaction)
    }
  }

  private func words(of report: ResultsReport) -> String {
    let counts = "\(report.results.count(.pass)) pass, \(report.results.count(.fail)) fail"
    return "cut \(Figure.tenths(report.results.figures.cutPlusSem)), \(counts)"
  }

  private func decide() {
    let document = trial
    let names = PolicyText.names(document).joined(separator: " ")
    rule(SafeText("\(names): what is tried out becomes the exam's choice."), saying: SafeText("decided: \(names)")) {
      lead, reason, transaction in
      try Rulings.make(
        .policy(json: PolicyText.json(document), names: names), reason: reason, by: lead, transaction)
    }
  }

  private func rule(
    _ question: SafeText, saying done: SafeText,
    _ change: @escaping @Sendable (ExamLead, String, JournalTransaction) throws -> Void
  ) {
    context.askAsLead(question) { lead, reason, transaction in
      try change(lead, reason, transaction)
    } then: { [weak self, context] in
      self?.trial = PolicyDocument()
      self?.compute()
      context.say(done, .good)
    }
  }

  // MARK: Computing

  private func read(_ options: PolicyDocument) throws -> ResultsReport {
    let now = context.store.clock.now
    return try context.store.read { try ResultsReport.read(options, in: $0, at: now) }
  }

  private func compute() {
    do { report = try read(trial) } catch { return context.noteUnread(error) }
    fill()
  }

  func refresh(_ rows: Set<RowKey>?) { if rows == nil { compute() } }
  func follow(_ rows: Set<RowKey>) -> Bool { false }

  private func fill() {
    guard let report else { return }
    switch page {
    case .stations:
      table = Table([
        .init("Station", width: 8, stretch: 1), .init("n", width: 4, .right), .init("mean", width: 5, .right),
        .init("sd", width: 5, .right), .init("cut", width: 5, .right), .init("±SE", width: 4, .right),
        .init("below", width: 5, .right), .init("R²", width: 4, .right), .init("a grade", width: 7, .right),
        .init("To be known", width: 12, stretch: 3),
      ])
      table.rows = report.results.stations.map { station in
        let state = station.isExcluded ? ["left out"] : station.isPilot ? ["pilot"] : []
        return Table.Row(
          [
            SafeText(station.station), SafeText("\(station.scores.n)"), SafeText(Figure.tenths(station.scores.mean)),
            SafeText(Figure.tenths(station.scores.sd)), SafeText(Figure.tenths(station.cut)),
            SafeText(Figure.tenths(station.seCut)), SafeText(station.failed.map { "\($0)" } ?? "–"),
            SafeText(Figure.hundredths(station.regression.r2)), SafeText(Figure.tenths(station.regression.slope)),
            SafeText((state + station.notes.map(\.words)).joined(separator: ", ")),
          ], role: station.isCounted ? .normal : .muted, id: station.station)
      }
    case .candidates:
      table = Table([
        .init("Number", width: 9), .init("mean", width: 5, .right), .init("cut", width: 5, .right),
        .init("passed", width: 6, .right), .init("rank", width: 4, .right), .init("Outcome", width: 10),
        .init("Why", width: 16, stretch: 3),
      ])
      table.rows = report.results.candidates.map { candidate in
        let why = candidate.reasons.map(\.words) + candidate.notes.map(\.words)
        return Table.Row(
          [
            SafeText(candidate.number), SafeText(Figure.tenths(candidate.mean)),
            SafeText(Figure.tenths(candidate.cutPlusSem)),
            SafeText("\(candidate.stationsPassed)/\(candidate.stationsDue)"),
            SafeText(candidate.rank.map { "\($0)" } ?? "–"), SafeText(candidate.outcome.words),
            SafeText((why + (candidate.isCloseCall ? ["close call"] : [])).joined(separator: ", ")),
          ], role: candidate.outcome == .fail ? .warning : candidate.outcome == .pass ? .normal : .muted,
          id: candidate.number)
      }
    }
  }

  private func open() {
    guard let report, table.rows.indices.contains(table.selection.index) else { return }
    switch page {
    case .stations: context.push(StationResultScreen(context, report, table.selection.index))
    case .candidates:
      let candidate = report.results.candidates[table.selection.index]
      context.overlay = .reader(
        Reader(title: SafeText(candidate.number), text: candidate.lines.joined(separator: "\n")))
    }
  }

  // MARK: Drawing

  func layOut(_ region: Rect) { table.selection.page = max(1, region.height - 4) }

  func draw(on canvas: inout Canvas, in region: Rect) {
    guard let report else { return }
    table.draw(on: &canvas, in: region.rows(0, max(1, region.height - 3)), theme: context.theme)
    let foot = region.rows(max(0, region.height - 3), 3)
    for (row, line) in report.figureLines.prefix(3).enumerated() {
      canvas.draw(SafeText(line), in: foot, row: row, style: context.theme[row == 2 ? .muted : .normal])
    }
  }
}

/// One station: its scatter with the line and the cut, and its figures.
@MainActor
final class StationResultScreen: AppScreen {
  let context: AppContext
  private let report: ResultsReport
  private var index: Int

  init(_ context: AppContext, _ report: ResultsReport, _ index: Int) {
    (self.context, self.report, self.index) = (context, report, index)
  }

  private var station: StationResult { report.results.stations[index] }

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
        "station.back", [.escape], "back", help: "Back to all stations", group: group, inFooter: false, reach: .small
      ) {
        screen, _ in screen.context.goBack()
      },
    ])

  let showsClock = false

  var heading: Heading {
    let cut = station.cut.map { "CUT \(Figure.tenths($0)) % ±\(Figure.tenths(station.seCut))" } ?? "NO CUT"
    let below = station.failed.map { "\($0) below · " } ?? ""
    let name = [station.station, station.name].compactMap { $0 }.joined(separator: " ")
    return Heading(badge: SafeText(cut), text: SafeText(below + name), trailing: SafeText("n \(station.scores.n)"))
  }

  private func turn(by step: Int) {
    let count = report.results.stations.count
    index = (index + step + count) % count
  }

  func follow(_ rows: Set<RowKey>) -> Bool { false }

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
    let notes =
      station.notes.map(\.words) + (station.isExcluded ? ["left out"] : station.isPilot ? ["pilot, never counted"] : [])
    let foot = region.rows(max(0, region.height - 2), 2)
    canvas.drawWrapped(notes.joined(separator: " · "), in: foot, style: theme[.warning])
    canvas.cursor = region.origin
  }

  private var figures: [(String, String)] {
    [
      ("mean", Figure.tenths(station.scores.mean)), ("sd", Figure.tenths(station.scores.sd)),
      ("a grade", Figure.tenths(station.regression.slope)), ("R²", Figure.hundredths(station.regression.r2)),
      ("alpha without", Figure.hundredths(station.alphaIfDeleted)),
      ("between circuits %", Figure.tenths(station.circuits.varianceComponentPct)),
      ("between markers %", Figure.tenths(station.assessors.varianceComponentPct)),
      ("blanks", "\(station.blanks)"), ("unable", "\(station.unable)"), ("pairs left out", "\(station.leftOut.count)"),
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
