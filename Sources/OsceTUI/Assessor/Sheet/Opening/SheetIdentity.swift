import CircuitModel
import ExamStore
import Reports
import Terminal

/// The identity step: what is asked before a sheet opens.
extension SheetScreen {
  nonisolated static let noSheetAtRest = "a rest station has no mark sheet"

  /// - Parameter key: what asked for it; nil: the palette.
  func passIdentityStep(_ key: KeyEvent?) {
    // A second Enter, pressed before the first is on the disk, is the same answer.
    guard let entry, !identity.isPassing else { return }
    if let key {
      switch identity.judge(key, context.keyTimes) {
      case .answer: break
      case .tooSoon: return context.showMessage("Enter ignored: look at the candidate, then press it again", .warning)
      case .perhapsHeld: return
      }
    }
    passIdentityStep(of: entry)
  }

  private func passIdentityStep(of entry: RosterEntry) {
    if let refusal = identityRefusal { return context.showMessage(SafeText(refusal), .warning) }
    if session.isRest { return context.showMessage(SafeText(SheetScreen.noSheetAtRest), .warning) }
    askDigits(of: entry) { [self] in chooseForm(of: entry) { [self] in open(entry, form: $0) } }
  }

  /// When the Enter that waits counts, or the time after the bell changes: also where the hall's clock stands.
  var deadline: Int64? {
    let left = entry.flatMap { context.clock.leftAfterBell(of: $0) }
    return [identity.pace.due, left.map { context.monotonic() + ($0 - 1) % 1000 + 1 }].compactMap { $0 }.min()
  }

  /// Passes the identity step by the Enter that waited, which no repeat has followed.
  func passTime(_ now: Int64) -> Bool {
    let seconds = secondsAfterBell
    defer { shownAfterBell = seconds }
    // Whose time after the bell is over has left.
    if seconds == nil, shownAfterBell != nil { readSuccessor() }
    guard identity.pace.take(at: now) else { return seconds != shownAfterBell }
    passIdentityStepThatWaited()
    return true
  }

  /// Passes it by the Enter that waited, as another key has followed.
  func releaseIdentityStep(_ key: KeyEvent) {
    if key.key != .enter, identity.pace.takeForOtherKey() { passIdentityStepThatWaited() }
  }

  private func passIdentityStepThatWaited() {
    guard isAtIdentityStep, let entry, !identity.isPassing else { return }
    passIdentityStep(of: entry)
  }

  /// Whether by the clock somebody else is in the room, or nobody before the candidate's own reading: nobody can have
  /// seen the candidate yet.
  var isNotDueYet: Bool {
    guard isAtIdentityStep, !identity.mayMarkEarly, let entry else { return false }
    return context.clock.isNotDueYet(entry)
  }

  /// Whether by the clock the candidate has left while the circuit goes on: someone else is in the room. Marks
  /// from paper are of those who have left.
  var hasGone: Bool {
    guard isAtIdentityStep, !identity.mayMarkEarly, context.modes.paper == nil, presence == .left, let entry,
      entry.identityCheckedAt == nil, let state = context.clock.state
    else { return false }
    return state.status.isOpen
  }

  /// Whether nobody can confirm now that the candidate is in the room.
  var isElsewhere: Bool { isNotDueYet || hasGone }

  /// Whether the candidate of the step can be the one in the room.
  var identityStanding: SheetIdentityView.Standing {
    context.clock.lock != nil ? .locked : isAbsent ? .absent : hasGone ? .gone : isNotDueYet ? .notDueYet : .expected
  }

  /// Why Enter does not pass the identity step; nil where it does.
  var identityRefusal: String? {
    guard isAtIdentityStep else { return nil }
    if entry == nil { return "no candidate here: \(wayOn)" }
    if let lock = context.clock.lock { return "\(lock)" }
    if isAbsent { return "recorded absent: \(context.key(of: Keys.attendance)) changes attendance" }
    return isElsewhere ? elsewhereText : nil
  }

  /// Whether Enter opens the sheet to type what stands on paper, and confirms nobody's identity.
  var opensFromPaper: Bool { context.modes.paper != nil && entry?.isPractice == false }

  /// What comes before any mark.
  var identityStepText: String {
    if let identityRefusal { return identityRefusal }
    if entry?.isPractice == true { return "press Enter: it opens the practice sheet" }
    return opensFromPaper
      ? "press Enter once this is the candidate on the paper sheet"
      : "press Enter once you have checked who is in the room"
  }

  /// What is said instead of passing the step for somebody who is not here.
  var elsewhereText: String {
    let early = context.key(of: Keys.early).plain
    guard hasGone else { return "not due yet: \(early), then Enter, opens this sheet early" }
    let number = entry?.candidate?.number ?? ""
    let next =
      surroundings.following.map { "\(context.key(of: Keys.nextRound).plain) opens \($0.candidate?.number ?? ""); " }
      ?? ""
    return "\(number) has left: \(next)\(early), then Enter, opens this sheet anyway"
  }

  /// Asks for the last digits on the candidate's badge, where the exam wants them.
  private func askDigits(of entry: RosterEntry, _ done: @escaping @MainActor () -> Void) {
    guard !opensFromPaper, let candidate = entry.candidate, context.rules.identityDigits > 0 else { return done() }
    context.prompt("Last \(context.rules.identityDigits) digits of the number on the badge:") { [context] typed in
      if context.rules.accepts(typed: typed, number: candidate.number) { return done() }
      context.refuse("these are not the last digits of \(SafeText(candidate.number)): look at the badge again")
    }
  }

  private func open(_ entry: RosterEntry, form: Int?) {
    identity.isPassing = true
    let (seat, opensFromPaper) = (seat, opensFromPaper)
    let body: @Sendable (JournalTransaction) throws -> [String] = {
      opensFromPaper
        ? try Attendance.openFromPaper(entry: entry, seat: seat, form: form, in: $0)
        : try Attendance.passIdentityStep(entry: entry, seat: seat, form: form, in: $0)
    }
    context.save(with: .awaited, body) { [self] result in
      identity.isPassing = false
      guard case .success = result, !isCovered else { return }
      confirmExchange()
      if opensFromPaper { openFromPaper() }
      reload()
      if form != nil, let other = otherSheetText { return context.showMessage(other, .warning) }
      let said: SafeText =
        entry.isPractice
        ? "practice: nothing here counts"
        : opensFromPaper ? "candidate present by the paper sheet" : "identity checked; candidate present"
      context.showMessage(
        form == nil ? said : said + "; \(context.key(of: Keys.nextForm)) chooses another sheet", .good)
    }
  }
}
