import ExamStore
import Journal

/// A key that marks a level. It names what the level is worth, never where it stands: the same key means the same on
/// every item of every sheet.
public enum MarkKey: Hashable, Sendable {
  /// The level worth this whole number, from 0 to 9.
  case digit(Int)
  /// The level worth a half.
  case half
  /// The level worth ten.
  case ten
  /// The answer yes of an item with two answers.
  case yes
  /// The answer no of an item with two answers.
  case no
}

/// Which key marks which level, and what a typed value names. A value that no key names, and one that two levels of an
/// item share, are typed or read.
public enum LevelKeys {
  /// What pressing a key means on an item.
  public enum Meaning: Equatable, Sendable {
    /// The level at this index of the item's levels.
    case level(Int)
    /// No level, for this reason.
    case refused(Refusal)
  }

  /// Why a key marks nothing on an item.
  public enum Refusal: Equatable, Sendable {
    /// The item is answered in writing.
    case written
    /// The item is of a kind that this version does not know.
    case unknownKind
    /// The item has no levels at all.
    case noLevels
    /// No level of the item is worth what the key says.
    case noSuchLevel
    /// Several levels are worth what the key says, so that it names none of them.
    case shared(MarkValue)
  }

  /// What a typed value names on an item.
  public enum Typed: Equatable, Sendable {
    /// The level at this index of the item's levels.
    case level(Int)
    /// The levels at these indices, all worth the value.
    case shared([Int])
    /// Nothing was typed.
    case empty
    /// The text is not a number.
    case notANumber
    /// No level is worth this.
    case noSuchLevel(MarkValue)
  }

  /// The key that is printed on a level; nil where the level is typed or read.
  /// - Parameter index: the level's place in the item's levels, from 0.
  public static func key(of index: Int, in item: ItemTemplate) -> MarkKey? {
    if !item.kind.isKnown { return nil }
    return key(of: index, among: item.levels.map(\.value), isBinary: item.kind.isBinary)
  }

  /// The key that is printed on a level; nil where the level is typed or read.
  /// - Parameters:
  ///   - index: the level's place among the values, from 0.
  ///   - values: what the levels of one item are worth.
  ///   - isBinary: whether they are the answers no and yes, in this order.
  public static func key(of index: Int, among values: [MarkValue], isBinary: Bool) -> MarkKey? {
    guard values.indices.contains(index) else { return nil }
    let value = values[index]
    guard values.count(where: { $0 == value }) == 1 else { return nil }
    if let key = key(worth: value) { return key }
    return isBinary && hasYesAndNo(values) ? (index == 1 ? .yes : .no) : nil
  }

  /// Every key that marks a level of an item: digits first, each level's own key before yes and no.
  public static func keys(of item: ItemTemplate) -> [MarkKey] {
    let all = (0...9).map { MarkKey.digit($0) } + [.ten, .half, .no, .yes]
    return all.filter { if case .level = meaning(of: $0, in: item) { true } else { false } }
  }

  /// What a key means on an item.
  public static func meaning(of key: MarkKey, in item: ItemTemplate) -> Meaning {
    if !item.kind.isKnown { return .refused(.unknownKind) }
    if item.kind.isWritten { return .refused(.written) }
    if item.levels.isEmpty { return .refused(.noLevels) }
    guard let value = value(of: key) else {
      let isOffered = item.kind.isBinary && hasYesAndNo(item.levels.map(\.value))
      return isOffered ? .level(key == .yes ? 1 : 0) : .refused(.noSuchLevel)
    }
    let places = item.levels.indices.filter { item.levels[$0].value == value }
    if places.count > 1 { return .refused(.shared(value)) }
    return places.first.map { .level($0) } ?? .refused(.noSuchLevel)
  }

  /// What a typed value names on an item; its decimals stand after a point or a comma.
  public static func meaning(typed text: String, in item: ItemTemplate) -> Typed {
    if text.isEmpty { return .empty }
    let isPlain = text.utf8.allSatisfy {
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "-.,".utf8.contains($0)
    }
    guard isPlain, let number = Double(text.replacing(",", with: ".")), let value = MarkValue(number) else {
      return .notANumber
    }
    let places = item.levels.indices.filter { item.levels[$0].value == value }
    return places.count > 1 ? .shared(places) : places.first.map { .level($0) } ?? .noSuchLevel(value)
  }

  private static func key(worth value: MarkValue) -> MarkKey? {
    if value.scaled * 2 == Scaled.unit { return .half }
    guard let whole = value.whole, 0...10 ~= whole else { return nil }
    return whole == 10 ? .ten : .digit(Int(whole))
  }

  /// What a key says that a level is worth; nil for yes and no, which name an answer.
  private static func value(of key: MarkKey) -> MarkValue? {
    switch key {
    case .digit(let digit): MarkValue(scaled: Int64(digit) * Scaled.unit)
    case .ten: MarkValue(scaled: 10 * Scaled.unit)
    case .half: MarkValue(scaled: Scaled.unit / 2)
    case .yes, .no: nil
    }
  }

  /// Where no is worth more than yes, both keys would mislead, so neither is taken.
  private static func hasYesAndNo(_ values: [MarkValue]) -> Bool { values.count == 2 && values[0] < values[1] }
}
