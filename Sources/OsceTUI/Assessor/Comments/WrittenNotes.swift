import Terminal

/// How many comments and concerns one seat sees on a candidate.
struct WrittenNotes: Equatable {
  var comments = 0
  var concerns = 0

  /// The concerns before the comments, each with its sign: `⚑1 ✎2`.
  func signs(_ glyphs: Glyphs) -> [String] {
    (concerns > 0 ? [glyphs.concerns.plain + "\(concerns)"] : [])
      + (comments > 0 ? [glyphs.written.plain + "\(comments)"] : [])
  }
}
