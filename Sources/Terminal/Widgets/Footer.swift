/// The last line: what the keys of this screen do.
public enum Footer {
  /// Draws the enabled bindings that fit, whole, and at the right the key that shows the rest.
  /// - Parameter rank: how much a binding is needed: the highest are drawn first, equal ones in the table's order. What
  ///   comes and goes has a low one, so that the others stay where they are.
  public static func draw<Action>(
    _ table: BindingTable<Action>, help: SafeText = "? all keys", rank: (Binding<Action>) -> Int = { _ in 0 },
    on canvas: inout Canvas, in region: Rect, theme: Theme
  ) {
    let (last, rest) = region.row(0).splitRight(help.width)
    if !rest.isEmpty { canvas.draw(help, in: last, style: theme[.muted]) }
    let end = region.width > help.width ? rest.right - 2 : region.right
    let offered = table.footer.enumerated().map { (place: $0.offset, binding: $0.element, rank: rank($0.element)) }
    var x = region.x
    for (_, binding, _) in offered.sorted(by: { ($1.rank, $0.place) < ($0.rank, $1.place) }) {
      let key = binding.footerKey(theme.glyphs)
      let label = SafeText(binding.label)
      let width = key.width + 1 + label.width
      if x + width > end { break }
      canvas.draw(key, at: Point(x: x, y: region.y), style: theme[.key], in: region)
      canvas.draw(label, at: Point(x: x + key.width + 1, y: region.y), style: theme[.normal], in: region)
      x += width + 2
    }
  }
}

/// The line that answers the last key: what was done, or why it was not.
public struct MessageLine: Equatable, Sendable {
  /// The message.
  public private(set) var text: SafeText = ""
  /// Its meaning.
  public private(set) var role: Role = .normal
  /// When it goes by itself, in milliseconds of the loop's clock; nil if it stays until the next message.
  public private(set) var deadline: Int64?

  /// A line without a message.
  public init() {}

  /// Shows a message, until the time given or the next message.
  public mutating func show(_ text: SafeText, _ role: Role = .normal, until deadline: Int64? = nil) {
    self.text = text
    self.role = role
    self.deadline = deadline
  }

  /// Takes the message away.
  public mutating func clear() { self = MessageLine() }

  /// Takes the message away if its time is over.
  public mutating func expire(at now: Int64) {
    if let deadline, now >= deadline { clear() }
  }

  /// Draws the message. Its words must say what is wrong; the look only adds to them.
  public func draw(on canvas: inout Canvas, in region: Rect, theme: Theme) {
    if text.isEmpty { return }
    canvas.draw(text, in: region, style: theme[role])
  }
}
