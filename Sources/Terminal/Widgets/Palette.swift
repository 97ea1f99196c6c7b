/// Every action of a screen by name: type a few letters, choose, Enter.
public struct Palette: Equatable, Sendable {
  /// What a key did.
  public enum Outcome<Action: Sendable>: Sendable {
    /// An action was chosen.
    case chosen(Action)
    /// The chosen action cannot be done now.
    case refused(String)
    /// Esc.
    case closed
    /// The palette stays open.
    case open
  }

  private var field = TextField(prompt: ": ")
  private var selection = Selection()

  /// An empty palette.
  public init() {}

  /// Types, moves (arrows, page keys) or chooses.
  public mutating func update<Action>(_ key: Key, _ table: BindingTable<Action>) -> Outcome<Action> {
    let found = table.palette(matching: field.text)
    selection.count = found.count
    switch key {
    case .escape: return .closed
    case .enter:
      guard let binding = selection.focused(of: found) else { return .open }
      switch binding.availability {
      case .enabled: return .chosen(binding.action)
      case .disabled(let reason): return .refused(reason)
      }
    case .up, .down, .pageUp, .pageDown:
      _ = selection.update(key)
    default:
      if field.update(key) { selection.index = 0 }
    }
    return .open
  }

  /// Pasted text is typed text.
  public mutating func paste(_ text: String) {
    field.paste(text)
    selection.index = 0
  }

  /// Draws the field on the first line of a box and the actions that match under it.
  public func draw<Action>(_ table: BindingTable<Action>, on canvas: inout Canvas, in region: Rect, theme: Theme) {
    canvas.fill(region, style: theme[.normal])
    let body = canvas.box(region, title: "Actions", glyphs: theme.glyphs, style: theme[.border])
    let (line, rest) = body.splitTop(1)
    let found = table.palette(matching: field.text)
    var shown = selection
    shown.count = found.count
    let width = min(16, found.map { $0.shownKeys(theme.glyphs).width }.max() ?? 0)
    for (place, index) in shown.visible(rest.height).enumerated() {
      let binding = found[index]
      let row = rest.row(place)
      let role: Role = binding.availability == .enabled ? .normal : .disabled
      ListFrame.draw(index: index, shown, focused: true, role: role, row, on: &canvas, theme)
      let style = ListFrame.style(index: index, shown, focused: true, role: role, theme)
      let head = binding.shownKeys(theme.glyphs).padded(to: width) + "  "
      let place = row.columns(2, row.width - 3)
      var text = head + SafeText(binding.help)
      if index == shown.index, let reason = binding.shownReason {
        // Why not comes before what it would do: the label says that in a word.
        let texts = [text + " " + reason, head + SafeText(binding.label) + " " + reason]
        text = texts.first { $0.width <= place.width } ?? head + reason
      }
      canvas.draw(text, in: place, style: style)
    }
    if found.isEmpty { canvas.draw("no action matches", in: rest.columns(2, rest.width), style: theme[.muted]) }
    field.draw(on: &canvas, in: line, theme: theme)
  }
}
