import Characters
import CircuitModel
import Journal
import Reports
import Terminal

/// What the exam comes to as it is and without something, beside each other, before the lead leaves that out.
@MainActor
final class LeaveOutScreen: TableScreen {
  let context: AppContext
  private let name: String
  private let scope: ExamRuling.Scope
  private let comparison: ResultsComparison
  private let then: @MainActor @Sendable () -> Void
  var table = Table([])

  /// - Parameters:
  ///   - name: what is left out, for people.
  ///   - then: what is done once it is.
  init(
    _ context: AppContext, _ name: String, _ scope: ExamRuling.Scope, _ comparison: ResultsComparison,
    then: @escaping @MainActor @Sendable () -> Void
  ) {
    (self.context, self.name, self.scope, self.comparison, self.then) = (context, name, scope, comparison, then)
  }

  nonisolated private static let group = "Leave out"
  nonisolated static let keys = KeyTable<LeaveOutScreen>(
    "Leave out", at: .desk,
    [
      KeyBinding(
        "leaveout.rule", [.enter], "leave out", help: "Leave it out of the results, with a reason", group: group
      ) { screen, _ in screen.rule() },
      KeyBinding(
        "leaveout.who", ["w"], "who changes", help: "Whose outcome changes", group: group
      ) { screen, _ in screen.showChanges() },
      .back("leaveout.back", "Back, and nothing is left out", group: group),
    ])

  let showsClock = false

  var heading: Heading {
    let count = comparison.changes.count
    let who = count == 0 ? "NOBODY CHANGES" : Plural.count(count, "CHANGES", "CHANGE")
    return Heading(badge: SafeText(who), text: SafeText("Without \(name)"), trailing: "tried out, not decided")
  }

  private func showChanges() {
    let text = comparison.changes.isEmpty ? "Nobody's outcome changes." : comparison.changes.joined(separator: "\n")
    context.overlay = .reader(Reader(title: SafeText("Without \(name)"), text: text))
  }

  private func rule() {
    let (scope, name, then) = (scope, name, then)
    context.askAsLead(SafeText("Leave \(name) out of the results?")) { lead, reason, transaction in
      try Rulings.make(.exclusion, on: scope, reason: reason, by: lead, transaction)
    } then: { [weak self, context] in
      if context.screen === self { _ = context.pop() }
      then()
      context.showMessage(SafeText("\(name) is left out"), .good)
    }
  }

  func follow(_ rows: Set<RowKey>) -> Bool { false }

  func tableRegion(_ region: Rect) -> Rect { region.splitBottom(2).rest }

  func layOut(_ region: Rect) {
    table.fit(tableRegion(region))
    fill(width: region.width)
  }

  /// Several sets of stations have a figure each: those that have no room beside the names go on in the lines below.
  private func fill(width: Int) {
    func longest(_ text: (ResultsComparison.Row) -> String) -> Int {
      comparison.rows.map { ColumnWidth.of(text($0)) }.max() ?? 0
    }
    let (before, after) = (max(8, longest(\.before)), max(12, longest(\.after)))
    // Besides the mark of the focused row and the spaces between the columns.
    let room = width - 5 - longest(\.name)
    let most = before + after <= room ? room : max(8, room / 2)
    table.columns = [
      .init("Figure", width: 30, stretch: 1), .init("Now", width: min(before, most), .right),
      .init(SafeText("Without \(name)"), width: min(after, most), stretch: 1, .right),
    ]
    table.rows = comparison.rows.flatMap { row in
      let (now, without) = (SafeText.wrap(row.before, to: most), SafeText.wrap(row.after, to: most))
      return (0..<max(now.count, without.count)).map { line in
        Table.Row(
          [
            line == 0 ? SafeText(row.name) : "", line < now.count ? now[line] : "",
            line < without.count ? without[line] : "",
          ], role: row.before == row.after ? .muted : .normal, id: "\(row.name) \(line)")
      }
    }
  }

  func draw(on canvas: inout Canvas, in region: Rect) {
    table.draw(on: &canvas, in: tableRegion(region), theme: context.theme)
    let line = comparison.changes.isEmpty ? "nobody's outcome changes" : comparison.changes.joined(separator: " · ")
    canvas.draw(SafeText(line), in: region, row: region.height - 1, style: context.theme[.muted])
  }
}
