import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

extension SheetScreen {
  /// Lists everything that the focused item was ever set to.
  func showHistory() {
    guard let item = focusedItem, let number = rows.number(of: item) else {
      return showFocusMessage("an item has a history: go to one", .warning)
    }
    do {
      let changes = try context.store.read { try ItemHistory.read(item, in: $0) }
      if changes.isEmpty { return showFocusMessage("item \(number) was never marked", .muted) }
      context.overlay = .reader(
        Reader(
          title: "History of item \(number) (Esc closes)",
          text: changes.reversed().map { text(for: $0) }.joined(separator: "\n")))
    } catch { context.showError(error) }
  }

  private func text(for change: ItemHistory.Change) -> String {
    let time = change.examTime ?? change.wallTime
    let phase = context.clock.text(at: time).map { " (\($0))" } ?? ""
    var parts = [
      "\(LocalTime.reading(of: time).time)\(phase)  \(change.text)", "by \(change.name ?? "somebody")",
    ]
    if change.isFromPaper { parts.append("from paper, judged by \(change.judge ?? change.name ?? "somebody")") }
    if !change.place.isEmpty { parts.append(change.place) }
    if let reason = change.reason { parts.append("because: \(reason)") }
    parts.append(change.isStanding ? "STANDS" : "superseded")
    switch change.held {
    case .hub: parts.append("at the hub")
    case .attention: parts.append("refused by the hub")
    case .disk, .empty: break
    }
    return parts.joined(separator: ", ")
  }
}
