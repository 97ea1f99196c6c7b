import CircuitModel
import ExamStore
import Reports
import Terminal

/// The columns in which a section's levels stand on a wide screen: a matrix with its headings.
struct LevelColumns {
  /// The headings from the left; none where the levels of the items mean different things.
  let titles: [SafeText]
  /// How many columns there are.
  let count: Int
  /// The widest text of a cell, brackets included.
  private let cell: Int
  private let titled: Bool

  /// Columns in the room that there is: each cell takes `cell` columns of the screen.
  struct Fitted {
    let titles: [SafeText]
    let count: Int
    let cell: Int
    var width: Int { count * cell }
  }

  init(_ section: SectionTemplate) {
    let items = section.items.filter { !$0.levels.isEmpty && !LevelKeys.isTyped($0) }
    let keys = LevelKeys(section.items)
    titled = !section.matrixTitles.isEmpty
    if titled {
      titles = section.matrixTitles.map { SafeText($0) }
      count = titles.count
    } else {
      let texts = items.map { $0.levels.map(\.text) }
      let areShared = texts.allSatisfy { $0 == texts.first } && texts.first?.allSatisfy { !$0.isEmpty } == true
      let shared = areShared ? (texts.first ?? []).map { SafeText($0) } : []
      // A sentence is no heading.
      titles = shared.allSatisfy { $0.width <= LevelColumns.longestTitle } ? shared : []
      count = items.map(\.levels.count).max() ?? 0
    }
    cell =
      items.flatMap { item in item.levels.indices.map { LevelColumns.label($0, of: item, keys).width + 2 } }.max() ?? 3
  }

  private static let longestTitle = 14

  /// Whether an item's levels stand in the columns.
  func hold(_ item: ItemTemplate) -> Bool {
    if item.levels.isEmpty || LevelKeys.isTyped(item) || count == 0 { return false }
    return titled ? item.kind.hasDescriptors && item.levels.count == count : item.levels.count <= count
  }

  /// The columns in a room; nil where they do not fit. The section's own headings are cut before they are given up;
  /// the texts of levels, which the answer says in a word too, stand whole or not at all.
  func fitted(to room: Int) -> Fitted? {
    guard count > 0 else { return nil }
    let wished = max(cell, 5, (titles.map(\.width).max() ?? 0) + 2)
    let width = min(wished, room / count)
    if width >= max(cell, titles.isEmpty ? 3 : titled ? 6 : wished - 1) {
      return Fitted(titles: titles, count: count, cell: width)
    }
    return cell <= room / count ? Fitted(titles: [], count: count, cell: min(max(cell, 5), room / count)) : nil
  }

  /// What is printed on a level: its key, and its value where the key is not the value.
  static func label(_ index: Int, of item: ItemTemplate, _ keys: LevelKeys) -> SafeText {
    let value = item.levels[index].value.description
    let key = keys.key(of: index, in: item).map { String($0) } ?? "?"
    return SafeText(key == value ? key : "\(key)=\(value)")
  }
}
