import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal

/// Whom to call, for what, and at which terminal they still are.
@MainActor
final class ChaseScreen: TableScreen {
  /// One thing to chase.
  struct Line {
    let number: String
    let column: Int
    let round: Int?
    let place: StationSession
    let what: String
    let who: String
    let terminal: String
  }

  let context: AppContext
  private let lead: LeadScreen
  private var lines: [Line] = []
  var table = Table([
    .init("Station", width: 8), .init("Number", width: 9), .init("What", width: 28, stretch: 2),
    .init("Who", width: 16, stretch: 1), .init("Where now", width: 13),
  ])

  /// - Parameter lead: the screen whose grid it lists.
  init(_ context: AppContext, _ lead: LeadScreen) {
    self.context = context
    self.lead = lead
    fill()
  }

  private func fill() {
    lines = lead.grid.map(ChaseScreen.lines) ?? []
    table.rows = lines.map {
      Table.Row(
        [
          SafeText($0.place.stationCode), SafeText($0.number), SafeText($0.what), SafeText($0.who),
          SafeText($0.terminal),
        ],
        id: "\($0.number) \($0.column) \($0.round ?? 0)")
    }
  }

  private static func lines(_ grid: LeadGrid) -> [Line] {
    grid.rows.flatMap { row in
      row.cells.enumerated().flatMap { column, cell in cell.visits.map { (column, $0) } }.compactMap { column, cell in
        guard cell.isToChase || cell.hasConcern || cell.hasConflict else { return nil }
        let place = grid.columns[column].place
        let at = cell.assessor.flatMap { who in grid.terminals.first { $0.staff == who.staff }?.terminal }
        return Line(
          number: row.number, column: column, round: cell.round, place: place,
          what: cell.isToChase
            ? cell.text : cell.hasConflict ? "two values of one field: see closing" : "a concern was raised",
          who: cell.assessor?.name ?? "nobody",
          terminal: at ?? "not signed in")
      }
    }
  }

  nonisolated static let keys = KeyTable<ChaseScreen>(
    "Chase", at: .desk,
    [
      KeyBinding(
        "chase.open", [.enter], "go there", help: "Go to this candidate and station on the grid", group: "Chase",
        when: { $0.lines.isEmpty ? .disabled("there is nothing to chase") : .enabled }
      ) { screen, _ in screen.open() },
      KeyBinding(
        "chase.message", ["t"], "message", help: "Send a line to the station of this line", group: "Chase",
        when: { $0.lines.isEmpty ? .disabled("there is nothing to chase") : .enabled }
      ) { screen, _ in
        if let line = screen.focused { MessageForm(context: screen.context).ask(to: line.place) }
      },
      .back("chase.back", "Back to the grid", group: "Chase"),
    ])

  var heading: Heading { Heading(text: "To chase", trailing: SafeText("\(lines.count)")) }

  private var focused: Line? { table.selection.focused(of: lines) }

  private func open() {
    guard let line = focused else { return }
    _ = context.pop()
    lead.focus(line)
  }

  // MARK: Reading, with the grid and at its pace

  func reload() {
    lead.reload()
    fill()
  }

  func follow(_ rows: Set<RowKey>) -> Bool { lists(after: lead.follow(rows)) }

  func clockMoved() {
    lead.clockMoved()
    fill()
  }

  var canPrerender: Bool { false }

  func passTime(_ now: Int64) -> Bool { lists(after: lead.passTime(now)) }

  var deadline: Int64? { lead.deadline }

  /// Lists what the grid has now, if it has something else.
  private func lists(after isOther: Bool) -> Bool {
    if isOther { fill() }
    return isOther
  }

  func draw(on canvas: inout Canvas, in region: Rect) {
    table.draw(on: &canvas, in: region, theme: context.theme)
    if lines.isEmpty { canvas.draw("Nothing to chase.", in: region, row: 2, style: context.theme[.good]) }
  }
}
