import Characters
import CircuitModel
import ExamStore
import Journal
import Reports
import Standards
import Terminal

/// The scored items of a station, and what was given for them: one that went wrong can be left out.
@MainActor
final class StationItemsScreen: TableScreen {
  let context: AppContext
  private let results: ResultsScreen
  private let station: String
  private var items: [StationItem] = []
  var table = Table([
    .init("Item", width: 14, stretch: 1), .init("What is marked", width: 30, stretch: 4), .init("of", width: 4, .right),
    .init("n", width: 4, .right), .init("given %", width: 7, .right), .init("", width: 8),
  ])

  init(_ context: AppContext, _ results: ResultsScreen, _ station: String) {
    (self.context, self.results, self.station) = (context, results, station)
    reload()
  }

  nonisolated private static let group = "Items"
  nonisolated static let keys = KeyTable<StationItemsScreen>(
    "Items of a station", at: .desk,
    [
      KeyBinding(
        "items.exclude", ["x"], "leave out", help: "Leave this item out: what changes, then a reason", group: group,
        when: { $0.canLeaveOut }
      ) { screen, _ in screen.leaveOut() },
      .back("items.back", "Back to the station", group: group),
    ])

  private var item: StationItem? { table.selection.focused(of: items) }

  private var canLeaveOut: Availability {
    guard let item else { return .disabled("the station has no scored item") }
    return item.isLeftOut ? .disabled("it is in no score") : .enabled
  }

  let showsClock = false

  var heading: Heading {
    Heading(
      badge: SafeText(station), text: SafeText(Plural.count(items.count, "scored item")))
  }

  private func leaveOut() {
    guard let item else { return }
    results.leaveOut("\(station) \(item.key)", .init(station: station, item: item.key)) { [weak self] in
      self?.reload()
    }
  }

  func reload() {
    do {
      items = try context.store.read { [station] db in
        try StationItem.all(of: station, PolicyInForce.read(.init(), in: db).policy, in: db)
      }
    } catch { return context.noteUnread(error) }
    table.rows = items.map { item in
      Table.Row(
        [
          SafeText(item.key), SafeText(item.text), SafeText(Figure.tenths(item.maximum)), SafeText("\(item.n)"),
          SafeText(Figure.tenths(item.percent)), SafeText(item.isLeftOut ? "left out" : ""),
        ], role: item.isLeftOut ? .muted : .normal, id: item.key)
    }
  }

  func follow(_ rows: Set<RowKey>) -> Bool { false }

  func draw(on canvas: inout Canvas, in region: Rect) {
    table.draw(on: &canvas, in: region, theme: context.theme)
  }
}
