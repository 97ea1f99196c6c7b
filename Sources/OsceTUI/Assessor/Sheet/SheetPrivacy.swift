import Terminal

/// Marks and texts out of view, while somebody looks over the assessor's shoulder. Clock and candidate stay.
extension SheetScreen {
  func togglePrivacy() {
    flow.isHidden.toggle()
    flow.strip.focus = nil
    if flow.isHidden { context.say("marks and texts are hidden: \\ shows them") } else { context.message.clear() }
  }

  /// Whether a command is refused because it would act on, or show, what is hidden; says how to show it.
  func refusesHidden(_ command: Command) -> Bool {
    guard flow.isHidden else { return false }
    if actsHidden(command) { return false }
    context.say("the sheet is hidden: \\ shows it again, then press the key", .warning)
    return true
  }

  /// Whether a command shows and changes nothing that is hidden.
  func actsHidden(_ command: Command) -> Bool {
    switch command {
    case .privacy, .helpCall, .hallMessages, .lock, .instructions: true
    default: false
    }
  }

  /// Keeps keys of the sheet that would be refused for a reason of the item's own, which is hidden too.
  func hiddenTakes(_ key: Key) -> Bool {
    guard flow.isHidden, let binding = bindings.bindings.first(where: { $0.keys.contains(key) }) else { return false }
    return refusesHidden(binding.action)
  }

  /// Draws what stands in the place of a hidden sheet.
  func drawHidden(on canvas: inout Canvas, in region: Rect) {
    canvas.drawWrapped(
      "Marks and texts are hidden. Nothing is marked meanwhile.\n\\ shows the sheet again.", in: region.rows(1, 4),
      style: context.theme[.muted])
    canvas.cursor = region.origin
  }
}
