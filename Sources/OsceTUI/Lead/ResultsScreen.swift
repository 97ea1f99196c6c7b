import CircuitModel
import ExamStore
import Journal
import Reports
import Standards
import Terminal
import Timer

/// The results so far: stations, or candidates, with what the exam comes to. They are computed when asked for, after each
/// ruling, and, beside what else goes on, once others have saved marks.
@MainActor
final class ResultsScreen: TableScreen {
  /// What is listed.
  enum Page { case stations, candidates }

  let context: AppContext
  private(set) var report: ResultsReport?
  private var page = Page.stations
  /// What is tried out, without a ruling.
  private var trial = PolicyDocument()
  /// The same with what others have saved since, while it is computed.
  private var computation: BackgroundWork<ResultsReport>?
  private var isStale = false
  /// When they were computed last, by the loop's clock, and how long that took.
  private var computed: (at: Int64, cost: Int64) = (0, 0)
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
        screen.table.rows = []
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
        "results.double", ["d"], "double marks", help: "Try the mean, the first assessor, or adjudication",
        group: group, inFooter: false
      ) { screen, _ in screen.tryDoubleMarks() },
      KeyBinding(
        "results.exclude", ["x"], "leave out", help: "Leave this out: what changes, then a reason",
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
      .back("results.back", "Back to the grid", group: group),
    ])

  private var hasRows: Availability { table.rows.isEmpty ? .disabled("there is nothing to open") : .enabled }
  private var isTrial: Bool { trial != PolicyDocument() }

  let showsClock = false

  var heading: Heading {
    guard let report else { return Heading(text: "Results") }
    let counts = CandidateResult.Outcome.allCases.filter { report.results.count($0) > 0 }.map {
      "\(report.results.count($0)) \($0.text)"
    }
    let sets = report.results.stationSets.count
    let cut =
      sets > 1 ? "\(sets) SETS" : report.results.figures.cutPlusSem.map { "CUT \(Figure.tenths($0)) %" } ?? "NO CUT"
    let state =
      report.differsFromLock
      ? "NOT FINAL" : report.state == .live ? "provisional" : report.state?.rawValue ?? ""
    return Heading(
      badge: SafeText(cut), text: SafeText(counts.joined(separator: " · ")),
      trailing: SafeText(trial == PolicyDocument() ? state : "TRIED OUT, not decided"))
  }

  private func computeAgain() {
    trial = PolicyDocument()
    compute()
    context.showMessage("computed again")
  }

  private func tryErrors() {
    tryOut { trial, own in trial.k = next(Set([0, 1, 2, own.k]).sorted(), after: trial.k, own: own.k) }
  }

  func tryBlanks() {
    tryOut { trial, own in
      trial.blanks = next(Policy.Blanks.allCases.map(\.rawValue), after: trial.blanks, own: own.blanks.rawValue)
    }
  }

  func tryDoubleMarks() {
    tryOut { trial, own in
      trial.doubleMarks = next(
        Policy.DoubleMarks.allCases.map(\.rawValue), after: trial.doubleMarks, own: own.doubleMarks.rawValue)
    }
  }

  /// Tries something else beside what is tried out already, and says all of it.
  /// - Parameter change: is given what is tried out, and what the exam has.
  private func tryOut(_ change: (inout PolicyDocument, Policy) -> Void) {
    do {
      let own = try context.store.read { try PolicyInForce.read(.init(), in: $0).policy }
      change(&trial, own)
    } catch { return context.noteUnread(error) }
    compute()
    context.showMessage(isTrial ? SafeText("tried out: \(trialText)") : "nothing is tried out any more")
  }

  /// What is tried out, in words.
  private var trialText: String { PolicyInForce(options: trial).optionText }

  /// What is tried after something; nil where that is what the exam has.
  /// - Parameter tried: what is tried out; nil: nothing.
  private func next<Choice: Equatable>(_ choices: [Choice], after tried: Choice?, own: Choice) -> Choice? {
    let index = choices.firstIndex(of: tried ?? own) ?? -1
    let next = choices[(index + 1) % choices.count]
    return next == own ? nil : next
  }

  /// What the focused line is about.
  private enum Focused {
    case station(StationResult)
    case candidate(CandidateResult)
  }

  private var focused: Focused? {
    switch page {
    case .stations: report.flatMap { table.selection.focused(of: $0.results.stations) }.map(Focused.station)
    case .candidates: report.flatMap { table.selection.focused(of: $0.results.candidates) }.map(Focused.candidate)
    }
  }

  // MARK: Rulings

  private func exclude() {
    switch focused {
    case .station(let station): leaveOut(station.station, .init(station: station.station)) {}
    case .candidate(let candidate): leaveOut(candidate.number, .init(candidate: candidate.number)) {}
    case nil: break
    }
  }

  /// Shows what changes without something, and leaves it out with a reason. It is held against what the exam has: what is
  /// tried out is not decided with it.
  func leaveOut(_ name: String, _ scope: ExamRuling.Scope, then: @escaping @MainActor @Sendable () -> Void) {
    var exclusion = PolicyDocument.Exclusion(reason: "tried out")
    (exclusion.station, exclusion.item, exclusion.candidate) = (scope.station, scope.item, scope.candidate)
    var without = PolicyDocument()
    without.exclude = [exclusion]
    do {
      let (before, after) = (try read(.init()), try read(without))
      let comparison = ResultsComparison(before, after, station: scope.station)
      context.push(
        LeaveOutScreen(context, name, scope, comparison) { [weak self] in
          self?.trial = PolicyDocument()
          self?.compute()
          then()
        })
    } catch { context.noteUnread(error) }
  }

  private func decide() {
    let document = trial
    let (names, text) = (PolicyText.names(document).joined(separator: " "), trialText)
    rule(SafeText("\(text): what is tried out becomes the exam's choice."), saying: SafeText("decided: \(text)")) {
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
      context.showMessage(done, .good)
    }
  }

  // MARK: Computing

  private func read(_ options: PolicyDocument) throws -> ResultsReport {
    let now = context.store.clock.now
    return try context.store.read { try ResultsReport.read(options, in: $0, at: now) }
  }

  private func compute() {
    let began = context.monotonic()
    do { report = try read(trial) } catch { return context.noteUnread(error) }
    (isStale, computation) = (false, nil)
    computed = (context.monotonic(), context.monotonic() - began)
    fill()
  }

  func reload() { compute() }

  func follow(_ rows: Set<RowKey>) -> Bool {
    isStale = true
    return passTime(context.monotonic())
  }

  /// The most often that results are computed for what others save, in milliseconds.
  private static let pace: Int64 = 2000

  /// In a large exam computing takes a while: no more than a small part of the time is given to it.
  private var isDue: Bool { isStale && context.monotonic() - computed.at >= max(Self.pace, computed.cost * 10) }

  var deadline: Int64? {
    if computation != nil { return context.monotonic() + 50 }
    return isStale ? max(context.monotonic(), computed.at + max(Self.pace, computed.cost * 10)) : nil
  }

  func passTime(_ now: Int64) -> Bool {
    if let result = computation?.result {
      computation = nil
      computed = (now, now - computed.at)
      switch result {
      case .success(let found):
        report = found
        fill()
      case .failure(let error): context.noteUnread(error)
      }
      return true
    }
    if isDue && computation == nil {
      isStale = false
      computed.at = now
      let (store, trial) = (context.store, trial)
      computation = BackgroundWork {
        let at = store.clock.now
        return try store.read { try ResultsReport.read(trial, in: $0, at: at) }
      }
    }
    return false
  }

  private func fill() {
    guard let report else { return }
    switch page {
    case .stations:
      table.columns = [
        .init("Station", width: 8, stretch: 1), .init("n", width: 4, .right), .init("mean", width: 5, .right),
        .init("sd", width: 5, .right), .init("cut", width: 5, .right), .init("±SE", width: 4, .right),
        .init("below", width: 5, .right), .init("R²", width: 4, .right), .init("a grade", width: 7, .right),
        .init("To be known", width: 12, stretch: 3),
      ]
      table.rows = report.results.stations.map { station in
        let state = station.isExcluded ? ["left out"] : station.isPilot ? ["pilot"] : []
        return Table.Row(
          [
            SafeText(station.station), SafeText("\(station.scores.n)"), SafeText(Figure.tenths(station.scores.mean)),
            SafeText(Figure.tenths(station.scores.sd)), SafeText(Figure.tenths(station.cut)),
            SafeText(Figure.tenths(station.cutFigures.seCut)),
            SafeText(station.cutFigures.failed.map { "\($0)" } ?? "–"),
            SafeText(Figure.hundredths(station.regression.r2)), SafeText(Figure.tenths(station.regression.slope)),
            SafeText((state + station.notes.map(\.text)).joined(separator: ", ")),
          ], role: station.isCounted ? .normal : .muted, id: station.station)
      }
    case .candidates:
      table.columns = [
        .init("Number", width: 9), .init("mean", width: 5, .right), .init("cut", width: 5, .right),
        .init("passed", width: 6, .right), .init("rank", width: 4, .right), .init("Outcome", width: 10),
        .init("Why", width: 16, stretch: 3),
      ]
      table.rows = report.results.candidates.map { candidate in
        let why = candidate.why
        return Table.Row(
          [
            SafeText(candidate.number), SafeText(Figure.tenths(candidate.mean)),
            SafeText(Figure.tenths(candidate.cutPlusSem)),
            SafeText(candidate.passedText),
            SafeText(candidate.rank.map { "\($0)" } ?? "–"), SafeText(candidate.outcome.text),
            SafeText((why + (candidate.isCloseCall ? ["close call"] : [])).joined(separator: ", ")),
          ], role: candidate.outcome == .fail ? .warning : candidate.outcome == .pass ? .normal : .muted,
          id: candidate.number)
      }
    }
  }

  private func open() {
    switch focused {
    case .station(let station): context.push(StationResultScreen(context, self, station))
    case .candidate(let candidate):
      context.overlay = .reader(
        Reader(title: SafeText(candidate.number), text: candidate.lines.joined(separator: "\n")))
    case nil: break
    }
  }

  // MARK: Drawing

  func tableRegion(_ region: Rect) -> Rect { region.splitBottom(3).rest }

  func draw(on canvas: inout Canvas, in region: Rect) {
    guard let report else { return }
    table.draw(on: &canvas, in: tableRegion(region), theme: context.theme)
    let foot = region.rows(max(0, region.height - 3), 3)
    let used = table.rows.count + 2
    if page == .stations, region.height > used + 3 {
      drawScatters(of: report.results.stations, on: &canvas, in: region.rows(used, region.height - used - 3))
    }
    let isOne = report.results.stationSets.isEmpty
    let lines = isOne ? report.figureLines : focusedSet.map { report.figureLines(of: $0) } ?? []
    for (row, line) in lines.prefix(3).enumerated() {
      canvas.draw(SafeText(line), in: foot, row: row, style: context.theme[isOne && row == 2 ? .muted : .normal])
    }
  }

  /// The columns and rows of a scatter that says something.
  private static let leastScatter = Size(width: 40, height: 12)

  /// The scatters of all stations, where all of them have room under the list.
  private func drawScatters(of stations: [StationResult], on canvas: inout Canvas, in region: Rect) {
    let across = max(1, min(stations.count, region.width / Self.leastScatter.width))
    let rows = (stations.count + across - 1) / across
    guard rows > 0, region.height / rows >= Self.leastScatter.height else { return }
    let size = Size(width: region.width / across, height: min(20, region.height / rows))
    for (place, station) in stations.enumerated() {
      let cell = region.rows(place / across * size.height, size.height - 1)
        .columns(place % across * size.width, size.width - 2)
      canvas.draw(SafeText(station.station), in: cell, style: context.theme[.heading])
      ScatterView(station: station, theme: context.theme).draw(on: &canvas, in: cell.rows(1, cell.height - 1))
    }
  }

  /// The set of stations that the focused line is of, where there are several.
  private var focusedSet: Results.StationSet? {
    switch focused {
    case .station(let station): report?.results.largestSet(with: station.station)
    case .candidate(let candidate): report?.results.set(of: candidate)
    case nil: nil
    }
  }
}
