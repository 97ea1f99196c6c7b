import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal

/// What was marked for the wrong candidate: move it, swap two, shift a run of them.
@MainActor
enum WrongCandidateQuestion {
  static func ask(_ context: AppContext, _ session: StationSession, _ seat: Seat, _ entry: RosterEntry) {
    func choose(_ way: WrongCandidateScreen.Correction) -> @MainActor () -> Void {
      { context.push(WrongCandidateScreen(context, session, seat, entry, way)) }
    }
    // The entry was read when its screen was opened: what was marked since is on the disk.
    let stored = context.read { try Roster.entry(entry.key, seat: seat, in: $0) }
    let entry = stored.flatMap { $0 } ?? entry
    let isBlank = entry.sheets.allSatisfy { $0.answered == 0 }
    if entry.isPractice, isBlank {
      return context.showMessage("practice: nothing is marked that could be moved", .muted)
    }
    let number = entry.candidate?.number ?? "the practice sheet"
    let what = isBlank ? "Nothing is marked on \(number)." : "These marks on \(number) belong to someone else."
    context.ask(
      "Wrong candidate", what + " Nothing changes until you confirm.",
      [
        ("m", "move it to a candidate whose sheet is blank", choose(.move)),
        ("s", "swap it with another candidate's", choose(.swap)),
        ("l", "shift sheets one round later, from a round onwards", choose(.shift(.later))),
        ("e", "shift sheets one round earlier, from a round onwards", choose(.shift(.earlier))),
      ])
  }
}

/// The rounds of a station session, to choose whose sheet it is.
@MainActor
final class WrongCandidateScreen: TableScreen, StationScreen {
  /// How sheets change places.
  enum Correction: Equatable {
    case move, swap
    case shift(WrongCandidate.Direction)
  }

  let context: AppContext
  let session: StationSession
  let seat: Seat
  private let entry: RosterEntry
  private let way: Correction
  private var entries: [RosterEntry] = []
  /// Those whose sheets have no answer, but hold something else: a tooth, a note, a copied section.
  private var inUse: Set<String> = []
  /// The digits of a round as far as they are typed, and when the last of them was.
  private var typed = ""
  private var typedAt: Int64 = 0
  private var isApplying = false
  var table = Table([
    .init("Round", width: 6), .init("Number", width: 9), .init("Candidate", width: 20, stretch: 3),
    .init("Attendance", width: 12), .init("Sheet", width: 16),
  ])

  init(_ context: AppContext, _ session: StationSession, _ seat: Seat, _ entry: RosterEntry, _ way: Correction) {
    (self.context, self.session, self.seat, self.entry, self.way) = (context, session, seat, entry, way)
    reload()
    let own = entries.firstIndex { $0.key == entry.key }
    let next = entries.firstIndex { ($0.round ?? 0) > (entry.round ?? 0) }
    table.selection.index = own ?? next ?? 0
  }

  nonisolated static let keys = KeyTable<WrongCandidateScreen>(
    "Wrong candidate", at: .station,
    [
      KeyBinding(
        "wrong.choose", [.enter], "this round", help: "Take this round, and see what will happen", group: "Choosing",
        when: { $0.entries.isEmpty ? .disabled("there is no other candidate") : .enabled }
      ) { screen, _ in screen.plan() },
      KeyBinding(
        "wrong.round", "0123456789".map { .character($0) }, "round", help: "Go to a round by its number",
        group: "Choosing", range: "0-9"
      ) { screen, key in if let key, let digit = key.key.typed { screen.go(to: digit, at: key.at) } },
      StationKeys.missing(),
    ])

  var heading: Heading {
    let text: SafeText =
      switch way {
      case .move: "Whose sheet is it?"
      case .swap: "Swap with whose sheet?"
      case .shift(.later): "Shift LATER by one round, starting from:"
      case .shift(.earlier): "Shift EARLIER by one round, starting from:"
      }
    return Heading(text: text, trailing: SafeText("now on \(entry.shortLabel)"))
  }

  func move(_ key: Key) {
    typed = ""
    _ = table.update(key)
  }

  private func go(to digit: Character, at now: Int64) {
    func place(_ text: String) -> Int? { Int(text).flatMap { round in entries.firstIndex { $0.round == round } } }
    // Once the focus has been seen to go to a round, a digit is of another.
    if now - typedAt >= KeyPace.reading { typed = "" }
    typedAt = now
    typed = place(typed + String(digit)) == nil ? String(digit) : typed + String(digit)
    guard let place = place(typed) else {
      return context.showMessage(SafeText("there is no round \(typed) to choose"), .warning)
    }
    table.selection.index = place
  }

  private func plan() {
    guard let chosen = table.selection.focused(of: entries), !isApplying else { return }
    let kind: WrongCandidate.Kind =
      switch way {
      case .move: .move(from: entry.key, to: chosen.key)
      case .swap: .swap(entry.key, chosen.key)
      case .shift(let direction):
        .shift(timetable: session.timetable, round: chosen.round ?? 1, direction)
      }
    do {
      let seat = seat
      let plan = try context.store.read { try WrongCandidate.plan(kind, seat: seat, in: $0) }
      if plan.signed.isEmpty { askAttendance(plan, nil) } else { try askLead(plan) }
    } catch { context.showError(error) }
  }

  /// Signed sheets change places by the word of an exam lead: that of who sits here, or of one who comes and says so.
  private func askLead(_ plan: WrongCandidate.Plan) throws {
    let sitting = context.sitting
    let (own, leads) = try context.store.read { (try ExamLead.signedIn(sitting, in: $0), try ExamLead.all(in: $0)) }
    if let own { return askAttendance(plan, own) }
    let numbers = plan.signed.joined(separator: ", ")
    if leads.isEmpty {
      return context.showMessage(
        SafeText("signed: \(numbers); this exam names no lead: ") + context.key(of: SheetScreen.Keys.sign)
          + " on the sheet reopens it, with a reason", .error)
    }
    let sheets = plan.signed.count == 1 ? "Signed (\(numbers))" : "Signed (\(plan.signed.count) sheets)"
    context.prompt(SafeText("\(sheets): the lead's username:")) { [self] username in
      do {
        let lead = try context.store.read { try ExamLead.find(username: username, in: $0) }
        if !lead.hasPasscode { return try authorise(plan, lead, nil) }
        context.promptPasscode(of: lead, named: lead.username) { [self] proof in
          do { try authorise(plan, lead, proof) } catch { context.showError(error) }
        }
      } catch { context.refuse(SafeText("\(error)")) }
    }
  }

  private func authorise(_ plan: WrongCandidate.Plan, _ lead: StaffMember, _ proof: PasscodeProof?) throws {
    askAttendance(plan, try ExamLead.authorise(lead, by: proof))
  }

  private func askAttendance(_ plan: WrongCandidate.Plan, _ lead: ExamLead?) {
    if plan.attendance.isEmpty { return confirm(plan, lead, movesAttendance: false) }
    let changes = plan.attendance.map { "\($0.number): \($0.before.text), would be \($0.after.text)" }
    context.ask(
      "Move attendance too?", changes.joined(separator: "\n"),
      [
        ("g", "move it: the candidate marked was present", { [self] in confirm(plan, lead, movesAttendance: true) }),
        ("s", "leave it unchanged", { [self] in confirm(plan, lead, movesAttendance: false) }),
      ])
  }

  private func confirm(_ plan: WrongCandidate.Plan, _ lead: ExamLead?, movesAttendance: Bool) {
    let attendance =
      movesAttendance ? ["attendance goes along"] : plan.attendance.isEmpty ? [] : ["attendance stays"]
    let check = plan.voidsChecks(movingAttendance: movesAttendance) ? ["identity must be checked again"] : []
    let signature = lead.map { ["authorised by \($0.member.name)", "signed sheets must be signed again"] } ?? []
    let text = plan.lines { context.name(of: $0) } + attendance + check + signature
    context.confirm(SafeText(text.joined(separator: "; ")), reason: .required) { [self] reason in
      apply(plan, lead, reason ?? "", movesAttendance)
    }
  }

  private func apply(
    _ plan: WrongCandidate.Plan, _ lead: ExamLead?, _ reason: String, _ movesAttendance: Bool
  ) {
    isApplying = true
    let mayWrite = (context.screens.dropLast().last as? SheetScreen)?.refuseIfTakenOver
    context.save(
      with: .awaited,
      {
        try mayWrite?($0)
        return try WrongCandidate.apply(
          plan, reason: reason, movesAttendance: movesAttendance, authorisedBy: lead, in: $0)
      }
    ) { [self] result in
      isApplying = false
      guard case .success(let operations) = result, context.screen === self else { return }
      let target = plan.moves.first { $0.from == entry.key && $0.takesNotes }?.to ?? entry.key
      _ = context.pop()
      let sheet = SheetScreen(context, session, seat: seat, entry: target)
      sheet.history.add(operations)
      sheet.surroundings.moved = (operations, entry.key)
      if context.screen is SheetScreen { context.replace(with: sheet) } else { context.push(sheet) }
      let isChecked = !plan.voidsChecks(movingAttendance: movesAttendance)
      let again = [isChecked ? nil : "check identity", lead == nil ? nil : "sign"].compactMap { $0 }
      let next = again.isEmpty ? "; " : ": \(again.joined(separator: " and ")) again; "
      context.showMessage(
        done(target) + SafeText(next) + context.key(of: SheetScreen.Keys.undo) + " undoes it", .good)
    }
  }

  private func done(_ target: String) -> SafeText {
    let number = entries.first { $0.key == target }?.candidate?.number ?? entry.shortLabel
    switch way {
    case .move: return SafeText("moved to \(number)")
    case .swap: return SafeText("swapped with \(number)")
    case .shift: return "every sheet from there on is shifted by one round"
    }
  }

  func reload() {
    let (timetable, seat) = (session.timetable, seat)
    do {
      let (all, used) = try context.store.read { db in
        let all = try Roster.entries(timetable: timetable, seat: seat, in: db)
        let unanswered = all.filter { entry in !entry.sheets.contains { $0.isSigned || $0.answered > 0 } }
        let used = try unanswered.filter { try $0.sheets.contains { try MarkedSheet.holdsSomething($0.key, in: db) } }
        return (all, used)
      }
      inUse = Set(used.map(\.key))
      let isShift = if case .shift = way { true } else { false }
      let isRerun = context.clock.isRerun
      entries = all.filter { $0.candidate != nil && (isShift ? $0.round != nil : $0.key != entry.key) }
        .sortedByRound { $0.round(isRerun: isRerun) }
    } catch { context.noteUnread(error) }
    let isRerun = context.clock.isRerun
    table.rows = entries.map { entry in
      let answered = entry.sheets.reduce(0) { $0 + $1.answered }
      let state: SafeText =
        entry.sheets.contains(where: \.isSigned)
        ? "SIGNED" : answered > 0 ? "\(answered) marked" : inUse.contains(entry.key) ? "in use" : "blank"
      let attendance: SafeText = entry.isPresent.map { $0 ? "present" : "absent" } ?? ""
      return Table.Row(
        [
          SafeText(entry.round(isRerun: isRerun).map { "\($0)" } ?? "-"), SafeText(entry.candidate?.number ?? ""),
          SafeText(context.name(of: entry.candidate)), attendance, state,
        ], id: entry.key)
    }
  }

  func draw(on canvas: inout Canvas, in region: Rect) {
    table.draw(on: &canvas, in: region, theme: context.theme)
  }
}

extension SheetScreen {
  /// Where a mending was undone or done again: the sheet is at its other place, and the screen goes there, with all that
  /// can still be undone or done again.
  /// - Returns: false where another step was taken.
  func followMoved(_ turn: MarkHistory.Turn, of step: [OperationID], by operations: [OperationID]) -> Bool {
    guard let moved = surroundings.moved, moved.operations == step, context.screen === self else { return false }
    let sheet = SheetScreen(context, session, seat: seat, entry: moved.entry)
    sheet.history = history
    sheet.surroundings.moved = (operations, entryKey)
    context.replace(with: sheet)
    switch turn {
    case .undo: context.showMessage("undone: every sheet is where it was", .good)
    case .redo: context.showMessage("done again; " + context.key(of: Keys.undo) + " undoes it", .good)
    }
    return true
  }
}
