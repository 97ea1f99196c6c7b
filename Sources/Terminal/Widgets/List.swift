/// A list of lines, one of them focused.
public struct List: Equatable, Sendable {
  /// One line of a list.
  public struct Row: Equatable, Sendable {
    /// What it says.
    public var text: SafeText
    /// What follows it, bold while not focused.
    public var strong: SafeText
    /// How it looks while not focused.
    public var role: Role
    /// What the line stands for, where lines come and go: the focus stays with it.
    public var id: String?

    /// A line.
    public init(_ text: SafeText, strong: SafeText = "", role: Role = .normal, id: String? = nil) {
      self.text = text
      self.strong = strong
      self.role = role
      self.id = id
    }
  }

  /// The lines. Other lines leave the focus on the one that stands for the same.
  public var rows: [Row] {
    didSet { selection.follow(rows.map(\.id), were: oldValue.map(\.id)) }
  }
  /// The focused line.
  public var selection: Selection

  /// A list with its first line focused.
  public init(_ rows: [Row] = []) {
    self.rows = rows
    selection = Selection(count: rows.count)
  }

  /// Moves the focus. False if the key means nothing to a list.
  public mutating func update(_ key: Key) -> Bool { selection.update(key) }

  /// Draws the lines in view. A focused list puts the cursor on its focused line; arrows at the right edge tell of more.
  public func draw(on canvas: inout Canvas, in region: Rect, theme: Theme, focused: Bool = true) {
    let visible = selection.visible(region.height)
    for (place, index) in visible.enumerated() {
      let line = region.row(place)
      ListFrame.draw(index: index, selection, focused: focused, role: rows[index].role, line, on: &canvas, theme)
      let style = ListFrame.style(index: index, selection, focused: focused, role: rows[index].role, theme)
      let place = line.columns(2, line.width - 3)
      let end = canvas.draw(rows[index].text, in: place, style: style)
      if rows[index].strong.isEmpty { continue }
      let strong = index == selection.index && focused ? style : theme[.heading]
      canvas.draw(rows[index].strong, in: place.columns(end - place.x, place.right - end), style: strong)
    }
    ListFrame.drawMore(visible, of: rows.count, in: region, on: &canvas, theme)
  }
}
