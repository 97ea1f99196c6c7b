import Terminal

/// Marks and texts out of view, while somebody looks over the assessor's shoulder. Clock and candidate stay.
extension SheetScreen {
  func togglePrivacy() {
    surroundings.isHidden.toggle()
    surroundings.strip.focus = nil
    if surroundings.isHidden {
      context.showMessage("marks and texts are hidden: \(context.key(of: Keys.privacy)) shows them")
    } else {
      context.message.clear()
    }
  }

  /// Why what would act on, or show, what is hidden does not.
  var hiddenText: String { "the sheet is hidden: \(context.key(of: Keys.privacy)) shows it again, then press the key" }

  /// Whether a key is refused because it would act on, or show, what is hidden; says how to show it.
  func refusesHidden(_ id: BindingID) -> Bool {
    guard surroundings.isHidden, !Keys.whileHidden.contains(id) else { return false }
    context.showMessage(SafeText(hiddenText), .warning)
    return true
  }

  /// Keeps keys of the sheet that would be refused for a reason of the item's own, which is hidden too.
  func hiddenTakes(_ key: Key) -> Bool { ownKey(key).map(refusesHidden) == true }

  /// Draws what stands in the place of a hidden sheet.
  func drawHidden(on canvas: inout Canvas, in region: Rect) {
    canvas.drawWrapped(
      "Marks and text are hidden; marking is off.\n\(context.key(of: Keys.privacy)) shows the sheet again.",
      in: region.rows(1, 4),
      style: context.theme[.muted])
    canvas.cursor = region.origin
  }
}
