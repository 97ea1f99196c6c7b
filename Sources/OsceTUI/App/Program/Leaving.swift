import CircuitModel
import ExamStore
import Reports
import Terminal

/// Leaving a screen, and the program.
extension AppContext {
  /// Goes back to the screen before; from the first, asks whether to quit. What cannot be seen is not left while
  /// something waits.
  func goBack() {
    if navigator.isTooSmall, saves.waiting.isHolding { return }
    guard screen?.mayGoBack() != false else { return }
    if !pop() { askToQuit() }
  }

  /// Says how to quit, also from what lies over the screen.
  func sayHowToQuit() {
    let key = screen?.quitKey ?? key(of: EveryScreen.quit)
    let saved = isDemonstration ? "the demonstration is then deleted" : savedText(naming: 1)
    say("to quit press " + (overlay == nil ? "" : "Esc, then ") + key + "; " + saved)
  }

  /// Asks whether to quit, and says what would be lost.
  func askToQuit() {
    guard navigator.isLeaving || screens.allSatisfy({ $0.mayQuit() }) else { return }
    let text = savedText(naming: 6).plain
    if navigator.isLeaving {
      return askToQuit(
        "Quit before everything is saved?", "\(text). Quitting now LOSES these changes.",
        ("L", "quit and lose changes", { [self] in effects += leave(0) }))
    }
    let quit: @MainActor () -> Void = { [self] in
      overlay?.commit()
      _ = saves.waiting.drop()
      unsaved = UnsavedWork()
      navigator.isLeaving = true
      showMessage("osce will quit once everything is saved", .warning)
    }
    if unsaved.isLosable {
      return askToQuit(
        "Quit osce?", "\(text).\nQuitting LOSES what is not saved.", ("L", "quit and lose it", quit))
    }
    let saved = "\(text.withCapital)."
    askToQuit(
      "Quit osce?", isDemonstration ? "The demonstration and its marks are deleted." : saved, (.enter, "quit", quit))
  }

  /// Ends the program once nothing waits for the disk; what the disk did not take by then is asked about first.
  func leaveOnceSaved() {
    guard navigator.isLeaving, store.pendingWrites == 0 else { return }
    if unsaved.isLosable {
      navigator.isLeaving = false
      askToQuit()
    } else {
      effects += leave(0)
    }
  }

  /// Ends the program: what is typed is saved first, within the second that a lost terminal leaves.
  func leave(_ code: Int32) -> [TerminalEffect] {
    navigator.isLeaving = false
    overlay?.commit()
    if let sitting = sitting {
      store.submit(author, { try sitting.end(in: $0) }) { _ in }
    }
    presence.leave()
    for screen in screens { screen.close() }
    store.close(within: 600)
    return [.exit(code)]
  }
}
