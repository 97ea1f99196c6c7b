/// The last line: what the keys of this screen do.
public enum Footer {
  /// Draws the enabled bindings that fit, whole, in the table's order, and at the right the key that shows the rest.
  public static func draw<Action>(
    _ table: BindingTable<Action>, help: SafeText = "? all keys", on canvas: inout Canvas, in region: Rect, theme: Theme
  ) {
    let (last, rest) = region.row(0).splitRight(help.width)
    if !rest.isEmpty { canvas.draw(help, in: last, style: theme[.muted]) }
    let room = region.width > help.width ? rest.right - 2 : region.right
    var x = region.x
    for binding in table.footer {
      let key = binding.footerKey(theme.glyphs)
      let label = SafeText(binding.label)
      let width = key.width + 1 + label.width
      if x + width > room { break }
      canvas.draw(key, at: Point(x: x, y: region.y), style: theme[.key], in: region)
      canvas.draw(label, at: Point(x: x + key.width + 1, y: region.y), style: theme[.normal], in: region)
      x += width + 2
    }
  }
}
