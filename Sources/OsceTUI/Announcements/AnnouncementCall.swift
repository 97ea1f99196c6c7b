import Characters
import Timer

/// What the configured command is told: everything that is announced at one instant, as one call.
struct AnnouncementCall: Equatable {
  /// When it is due.
  let at: Instant
  /// The words to speak. Where circuits have different things to say, each is named.
  let text: String
  /// The strictest alert: `none`, `amber` or `red`.
  let level: String
  /// The kind that the bell sounds: `start`, `warning`, `end`, `break`, `waiting`, `pause`, `resume` or `finish`.
  let kind: String
  /// The circuits' names, separated by commas.
  let circuit: String

  private static let longest = 500

  init(_ at: Instant, _ heard: [AnnouncementFeed.Item]) {
    self.at = at
    var circuits: [String] = []
    var texts: [String: [String]] = [:]
    for one in heard {
      if texts[one.circuit] == nil { circuits.append(one.circuit) }
      texts[one.circuit, default: []].append(one.announcement.text.withoutFullStop)
    }
    let said = circuits.map { texts[$0, default: []].joined(separator: ". ") }
    let joined =
      Set(said).count <= 1
      ? said.first ?? "" : zip(circuits, said).map { "\($0): \($1)" }.joined(separator: ". ")
    text = AnnouncementCall.clean(joined)
    circuit = AnnouncementCall.clean(circuits.joined(separator: ", "))
    level = (heard.map(\.announcement.level).max() ?? .none).name
    kind = heard.map(\.announcement.kind).max { BellPattern($0) < BellPattern($1) }?.rawValue ?? ""
  }

  /// Names and values, as they stand in arguments and in the environment.
  private var values: [(name: String, value: String)] {
    [("text", text), ("level", level), ("kind", kind), ("circuit", circuit)]
  }

  /// The environment's additions.
  var environment: [String: String] {
    Dictionary(uniqueKeysWithValues: values.map { ("OSCE_" + $0.name.uppercased(), $0.value) })
  }

  /// The command with `{text}` and the others filled in. A value is never read again for further names, and at the
  /// beginning of an argument it never looks like an option.
  func filled(_ command: [String]) -> [String] {
    guard let program = command.first else { return [] }
    return [program] + command.dropFirst().map(fill)
  }

  private func fill(_ argument: String) -> String {
    var result = ""
    var rest = argument[...]
    while let brace = rest.firstIndex(of: "{") {
      result += rest[..<brace]
      rest = rest[brace...]
      if let found = values.first(where: { rest.hasPrefix("{\($0.name)}") }) {
        result += result.isEmpty ? String(found.value.drop { $0 == "-" || $0 == " " }) : found.value
        rest = rest.dropFirst(found.name.count + 2)
      } else {
        result += "{"
        rest = rest.dropFirst()
      }
    }
    return result + rest
  }

  /// One line without unsafe characters, of a length that can be spoken.
  static func clean(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix(longest).compactMap { scalar -> Unicode.Scalar? in
      switch UnsafeCharacter(scalar) {
      case .control, .separator: " "
      case .hidden: nil
      case nil: scalar
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
