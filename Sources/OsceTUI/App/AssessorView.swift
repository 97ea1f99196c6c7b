import Terminal

/// How the program puts a screen together: clock and candidate above, the screen, message and keys below.
extension AssessorProgram {
  func view(_ size: Size) -> Canvas {
    let theme = context.theme
    var canvas = Canvas(size: size, style: theme[.normal])
    let layout = ProgramLayout(size)
    guard let screen = context.screen else { return canvas }
    context.clock.draw(on: &canvas, in: layout.clock, theme: theme, screen: SafeText(table.title))
    draw(screen.heading, on: &canvas, in: layout.heading)
    if ProgramLayout.isTooSmall(size) {
      canvas.drawWrapped(screen.smallNote, in: Rect(size).rows(2, size.height - 2), style: theme[.warning])
      return canvas
    }
    if let lock = context.lock {
      lock.draw(on: &canvas, in: layout.body, footer: layout.footer, theme: theme)
      return canvas
    }
    screen.draw(on: &canvas, in: layout.body)
    drawMessage(on: &canvas, in: layout.message)
    if let overlay = context.overlay {
      canvas.draw(overlay.footer(theme.glyphs), in: layout.footer, style: theme[.muted])
    } else {
      let shown = BindingTable("", table.bindings.filter { screen.showsInFooter($0) })
      Footer.draw(shown, rank: screen.footerRank, on: &canvas, in: layout.footer, theme: theme)
    }
    context.overlay?.draw(on: &canvas, layout, table, theme)
    if screen.isFlashing { canvas.reverse() }
    return canvas
  }

  /// Draws the answer to the last key; once that is gone, what the invigilator tells this station, or that the exam's
  /// time may be wrong.
  private func drawMessage(on canvas: inout Canvas, in region: Rect) {
    if context.message.text.isEmpty, let told = context.hall.page {
      let end = canvas.draw(told, in: region, style: context.theme[.alarm])
      let key = table.bindings.first { $0.action == .hallMessages }?.keys.first?.label(context.theme.glyphs)
      let hint = key.map { $0 + " all" } ?? ""
      if context.hall.hasMore, region.x + region.width - end > hint.width {
        canvas.draw(hint, in: region, .right, style: context.theme[.muted])
      }
    } else if context.message.text.isEmpty, let doubt = context.store.clock.doubt {
      canvas.draw(SafeText(" \(doubt.line) "), in: region, style: context.theme[.warning])
    } else {
      context.message.draw(on: &canvas, in: region, theme: context.theme)
    }
  }

  private func draw(_ heading: Heading, on canvas: inout Canvas, in region: Rect) {
    let theme = context.theme
    let waiting = context.hub.waiting
    let trailing = heading.trailing + context.clock.helpNote + (waiting > 0 ? "  \(waiting) waiting for the hub" : "")
    let (right, left) = region.splitRight(min(trailing.width, region.width / 2))
    canvas.draw(trailing, in: right, style: theme[.muted])
    let badge: SafeText = heading.badge.isEmpty ? "" : " " + heading.badge + " "
    let end = canvas.draw(badge, in: left, style: theme[heading.isAlarm ? .alarm : .heading])
    let rest = left.columns(end - left.x + (badge.isEmpty ? 0 : 1), left.width)
    canvas.draw(heading.text.truncated(to: max(0, rest.width - 1)), in: rest, style: theme[.heading])
  }
}
