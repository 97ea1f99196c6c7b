extension String {
  /// The text with one space between its words and none at its ends.
  var withSingleSpaces: String { split(separator: " ").joined(separator: " ") }
}
