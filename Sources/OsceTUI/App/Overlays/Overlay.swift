import Terminal

/// What lies over a screen, under the clock and the candidate's line.
@MainActor
enum Overlay {
  /// A question in a box, each answer with what it does.
  typealias Question = Modal<@MainActor () -> Void>

  case help(HelpOverlay)
  case palette(Palette)
  case question(Question)
  case prompt(Prompt)
  case confirmation(Confirmation)
  case editor(Editor)
  case form(FormSession)
  case checklist(ChecklistSession)
  case reader(Reader)

  /// Whether it covers what the line of messages was about: a form, an editor or a list, not a question.
  var isOfItsOwn: Bool {
    switch self {
    case .editor, .form, .checklist, .reader: true
    case .help, .palette, .question, .prompt, .confirmation: false
    }
  }

  /// Saves what was typed into it since the last time.
  func commit() {
    switch self {
    case .editor(let editor): editor.commit()
    case .form(let session): session.commit()
    default: break
    }
  }

  /// Whether a key may mean something to the screen below: it is no text here, and answers nothing.
  func leaves(_ key: Key) -> Bool {
    switch self {
    case .help, .reader: true
    case .question(let question): if case .open = question.update(key) { true } else { false }
    case .confirmation(let confirmation): !confirmation.takesText || key.typed == nil
    case .palette, .prompt, .editor, .form, .checklist: key.typed == nil
    }
  }

  /// Whether a key does something in the text that is typed here.
  func edits(_ key: Key) -> Bool {
    switch self {
    case .editor: TextKeys.edits(key, inArea: true)
    case .palette, .prompt, .form: TextKeys.edits(key)
    case .confirmation(let confirmation): confirmation.takesText && TextKeys.edits(key)
    case .help, .question, .checklist, .reader: false
    }
  }

  /// What the keys do while it lies there: the screen's own keys do nothing.
  func footer(_ glyphs: Glyphs) -> SafeText {
    switch self {
    case .help, .reader: glyphs.up + glyphs.down + " scroll  Esc close"
    case .palette: "type to find  " + glyphs.up + glyphs.down + " choose  Enter run  Esc close"
    case .question: "press a key from the box  Esc cancel"
    case .prompt: "Enter OK  Esc cancel"
    case .confirmation: "Enter confirm  Esc cancel"
    case .editor(let editor): editor.footer
    case .form: "Esc save and close"
    case .checklist: "press a key from the box  Esc close"
    }
  }
}

/// How what lies over a screen has changed.
@MainActor
enum OverlayChange {
  /// Something lies there now that covers what the line of messages was about.
  case covered
  /// Something else lies there now.
  case asked
  /// A line that is being confirmed was put back, as it is after every key.
  case renewed
  /// What lay there is gone, or another lies in its place.
  case left

  init(from before: Overlay?, to now: Overlay?) {
    self =
      switch (before, now) {
      case (nil, let now?): now.isOfItsOwn ? .covered : .asked
      case (.confirmation, .confirmation): .renewed
      default: .left
      }
  }
}
