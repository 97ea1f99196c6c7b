import ExamStore
import Journal

/// Which key gives which level, for one section: the keys are printed on the levels, so they follow one rule for the
/// whole section.
///
/// If every level of every scaled item has a whole value from 0 to 9, all different, the key is the value. Otherwise
/// it is the position from the left: 1 to 9, then `t` for a tenth. `0` never means ten. A binary item is `1` or `y`,
/// `0` or `n` everywhere. A scale of more than ten levels is typed as a number after `=`.
public struct LevelKeys: Equatable, Sendable {
  /// What the digits stand for.
  public enum Scheme: Equatable, Sendable {
    /// The value itself.
    case value
    /// The position from the left.
    case position
  }

  /// What pressing a key means on an item.
  public enum Meaning: Equatable, Sendable {
    /// The level at this index from the left.
    case level(Int)
    /// Nothing, and why: one line for the assessor.
    case refused(String)
  }

  /// The section's rule.
  public let scheme: Scheme

  /// The rule of a section.
  public init(_ items: [ItemTemplate]) {
    let scales = items.filter { !$0.kind.isWritten && !$0.kind.isBinary }
    let byValue = scales.allSatisfy { item in
      let values = item.levels.compactMap(\.value.whole)
      return values.count == item.levels.count && values.allSatisfy { (0...9).contains($0) }
        && Set(values).count == values.count
    }
    scheme = byValue ? .value : .position
  }

  /// Whether a scale is too long for single keys.
  public static func isTyped(_ item: ItemTemplate) -> Bool { item.levels.count > 10 }

  /// The key that is printed on a level; nil where the level is typed as a number.
  /// - Parameter index: the level's place from the left, from 0.
  public func key(of index: Int, in item: ItemTemplate) -> Character? {
    guard item.levels.indices.contains(index) else { return nil }
    if item.kind.isBinary { return index == LevelKeys.positive(of: item) ? "1" : "0" }
    if LevelKeys.isTyped(item) { return nil }
    switch scheme {
    case .value: return item.levels[index].value.whole.flatMap { Character(String($0)) }
    case .position: return index == 9 ? "t" : Character(String(index + 1))
    }
  }

  /// What a key means on an item.
  public func meaning(of key: Character, in item: ItemTemplate) -> Meaning {
    if item.kind.isWritten { return .refused("this item is written: press Enter") }
    if item.kind.isBinary {
      let positive = LevelKeys.positive(of: item)
      switch key {
      case "1", "y": return .level(positive)
      case "0", "n": return .level(1 - positive)
      default: return .refused("this item takes 1 or y, 0 or n")
      }
    }
    if LevelKeys.isTyped(item) {
      return .refused("this scale has \(item.levels.count) levels: press = and type the number")
    }
    if let index = item.levels.indices.first(where: { self.key(of: $0, in: item) == key }) { return .level(index) }
    if key == "0" { return .refused("this scale has no 0: the keys are \(range(of: item))") }
    return .refused("no level \(key) here: the keys are \(range(of: item))")
  }

  /// The level that a typed number names.
  public static func level(typed text: String, in item: ItemTemplate) -> Meaning {
    let isPlain =
      !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "-.".utf8.contains($0) }
    guard isPlain, let number = Double(text), let value = MarkValue(number) else {
      return .refused(text.isEmpty ? "no number was typed" : "\(text) is not a number")
    }
    guard let index = item.levels.firstIndex(where: { $0.value == value }) else {
      let low = item.levels.map(\.value).min(), high = item.levels.map(\.value).max()
      return .refused("\(value) is not on the scale from \(low?.description ?? "?") to \(high?.description ?? "?")")
    }
    return .level(index)
  }

  /// The keys of an item, as `0 to 4`, or one by one where some between are not its own: `1, 3, 5`.
  public func range(of item: ItemTemplate) -> String {
    let keys = item.levels.indices.compactMap { key(of: $0, in: item) }.sorted()
    guard let first = keys.first, let last = keys.last else { return "=" }
    // `t` follows on 9.
    let places = keys.map { $0 == "t" ? 10 : $0.wholeNumberValue ?? 0 }
    let isGapless = places.count > 2 && zip(places, places.dropFirst()).allSatisfy { $1 == $0 + 1 }
    return isGapless ? "\(first) to \(last)" : keys.map { String($0) }.joined(separator: ", ")
  }

  /// The place of a binary item's positive level.
  private static func positive(of item: ItemTemplate) -> Int {
    item.levels.count == 2 && item.levels[0].value > item.levels[1].value ? 0 : 1
  }
}
