import Terminal

/// What keys and pasted text do to what lies over a screen.
extension ScreenProgram {
  /// Does what the screen does also under what lies over it, and takes that away.
  /// - Returns: false if the key is for what lies there.
  func pressThrough(_ overlay: Overlay, _ key: KeyEvent) -> Bool {
    let keys = keys
    guard overlay.leaves(key.key), let found = keys.find(key.key), found.acts(over: overlay) else { return false }
    if case .disabled(let reason) = found.availability {
      context.showMessage(SafeText(reason), .warning)
    } else {
      overlay.commit()
      context.overlay = nil
      act(found, key, keys)
    }
    return true
  }

  func pressOverlay(_ key: KeyEvent) {
    let interrupts = EveryScreen.interrupt.name.keys(context.configuration.keys).contains(key.key)
    // The question before the program is left says itself how.
    if interrupts, !context.navigator.asksToQuit { return context.sayHowToQuit() }
    switch context.overlay {
    case .help(let help): press(key, help)
    case .palette(let palette): press(key, palette)
    case .question(let question): press(key, question)
    case .prompt(let prompt): press(key, prompt)
    case .confirmation(let confirmation): press(key, confirmation)
    case .editor(let editor): press(key, editor)
    case .form(let session): press(key, session)
    case .checklist(let session): press(key, session)
    case .reader(let reader): press(key, reader)
    case nil: break
    }
  }

  private func press(_ key: KeyEvent, _ help: HelpOverlay) {
    var help = help
    let body = overlayLayout(size).body
    let lines = HelpOverlay.lineCount(helpTable, width: body.width - 4)
    let isOpen = help.update(key.key, lines: lines, height: body.height - 2)
    context.overlay = isOpen ? .help(help) : nil
  }

  private func press(_ key: KeyEvent, _ palette: Palette) {
    var palette = palette
    let keys = keys
    switch palette.update(key.key, keys.listing) {
    case .chosen(let id):
      context.overlay = nil
      guard let found = keys.find(id) else { return }
      if context.saves.isSaving, found.patience == .everything {
        return context.showMessage(
          "NOT DONE: a change still waits for the disk; choose it again when it is saved", .warning)
      }
      act(found, nil, keys)
    case .refused(let reason):
      context.overlay = nil
      context.showMessage(SafeText(reason), .warning)
    case .closed: context.overlay = nil
    case .open: context.overlay = .palette(palette)
    }
  }

  private func press(_ key: KeyEvent, _ question: Overlay.Question) {
    switch question.update(key.key) {
    case .answered where context.keyTimes.areTogether: refuseUnseen(key)
    case .answered(let act):
      context.overlay = nil
      act()
    case .dismissed: context.overlay = nil
    case .open: sayAnswers(question)
    }
  }

  private func press(_ key: KeyEvent, _ prompt: Prompt) {
    var prompt = prompt
    switch key.key {
    case .enter:
      if prompt.isRefused { context.messages.clear() }
      context.overlay = nil
      if let refusal = context.refusal(of: { prompt.done(prompt.text) }), context.overlay == nil {
        context.overlay = .prompt(prompt.refused(refusal))
      }
    case .escape:
      context.leaveOverlay(clearing: prompt.isRefused)
      prompt.leave()
    default:
      prompt.update(key)
      context.overlay = .prompt(prompt)
    }
  }

  private func press(_ key: KeyEvent, _ confirmation: Confirmation) {
    var confirmation = confirmation
    switch confirmation.update(key.key) {
    case .confirmed where context.keyTimes.areTogether:
      // The line of messages lies under the question, which says it itself.
      context.overlay = .confirmation(confirmation.refused(unseenText(key)))
      refuseUnseen(key)
    case .confirmed(let reason):
      context.overlay = nil
      confirmation.act(reason)
    case .refused(let text):
      context.overlay = .confirmation(confirmation)
      context.showMessage(text, .warning)
    case .dismissed: context.leaveOverlay(clearing: confirmation.isRefused)
    case .open: context.overlay = .confirmation(confirmation)
    }
  }

  private func press(_ key: KeyEvent, _ editor: Editor) {
    switch editor.update(key.key) {
    case .finished:
      editor.commit()
      context.leaveOverlay()
    case .refused(let reason): context.showMessage(SafeText(reason), .warning)
    case .edited, .moved, .ignored: break
    }
  }

  private func press(_ key: KeyEvent, _ session: FormSession) {
    let step = session.update(key.key)
    if let text = step.says { context.showMessage(SafeText(text), .warning) }
    if step.closes { context.leaveOverlay() }
  }

  private func press(_ key: KeyEvent, _ session: ChecklistSession) {
    switch session.list.update(key.key, count: session.rows().count) {
    case .toggled(let row): session.toggle(row)
    case .closed: context.overlay = nil
    case .open: break
    }
  }

  private func press(_ key: KeyEvent, _ reader: Reader) {
    if key.key == .escape || key.key == "q" || key.key == .enter {
      context.overlay = nil
      reader.closed?()
    } else {
      var reader = reader
      reader.update(key.key, overlayLayout(size).body.size)
      context.overlay = .reader(reader)
    }
  }

  func paste(_ text: String) {
    if context.navigator.lock != nil { return }
    switch context.overlay {
    case .prompt(var prompt):
      prompt.paste(text)
      context.overlay = .prompt(prompt)
    case .confirmation(var confirmation):
      confirmation.paste(text)
      context.overlay = .confirmation(confirmation)
    case .palette(var palette):
      palette.paste(text)
      context.overlay = .palette(palette)
    case .editor(let editor):
      if case .refused(let reason) = editor.area.paste(text) { context.showMessage(SafeText(reason), .warning) }
    case .form(let session):
      if case .refused(let reason) = session.form.paste(text) { context.showMessage(SafeText(reason), .warning) }
    case .help, .question, .reader, .checklist: break
    case nil where context.screen?.typesText == true: context.screen?.paste(text)
    case nil: context.showMessage("paste ignored: no text field is open", .warning)
    }
  }

  private func sayAnswers(_ question: Overlay.Question) {
    let names = (question.keys + [.escape]).map { $0.label(context.theme.glyphs).plain }
    context.messages.showOfBox(SafeText("press one of: \(names.joined(separator: ", "))"), .muted)
  }

  private func refuseUnseen(_ key: KeyEvent) { context.messages.showOfBox(unseenText(key), .warning) }

  private func unseenText(_ key: KeyEvent) -> SafeText {
    "\(key.key.label(context.theme.glyphs)) ignored: pressed before the question appeared; answer it now"
  }
}
