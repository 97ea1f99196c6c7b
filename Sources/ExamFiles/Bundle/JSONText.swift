import Catalogue
import Characters

/// Writes JSON on one line, keys sorted, as the model stores it in its JSON attributes.
enum JSONText {
  static func of(_ tree: JSONTree) -> String {
    switch tree.content {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .double(let value): WrittenNumber.text(value)
    case .text(let value): quoted(value)
    case .list(let items): list(items.map(of))
    case .object(let entries): object(entries.map { ($0.key, of($0.value)) })
    }
  }

  static func list(_ items: [String]) -> String { "[" + items.joined(separator: ",") + "]" }

  /// An object of members that are JSON already.
  static func object(_ members: [(key: String, json: String)]) -> String {
    let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return "{" + sorted.map { quoted($0.key) + ":" + $0.json }.joined(separator: ",") + "}"
  }

  static func quoted(_ text: String) -> String { JSONString.quoted(text, .stored) }
}
