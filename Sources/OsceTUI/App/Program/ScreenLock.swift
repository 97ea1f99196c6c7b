import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

/// A terminal that is locked: clock and candidate stay, the rest comes back for the person who sits here.
struct ScreenLock {
  /// What a key did.
  enum Outcome {
    case unlocked
    case passcode(String)
    case open
  }

  let member: StaffMember
  private var field: TextField
  private var note: SafeText = ""
  /// Whether the passcode was right.
  private(set) var isOpened = false
  /// Whether it was said what is lost by leaving now, and no other key came since.
  private(set) var hasWarned = false
  /// Whether a passcode is being looked at: what is typed meanwhile is for nothing.
  private(set) var isChecking = false

  init(_ member: StaffMember) {
    self.member = member
    field = TextField(prompt: SafeText("Passcode of \(member.name): "), isSecret: true)
  }

  /// Says what is lost by leaving now.
  mutating func warn(_ line: SafeText) { (note, hasWarned) = (line, true) }

  mutating func update(_ key: Key) -> Outcome {
    hasWarned = false
    if isChecking { return .open }
    guard member.hasPasscode else {
      // No level key, so that marking a screen that nobody looks at does not open it.
      if key == .enter { return .unlocked }
      note = SafeText("locked: press Enter if you are \(member.name)")
      return .open
    }
    switch key {
    case .enter:
      let typed = field.text
      field.clear()
      isChecking = true
      note = ""
      return .passcode(typed)
    case .escape: field.clear()
    default: _ = field.update(key)
    }
    note = ""
    return .open
  }

  /// Takes what came of the passcode that was typed.
  mutating func take(_ result: Result<PasscodeProof, any Error>) {
    isChecking = false
    switch result {
    case .success: isOpened = true
    case .failure(let error): note = SafeText("\(error)")
    }
  }

  @MainActor func draw(on canvas: inout Canvas, _ layout: ProgramLayout, _ context: AppContext) {
    let (body, theme) = (layout.body, context.theme)
    let saved = context.savedText(naming: 0).plain
    let ask = member.hasPasscode ? "The passcode unlocks." : "Are you \(SafeText(member.name))? Enter unlocks."
    canvas.draw("LOCKED", in: body, row: 1, style: theme[.heading])
    canvas.drawWrapped("\(saved.withCapital). \(ask)", in: body.rows(3, 6), style: theme[.normal])
    let line = body.row(6)
    if member.hasPasscode {
      field.draw(on: &canvas, in: line, theme: theme)
    } else {
      canvas.cursor = line.origin
    }
    canvas.drawWrapped(note.plain, in: body.rows(8, 11), style: theme[.error])
    let loses: SafeText = context.unsaved.isLosable ? " and LOSES what is not saved" : ""
    canvas.draw(
      "Ctrl-Q quits osce" + loses + "; someone else can then sign in", in: layout.footer, style: theme[.muted])
  }
}

extension AppContext {
  /// Locks the terminal for the person who sits at a station.
  func lockScreen() {
    guard let sitting, navigator.lock == nil else { return }
    navigator.lock = ScreenLock(sitting.staff)
    message.clear()
  }

  /// Whether nobody has pressed a key for as long as the exam allows. Never while a run of the session is open.
  func isIdle(since lastKey: Int64) -> Bool {
    guard navigator.lock == nil, sitting != nil, rules.idleLockMinutes > 0, let screen, screen.isSignedIn,
      !screen.keepsUnlocked
    else { return false }
    if clock.state?.status.isOpen == true { return false }
    return monotonic() - lastKey >= Int64(rules.idleLockMinutes) * 60_000
  }
}
