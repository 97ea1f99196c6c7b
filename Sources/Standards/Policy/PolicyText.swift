import Foundation

/// A policy's document as JSON text, keys sorted.
public enum PolicyText {
  /// The text of a document; what nobody decided is left out.
  public static func json(_ document: PolicyDocument) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Texts, numbers and lists of them can always be encoded: the readers let no infinite number in.
    return (try? encoder.encode(document)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// The names of what a document decides, sorted.
  public static func names(_ document: PolicyDocument) -> [String] {
    let members = try? JSONSerialization.jsonObject(with: Data(json(document).utf8)) as? [String: Any]
    return (members ?? [:]).keys.sorted()
  }

  /// Reads a document; nil if it is none.
  public static func read(_ json: String) -> PolicyDocument? {
    try? JSONDecoder().decode(PolicyDocument.self, from: Data(json.utf8))
  }
}
