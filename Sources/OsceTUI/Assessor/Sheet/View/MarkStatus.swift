import CircuitModel
import ExamStore
import Reports
import Terminal

/// What was given on an item and where it is, in front of the item's text.
enum MarkStatus {
  /// Not given and not asked for, or required and blank.
  case optional, blank
  /// On this disk alone, at the hub too, or needing a person.
  case disk, hub, attention
  /// On its way to the disk, or refused by it.
  case saving, failed

  /// What was given in at most two cells: a tick, a cross, a half or the number.
  func glyph(of item: SheetItem, _ glyphs: Glyphs) -> SafeText {
    switch self {
    case .optional, .blank: " "
    case .disk, .hub: MarkStatus.given(on: item, glyphs)
    case .attention, .failed: "!"
    case .saving: glyphs.pending
    }
  }

  /// An arrow while the hub does not have the mark; nothing where no hub is expected to have it.
  func place(isEnrolled: Bool, _ glyphs: Glyphs) -> SafeText {
    if case .disk = self, isEnrolled { return glyphs.up }
    return " "
  }

  var role: Role {
    switch self {
    case .optional: .normal
    case .disk, .hub: .chosen
    case .blank, .saving: .warning
    case .attention, .failed: .error
    }
  }

  private static func given(on item: SheetItem, _ glyphs: Glyphs) -> SafeText {
    if item.isUnable { return glyphs.unable }
    guard let rating = item.rating else { return glyphs.written }
    if [.binary, .boolean].contains(item.template.kind) || item.template.maximum?.number == 1 {
      if rating == item.template.maximum { return glyphs.tick }
      if rating.number == 0 { return glyphs.cross }
      if rating.number == 0.5 { return glyphs.half }
    }
    let number = SafeText("\(rating)")
    return number.width <= 2 ? number : glyphs.chosen
  }
}

extension SheetScreen {
  /// What was given on an item, and where that is.
  func sign(of item: SheetItem) -> MarkStatus {
    if pending[item.key] != nil { return .saving }
    if failed[item.key] != nil { return .failed }
    switch places.place(of: item) {
    case .attention: return .attention
    case .empty: return index.requires(item.template) ? .blank : .optional
    case .disk: return .disk
    case .hub: return .hub
    }
  }
}
