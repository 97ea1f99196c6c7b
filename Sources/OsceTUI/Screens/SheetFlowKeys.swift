import Terminal

/// The keys of a mark sheet for what goes on round the marking.
@MainActor
enum SheetFlowKeys {
  static func bindings(_ screen: SheetScreen, _ isOpen: Availability) -> [Binding<Command>] {
    let group = "Session"
    return [
      Binding(
        "sheet.takeOver", ["O"], "take over", help: "Mark here what is open at another terminal", group: group,
        screen.canTakeOver ? isOpen : .disabled("this sheet is open nowhere else"), inFooter: screen.canTakeOver,
        action: .takeOver)
    ]
  }
}
