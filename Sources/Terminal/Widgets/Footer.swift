/// The last line: what the keys of this screen do.
public enum Footer {
  /// Draws the enabled bindings that fit, whole, in the table's order, and at the right the key that shows the rest.
  /// - Parameter rank: how much a binding is needed: the highest are fitted first, equal ones in the table's order.
  public static func draw<Action>(
    _ table: BindingTable<Action>, help: SafeText = "? all keys", rank: (Binding<Action>) -> Int = { _ in 0 },
    on canvas: inout Canvas, in region: Rect, theme: Theme
  ) {
    let (last, rest) = region.row(0).splitRight(help.width)
    if !rest.isEmpty { canvas.draw(help, in: last, style: theme[.muted]) }
    let room = (region.width > help.width ? rest.right - 2 : region.right) - region.x
    let offered = table.footer.enumerated().map { (place: $0.offset, binding: $0.element, rank: rank($0.element)) }
    var fitting: Set<Int> = []
    var filled = 0
    for one in offered.sorted(by: { ($1.rank, $0.place) < ($0.rank, $1.place) }) {
      let width = one.binding.footerKey(theme.glyphs).width + 1 + SafeText(one.binding.label).width
      if filled + width > room { break }
      fitting.insert(one.place)
      filled += width + 2
    }
    var x = region.x
    for (place, binding, _) in offered where fitting.contains(place) {
      let key = binding.footerKey(theme.glyphs)
      let label = SafeText(binding.label)
      canvas.draw(key, at: Point(x: x, y: region.y), style: theme[.key], in: region)
      canvas.draw(label, at: Point(x: x + key.width + 1, y: region.y), style: theme[.normal], in: region)
      x += key.width + 1 + label.width + 2
    }
  }
}
