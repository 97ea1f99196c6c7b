/// The words that a person types to narrow a list.
public struct TypedWords {
  private let words: [Substring]

  /// - Parameter typed: what stands in the field.
  public init(_ typed: String) { words = typed.lowercased().split(separator: " ") }

  /// Whether a text contains every one of them, upper and lower case alike.
  public func fit(_ text: String) -> Bool {
    let text = text.lowercased()
    return words.allSatisfy { text.contains($0) }
  }
}
