import CircuitModel
import ExamStore
import Reports
import Terminal

/// The number pad: one hand marks, goes on and back, and the keys printed on the levels stay true.
extension SheetScreen {
  func togglePad() {
    context.modes.isNumberPad.toggle()
    context.showMessage(
      context.modes.isNumberPad
        ? "NUMBER PAD: digits are the mark, . unable, - back, + next, Enter; \(context.key(of: Keys.numberPad)) ends it"
        : "number pad off")
  }

  func padUnable(_ key: KeyEvent?) {
    if focusedItem?.template.allowsUnable == false { return showFocusMessage("not offered on this item", .warning) }
    change(at: key?.at) { try $0.give(.unable, to: $1) }
  }

  /// To the next item or the one before, past headings.
  func stepOnPad(_ step: Int) {
    readLevel = nil
    var place = rows.selection.index + step
    while rows.rows.indices.contains(place), case .section = rows.rows[place] { place += step }
    if rows.rows.indices.contains(place) { rows.selection.index = place }
  }
}

/// A line noted while watching.
extension SheetScreen {
  func askJot() {
    guard let entry else { return }
    let phase = context.clock.text(at: context.store.clock.now)
    context.prompt(SafeText("Note" + (phase.map { " (\($0))" } ?? "") + ":"), keptAs: "jot \(entry.key)") {
      [context] text in
      context.save({ try Jots.add(text, entry: entry.key, phase: phase, in: $0) }) { result in
        guard case .success = result else { return }
        context.setUndoHint("your private note stays")
        context.showMessage(
          "note saved; Ctrl-P inserts it in a comment; \(context.key(of: Keys.undo)) undoes marks only", .good)
      }
    }
  }
}
