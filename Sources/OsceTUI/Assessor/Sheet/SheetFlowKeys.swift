import Terminal

/// The keys of a mark sheet for what goes on round the marking.
@MainActor
enum SheetFlowKeys {
  static func bindings(_ screen: SheetScreen, _ isOpen: Availability) -> [Binding<Command>] {
    let group = "Session"
    let pad: Availability =
      screen.context.modes.isNumberPad
      ? isOpen : .disabled("a key of the number pad: \(screen.context.key(.numberPad).plain) turns it on")
    return [
      Binding(
        "sheet.takeOver", ["O"], "take over", help: "Mark here what is open at another terminal", group: group,
        screen.canTakeOver ? isOpen : .disabled("this sheet is open nowhere else"), inFooter: screen.canTakeOver,
        action: .takeOver),
      Binding(
        "sheet.history", ["H"], "history", help: "All that the item was ever set to, by whom and when", group: group,
        isOpen, inFooter: false, action: .history),
      Binding(
        "sheet.strip", ["r"], "last marks", help: "Go through the last eight marks; Enter goes to one", group: group,
        isOpen, inFooter: false, action: .strip),
      Binding(
        "sheet.stripShown", ["R"], "show last marks", help: "Show the last marks in a row, or hide them", group: group,
        isOpen, inFooter: false, action: .stripShown),
      Binding(
        "sheet.jot", [","], "jot", help: "Note a line with the phase's time, for yourself", group: group,
        isOpen, inFooter: false, action: .jot),
      Binding(
        "sheet.privacy", ["\\"], screen.flow.isHidden ? "show" : "hide",
        help: "Hide marks and texts, or show them again", group: group,
        inFooter: screen.flow.isHidden, action: .privacy),
      Binding(
        "sheet.pad", ["N"], "number pad", help: "One hand on the number pad, or not", group: group, isOpen,
        inFooter: screen.context.modes.isNumberPad, action: .numberPad),
      Binding(
        "sheet.padUnable", ["."], "unable", help: "On the number pad: unable to assess", group: group, pad,
        inFooter: false, action: .padUnable),
      Binding(
        "sheet.padNumber", ["*"], "value", help: "On the number pad: type a value", group: group,
        pad, inFooter: false, action: .typeValue),
      Binding(
        "sheet.padBack", ["-"], "back", help: "On the number pad: the row before", group: group, pad,
        inFooter: false, action: .padBack),
      Binding(
        "sheet.padNext", ["+"], "next", help: "On the number pad: the next row", group: group, pad,
        inFooter: false, action: .padNext),
    ]
  }
}
