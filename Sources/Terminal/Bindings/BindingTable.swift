/// What a key means on a screen.
public enum Dispatch<Action: Sendable>: Sendable {
  /// Do this.
  case action(Action)
  /// The key is known and cannot act now, for this reason.
  case refused(String)
  /// The key means nothing here.
  case unbound
}

/// All bindings of one screen. Dispatch, help, palette and the key pages of the documents read this table; there is
/// no second list.
public struct BindingTable<Action: Sendable>: Sendable {
  /// The screen's name, as the documents head its keys.
  public let title: String
  /// The bindings in the order in which help and footer list them.
  public private(set) var bindings: [Binding<Action>]

  /// A table of a screen.
  public init(_ title: String, _ bindings: [Binding<Action>]) {
    self.title = title
    self.bindings = bindings
  }

  /// This table's bindings followed by another's, such as those of every screen.
  public func appending(_ other: BindingTable) -> BindingTable {
    BindingTable(title, bindings + other.bindings)
  }

  /// The table as it is listed, beside tables of other actions.
  public var listing: BindingTable<Void> {
    BindingTable<Void>(
      title,
      bindings.map {
        Binding(
          $0.id, $0.keys, $0.label, help: $0.help, group: $0.group, $0.availability, keysLabel: $0.keysLabel, action: ()
        )
      })
  }

  /// What a key means. Where two bindings claim a key the first wins; tests refuse such a table.
  public func dispatch(_ key: Key) -> Dispatch<Action> {
    for binding in bindings where binding.keys.contains(key) {
      switch binding.availability {
      case .enabled: return .action(binding.action)
      case .disabled(let reason): return .refused(reason)
      }
    }
    return .unbound
  }

  /// Headings of the help with their bindings, in the order in which each heading first occurs.
  public var groups: [(name: String, bindings: [Binding<Action>])] {
    var result: [(name: String, bindings: [Binding<Action>])] = []
    for binding in bindings {
      if let place = result.firstIndex(where: { $0.name == binding.group }) {
        result[place].bindings.append(binding)
      } else {
        result.append((binding.group, [binding]))
      }
    }
    return result
  }

  /// Bindings whose label, help, group or identifier contains every word typed, upper and lower case alike.
  public func palette(matching typed: String) -> [Binding<Action>] {
    let words = TypedWords(typed)
    return bindings.filter { words.fit("\($0.label) \($0.help) \($0.group) \($0.id.rawValue)") }
  }
}
