import Terminal

/// How what lies over a screen looks.
extension Overlay {
  /// Draws it. The clock, the candidate's line and what the screen keeps in view are never covered.
  /// - Parameters:
  ///   - table: the keys that act without it, for the palette.
  ///   - listed: the keys that the help lists.
  func draw(
    on canvas: inout Canvas, _ layout: ProgramLayout, _ table: @autoclosure () -> BindingTable<BindingID>,
    listed: @autoclosure () -> BindingTable<Void>, _ theme: Theme
  ) {
    switch self {
    case .help(let help): help.draw(listed(), on: &canvas, in: layout.body, theme: theme)
    case .palette(let palette): palette.draw(table(), on: &canvas, in: layout.body, theme: theme)
    case .question(let question): question.draw(on: &canvas, in: layout.body, theme: theme)
    case .prompt(let prompt): prompt.draw(on: &canvas, in: layout.message, below: layout.body, theme: theme)
    case .confirmation(let confirmation):
      confirmation.draw(on: &canvas, above: layout.footer, in: layout.body, theme: theme)
    case .editor(let editor):
      canvas.fill(layout.body, style: theme[.normal])
      editor.draw(on: &canvas, in: layout.body, theme: theme)
    case .form(let session): session.form.draw(on: &canvas, in: layout.body, theme: theme)
    case .checklist(let session):
      session.list.draw(title: session.title, session.rows(), on: &canvas, in: layout.body, theme: theme)
    case .reader(let reader): reader.draw(on: &canvas, in: layout.body, theme: theme)
    }
  }
}
