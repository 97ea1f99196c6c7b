import CircuitModel
import ExamStore
import Reports
import Terminal

/// Where a mark is, as one sign in front of its item.
enum MarkSign {
  /// Not given and not asked for, or required and blank.
  case optional, blank
  /// On this disk, at the hub too, or needing a person.
  case disk, hub, attention
  /// On its way to the disk, or refused by it.
  case saving, failed

  func glyph(_ glyphs: Glyphs) -> SafeText {
    switch self {
    case .optional: " "
    case .blank: glyphs.empty
    case .disk: glyphs.chosen
    case .hub: glyphs.tick
    case .attention: "!"
    case .saving: glyphs.pending
    case .failed: glyphs.cross
    }
  }

  var role: Role {
    switch self {
    case .optional, .disk, .hub: .normal
    case .blank, .saving: .warning
    case .attention, .failed: .error
    }
  }
}

extension SheetScreen {
  /// Where the mark of an item is.
  func sign(of item: SheetItem) -> MarkSign {
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
