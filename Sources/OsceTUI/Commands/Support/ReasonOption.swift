import ArgumentParser
import Catalogue

/// `--reason`: as much as is stored of one.
enum ReasonOption {
  /// - Throws: `ValidationError` for a longer one.
  static func check(_ reason: String?) throws {
    guard let length = reason?.utf8.count, length > Bounds.longestText else { return }
    throw ValidationError("--reason takes at most \(Bounds.longestText) bytes; got \(length)")
  }
}
