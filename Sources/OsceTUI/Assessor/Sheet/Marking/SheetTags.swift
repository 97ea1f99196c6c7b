import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal

/// What else can be said of an item beside its mark: its tags, that it is recommended, that it completes the case.
extension SheetScreen {
  func showTags() {
    guard let item = focusedItem, let number = rows.number(of: item) else {
      return showFocusMessage("tags are set on an item", .warning)
    }
    if let obstacle = item.template.obstacle { return showFocusMessage(SafeText(obstacle), .warning) }
    guard mayChange() else { return }
    let title = SafeText("Item \(number): \(item.template.text)").truncated(to: 60)
    context.overlay = .checklist(
      ChecklistSession(
        title,
        rows: { [self] in
          let now = current(item) ?? item
          return now.template.tags.map { Checklist.Row(SafeText($0), isOn: now.tags.contains($0)) } + [
            Checklist.Row("recommended", isOn: now.isRecommended),
            Checklist.Row("completes the case", isOn: now.isCompletedCase),
          ]
        },
        toggle: { [self] in toggle($0, on: item) }))
  }

  private func toggle(_ row: Int, on item: SheetItem) {
    guard let item = current(item), pending[item.key] == nil else {
      return context.showMessage("not yet: the last change is still being saved", .warning)
    }
    let tags = item.template.tags
    // The box belongs to the item that it was opened on.
    rows.focus(item: item.key)
    change(at: nil, steps: false) { marking, item in
      switch row - tags.count {
      case 0: return try marking.set(recommended: !item.isRecommended, on: item)
      case 1: return try marking.set(completedCase: !item.isCompletedCase, on: item)
      default:
        let tag = tags[row]
        guard let operation = try marking.set(tag: tag, !item.tags.contains(tag), on: item) else {
          throw StoreError("the tag \(tag) was set elsewhere meanwhile")
        }
        return operation
      }
    }
  }
}
