import Characters

/// Makes text from a file safe to show inside a message.
enum Visible {
  /// The text with every unsafe character written as `\u{…}`, and cut after `limit` characters of output.
  static func text(_ text: String, limit: Int = 80) -> String { VisibleText.of(text, limit: limit) }

  /// The text in single quotes, escaped and cut.
  static func quoted(_ text: String) -> String { "'" + Self.text(text) + "'" }
}
