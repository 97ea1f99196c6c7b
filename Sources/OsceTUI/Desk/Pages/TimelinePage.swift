import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

/// What happened to the session's clock, the latest first, with the time lost and why.
@MainActor
final class TimelinePage: DeskListing {
  let desk: Desk
  var table = Table([
    .init("Time", width: 8), .init("What", width: 34, stretch: 2, fits: true), .init("Lost", width: 7, .right),
    .init("Why", width: 10, stretch: 2, fits: true), .init("Who", width: 8, stretch: 1, fits: true),
  ])
  /// The columns of the terminal.
  private var width = 80
  /// From this many columns on a phase has its planned times beside the real ones.
  private static let wideColumns = 118

  private var lines: [TimelineLine] = []

  init(_ desk: Desk) { self.desk = desk }

  nonisolated static let keys = KeyTable<TimelinePage>("Log", at: .desk, [])

  let emptyText: SafeText = "The clock has not started"

  var detail: String {
    guard let line = table.selection.focused(of: lines) else { return "" }
    return [line.text, line.reason, line.who].compactMap { $0 }.joined(separator: "; ")
  }

  /// What a line says, without the time that its own column has, and where there is little room without the plan, which
  /// the focused line has below.
  private func text(_ line: TimelineLine) -> String {
    guard line.kind == .phase, let passage = line.passage else { return line.text }
    return passage.textBesideStart(hasPlan: width >= TimelinePage.wideColumns)
  }

  func fit(width: Int) {
    guard self.width != width else { return }
    self.width = width
    do { try reload() } catch { context.noteUnread(error) }
  }

  func clockMoved() throws { try reload() }

  func reload() throws {
    guard let session = desk.session else {
      lines = []
      return table.rows = []
    }
    let now = desk.now
    let timeline = try context.store.read { try SessionTimeline.read(session, at: now, in: $0) }
    lines = timeline.lines.reversed()
    var rows = lines.map { line in
      let time = LocalTime.reading(of: line.at).time
      return Table.Row(
        [
          SafeText(time), SafeText(text(line)),
          SafeText(line.lostMs > 0 ? PhaseText.digits(line.lostMs) : ""), SafeText(line.reason ?? ""),
          SafeText(line.who ?? ""),
        ], role: line.lostMs > 0 ? .warning : .normal)
    }
    if !rows.isEmpty {
      rows.append(
        Table.Row(["", "Lost in all", SafeText(PhaseText.digits(timeline.lostMs)), "", ""], role: .heading))
    }
    table.rows = rows
  }
}
