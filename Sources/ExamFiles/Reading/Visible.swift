import Characters

/// Numbers and usernames, which are typed: each character of them is seen.
enum UnseenCharacter {
  /// What is wrong with one that holds a character which cannot be seen; nil if none does.
  static func fault(of key: String, _ what: String) -> String? {
    guard let scalar = UnsafeCharacter.first(in: key) else { return nil }
    return "\(what) \(Visible.quoted(key)) has a character that cannot be seen: remove \(scalar.codePoint)"
  }
}

/// Makes text from a file safe to show inside a message.
enum Visible {
  /// The text with every unsafe character written as `\u{…}`, and cut after `limit` characters of output.
  static func text(_ text: String, limit: Int = 80) -> String { VisibleText.of(text, limit: limit) }

  /// The text in single quotes, escaped and cut.
  static func quoted(_ text: String) -> String { "'" + Self.text(text) + "'" }
}
