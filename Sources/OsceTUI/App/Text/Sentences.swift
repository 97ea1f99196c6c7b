extension String {
  /// A sentence as it stands before other words.
  var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }

  /// A sentence as it begins.
  var withCapital: String { prefix(1).uppercased() + dropFirst() }
}
