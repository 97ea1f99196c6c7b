import CircuitModel
import ExamStore
import Reports
import Terminal

/// The columns in which the levels of a sheet stand: one for each value, the same on every row, so that 1 is always
/// under 1.
@MainActor
struct LevelColumns {
  /// More levels than this stand in no columns: the item says its keys in few words.
  static let mostLevels = 11
  /// The same where the texts would lose too much by columns that one item alone needs.
  static let mostLevelsWhereNarrow = 7
  private static let longestTitle = 14

  /// The levels of items that are printed alike.
  private struct Shape: Hashable {
    let values: [MarkValue]
    let labels: [String]
    let shortLabels: [String]
  }

  private var shapes: [Shape] = []
  /// The shape of an item by its link; none for items that stand in no columns.
  private var shapeOfItem: [Int: Int] = [:]
  /// The headings of a section by its link.
  private var titles: [Int: Titles] = [:]

  private struct Titles {
    var texts: [MarkValue: SafeText]
    /// Whether the sheet gives them, so that they are cut before they are given up.
    let areOwn: Bool
  }

  init(_ template: SheetTemplate?, _ labels: LevelLabels) {
    var known: [Shape: Int] = [:]
    for section in template?.sections ?? [] {
      titles[section.link] = LevelColumns.titles(of: section)
      for item in section.items where LevelColumns.fits(item) {
        let indices = item.levels.indices
        let shape = Shape(
          values: item.levels.map(\.value), labels: indices.map { labels.label(of: $0, in: item).plain },
          shortLabels: indices.map { labels.shortLabel(of: $0, in: item).plain })
        if known[shape] == nil {
          known[shape] = shapes.count
          shapes.append(shape)
        }
        shapeOfItem[item.link] = known[shape]
      }
    }
  }

  /// Two levels of one value would stand in one column.
  private static func fits(_ item: ItemTemplate) -> Bool {
    item.kind.takesLevel && 1...mostLevels ~= item.levels.count
      && Set(item.levels.map(\.value)).count == item.levels.count
  }

  /// A section's headings: its own, or the texts of its levels where all of its items share them.
  private static func titles(of section: SectionTemplate) -> Titles? {
    let areOwn = !section.matrixTitles.isEmpty
    let items = section.items.filter {
      areOwn ? $0.kind.hasDescriptors && $0.levels.count == section.matrixTitles.count : !$0.levels.isEmpty
    }
    guard let first = items.first, items.allSatisfy({ $0.levels.map(\.value) == first.levels.map(\.value) }),
      fits(first)
    else { return nil }
    let texts = areOwn ? section.matrixTitles : first.levels.map(\.text)
    if !areOwn {
      let areShared = items.allSatisfy { $0.levels.map(\.text) == texts } && texts.allSatisfy { !$0.isEmpty }
      // A sentence is no heading.
      guard areShared, texts.allSatisfy({ SafeText($0).width <= longestTitle }) else { return nil }
    }
    return Titles(
      texts: Dictionary(zip(first.levels.map(\.value), texts.map { SafeText($0) })) { first, _ in first },
      areOwn: areOwn)
  }

  // MARK: In the room that there is

  /// What columns have to fit.
  struct Room: Equatable {
    let width: Int
    /// Whether the screen has headings.
    let isTitled: Bool
    /// The most levels that stand in columns.
    let mostLevels: Int
    /// Whether the texts need what wide columns and headings that are no section's own would take.
    let isTight: Bool
  }

  /// The columns in a room.
  struct Fitted {
    /// A column: where it begins, and its width.
    struct Column: Equatable {
      var x: Int
      let width: Int
    }

    fileprivate(set) var columns: [MarkValue: Column] = [:]
    fileprivate(set) var width = 0
    /// Whether a level shows its key alone.
    fileprivate(set) var isShort = false
    fileprivate var kept: Set<Int> = []
    fileprivate var titles: [Int: [MarkValue: SafeText]] = [:]

    /// The headings of a section that have room.
    func titles(of section: SectionTemplate) -> [MarkValue: SafeText] { titles[section.link] ?? [:] }
  }

  /// Whether an item's levels stand in the columns.
  func hold(_ item: ItemTemplate, in fitted: Fitted) -> Bool {
    shapeOfItem[item.link].map { fitted.kept.contains($0) } ?? false
  }

  /// The columns in a room. Headings go before values, values before columns; where the columns of all items have no
  /// room, the item with the most columns of its own leaves them first.
  func fitted(to room: Room) -> Fitted {
    let forms = room.isTight ? LevelColumns.tightForms : LevelColumns.forms
    var kept = Set(shapes.indices.filter { shapes[$0].values.count <= room.mostLevels })
    while !kept.isEmpty {
      for (least, heads, isShort) in forms where room.isTitled || heads == .none && least == 3 {
        let fitted = columns(of: kept, least: least, heads: heads, isShort: isShort)
        if fitted.width <= room.width { return fitted }
      }
      guard let widest = kept.max(by: { own($0, in: kept) < own($1, in: kept) }) else { break }
      kept.remove(widest)
    }
    return Fitted()
  }

  private enum Heads { case whole, cut, none }

  private static let forms: [(least: Int, heads: Heads, isShort: Bool)] = [
    (5, .whole, false), (5, .cut, false), (5, .none, false), (3, .none, false), (3, .none, true),
  ]
  private static let tightForms: [(least: Int, heads: Heads, isShort: Bool)] = [
    (3, .cut, false), (3, .none, false), (3, .none, true),
  ]

  /// How many columns would go with a shape, and then how many it has.
  private func own(_ place: Int, in kept: Set<Int>) -> Int {
    let others = Set(kept.filter { $0 != place }.flatMap { shapes[$0].values })
    return shapes[place].values.count { !others.contains($0) } * 100 + shapes[place].values.count
  }

  private func columns(of kept: Set<Int>, least: Int, heads: Heads, isShort: Bool) -> Fitted {
    var widths: [MarkValue: Int] = [:]
    func widen(_ value: MarkValue, to width: Int) { widths[value] = max(widths[value] ?? least, width) }
    for shape in kept.map({ shapes[$0] }) {
      for (value, label) in zip(shape.values, isShort ? shape.shortLabels : shape.labels) {
        widen(value, to: SafeText(label).width + 2)
      }
    }
    for titles in titles.values where heads == .whole || heads == .cut && titles.areOwn {
      for (value, title) in titles.texts where widths[value] != nil {
        widen(value, to: min(title.width, heads == .whole ? .max : 6) + 2)
      }
    }
    var fitted = Fitted(isShort: isShort, kept: kept)
    for (value, width) in widths.sorted(by: { $0.key < $1.key }) {
      fitted.columns[value] = Fitted.Column(x: fitted.width, width: width)
      fitted.width += width
    }
    if heads != .none {
      fitted.titles = titles.compactMapValues { titles in
        let fits = titles.texts.allSatisfy { value, title in
          widths[value].map { titles.areOwn || title.width < $0 } ?? false
        }
        return fits ? titles.texts : nil
      }
    }
    return fitted
  }
}
