/// Text that a person gives on a command line. What nobody types is refused, never cleaned: a reason, a name or a path
/// that is not what was given would be recorded without anybody having said so. Pasted keys are cleaned instead: they
/// are seen before they are confirmed (`EditableText`).
public enum TypedText {
  /// The first character that no typed line holds: a control character, a break of lines, or one that turns the
  /// direction of what follows. Joiners and selectors are left: spelling needs them.
  public static func refused(in text: String) -> Unicode.Scalar? {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return nil }
    return text.unicodeScalars.first(where: isRefused)
  }

  /// Whether no typed line holds a character.
  public static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x61C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default:
      switch UnsafeCharacter(scalar) {
      case .control, .separator: true
      case .hidden, nil: false
      }
    }
  }
}
