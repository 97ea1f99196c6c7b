import CircuitModel
import Reports
import Terminal

/// What is printed on levels and said of their keys: the keys that are bound at this terminal.
@MainActor
struct LevelLabels {
  /// The key before a typed value.
  let value: SafeText
  /// The key of unable to assess.
  let unable: SafeText
  private let bound: [MarkKey: SafeText]

  private static let named: [(MarkKey, KeyName)] = [
    (.half, SheetScreen.Keys.half.name), (.ten, SheetScreen.Keys.ten.name), (.yes, SheetScreen.Keys.yes.name),
    (.no, SheetScreen.Keys.no.name),
  ]

  /// - Parameter keys: the keys that a person has given to bindings.
  init(keys: [BindingID: [Key]] = [:], glyphs: Glyphs = .unicode) {
    var bound: [MarkKey: SafeText] = [:]
    for (key, named) in LevelLabels.named {
      // A binding without a key prints none: its level is typed or read.
      bound[key] = named.keys(keys).first?.label(glyphs)
    }
    self.bound = bound
    value = SheetScreen.Keys.number.name.keys(keys).first?.label(glyphs) ?? "="
    unable = SheetScreen.Keys.unable.name.keys(keys).first?.label(glyphs) ?? "u"
  }

  init(_ context: AppContext) { self.init(keys: context.configuration.keys, glyphs: context.theme.glyphs) }

  /// Unable to assess as it is printed: in brackets where it was given.
  func unable(isGiven: Bool) -> SafeText { isGiven ? "[" + unable + "]" : " " + unable + " " }

  /// The key itself; nil for one that is bound to nothing.
  subscript(_ key: MarkKey) -> SafeText? {
    if case .digit(let digit) = key { return SafeText("\(digit)") }
    return bound[key]
  }

  /// The key of a level; nil where it is typed or read.
  func key(of index: Int, in item: ItemTemplate) -> SafeText? {
    LevelKeys.key(of: index, in: item).flatMap { self[$0] }
  }

  /// A level as it is printed: `1`, `h=0.5`, or `=1.5` where it is typed.
  func label(of index: Int, in item: ItemTemplate) -> SafeText {
    let worth = SafeText(item.levels[index].value.description)
    guard let key = key(of: index, in: item) else { return value + worth }
    return key == worth ? key : key + "=" + worth
  }

  /// A level as it is printed where there is little room: a half and ten, which are worth the same on every item, show
  /// their key alone.
  func shortLabel(of index: Int, in item: ItemTemplate) -> SafeText {
    switch LevelKeys.key(of: index, in: item) {
    case .half, .ten: key(of: index, in: item) ?? label(of: index, in: item)
    case .digit, .yes, .no, nil: label(of: index, in: item)
    }
  }

  /// The item's keys in words: `0 to 4`, `0, h, 1`, `0 or n, 1 or y`; empty where it has none.
  func keys(of item: ItemTemplate) -> String {
    let keys = LevelKeys.keys(of: item)
    guard item.kind.isBinary else { return texts(of: keys, joinedBy: " to ").joined(separator: ", ") }
    return item.levels.indices.map { index in
      keys.filter { LevelKeys.meaning(of: $0, in: item) == .level(index) }.compactMap { self[$0]?.plain }
        .joined(separator: " or ")
    }.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// The item's keys where there is little room: `0-9 t`.
  func shortKeys(of item: ItemTemplate) -> String {
    texts(of: LevelKeys.keys(of: item), joinedBy: "-").joined(separator: " ")
  }

  /// Whether some level of the item has no key.
  func needsTyping(_ item: ItemTemplate) -> Bool { item.levels.indices.contains { key(of: $0, in: item) == nil } }

  /// What the levels of an item are worth: one by one while they are few.
  func values(of item: ItemTemplate) -> String {
    let values = Array(Set(item.levels.map(\.value))).sorted()
    guard values.count > 6, let low = values.first, let high = values.last else {
      return values.map(\.description).joined(separator: ", ")
    }
    return "\(low) to \(high)"
  }

  /// Why a key marks nothing here, with the keys that do.
  func refusal(_ refusal: LevelKeys.Refusal, of key: MarkKey, in item: ItemTemplate) -> SafeText {
    switch refusal {
    case .unknownKind: return SafeText(item.obstacle ?? "")
    case .written: return "this item is written: press Enter"
    case .noLevels: return "this item has no levels, so nothing marks it"
    case .shared(let worth):
      let count = item.levels.count { $0.value == worth }
      return SafeText("\(count) levels are worth \(worth): ") + value + SafeText(" \(worth) Enter asks which")
    case .noSuchLevel:
      return (self[key] ?? "this") + " is not a level of this item: " + hint(of: item)
    }
  }

  /// Why an item takes no unable to assess, with the keys that mark it.
  func unableRefusal(in item: ItemTemplate) -> SafeText {
    let hint = hint(of: item)
    return "not offered on this item" + (hint.isEmpty ? "" : ": " + hint)
  }

  /// The keys that mark an item, in a sentence; empty where nothing does.
  private func hint(of item: ItemTemplate) -> SafeText {
    let own = keys(of: item)
    let typed: SafeText = needsTyping(item) ? value + " types \(own.isEmpty ? "a value" : "the others")" : ""
    return SafeText(own.isEmpty ? "" : "the keys are \(own)" + (typed.isEmpty ? "" : "; ")) + typed
  }

  /// Keys as texts, three or more digits in a row as a range.
  private func texts(of keys: [MarkKey], joinedBy range: String) -> [String] {
    var digits: [ClosedRange<Int>] = []
    var others: [String] = []
    for key in keys {
      guard case .digit(let digit) = key else {
        others += self[key].map { [$0.plain] } ?? []
        continue
      }
      if let last = digits.last, last.upperBound == digit - 1 {
        digits[digits.count - 1] = last.lowerBound...digit
      } else {
        digits.append(digit...digit)
      }
    }
    return digits.flatMap { run in
      run.count > 2 ? ["\(run.lowerBound)\(range)\(run.upperBound)"] : run.map { "\($0)" }
    } + others
  }
}

extension SheetScreen {
  /// The keys that mark the focused item, as wide on every item: what stands after them in the footer keeps its place.
  var levelKeys: String {
    let extras = [(MarkKey.ten, labels[.ten]?.plain), (.half, labels[.half]?.plain)]
    let all = (["0-9"] + extras.compactMap(\.1)).joined(separator: " ")
    guard let template = focusedItem?.template else { return all }
    let own = labels.shortKeys(of: template)
    // Where no key is a level's, its value is typed.
    let text = own.isEmpty ? labels.value.plain : own
    return text + String(repeating: " ", count: max(0, all.count - text.count))
  }
}
