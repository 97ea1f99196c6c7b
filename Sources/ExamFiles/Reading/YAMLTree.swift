import Yams

/// A value of a YAML file with the line it stands on.
struct YAMLTree {
  enum Content {
    /// The text as written; `plain` if it had no quotes, so that `true` or `~` can mean more than their letters.
    case scalar(String, plain: Bool)
    case list([YAMLTree])
    case mapping([Entry])
  }

  struct Entry {
    let key: String
    let line: Int
    let value: YAMLTree
  }

  let line: Int
  let content: Content

  /// Nothing was written: an empty value, `~` or `null`.
  var isEmpty: Bool {
    guard case .scalar(let text, plain: true) = content else { return false }
    return text.isEmpty || text == "~" || text.lowercased() == "null"
  }

  /// How a message names the kind of value that was found.
  var kind: String {
    switch content {
    case .scalar(let text, _): isEmpty ? "nothing" : Visible.quoted(text)
    case .list: "a list"
    case .mapping: "a block of keys"
    }
  }
}

extension YAMLTree {
  private static let depthLimit = 24
  private static let valueLimit = 500_000

  /// Reads a file's one document, or reports why not and returns nil.
  static func read(_ source: SourceFile, problems: ProblemList) -> YAMLTree? {
    if let line = aliasLine(source.text) {
      problems.error(
        Place(file: source.name, line: line),
        "anchors and aliases (&name, *name) are not read here; write the value out")
      return nil
    }
    do {
      guard let node = try compose(yaml: source.text) else {
        problems.error(Place(file: source.name, line: 1), "the file is empty")
        return nil
      }
      var left = valueLimit
      return convert(node, depth: 0, left: &left, file: source.name, problems: problems)
    } catch {
      let (line, text) = explain(error, source.text)
      problems.error(Place(file: source.name, line: line), text)
      return nil
    }
  }

  private static func convert(
    _ node: Node, depth: Int, left: inout Int, file: String, problems: ProblemList
  ) -> YAMLTree? {
    let line = node.mark?.line ?? 1
    left -= 1
    guard depth <= depthLimit, left > 0 else {
      problems.error(Place(file: file, line: line), depth > depthLimit ? "nested too deeply" : "too many values")
      left = 0
      return nil
    }
    switch node {
    case .scalar(let scalar):
      return YAMLTree(line: line, content: .scalar(scalar.string, plain: scalar.style == .plain))
    case .sequence(let sequence):
      var items: [YAMLTree] = []
      for item in sequence {
        guard let item = convert(item, depth: depth + 1, left: &left, file: file, problems: problems) else {
          return nil
        }
        items.append(item)
      }
      return YAMLTree(line: line, content: .list(items))
    case .mapping(let mapping):
      var entries: [Entry] = []
      for (key, value) in mapping {
        guard case .scalar(let name) = key else {
          problems.error(Place(file: file, line: key.mark?.line ?? line), "a key must be a word")
          return nil
        }
        guard let value = convert(value, depth: depth + 1, left: &left, file: file, problems: problems) else {
          return nil
        }
        entries.append(Entry(key: name.string, line: name.mark?.line ?? line, value: value))
      }
      return YAMLTree(line: line, content: .mapping(entries))
    case .alias:
      problems.error(Place(file: file, line: line), "aliases are not read here")
      return nil
    }
  }

  /// The line of an alias, if the text may hold an anchor and an alias of one name.
  ///
  /// Found in the text and not by the parser: ten lines of aliases of aliases stand for more values than there
  /// is memory, and some of that work is done before a tree exists. A text that holds such a pair by chance must be
  /// written otherwise, which is rare enough.
  private static func aliasLine(_ text: String) -> Int? {
    var anchors: Set<[UInt8]> = []
    var aliases: [(name: [UInt8], line: Int)] = []
    var previous: UInt8 = 0x0A
    var line = 1
    let bytes = Array(text.utf8)
    var index = 0
    func isName(_ byte: UInt8) -> Bool {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
      default: false
      }
    }
    func mayStart(_ byte: UInt8) -> Bool {
      switch byte {
      case 0x09, 0x0A, 0x0D, 0x20, 0x2C, 0x3A, 0x5B, 0x7B: true
      default: byte >= 0x80  // the other line ends of YAML are not ASCII
      }
    }
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x0A { line += 1 }
      if byte == 0x26 || byte == 0x2A, mayStart(previous) {
        var end = index + 1
        while end < bytes.count, isName(bytes[end]) { end += 1 }
        if end < bytes.count, end > index + 1 || bytes[end] > 0x20 {
          let name = Array(bytes[(index + 1)..<end])
          if byte == 0x26 { anchors.insert(name) } else { aliases.append((name, line)) }
        }
      }
      previous = byte
      index += 1
    }
    return aliases.first { anchors.contains($0.name) }?.line
  }

  private static func explain(_ error: any Error, _ text: String) -> (line: Int, message: String) {
    switch error as? YamlError {
    case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      if hasLeadingTab(text, line: mark.line) {
        return (mark.line, "a tab cannot indent here; use spaces")
      }
      if problem.contains("another document") {
        return (mark.line, "a second document begins here ('---'); one file holds one")
      }
      // The library names a function of its own here.
      if problem.contains("nesting level") { return (mark.line, "nested too deeply") }
      let around = context.map { " (\($0.text), from line \($0.mark.line))" } ?? ""
      return (mark.line, "not readable as YAML: \(problem)\(around)")
    case .duplicatedKeysInMapping(let keys, let context):
      return (context.mark.line, "\(Visible.quoted(keys.first ?? "")) is written twice in one block")
    case .reader(let problem, let offset, _, _):
      let line = 1 + text.prefix(offset ?? 0).count { $0.isNewline }
      return (line, "not readable as YAML: \(problem)")
    default: return (1, "not readable as YAML")
    }
  }

  private static func hasLeadingTab(_ text: String, line: Int) -> Bool {
    let lines = text.split(separator: "\n", maxSplits: line, omittingEmptySubsequences: false)
    guard line >= 1, line <= lines.count else { return false }
    return lines[line - 1].drop { $0 == " " }.first == "\t"
  }
}
