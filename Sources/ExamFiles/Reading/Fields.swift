/// Reads the keys of one block of YAML, and reports what does not fit.
///
/// Keys are compared without regard to case, spaces, `_` and `-`: `manualStart` and `manual start` are one.
struct Fields {
  /// What this block is, for messages: `station`, `section`.
  let what: String
  let file: String
  let line: Int
  private let entries: [String: YAMLTree.Entry]
  private let problems: ProblemList

  /// Reads a block; nil, with an error, if it is none. Unknown keys and keys written twice are errors.
  init?(_ tree: YAMLTree, _ what: String, keys: [String], file: String, problems: ProblemList) {
    self.what = what
    self.file = file
    self.problems = problems
    line = tree.line
    guard case .mapping(let found) = tree.content else {
      problems.error(Place(file: file, line: tree.line), "\(what): expected key: value lines, found \(tree.kind)")
      return nil
    }
    let known = Dictionary(keys.map { (Self.folded($0), $0) }, uniquingKeysWith: { first, _ in first })
    var entries: [String: YAMLTree.Entry] = [:]
    for entry in found {
      let key = Self.folded(entry.key)
      let place = Place(file: file, line: entry.line)
      if known[key] == nil {
        let hint = NearestName.hint(for: entry.key, amongKeys: keys)
        problems.error(place, "\(what): unknown key \(Visible.quoted(entry.key))" + hint)
      } else if entries[key] != nil {
        problems.error(place, "\(what): \(Visible.quoted(entry.key)) is written twice in one block")
      } else {
        entries[key] = entry
      }
    }
    self.entries = entries
  }

  static func folded(_ key: String) -> String {
    String(String.UnicodeScalarView(key.lowercased().unicodeScalars.filter { !" _-".unicodeScalars.contains($0) }))
  }

  /// Where the key stands, or where the block begins.
  func place(_ key: String? = nil) -> Place {
    Place(file: file, line: key.flatMap { entries[Self.folded($0)]?.line } ?? line)
  }

  func error(_ key: String?, _ message: String) { problems.error(place(key), "\(what): \(message)") }

  /// An error on a line inside the block.
  func report(_ line: Int, _ message: String) { problems.error(Place(file: file, line: line), "\(what): \(message)") }

  /// The value of a key; nil if it is absent or empty.
  func value(_ key: String) -> YAMLTree? {
    guard let value = entries[Self.folded(key)]?.value, !value.isEmpty else { return nil }
    return value
  }

  func has(_ key: String) -> Bool { value(key) != nil }

  /// A text without the white space around it; nil if it is absent.
  func text(_ key: String) -> String? {
    guard let value = value(key) else { return nil }
    guard case .scalar(let text, _) = value.content else {
      error(key, "\(Visible.quoted(key)) must be text, not \(value.kind)")
      return nil
    }
    return text.trimmed
  }

  /// A text that must be there and not be empty; an empty one stands for it after the error.
  func needed(_ key: String) -> String {
    let reported = has(key)
    let text = text(key) ?? ""
    if text.isEmpty, !reported || value(key)?.isScalar == true { error(nil, "\(Visible.quoted(key)) is missing") }
    return text
  }

  func flag(_ key: String, default standard: Bool = false) -> Bool {
    guard let value = value(key) else { return standard }
    if case .scalar(let text, _) = value.content {
      switch text.lowercased() {
      case "true", "yes", "on": return true
      case "false", "no", "off": return false
      default: break
      }
    }
    error(key, "\(Visible.quoted(key)) must be true or false, not \(value.kind)")
    return standard
  }

  func whole(_ key: String, in range: ClosedRange<Int>) -> Int? {
    guard let value = value(key) else { return nil }
    guard case .scalar(let text, _) = value.content, let number = Int(text) else {
      error(key, "\(Visible.quoted(key)) must be a whole number, not \(value.kind)")
      return nil
    }
    guard range.contains(number) else {
      error(key, "\(Visible.quoted(key)) must be \(range.lowerBound) to \(range.upperBound), not \(number)")
      return nil
    }
    return number
  }

  func number(_ key: String) -> Double? {
    guard let value = value(key) else { return nil }
    guard case .scalar(let text, _) = value.content, let number = WrittenNumber.parse(text) else {
      error(key, "\(Visible.quoted(key)) must be a number, not \(value.kind)")
      return nil
    }
    return number
  }

  /// A list; a single value stands for a list of one.
  func list(_ key: String) -> [YAMLTree] {
    guard let value = value(key) else { return [] }
    if case .list(let items) = value.content { return items }
    return [value]
  }

  /// A list of texts with their lines.
  func texts(_ key: String) -> [(text: String, place: Place)] {
    list(key).compactMap { item in
      guard case .scalar(let text, _) = item.content, !item.isEmpty else {
        problems.error(
          Place(file: file, line: item.line), "\(what): \(Visible.quoted(key)) must hold texts, not \(item.kind)")
        return nil
      }
      return (text.trimmed, Place(file: file, line: item.line))
    }
  }

  /// The keys of a block whose keys the writer chooses (station codes, circuit codes).
  func table(_ key: String) -> [YAMLTree.Entry] {
    guard let value = value(key) else { return [] }
    guard case .mapping(let entries) = value.content else {
      error(key, "\(Visible.quoted(key)) must be a block of keys, not \(value.kind)")
      return []
    }
    return entries
  }

  /// A word out of a few, told without regard to case, spaces, `_` and `-`.
  func word(_ key: String, of words: [String]) -> String? {
    guard let text = text(key) else { return nil }
    if let word = words.first(where: { Self.folded($0) == Self.folded(text) }) { return word }
    error(
      key,
      "\(Visible.quoted(key)) must be one of \(words.joined(separator: ", ")), not \(Visible.quoted(text))"
        + NearestName.hint(for: text, among: words))
    return nil
  }
}

extension YAMLTree {
  var isScalar: Bool {
    if case .scalar = content { return true }
    return false
  }
}

extension StringProtocol {
  /// Without the white space at both ends.
  var trimmed: String {
    var view = Substring(self).unicodeScalars
    while let first = view.first, first.properties.isWhitespace { view.removeFirst() }
    while let last = view.last, last.properties.isWhitespace { view.removeLast() }
    return String(String.UnicodeScalarView(view))
  }
}

/// Numbers as people write marks: `2`, `0.5`, `-1`; at most six places, so that they are exact in millionths.
enum WrittenNumber {
  static func parse(_ text: some StringProtocol) -> Double? {
    var digits = text[...]
    if digits.first == "-" { digits.removeFirst() }
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts[0].count <= 9, !parts[0].isEmpty, parts.count == 1 || 1...6 ~= parts[1].count,
      parts.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } })
    else { return nil }
    return Double(String(text))
  }

  /// `2`, `0.5`: no trailing zeros.
  static func text(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e9 ? String(Int(number)) : String(number)
  }
}
