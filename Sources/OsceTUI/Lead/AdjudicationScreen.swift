import CircuitModel
import ExamStore
import Reports
import Terminal

/// The sheets of two assessors beside each other, and which score stands.
@MainActor
final class AdjudicationScreen: OverClosing {
  let context: AppContext
  let closing: ClosingScreen
  private let line: ClosingReport.Line
  private var comparison: SheetComparison?
  /// How many assessors have a key of their own, and a column.
  private static let shownAssessors = 2
  var table = Table([])

  /// - Parameter line: an open line of two assessors who do not agree, or used different sheets.
  init(_ context: AppContext, _ closing: ClosingScreen, _ line: ClosingReport.Line) {
    (self.context, self.closing, self.line) = (context, closing, line)
    reload()
  }

  private var assessors: [SheetComparison.Assessor] { Array((comparison?.assessors ?? []).prefix(Self.shownAssessors)) }

  nonisolated private static let group = "Adjudicate"
  nonisolated static let keys = KeyTable<AdjudicationScreen>(
    "Adjudicate", at: .desk,
    [
      KeyBinding(
        "adjudicate.first", ["1"], "first stands", help: "The score and grade of the assessor at the left stand",
        group: group, when: { $0.assessors.isEmpty ? .disabled("no sheet is held") : $0.isReady }
      ) { screen, _ in screen.rule(forAssessor: 0) },
      KeyBinding(
        "adjudicate.second", ["2"], "second stands", help: "The score and grade of the assessor at the right stand",
        group: group, when: { $0.assessors.count < 2 ? .disabled("there is one sheet only") : $0.isReady }
      ) { screen, _ in screen.rule(forAssessor: 1) },
      KeyBinding(
        "adjudicate.mean", ["m"], "mean", help: "The mean of both stands", group: group, when: { $0.isReady }
      ) { screen, _ in screen.rule(.mean, "the mean of both stands") },
      KeyBinding(
        "adjudicate.type", ["="], "type a score", help: "A score of its own stands, in percent, with a grade",
        group: group, when: { $0.isReady }
      ) { screen, _ in screen.askScore() },
      KeyBinding(
        "adjudicate.next", ["n"], "next difference", help: "To the next item on which they differ", group: group,
        when: { screen in
          screen.comparison?.rows.contains(where: \.differs) == true
            ? .enabled : .disabled("they agree on every item")
        }
      ) { screen, _ in screen.goToNextDifference() },
      .back("adjudicate.back", "Back to what is open", group: group),
    ])

  private var isReady: Availability { comparison == nil ? .disabled("nothing is held of it any more") : .enabled }

  var heading: Heading {
    guard let comparison else { return Heading(text: SafeText(line.what)) }
    let apart = comparison.points.map { "\(Self.figure($0)) APART" } ?? "NO TWO SCORES"
    return Heading(
      badge: SafeText(apart),
      text: SafeText(
        "\(comparison.candidate.number) \(comparison.candidate.name) · \(comparison.place.stationTitle)"),
      trailing: SafeText("margin \(Self.figure(comparison.margin))"))
  }

  // MARK: Ruling

  private func rule(forAssessor index: Int) {
    guard assessors.indices.contains(index) else { return }
    let assessor = assessors[index]
    rule(.seat(assessor.seat.name), "the score of \(name(assessor)) stands")
  }

  private func rule(_ choice: ExamRuling.Choice, _ what: String) {
    let scope = scope
    let question = what.withCapital + ": the reason is kept with the results."
    closing.asLead(SafeText(question), saying: SafeText(what)) { lead, reason, transaction in
      try Rulings.make(.adjudication(choice), on: scope, reason: reason, by: lead, transaction)
    } then: { [context, weak self] in
      if context.screen === self { _ = context.pop() }
    }
  }

  private var scope: ExamRuling.Scope {
    .init(circuit: line.circuit, session: line.session, station: line.station, candidate: line.candidate)
  }

  private func askScore() {
    let scope = scope
    context.prompt("Score in percent, and the grade if there is one:") {
      [context, weak self] text in
      let words = text.split(separator: " ")
      let figures = words.compactMap { Double($0.replacing(",", with: ".")) }
      guard (1...2).contains(words.count), figures.count == words.count, figures.allSatisfy(\.isFinite) else {
        return context.refuse("a score as 62.5, or a score and a grade as 62.5 3")
      }
      let choice = ExamRuling.Choice.typed(score: figures[0], grade: figures.count == 2 ? figures[1] : nil)
      // Checked while it can still be corrected: the ruling itself would be refused after the reason.
      do { try context.store.read { try Rulings.check(choice, at: scope, in: $0) } } catch {
        return context.refuse(SafeText("\(error)"))
      }
      let grade = figures.count == 2 ? ", grade \(Self.figure(figures[1]))," : ""
      self?.rule(choice, "a score of \(Self.figure(figures[0])) %\(grade) stands")
    }
  }

  private func goToNextDifference() {
    guard let rows = comparison?.rows, !rows.isEmpty else { return }
    let start = table.selection.index
    for step in 1...rows.count where rows[(start + step) % rows.count].differs {
      table.selection.index = (start + step) % rows.count
      return
    }
  }

  // MARK: Reading

  func reload() {
    do {
      comparison = try context.store.read { [line] in
        try SheetComparison.read(
          circuit: line.circuit ?? "", session: line.session ?? "", station: line.station ?? "",
          candidate: line.candidate ?? "", in: $0)
      }
    } catch { return context.noteUnread(error) }
    table.columns =
      [.init("", width: 1), .init("Nr", width: 3, .right), .init("Item", width: 20, stretch: 3)]
      + assessors.map { .init(SafeText(name($0)), width: 18, stretch: 1) }
    table.rows = (comparison?.rows ?? []).enumerated().map { index, row in
      let answers = assessors.indices.map { row.answers.indices.contains($0) ? row.answers[$0] ?? "not asked" : "" }
      return Table.Row(
        [
          row.differs ? context.theme.glyphs.cross : "", SafeText(row.number.map { "\($0)" } ?? ""), SafeText(row.text),
        ] + answers.map { SafeText($0) }, role: row.differs ? .normal : .muted, id: "\(index)")
    }
  }

  // MARK: Drawing

  func tableRegion(_ region: Rect) -> Rect { region.splitBottom(3).rest }

  func draw(on canvas: inout Canvas, in region: Rect) {
    if comparison == nil {
      canvas.draw("Nothing is held of it any more.", in: region, row: 1, style: context.theme[.muted])
      return
    }
    table.draw(on: &canvas, in: tableRegion(region), theme: context.theme)
    let foot = region.rows(region.height - 2, 2)
    for (row, assessor) in assessors.enumerated() {
      let percent = assessor.percent.map { "\(Self.figure($0)) %" } ?? "nothing could be assessed"
      canvas.draw(
        SafeText("\(row + 1)  \(name(assessor)): \(assessor.score) of \(assessor.maximum), \(percent)"), in: foot,
        row: row,
        style: context.theme[.normal])
    }
  }

  private func name(_ assessor: SheetComparison.Assessor) -> String {
    assessor.name ?? comparison?.place.name(of: assessor.seat) ?? ""
  }

  /// A figure with one decimal at most.
  private static func figure(_ number: Double) -> String {
    MarkValue((number * 10).rounded() / 10).map { "\($0)" } ?? "–"
  }
}
