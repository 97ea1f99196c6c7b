import CircuitModel
import ExamStore
import Reports
import Terminal

/// Which keys act on a sheet now: letters do nothing on a written item, and a burst only marks.
extension SheetScreen {
  /// Keeps the keys that must not act here from acting: letters typed at a text item, and what a burst would do
  /// besides marking.
  func takes(_ key: KeyEvent) -> Bool {
    if burst.swallows(key.at) { return true }
    if burst.isOn(at: key.at), !staysInBurst(key.key) {
      burst.swallow()
      context.say(
        "\(key.key.label(context.theme.glyphs)) ignored: keys came faster than typing; pause, then continue", .warning)
      return true
    }
    if stripTakes(key.key) || hiddenTakes(key.key) { return true }
    // Undoing goes on where it leads to a written item: nobody types there yet.
    if followsUndo, undoes(key.key) { return false }
    followsUndo = false
    guard let item = focusedItem, item.template.kind.isWritten, let typed = key.key.typed else { return false }
    if actsOnText(typed) { return false }
    let down = context.theme.glyphs.down
    context.say("text item: Enter edits, " + down + " goes on, Ctrl-Z undoes; letters do nothing", .warning)
    return true
  }

  private func undoes(_ key: Key) -> Bool {
    guard case .action(let command) = bindings.remapped(context.configuration.keys).dispatch(key) else { return false }
    return command == .undo || command == .redo
  }

  private func actsOnText(_ typed: Character) -> Bool {
    "jkgG[]<>'?:!".contains(typed) || (context.modes.isNumberPad && "+-N".contains(typed))
  }

  func settle(before key: KeyEvent) { releaseIdentityStep(key) }

  /// Undoing, signing and what fills blanks act on all that is marked, so also on what is still being saved. Before the
  /// identity step has opened the sheet, what would mark it is refused at once: nobody has seen the sheet yet.
  func patience(for command: Command) -> WaitingKeys.Patience {
    switch command {
    case .undo, .redo, .sign, .signAnyway, .blanksToNotDone, .nextForm, .wrongCandidate: .everything
    case .level, .mark, .unable, .clear, .padUnable, .open: isAtIdentityStep ? .none : .outcome
    default: .outcome
    }
  }

  var refusesWaiting: SafeText? {
    isAtIdentityStep ? "pressed before this candidate was shown; look who is in the room, then Enter" : nil
  }

  func showsInFooter(_ binding: Binding<Command>) -> Bool {
    if flow.isHidden { return actsHidden(binding.action) || binding.action == .back }
    if isAtIdentityStep { return true }
    let isWritten = focusedItem?.template.kind.isWritten == true
    switch binding.action {
    case .open where focusedItem.map({ levelRead(of: $0) != nil }) == true: return takesMarks
    case .open: return takesMarks && (isWritten || focusedItem?.template.kind.recordsWork == true || hasSectionForm)
    case .level, .mark, .unable, .clear, .feedback: return focusedItem != nil && !isWritten && takesMarks
    case .undo: return (!isWritten || followsUndo) && isHere && sheet?.isComplete == false
    case .sign: return !isWritten && isHere
    default: return !isWritten || binding.keys.first.map { $0.typed.map(actsOnText) ?? true } == true
    }
  }

  /// Whether this terminal has the sheet, so that its keys ask nothing before they act.
  private var isHere: Bool { !flow.isTakenOver && !flow.waitsForTakeOver }

  /// Whether the open sheet takes marks and texts now.
  private var takesMarks: Bool { isHere && !isEarly && !isAway && sheet?.isComplete == false }

  func footerRank(_ binding: Binding<Command>) -> Int {
    if isAtIdentityStep { return 0 }
    return switch binding.action {
    case .level, .open, .markEarly, .undo, .nextRound, .sign, .missing, .takeOver, .privacy, .nextForm: 2
    case .unable, .feedback: 1
    default: 0
    }
  }

  private func staysInBurst(_ key: Key) -> Bool {
    guard case .action(let command) = bindings.remapped(context.configuration.keys).dispatch(key) else {
      var selection = rows.selection
      return selection.update(key)
    }
    switch command {
    case .level, .mark, .unable, .clear, .readLeft, .readRight, .padUnable, .padBack, .padNext: return true
    default: return false
    }
  }
}
