import Terminal

extension AssessorProgram {
  /// The keys of every screen.
  static let common = BindingTable<Command>(
    "Everywhere",
    [
      Binding(
        "move", ["j", "k", "down", "up", "g", "G", "home", "end", "pgup", "pgdn"], "move",
        help: "Next, previous, first, last, a page", group: "Everywhere", inFooter: false,
        keysLabel: "j k g G arrows page", action: .move),
      Binding(
        "find", ["/"], "find", help: "Go to the next line that holds the words typed", group: "Everywhere",
        inFooter: false, action: .find),
      Binding(
        "help", ["?"], "keys", help: "All keys of this screen", group: "Everywhere", inFooter: false,
        action: .help),
      Binding(
        "palette", [":"], "actions", help: "Every action by name", group: "Everywhere", inFooter: false,
        action: .palette),
      Binding(
        "outbox", ["ctrl-t"], "outbox", help: "Changes that are not at the hub, and why", group: "Everywhere",
        inFooter: false, action: .outbox),
      Binding(
        "repaint", ["ctrl-l"], "repaint", help: "Repaint the screen", group: "Everywhere", inFooter: false,
        action: .repaint),
      Binding("back", ["q"], "back", help: "Back to the screen before", group: "Everywhere", action: .back),
      Binding(
        "quit", ["Q"], "quit", help: "Leave the program; asks if work is open", group: "Everywhere",
        inFooter: false, action: .quit),
      Binding(
        "leave", ["esc"], "leave", help: "Leave what lies over the screen; never the program",
        group: "Everywhere", inFooter: false, action: .escape),
      Binding(
        "interrupt", ["ctrl-c"], "how to quit", help: "Says how to quit", group: "Everywhere",
        inFooter: false, action: .explainQuit),
    ])
}

extension AssessorProgram {
  /// What `?` lists: the keys of the screen, then those of a text that is typed on it. Several lines and forms are
  /// written at a station alone.
  var helpTable: BindingTable<Void> {
    let isAtStation = context.screen?.isAtStation == true && context.clock.place != nil
    return (isAtStation ? TextKeys.tables : [TextKeys.line]).reduce(table.listing) { $0.appending($1.listing) }
  }
}
