import Terminal

/// Looking for words in lines.
enum LineSearch {
  /// The first line after another that holds all words, in any order, from the top again after the last. Case and
  /// accents make no difference.
  static func next(_ words: String, in lines: [String], after focused: Int?) -> Int? {
    let wanted = TypedWords(words.folded)
    let start = (focused ?? -1) + 1
    let order = Array(lines.indices.dropFirst(start)) + Array(lines.indices.prefix(start))
    return order.first { wanted.fit(lines[$0].folded) }
  }
}
