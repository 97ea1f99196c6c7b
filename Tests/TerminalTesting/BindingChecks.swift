import Terminal

extension BindingTable {
  /// The binding of an identifier.
  public subscript(id: BindingID) -> Binding<Action>? {
    bindings.first { $0.id == id }
  }

  /// Keys claimed by more than one binding, each with the bindings that claim it. A table in order has none.
  public var duplicates: [(key: Key, ids: [BindingID])] {
    var claims: [Key: [BindingID]] = [:]
    var order: [Key] = []
    for binding in bindings {
      for key in binding.keys {
        if claims[key] == nil { order.append(key) }
        claims[key, default: []].append(binding.id)
      }
    }
    return order.compactMap { key in
      claims[key].flatMap { $0.count > 1 ? (key, $0) : nil }
    }
  }

  /// Identifiers used more than once.
  public var duplicateIDs: [BindingID] {
    var seen: Set<BindingID> = []
    return bindings.map(\.id).filter { !seen.insert($0).inserted }
  }

  /// The table as a chapter of the documents, in Markdown.
  public var markdown: String {
    var text = "## \(title)\n"
    for group in groups {
      text += "\n### \(group.name)\n\n| Keys | Action | | Name |\n| --- | --- | --- | --- |\n"
      for binding in group.bindings {
        let keys =
          binding.keysLabel.map(Self.code) ?? binding.keys.map { Self.code($0.name) }.joined(separator: " ")
        text += "| \(keys) | \(binding.label) | \(binding.help) | `\(binding.id.rawValue)` |\n"
      }
    }
    return text
  }

  private static func code(_ name: String) -> String {
    name == "|" ? "`\\|`" : name == "`" ? "`` ` ``" : "`\(name)`"
  }
}
