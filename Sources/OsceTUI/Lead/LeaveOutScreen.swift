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
  var table: Table

  /// - Parameters:
  ///   - name: what is left out, for people.
  ///   - then: what is done once it is.
  init(
    _ context: AppContext, _ name: String, _ scope: ExamRuling.Scope, _ comparison: ResultsComparison,
    then: @escaping @MainActor @Sendable () -> Void
  ) {
    (self.context, self.name, self.scope, self.comparison, self.then) = (context, name, scope, comparison, then)
    // Several sets of stations have a figure each.
    func longest(_ figure: (ResultsComparison.Row) -> String) -> Int {
      comparison.rows.map { ColumnWidth.of(figure($0)) }.max() ?? 0
    }
    table = Table([
      .init("Figure", width: 30, stretch: 1), .init("Now", width: max(8, longest(\.before)), .right),
      .init(SafeText("Without \(name)"), width: max(12, longest(\.after)), stretch: 1, .right),
    ])
    table.rows =
      comparison.rows.map { row in
        Table.Row(
          [SafeText(row.name), SafeText(row.before), SafeText(row.after)],
          role: row.before == row.after ? .muted : .normal, id: row.name)
      }
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
      KeyBinding(
        "leaveout.back", [.escape], "back", help: "Back, and nothing is left out", group: group, inFooter: false,
        reach: .small
      ) {
        screen, _ in screen.context.goBack()
      },
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

  func layOut(_ region: Rect) { table.selection.page = max(1, region.height - 3) }

  func draw(on canvas: inout Canvas, in region: Rect) {
    table.draw(on: &canvas, in: region.rows(0, max(1, region.height - 2)), theme: context.theme)
    let line = comparison.changes.isEmpty ? "nobody's outcome changes" : comparison.changes.joined(separator: " · ")
    canvas.draw(SafeText(line), in: region, row: region.height - 1, style: context.theme[.muted])
  }
}
