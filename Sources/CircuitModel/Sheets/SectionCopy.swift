/// A copy of a section; a second or later one counts only where anything in it is answered.
package struct SectionCopy: Hashable {
  private let section: Int
  private let copy: Int

  /// The copy of a section of a form, from 1.
  package init(section: Int, copy: Int) { (self.section, self.copy) = (section, copy) }

  /// The items that count.
  package static func counted<Item>(
    _ items: [Item], at place: (Item) -> SectionCopy, isAnswered: (Item) -> Bool
  ) -> [Item] {
    if !items.contains(where: { place($0).copy > 1 }) { return items }
    let used = Set(items.filter(isAnswered).map(place))
    return items.filter { place($0).copy < 2 || used.contains(place($0)) }
  }
}
