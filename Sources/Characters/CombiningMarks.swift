/// Counts the combining marks on one character. They take no column of their own: a thousand of them are drawn over the
/// lines around them, so that what a name hides is no longer seen.
public struct CombiningMarks: Sendable {
  /// Most marks on a character that are shown as they are; no script needs more.
  public static let limit = 4

  private var count = 0

  /// Starts where nothing stands yet.
  public init() {}

  /// Takes the next character of a text.
  /// - Returns: whether it is one mark too many on the character before it.
  public mutating func isBeyond(_ scalar: Unicode.Scalar) -> Bool {
    guard Self.isMark(scalar) else {
      count = 0
      return false
    }
    count += 1
    return count > Self.limit
  }

  /// Whether a character is drawn over the one before it: marks, and the vowels and finals of Hangul syllables.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x300: return false
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: return true
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: return true
    default: return false
    }
  }
}
