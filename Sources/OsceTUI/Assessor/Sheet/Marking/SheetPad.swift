import CircuitModel
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

  /// Why the focused item takes no unable to assess; nil where it does.
  var unableRefusal: SafeText? {
    guard let item = focusedItem?.template, !item.allowsUnable else { return nil }
    return labels.unableRefusal(in: item)
  }

  func padUnable(_ key: KeyEvent?) {
    if let refusal = unableRefusal { return showFocusMessage(refusal, .warning) }
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
