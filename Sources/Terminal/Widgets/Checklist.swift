/// A box of things that are either so or not, each switched by its number, or by Space or Enter where the focus is.
public struct Checklist: Equatable, Sendable {
  /// One line.
  public struct Row: Equatable, Sendable {
    /// What is so or not.
    public let label: SafeText
    /// Whether it is.
    public let isOn: Bool

    /// A line.
    public init(_ label: SafeText, isOn: Bool) {
      self.label = label
      self.isOn = isOn
    }
  }

  /// What a key did.
  public enum Outcome: Equatable, Sendable {
    /// The row is to be switched.
    case toggled(Int)
    /// Esc or `q`: the box is to be closed.
    case closed
    /// The box stays open.
    case open
  }

  private var selection = Selection()

  /// A box with the focus on its first row.
  public init() {}

  /// Moves, or says which of so many rows is to be switched.
  public mutating func update(_ key: Key, count: Int) -> Outcome {
    selection.count = count
    switch key {
    case .escape, "q": return .closed
    case .enter, .space: return count > 0 ? .toggled(selection.index) : .open
    default:
      if let digit = key.typed?.wholeNumberValue, (1...9).contains(digit), digit <= count {
        selection.index = digit - 1
        return .toggled(digit - 1)
      }
      _ = selection.update(key)
      return .open
    }
  }

  /// Draws the box in the middle of a region.
  public func draw(title: SafeText, _ rows: [Row], on canvas: inout Canvas, in region: Rect, theme: Theme) {
    let longest = rows.map { $0.label.width + 8 }.max() ?? 0
    let width = min(max(longest, title.width + 4, 44), max(1, region.width - 4))
    let box = region.centred(Size(width: width + 4, height: rows.count + 4))
    canvas.fill(box, style: theme[.normal])
    let body = canvas.box(box, title: title, glyphs: theme.glyphs, style: theme[.heading]).inset(columns: 1, rows: 0)
    let list = body.rows(0, body.height - 2)
    var selection = selection
    (selection.count, selection.page) = (rows.count, max(1, list.height))
    for (place, index) in selection.visible(list.height).enumerated() {
      let row = rows[index]
      let line = list.row(place)
      let key: SafeText = index < 9 ? SafeText("\(index + 1)") : " "
      canvas.draw(
        [
          (index == selection.index ? theme.glyphs.pointer : " ", theme[.key]), (" " + key, theme[.key]),
          (row.isOn ? " [x] " : " [ ] ", theme[row.isOn ? .chosen : .normal]), (row.label, theme[.normal]),
        ], in: line)
      if index == selection.index { canvas.cursor = line.origin }
    }
    canvas.draw("Number or Space switches, Esc leaves", in: body.row(body.height - 1), style: theme[.muted])
  }
}
