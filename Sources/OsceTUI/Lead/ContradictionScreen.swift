import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal

/// The values that stand against each other in one row, and which of them is right.
@MainActor
final class ContradictionScreen: OverClosing {
  let context: AppContext
  let closing: ClosingScreen
  private let line: ClosingReport.Line
  private var report: ContradictionReport?
  var table = Table([
    .init("", width: 2, .right), .init("Value", width: 28, stretch: 3), .init("Set by", width: 12, stretch: 1),
    .init("At", width: 8), .init("Now", width: 10),
  ])

  /// - Parameter line: an open line of a contradiction.
  init(_ context: AppContext, _ closing: ClosingScreen, _ line: ClosingReport.Line) {
    self.context = context
    self.closing = closing
    self.line = line
    reload()
  }

  nonisolated private static let group = "Two values"
  nonisolated static let keys = KeyTable<ContradictionScreen>(
    "Two values", at: .desk,
    [
      KeyBinding(
        "values.keep", [.enter], "is right", help: "The focused value is right; the reason is kept with it",
        group: group, when: { $0.report == nil ? .disabled("one value stands by now") : .enabled }
      ) { screen, _ in screen.settle() },
      .back("values.back", "Back to what is open", group: group),
    ])

  let showsClock = false

  var heading: Heading {
    let place = [line.candidate, line.station].compactMap { $0 }.joined(separator: " at ")
    return Heading(
      badge: report == nil ? "SETTLED" : "TWO VALUES", text: SafeText(report?.subject ?? line.what),
      trailing: SafeText(place))
  }

  private func settle() {
    guard let report, let chosen = table.selection.focused(of: report.choices),
      let id = table.selection.focused(of: report.contradiction.choices)?.id
    else { return }
    closing.asLead(
      SafeText("\(chosen.text) is right: the reason is kept with it."),
      saying: SafeText("kept: \(chosen.text)")
    ) { lead, reason, transaction in
      try report.contradiction.settle(for: id, reason: reason, by: lead, transaction)
    } then: { [context, weak self] in
      if context.screen === self { _ = context.pop() }
    }
  }

  func follow(_ rows: Set<RowKey>) -> Bool {
    guard let row = line.contradiction, rows.contains(row) else { return false }
    reload()
    return true
  }

  func reload() {
    guard let row = line.contradiction else { return }
    do { report = try context.store.read { try ContradictionReport.read(row, in: $0) } } catch {
      return context.noteUnread(error)
    }
    table.rows = (report?.choices ?? []).enumerated().map { index, choice in
      Table.Row(
        [
          SafeText("\(index + 1)"), SafeText(choice.text), SafeText(choice.staff ?? "the program"),
          SafeText(LocalTime.reading(of: choice.time).time), choice.isStanding ? "counts" : "",
        ], id: report?.contradiction.choices[index].id.description ?? "\(index)")
    }
  }

  // MARK: Drawing

  func tableRegion(_ region: Rect) -> Rect { region.splitBottom(3).rest }

  func draw(on canvas: inout Canvas, in region: Rect) {
    guard report != nil else {
      canvas.draw("One value stands by now.", in: region, row: 1, style: context.theme[.good])
      return
    }
    table.draw(on: &canvas, in: tableRegion(region), theme: context.theme)
    let foot = region.rows(region.height - 2, 2)
    canvas.drawWrapped(
      "Two terminals that had not met each set it. Ask who marked which of them is right.", in: foot,
      style: context.theme[.muted])
  }
}
