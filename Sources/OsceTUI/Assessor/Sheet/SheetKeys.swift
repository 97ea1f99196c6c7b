import CircuitModel
import ExamStore
import Reports
import Terminal

/// The keys of a mark sheet.
extension SheetScreen {
  enum Keys {
    /// Whether the sheet is open.
    @MainActor private static func isOpen(_ screen: SheetScreen) -> Availability {
      screen.isAtIdentityStep ? .disabled(screen.identityStepText) : .enabled
    }

    /// Whether the sheet is open and nobody else has taken it over, so that it can be changed.
    @MainActor private static func isMine(_ screen: SheetScreen) -> Availability {
      screen.ownership.isTakenOver ? .disabled(screen.takenOverText.plain) : screen.context.changing(isOpen(screen))
    }

    /// Whether steps are undone and done again: that of a mending at the identity step too, where it put the sheet.
    @MainActor private static func takesSteps(_ screen: SheetScreen) -> Availability {
      screen.surroundings.moved == nil ? isMine(screen) : screen.context.changing()
    }

    /// Whether marks are taken, of whatever item.
    @MainActor private static func takesMarks(_ screen: SheetScreen) -> Availability {
      screen.markingIsOff.map { .disabled($0) } ?? isOpen(screen)
    }

    @MainActor private static func hasRounds(_ screen: SheetScreen) -> Availability {
      screen.entry?.isPractice == true
        ? .disabled("practice has no rounds; \(screen.context.key(of: EveryScreen.back)) goes back to the roster")
        : .enabled
    }

    /// Before the identity step has opened the sheet, what would mark it is refused at once: nobody has seen it yet.
    @MainActor private static func patience(_ screen: SheetScreen) -> WaitingKeys.Patience {
      screen.isAtIdentityStep ? .none : .outcome
    }

    // MARK: Marking

    static let early = KeyBinding<SheetScreen>(
      "sheet.early", ["E"], "mark early", help: "Mark someone not due yet, or gone (asks first)", group: "Marking",
      rank: 2,
      when: { screen in
        if screen.isAtIdentityStep, screen.isAbsent { return isOpen(screen) }
        if screen.isElsewhere || screen.isEarly { return screen.context.changing() }
        return screen.isAtIdentityStep ? isOpen(screen) : .disabled("marks are taken here already")
      }
    ) { screen, _ in screen.askMarkEarly() }
    .labelled { $0.hasGone ? "open anyway" : "mark early" }
    .inFooter { $0.isEarly || ($0.isElsewhere && !$0.isAbsent) }

    static let open = KeyBinding<SheetScreen>(
      "sheet.open", [.enter], "this is the candidate", help: "Identity step; mark the level read; write; fill in",
      group: "Marking", rank: 2, when: { screen in screen.identityRefusal.map { .disabled($0) } ?? .enabled }
    ) { screen, key in screen.openFocused(key) }
    .labelled { openLabel($0) }
    .waiting { patience($0) }

    static let level = KeyBinding<SheetScreen>(
      "sheet.level", "0123456789".map { .character($0) }, "mark",
      help: "Mark the focused item with what the digit says", group: "Marking", rank: 2, range: "0-9",
      when: { takesMarks($0) }
    ) { screen, key in
      if let key, let digit = key.key.typed?.wholeNumberValue { screen.mark(by: .digit(digit), at: key.at) }
    }
    .inFooter { !$0.isAtIdentityStep }
    .footerKeys { $0.levelKeys }
    .waiting { patience($0) }

    static let ten = value("sheet.ten", "t", "ten", help: "Mark the focused item with 10", .ten)
    static let half = value("sheet.half", "h", "half", help: "Mark the focused item with a half", .half)
    static let yes = value("sheet.yes", "y", "yes", help: "Mark a yes/no item with yes", .yes)
    static let no = value("sheet.no", "n", "no", help: "Mark a yes/no item with no", .no)

    private static func value(
      _ id: BindingID, _ key: Key, _ label: String, help: String, _ mark: MarkKey
    ) -> KeyBinding<SheetScreen> {
      KeyBinding(id, [key], label, help: help, group: "Marking", inFooter: false, when: { takesMarks($0) }) {
        screen, key in screen.mark(by: mark, at: key?.at)
      }
      .waiting { patience($0) }
    }

    /// The key before a typed value.
    static let number = KeyBinding<SheetScreen>(
      "sheet.number", ["="], "value", help: "Type the mark: for a level that no key marks", group: "Marking",
      inFooter: false, when: { takesMarks($0) }
    ) { screen, _ in screen.askValue() }

    static let unable = KeyBinding<SheetScreen>(
      "sheet.unable", ["u"], "unable", help: "Unable to assess: not counted in the score", group: "Marking",
      rank: 1,
      when: { screen in
        guard screen.markingIsOff == nil, let refusal = screen.unableRefusal else { return takesMarks(screen) }
        return .disabled(refusal.plain)
      }
    ) { screen, key in screen.change(at: key?.at) { try $0.give(.unable, to: $1) } }
    .waiting { patience($0) }

    static let clear = KeyBinding<SheetScreen>(
      "sheet.clear", ["x"], "clear", help: "Clear this item's mark", group: "Marking", when: { takesMarks($0) }
    ) { screen, key in screen.change(at: key?.at, steps: false) { try $0.give(.blank, to: $1) } }
    .waiting { patience($0) }

    // Undoing and signing act on all that is marked, so also on what is still being saved.
    static let undo = KeyBinding<SheetScreen>(
      "sheet.undo", ["z", "ctrl-z"], "undo", help: "Undo your last change on this sheet", group: "Marking", rank: 2,
      patience: .everything, when: { takesSteps($0) }
    ) { screen, key in screen.undo(at: key?.at) }

    static let redo = KeyBinding<SheetScreen>(
      "sheet.redo", ["Z"], "redo", help: "Redo what was undone", group: "Marking", inFooter: false,
      patience: .everything, when: { takesSteps($0) }
    ) { screen, _ in screen.redo() }

    static let readLeft = KeyBinding<SheetScreen>(
      "sheet.read", [.left], "read left", help: "Read the level before; Enter marks it", group: "Marking",
      inFooter: false, when: { isOpen($0) }
    ) { screen, _ in screen.read(-1) }

    static let readRight = KeyBinding<SheetScreen>(
      "sheet.readNext", [.right], "read right", help: "Read the next level; Enter marks it", group: "Marking",
      inFooter: false, when: { isOpen($0) }
    ) { screen, _ in screen.read(1) }

    static let feedback = KeyBinding<SheetScreen>(
      "sheet.feedback", ["e"], "feedback", help: "Write feedback on the item", group: "Marking", rank: 1,
      when: { isMine($0) }
    ) { screen, _ in screen.editText() }

    private static let marking: [KeyBinding<SheetScreen>] = [
      early, open, level, ten, half, yes, no, number, unable, clear, undo, redo, readLeft, readRight, feedback,
      KeyBinding(
        "sheet.tags", ["T"], "tags", help: "Tags on the item, recommended, completes the case", group: "Marking",
        inFooter: false,
        when: { $0.focusedItem == nil && !$0.isAtIdentityStep ? .disabled("tags are set on an item") : isMine($0) }
      ) { screen, _ in screen.showTags() },
      KeyBinding(
        "sheet.blanks", ["b"], "blanks not done", help: "Mark blank checklist items as not done (asks first)",
        group: "Marking", inFooter: false, patience: .everything, when: { isMine($0) }
      ) { screen, _ in screen.askBlanks() },
    ]

    @MainActor private static func openLabel(_ screen: SheetScreen) -> String {
      if screen.isAtIdentityStep {
        return screen.entry?.isPractice == true || screen.opensFromPaper ? "open" : "this is the candidate"
      }
      guard let item = screen.focusedItem else { return "fill in" }
      if screen.levelRead(of: item) != nil { return "mark level" }
      if item.template.kind.recordsWork { return "fill in" }
      return "write  " + screen.context.theme.glyphs.down.plain + " next item"
    }

    // MARK: Moving

    static let fold = KeyBinding<SheetScreen>(
      "sheet.fold", [.space], "fold", help: "Fold or open the section", group: "Moving", inFooter: false,
      when: { isOpen($0) }
    ) { screen, _ in screen.fold() }

    static let nextForm = KeyBinding<SheetScreen>(
      "sheet.nextForm", [.tab], "other sheet", help: "The candidate's next sheet here, or choose another",
      group: "Moving", rank: 2, patience: .everything, when: { isOpen($0) }
    ) { screen, _ in screen.nextForm() }
    .inFooter { $0.hasSeveralSheets }

    static let nextRound = KeyBinding<SheetScreen>(
      "sheet.nextRound", [">"], "next", help: "Open who is in the room; from there, who comes next", group: "Moving",
      rank: 2, when: { hasRounds($0) }
    ) { screen, _ in screen.goToRound(1) }
    .labelled { $0.nextLabel }
    .inFooter { $0.surroundings.hasNext }

    static let previousRound = KeyBinding<SheetScreen>(
      "sheet.previousRound", ["<"], "previous round", help: "The sheet of the candidate before", group: "Moving",
      inFooter: false, when: { hasRounds($0) }
    ) { screen, _ in screen.goToRound(-1) }

    static let goTo = KeyBinding<SheetScreen>(
      "sheet.goTo", ["'"], "go to item", help: "Go to an item by its number", group: "Moving", inFooter: false,
      when: { isOpen($0) }
    ) { screen, _ in screen.askItem() }

    static let previousSection = KeyBinding<SheetScreen>(
      "sheet.previousSection", ["["], "section up", help: "The section before", group: "Moving", inFooter: false,
      when: { isOpen($0) }
    ) { screen, _ in screen.jumpSection(-1) }

    static let nextSection = KeyBinding<SheetScreen>(
      "sheet.nextSection", ["]"], "section down", help: "The next section", group: "Moving", inFooter: false,
      when: { isOpen($0) }
    ) { screen, _ in screen.jumpSection(1) }

    private static let moving = [
      goTo, previousSection, nextSection, fold, nextForm, nextRound, previousRound,
    ]

    // MARK: The sheet

    static let sign = KeyBinding<SheetScreen>(
      "sheet.sign", ["s"], "sign", help: "Sign the sheet, or reopen it with a reason", group: "Sheet", rank: 2,
      patience: .everything, when: { isMine($0) }
    ) { screen, _ in screen.askSign() }
    .labelled { $0.sheet?.isSigned == true ? "reopen" : "sign" }

    static let signAnyway = KeyBinding<SheetScreen>(
      "sheet.signAnyway", ["S"], "sign anyway", help: "Sign with something required blank (asks first)",
      group: "Sheet", inFooter: false, patience: .everything, when: { isMine($0) }
    ) { screen, _ in screen.askSignAnyway() }

    static let duplicate = KeyBinding<SheetScreen>(
      "sheet.duplicate", ["d"], "copy section", help: "Add another copy of this section", group: "Sheet",
      inFooter: false,
      when: { screen in
        screen.rows.section(in: screen.sheet)?.template.isDuplicable == true
          ? isMine(screen) : .disabled("this section cannot be copied")
      }
    ) { screen, _ in screen.duplicateSection() }

    static let attendance = KeyBinding<SheetScreen>(
      "sheet.attendance", ["a"], "attendance", help: "Present, absent, late, identity, sign-out", group: "Sheet",
      when: {
        $0.entry?.isPractice == true ? .disabled("nobody attends a practice sheet") : $0.context.changing()
      }
    ) { screen, _ in
      if let entry = screen.entry { AttendanceQuestion.ask(screen.context, screen.session, entry) }
    }
    .inFooter { $0.isAtIdentityStep && $0.entry?.isPractice == false }

    // MARK: Round the marking

    private static let session = "Session"

    static let takeOver = KeyBinding<SheetScreen>(
      "sheet.takeOver", ["O"], "take over", help: "Take over this sheet from another terminal", group: session,
      rank: 2,
      when: { screen in
        screen.context.changing(
          screen.ownership.canTakeOver ? isOpen(screen) : .disabled("this sheet is open nowhere else"))
      }
    ) { screen, _ in screen.takeOver() }
    .inFooter { $0.ownership.canTakeOver && $0.context.clock.lock == nil }

    static let strip = KeyBinding<SheetScreen>(
      "sheet.strip", ["r"], "last marks", help: "Go through the last eight marks; Enter goes to one", group: session,
      inFooter: false, when: { isOpen($0) }
    ) { screen, _ in screen.enterStrip() }

    static let stripShown = KeyBinding<SheetScreen>(
      "sheet.stripShown", ["R"], "show last marks", help: "Show the last marks in a row, or hide them", group: session,
      inFooter: false, when: { isOpen($0) }
    ) { screen, _ in screen.toggleStrip() }

    static let privacy = KeyBinding<SheetScreen>(
      "sheet.privacy", ["\\"], "hide", help: "Hide marks and texts, or show them again", group: session, rank: 2
    ) { screen, _ in screen.togglePrivacy() }
    .labelled { $0.surroundings.isHidden ? "show" : "hide" }
    .inFooter { $0.surroundings.isHidden }

    static let numberPad = KeyBinding<SheetScreen>(
      "sheet.pad", ["N"], "number pad", help: "Turn number-pad marking on or off", group: session,
      when: { isOpen($0) }
    ) { screen, _ in screen.togglePad() }
    .inFooter { $0.context.modes.isNumberPad }

    static let padUnable = pad("sheet.padUnable", ".", "unable", "On the number pad: unable to assess") { screen, key in
      screen.padUnable(key)
    }
    .waiting { patience($0) }
    static let padNumber = pad("sheet.padNumber", "*", "value", "On the number pad: type a value") { screen, _ in
      screen.askValue()
    }
    static let padBack = pad("sheet.padBack", "-", "back", "On the number pad: the row before") { screen, _ in
      screen.stepOnPad(-1)
    }
    static let padNext = pad("sheet.padNext", "+", "next", "On the number pad: the next row") { screen, _ in
      screen.stepOnPad(1)
    }

    private static func pad(
      _ id: BindingID, _ key: Key, _ label: String, _ help: String,
      does handler: @escaping @MainActor @Sendable (SheetScreen, KeyEvent?) -> Void
    ) -> KeyBinding<SheetScreen> {
      KeyBinding(
        id, [key], label, help: help, group: session, inFooter: false,
        when: { screen in
          let key = screen.context.key(of: numberPad)
          return screen.context.modes.isNumberPad
            ? isOpen(screen) : .disabled("a key of the number pad: \(key) turns it on")
        }, does: handler)
    }

    private static let besideMarking: [KeyBinding<SheetScreen>] = [
      takeOver,
      KeyBinding(
        "sheet.history", ["H"], "history", help: "Show this item's full history", group: session,
        inFooter: false, when: { isOpen($0) }
      ) { screen, _ in screen.showHistory() },
      strip, stripShown,
      KeyBinding(
        "sheet.jot", [","], "note", help: "Write a private, time-stamped note", group: session,
        inFooter: false, when: { isOpen($0) }
      ) { screen, _ in screen.askJot() },
      privacy, numberPad, padUnable, padNumber, padBack, padNext,
    ]

    // MARK: Those of a station

    static let comment = EntryKeys<SheetScreen>.comment
    static let missing = StationKeys.missing(rank: 2) { (screen: SheetScreen) in screen.showMissing() }

    static let paper = EntryKeys<SheetScreen>.paper
    static let wrongCandidate = EntryKeys<SheetScreen>.wrongCandidate(patience: .everything) {
      $0.isAtIdentityStep || $0.mayTakeKeys()
    }

    fileprivate static let all =
      marking + moving + [sign, signAnyway, duplicate, attendance] + besideMarking
      + EntryKeys<SheetScreen>.all(wrongCandidate: wrongCandidate, missing: missing)

    /// What a burst of keys does: all else waits until it is over.
    static let ofBurst = ids([
      level, ten, half, yes, no, unable, clear, readLeft, readRight, padUnable, padBack, padNext,
    ])
    /// What needs an item with levels in focus to be in the footer.
    static let ofLevels = ids([level, ten, half, yes, no, unable, clear, feedback])
    static let ofUndoing = ids([undo, redo])
    /// What the footer of the identity step has before all else.
    static let ofIdentity = ids([early, open, attendance]).union([StationKeys.call.name.id])
    /// What acts on a written item by a letter or a sign: movement, and what asks nothing of the item.
    static let onText = ids([goTo, previousSection, nextSection, nextRound, previousRound])
      .union([EveryScreen.move.name.id]).union(EveryScreen.besideTyping)
    /// What does so too while marks are given by the number pad.
    static let onTextWithPad = ids([numberPad, padBack, padNext])
    /// What leaves the strip of the last marks, beside Esc.
    static let ofLeavingStrip = ids([strip]).union([EveryScreen.back.name.id])
    /// What acts while the strip has the focus.
    static let overStrip = EveryScreen.besideTyping.union([EveryScreen.interrupt.name.id, EveryScreen.repaint.name.id])
    /// What shows and changes nothing that is hidden.
    static let whileHidden: Set<BindingID> = ids([privacy]).union([
      StationKeys.call.name.id, StationKeys.told.name.id, EntryKeys<SheetScreen>.lock.name.id,
      EntryKeys<SheetScreen>.instructions.name.id,
    ])

    private static func ids(_ keys: [KeyBinding<SheetScreen>]) -> Set<BindingID> { Set(keys.map(\.name.id)) }
  }

  nonisolated static let keys = KeyTable<SheetScreen>("Mark sheet", at: .station, Keys.all)
  nonisolated static let noEntry = "there is no candidate"
}
