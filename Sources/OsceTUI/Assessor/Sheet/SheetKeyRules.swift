import CircuitModel
import ExamStore
import Reports
import Terminal

/// Which keys act on a sheet now: letters do nothing on a written item, and a burst only marks.
extension SheetScreen {
  var marksByKey: Bool { true }

  /// Keeps the keys that must not act here from acting: letters typed at a text item, and what a burst would do
  /// besides marking.
  func takes(_ key: KeyEvent) -> Bool {
    if burst.swallows(key.at) { return true }
    if burst.isOn(at: key.at), !staysInBurst(key.key) {
      burst.swallow()
      context.showMessage(
        "\(key.key.label(context.theme.glyphs)) ignored: keys came faster than typing; pause, then continue", .warning)
      return true
    }
    if stripTakes(key.key) || hiddenTakes(key.key) { return true }
    // Undoing goes on where it leads to a written item: nobody types there yet.
    if followsUndo, undoes(key.key) { return false }
    followsUndo = false
    guard let item = focusedItem, item.template.kind.isWritten, key.key.typed != nil else { return false }
    if context.boundKey(key.key).map(actsOnText) == true { return false }
    // What cannot be written on is not offered to be.
    if ownership.isTakenOver || context.clock.lock != nil {
      _ = mayTakeKeys()
      return true
    }
    // Nothing is typed at a signed sheet: the key that reopens it acts wherever the focus is.
    if sheet?.isSigned == true, ownKey(key.key) == Keys.sign.name.id { return false }
    let down = context.theme.glyphs.down
    let undoes = Keys.undo.name.keys(context.configuration.keys).first { $0.typed == nil }
      .map { ", " + $0.label(context.theme.glyphs) + " undoes" }
    showFocusMessage("text item: Enter edits, " + down + " goes on" + (undoes ?? "") + "; letters do nothing", .warning)
    return true
  }

  private func undoes(_ key: Key) -> Bool {
    ownKey(key).map { Keys.ofUndoing.contains($0) } == true
  }

  private func actsOnText(_ id: BindingID) -> Bool {
    Keys.onText.contains(id) || (context.modes.isNumberPad && Keys.onTextWithPad.contains(id))
  }

  func settle(before key: KeyEvent) { releaseIdentityStep(key) }

  var refusesWaiting: SafeText? {
    isAtIdentityStep ? "pressed before this candidate was shown; check who is in the room, then Enter" : nil
  }

  func showsInFooter(_ name: KeyName) -> Bool {
    if surroundings.isHidden { return Keys.whileHidden.contains(name.id) || name.id == EveryScreen.back.name.id }
    if isAtIdentityStep { return true }
    let isWritten = focusedItem?.template.kind.isWritten == true
    switch name.id {
    case Keys.open.name.id where focusedItem.map({ levelRead(of: $0) != nil }) == true: return offersMarking
    case Keys.open.name.id:
      return offersMarking && (isWritten || focusedItem?.template.kind.recordsWork == true || hasSectionForm)
    case Keys.level.name.id where focusedItem?.template.levels.isEmpty == true: return false
    case let id where Keys.ofLevels.contains(id): return focusedItem != nil && !isWritten && offersMarking
    case Keys.undo.name.id: return (!isWritten || followsUndo) && ownership.isHere && sheet?.isSigned == false
    case Keys.sign.name.id: return (!isWritten || sheet?.isSigned == true) && ownership.isHere
    default: return !isWritten || actsOnText(name.id) || name.keys(context.configuration.keys).first?.typed == nil
    }
  }

  /// Whether a mark would be taken now, so that its keys are offered; pressed where it would not be, they say why.
  private var offersMarking: Bool {
    ownership.isHere && context.clock.lock == nil && !isEarly && !isAbsent && sheet?.isSigned == false
  }

  func footerRank(_ name: KeyName) -> Int {
    isAtIdentityStep ? (Keys.ofIdentity.contains(name.id) ? 1 : 0) : name.rank
  }

  private func staysInBurst(_ key: Key) -> Bool {
    if let id = ownKey(key) { return Keys.ofBurst.contains(id) }
    var selection = rows.selection
    return selection.update(key)
  }
}
