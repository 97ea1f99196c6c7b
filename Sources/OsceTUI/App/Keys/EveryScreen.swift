import Terminal

extension KeyBinding where Screen: AppScreen {
  /// Esc on a screen that says itself where that leads.
  /// - Parameter help: where it leads, in a sentence.
  static func back(_ id: BindingID, _ help: String, group: String, inFooter: Bool = false) -> KeyBinding {
    KeyBinding(id, [.escape], "back", help: help, group: group, inFooter: inFooter, reach: .small) { screen, _ in
      screen.context.goBack()
    }
  }
}

/// The keys of every screen.
enum EveryScreen {
  private static let group = "Everywhere"

  static let move = KeyBinding<AppContext>(
    "move", ["j", "k", "down", "up", "g", "G", "home", "end", "pgup", "pgdn"], "move",
    help: "Next, previous, first, last, a page", group: group, inFooter: false, range: "j k g G arrows page"
  ) { context, key in if let key { context.screen?.move(key.key) } }

  static let back = KeyBinding<AppContext>(
    "back", ["q"], "back", help: "Back to the screen before", group: group, reach: .small
  ) { context, _ in context.goBack() }
  .labelled { $0.screen?.backLabel ?? "back" }

  static let quit = KeyBinding<AppContext>(
    "quit", ["Q"], "quit", help: "Leave the program (asks first)", group: group, inFooter: false,
    reach: .small, patience: WaitingKeys.Patience.none
  ) { context, _ in context.askToQuit() }

  static let repaint = KeyBinding<AppContext>(
    "repaint", ["ctrl-l"], "repaint", help: "Repaint the screen", group: group, inFooter: false, reach: .small,
    patience: WaitingKeys.Patience.none
  ) { context, _ in context.effects.append(.repaint) }

  static let interrupt = KeyBinding<AppContext>(
    "interrupt", ["ctrl-c"], "how to quit", help: "Says how to quit", group: group, inFooter: false,
    reach: .small, patience: WaitingKeys.Patience.none
  ) { context, _ in context.sayHowToQuit() }

  static let outbox = KeyBinding<AppContext>(
    "outbox", ["ctrl-t"], "outbox", help: "Changes that are not at the hub, and why", group: group, inFooter: false
  ) { context, _ in OutboxScreen.open(context) }

  static let help = KeyBinding<AppContext>(
    "help", ["?"], "keys", help: "All keys of this screen", group: group, inFooter: false
  ) { context, _ in context.overlay = .help(HelpOverlay()) }

  static let palette = KeyBinding<AppContext>(
    "palette", [":"], "actions", help: "Every action by name", group: group, inFooter: false
  ) { context, _ in context.overlay = .palette(Palette()) }

  /// What acts also where letters are typed.
  static let besideTyping: Set<BindingID> = [help.name.id, palette.name.id, StationKeys.call.name.id]

  static let keys = KeyTable<AppContext>(
    "Everywhere",
    [
      move,
      KeyBinding(
        "find", ["/"], "find", help: "Go to the next line that holds the words typed", group: group, inFooter: false
      ) { context, _ in context.find() },
      help, palette, outbox, repaint, back, quit,
      KeyBinding(
        "leave", ["esc"], "leave", help: "Close what is on top; never quits", group: group,
        inFooter: false, patience: WaitingKeys.Patience.none
      ) { context, _ in context.message.clear() },
      interrupt,
    ])
}
