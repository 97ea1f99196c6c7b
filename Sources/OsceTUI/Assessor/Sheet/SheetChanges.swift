import CircuitModel
import ExamStore
import Reports
import Terminal

/// Whether a sheet takes changes now, and why not.
extension SheetScreen {
  /// Why nothing is marked here whatever the item, so that the mark keys are seen to be off; nil where it can be.
  var markingIsOff: String? {
    if ownership.isTakenOver { return takenOverText.plain }
    if let lock = context.clock.lock { return "\(lock)" }
    return surroundings.isHidden ? hiddenText : nil
  }

  /// Whether the open sheet takes changes; says why, or asks, where it does not.
  func mayChange() -> Bool {
    guard mayUndo() else { return false }
    let number = SafeText(entry?.candidate?.number ?? "")
    if isAbsent {
      context.showMessage(
        "NOT CHANGED: \(number) is recorded absent; \(context.key(of: Keys.attendance)) changes attendance", .warning)
      return false
    }
    if presence.hasBegun || identity.mayMarkEarly { return true }
    // Only a line: a box would be answered by the next level key, y being one.
    showPhaseMessage("NOT CHANGED: \(number) is not due yet; \(context.key(of: Keys.early)) marks early", .warning)
    return false
  }

  /// Whether the open sheet's changes may be undone, which they may at any time; says why where they may not.
  func mayUndo() -> Bool {
    guard mayTakeKeys() else { return false }
    if sheet?.isSigned == true {
      context.showMessage("this sheet is signed: \(context.key(of: Keys.sign)) reopens it, with a reason", .warning)
      return false
    }
    return true
  }

  /// Whether the candidate was recorded absent and is not to be marked.
  var isAbsent: Bool { entry.map { !$0.isPractice && context.clock.isAbsent($0) } ?? false }

  /// Whether marks are refused only because the candidate's rotation has not begun.
  var isEarly: Bool { !isAtIdentityStep && !presence.hasBegun && !identity.mayMarkEarly }
}
