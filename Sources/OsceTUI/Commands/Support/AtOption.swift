import ArgumentParser
import ExamStore
import Timer

/// What `--at` takes.
enum AtOption {
  /// - Throws: `ValidationError` for what is no time, or one that a clock cannot be read at.
  static func instant(_ text: String) throws -> Instant {
    guard let instant = Timestamp.parse(text) else {
      throw ValidationError("--at takes a time such as 2026-12-07T09:00:00Z; got \"\(text)\"")
    }
    // What begins in the last year that can be written may end after it.
    guard ("1900"..."9998").contains(String(Timestamp.text(instant).prefix(4))) else {
      throw ValidationError("--at takes a time of the years 1900 to 9998; got \"\(text)\"")
    }
    return instant
  }
}
