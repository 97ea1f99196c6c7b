import CircuitModel
import ExamStore
import Reports
import Terminal

/// The keys of a mark sheet.
@MainActor
enum SheetKeys {
  private static let digits: [Key] = "0123456789".map { Key.character($0) }

  static func bindings(_ screen: SheetScreen) -> BindingTable<Command> {
    let isOpen: Availability = screen.isAtIdentityStep ? .disabled("press Enter first: the identity step") : .enabled
    let isMine = screen.flow.isTakenOver ? .disabled(screen.takenOverText.plain) : isOpen
    return BindingTable(
      "Mark sheet",
      marking(screen, isOpen, isMine) + moving(screen, isOpen) + sheet(screen, isMine)
        + SheetFlowKeys.bindings(screen, isOpen)
        + StationKeys.bindings(onEntry: screen.entry == nil ? .disabled("there is no candidate") : .enabled))
  }

  /// - Parameter isMine: whether the sheet is open and nobody else has taken it over, so that it can be changed.
  private static func marking(
    _ screen: SheetScreen, _ isOpen: Availability, _ isMine: Availability
  ) -> [Binding<Command>] {
    let off = screen.markingIsOff.map { Availability.disabled($0) }
    let marks = off ?? isOpen
    let level: Availability =
      screen.isAtIdentityStep ? .disabled(screen.identityStepText) : .enabled
    let unable: Availability =
      off ?? (screen.focusedItem?.template.allowsUnable == false ? .disabled("not offered on this item") : isOpen)
    return [
      Binding(
        "sheet.early", ["E"], screen.hasGone ? "open anyway" : "mark early",
        help: "Mark someone not due yet, or gone (asks first)", group: "Marking",
        screen.isElsewhere || screen.isEarly
          ? .enabled : screen.isAtIdentityStep ? isOpen : .disabled("marks are taken here already"),
        inFooter: screen.isEarly || screen.isElsewhere, action: .markEarly),
      Binding(
        "sheet.open", [.enter], openLabel(screen), help: "Identity step; mark the level read; write; fill in",
        group: "Marking", screen.isElsewhere ? .disabled(screen.elsewhereText) : .enabled, action: .open),
      Binding(
        "sheet.level", digits, "mark", help: "Mark the focused item with what the digit says", group: "Marking",
        off ?? level, inFooter: !screen.isAtIdentityStep, keysLabel: "0-9",
        footerKeys: ["0-9", screen.labels[.ten]?.plain, screen.labels[.half]?.plain].compactMap(\.self)
          .joined(separator: " "),
        action: .level),
      value("sheet.ten", "t", "ten", help: "Mark the focused item with 10", .ten, off ?? level),
      value("sheet.half", "h", "half", help: "Mark the focused item with a half", .half, off ?? level),
      value("sheet.yes", "y", "yes", help: "Mark a yes/no item with yes", .yes, off ?? level),
      value("sheet.no", "n", "no", help: "Mark a yes/no item with no", .no, off ?? level),
      Binding(
        "sheet.number", ["="], "value", help: "Type the mark: for a level that no key marks", group: "Marking", marks,
        inFooter: false, action: .typeValue),
      Binding(
        "sheet.unable", ["u"], "unable", help: "Unable to assess: the item leaves score and maximum",
        group: "Marking", unable, action: .unable),
      Binding(
        "sheet.clear", ["x"], "clear", help: "Take the item's answer back", group: "Marking", marks,
        action: .clear),
      Binding(
        "sheet.undo", ["z", "ctrl-z"], "undo", help: "Undo your last change on this sheet", group: "Marking",
        screen.flow.moved == nil ? isMine : .enabled, action: .undo),
      Binding(
        "sheet.redo", ["Z"], "redo", help: "Do again what was undone", group: "Marking", isMine,
        inFooter: false, action: .redo),
      Binding(
        "sheet.read", [.left], "read left", help: "Read the level before; Enter marks it", group: "Marking",
        isOpen, inFooter: false, action: .readLeft),
      Binding(
        "sheet.readNext", [.right], "read right", help: "Read the next level; Enter marks it", group: "Marking",
        isOpen, inFooter: false, action: .readRight),
      Binding(
        "sheet.feedback", ["e"], "feedback", help: "Write feedback on the item", group: "Marking", isMine,
        action: .feedback),
      Binding(
        "sheet.tags", ["T"], "tags", help: "Tags on the item, recommended, completes the case", group: "Marking",
        screen.focusedItem == nil && !screen.isAtIdentityStep ? .disabled("tags are set on an item") : isMine,
        inFooter: false, action: .tags),
      Binding(
        "sheet.blanks", ["b"], "blanks not done", help: "Mark every blank checklist item as not done; asks",
        group: "Marking", isMine, inFooter: false, action: .blanksToNotDone),
    ]
  }

  private static func openLabel(_ screen: SheetScreen) -> String {
    if screen.isAtIdentityStep { return screen.entry?.isPractice == true ? "open" : "this is the candidate" }
    guard let item = screen.focusedItem else { return "fill in" }
    if screen.levelRead(of: item) != nil { return "mark level" }
    if item.template.kind.recordsWork { return "fill in" }
    return "write  " + screen.context.theme.glyphs.down.plain + " next item"
  }

  private static func value(
    _ id: BindingID, _ key: Key, _ label: String, help: String, _ mark: MarkKey, _ availability: Availability
  ) -> Binding<Command> {
    Binding(id, [key], label, help: help, group: "Marking", availability, inFooter: false, action: .mark(mark))
  }

  private static func moving(_ screen: SheetScreen, _ isOpen: Availability) -> [Binding<Command>] {
    let rounds: Availability =
      screen.entry?.isPractice == true
      ? .disabled("practice has no rounds; \(screen.context.key(.back).plain) goes back to the roster") : .enabled
    return [
      Binding(
        "sheet.goTo", ["'"], "go to item", help: "Go to an item by its number", group: "Moving", isOpen,
        inFooter: false, action: .goToItem),
      Binding(
        "sheet.previousSection", ["["], "section up", help: "The section before", group: "Moving", isOpen,
        inFooter: false, action: .previousSection),
      Binding(
        "sheet.nextSection", ["]"], "section down", help: "The next section", group: "Moving", isOpen,
        inFooter: false, action: .nextSection),
      Binding(
        "sheet.fold", [.space], "fold", help: "Fold or open the section", group: "Moving", isOpen,
        inFooter: false, action: .fold),
      Binding(
        "sheet.nextForm", [.tab], "other sheet", help: "The candidate's next sheet here, or choose another",
        group: "Moving", isOpen, inFooter: screen.hasSeveralSheets, action: .nextForm),
      Binding(
        "sheet.nextRound", [">"], screen.nextLabel, help: "Open who is in the room; from there, who comes next",
        group: "Moving", rounds, action: .nextRound),
      Binding(
        "sheet.previousRound", ["<"], "previous round", help: "The sheet of the candidate before",
        group: "Moving", rounds, inFooter: false, action: .previousRound),
    ]
  }

  private static func sheet(_ screen: SheetScreen, _ isMine: Availability) -> [Binding<Command>] {
    let section = screen.rows.section(in: screen.sheet)
    let duplicate: Availability =
      section?.template.isDuplicable == true ? isMine : .disabled("this section cannot be copied")
    return [
      Binding(
        "sheet.sign", ["s"], screen.sheet?.isComplete == true ? "reopen" : "sign",
        help: "Sign the sheet, or reopen it with a reason", group: "Sheet", isMine, action: .sign),
      Binding(
        "sheet.signAnyway", ["S"], "sign anyway", help: "Sign with something required blank (asks first)",
        group: "Sheet", isMine, inFooter: false, action: .signAnyway),
      Binding(
        "sheet.duplicate", ["d"], "copy section", help: "Record the section once more", group: "Sheet",
        duplicate, inFooter: false, action: .duplicateSection),
      Binding(
        "sheet.attendance", ["a"], "attendance", help: "Present, absent, late, identity, sign-out", group: "Sheet",
        screen.entry?.isPractice == true ? .disabled("nobody attends a practice sheet") : .enabled, inFooter: false,
        action: .attendance),
    ]
  }
}
