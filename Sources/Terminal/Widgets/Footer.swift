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
