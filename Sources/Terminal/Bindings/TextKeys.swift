/// What a key does while a text is typed.
public enum TextCommand: Equatable, Sendable {
  case left, right, wordLeft, wordRight, lineStart, lineEnd
  case backspace, delete, deleteWord, deleteToStart
  case newLine, up, down, pageUp, pageDown, textStart, textEnd, deleteToEnd, undo, redo, offers, finish
  case nextField, previousField
}

/// The keys of a text that is typed. Line, editor and form ask these tables what a key does; help and documents list
/// them. They are the same everywhere and for everybody, as fingers know them.
public enum TextKeys {
  /// In every text: a line that is asked for, a field, an editor.
  public static let line = BindingTable(
    "Typing",
    [
      key("left", ["left"], "left", "A character to the left", .left),
      key("right", ["right"], "right", "A character to the right", .right),
      key("wordLeft", ["ctrl-left", "alt-left", "alt-b"], "word left", "A word to the left", .wordLeft),
      key("wordRight", ["ctrl-right", "alt-right", "alt-f"], "word right", "A word to the right", .wordRight),
      key("start", ["home", "ctrl-a"], "start", "To the beginning of the line", .lineStart),
      key("end", ["end", "ctrl-e"], "end", "To the end of the line", .lineEnd),
      key("backspace", ["backspace"], "delete back", "Delete the character before", .backspace),
      key("delete", ["del", "ctrl-d"], "delete", "Delete the character after", .delete),
      key(
        "deleteWord", ["ctrl-w", "ctrl-backspace", "alt-backspace"], "delete word", "Delete the word before",
        .deleteWord),
      key("deleteToStart", ["ctrl-u"], "delete to start", "Delete to the beginning of the line", .deleteToStart),
    ])

  /// In an editor of several lines, beside those of a line.
  public static let area = BindingTable(
    "Writing several lines",
    [
      key("newLine", ["enter"], "new line", "A new line", .newLine, area: true),
      key("up", ["up"], "up", "A line up", .up, area: true),
      key("down", ["down"], "down", "A line down", .down, area: true),
      key("pageUp", ["pgup"], "page up", "A page up", .pageUp, area: true),
      key("pageDown", ["pgdn"], "page down", "A page down", .pageDown, area: true),
      key("textStart", ["ctrl-home"], "text start", "To the beginning of the text", .textStart, area: true),
      key("textEnd", ["ctrl-end"], "text end", "To the end of the text", .textEnd, area: true),
      key("deleteToEnd", ["ctrl-k"], "delete to end", "Delete to the end of the line", .deleteToEnd, area: true),
      key("undo", ["ctrl-z"], "undo", "Undo what was typed last", .undo, area: true),
      key("redo", ["ctrl-y", "alt-z"], "redo", "Redo what was undone", .redo, area: true),
      key("offers", ["ctrl-p"], "phrases", "Insert a phrase or a private note", .offers, area: true),
      key("finish", ["esc"], "leave", "Leave; the text is kept", .finish, area: true),
    ])

  /// In a form of several fields, beside those of a line.
  public static let form = BindingTable(
    "Filling in a form",
    [
      field("next", ["enter", "tab", "down"], "next field", "The next field; Enter on the last leaves", .nextField),
      field("previous", ["shift-tab", "up"], "field before", "The field before", .previousField),
      field("finish", ["esc"], "leave", "Leave; what is filled in is kept", .finish),
    ])

  /// All of them, as the documents list them.
  public static let tables = [line, area, form]

  /// Whether a key does something in a text beside being typed.
  /// - Parameter inArea: whether the text has several lines.
  public static func edits(_ key: Key, inArea: Bool = false) -> Bool {
    (inArea ? TextKeys.inArea(key) : inLine(key)) != nil
  }

  /// What a key does in an editor; nil for one that is typed, or means nothing.
  static func inArea(_ key: Key) -> TextCommand? { command(key, area) ?? command(key, line) }

  /// What a key does in a line.
  static func inLine(_ key: Key) -> TextCommand? { command(key, line) }

  /// What a key does in a form beside typing into its field.
  static func inForm(_ key: Key) -> TextCommand? { command(key, form) }

  private static func command(_ key: Key, _ table: BindingTable<TextCommand>) -> TextCommand? {
    if case .action(let command) = table.dispatch(key) { command } else { nil }
  }

  private static func key(
    _ name: String, _ keys: [Key], _ label: String, _ help: String, _ command: TextCommand, area: Bool = false
  ) -> Binding<TextCommand> {
    binding("text." + name, keys, label, help, area ? "Writing several lines" : "Typing", command)
  }

  private static func field(
    _ name: String, _ keys: [Key], _ label: String, _ help: String, _ command: TextCommand
  ) -> Binding<TextCommand> {
    binding("form." + name, keys, label, help, "Filling in a form", command)
  }

  private static func binding(
    _ id: String, _ keys: [Key], _ label: String, _ help: String, _ group: String, _ command: TextCommand
  ) -> Binding<TextCommand> {
    // The help has room for so many: what is left out is sent by some terminals for one that is listed.
    let lists = [keys, [keys[0], keys[keys.count - 1]], [keys[0]]].map { $0.map(\.name).joined(separator: " ") }
    let shown = lists.first { $0.count < 20 } ?? lists[2]
    return Binding(
      BindingID(rawValue: id), keys, label, help: help, group: group,
      keysLabel: shown, action: command)
  }
}
