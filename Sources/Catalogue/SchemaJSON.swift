import Characters

/// A JSON document in the making, in the order in which it is written.
enum SchemaJSON {
  case null
  case boolean(Bool)
  /// A number, as it is written.
  case number(String)
  case string(String)
  case array([SchemaJSON])
  case object([(String, SchemaJSON)])

  static func optional(_ text: String?) -> SchemaJSON { text.map(SchemaJSON.string) ?? .null }

  /// The document: containers of containers on lines of their own, the innermost objects on one line.
  func rendered() -> String {
    var text = ""
    write(to: &text, indent: 0)
    return text
  }

  private func write(to text: inout String, indent: Int) {
    switch self {
    case .null: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .number(let value): text += value
    case .string(let value): text += JSONString.quoted(value, .shown)
    case .array(let elements):
      Self.write(elements, open: "[", close: "]", onOneLine: elements.isEmpty, indent, to: &text) {
        $0.write(to: &$1, indent: indent + 1)
      }
    case .object(let members):
      let isFlat = members.allSatisfy { $0.1.isScalar }
      Self.write(members, open: "{", close: "}", onOneLine: isFlat, indent, to: &text) {
        $1 += JSONString.quoted($0.0, .shown) + ": "
        $0.1.write(to: &$1, indent: indent + 1)
      }
    }
  }

  private var isScalar: Bool {
    switch self {
    case .null, .boolean, .number, .string: true
    case .array, .object: false
    }
  }

  private static func write<Part>(
    _ parts: [Part], open: String, close: String, onOneLine: Bool, _ indent: Int, to text: inout String,
    part: (Part, inout String) -> Void
  ) {
    text += open
    for (index, element) in parts.enumerated() {
      if index > 0 { text += onOneLine ? ", " : "," }
      if !onOneLine { breakLine(indent + 1, in: &text) }
      part(element, &text)
    }
    if !onOneLine { breakLine(indent, in: &text) }
    text += close
  }

  private static func breakLine(_ indent: Int, in text: inout String) {
    text += "\n"
    for _ in 0..<indent { text += "  " }
  }
}
