extension String {
  /// Whether there is more in it than blanks.
  package var hasWords: Bool { contains { !$0.isWhitespace } }
}
