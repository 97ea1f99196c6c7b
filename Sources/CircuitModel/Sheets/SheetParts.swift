/// An item of a template where it stands in it. One is shared by the items of all sheets that were made from it.
public final class SheetPart: Sendable {
  /// The section.
  public let section: SectionTemplate
  /// The item.
  public let item: ItemTemplate
  /// Whether it must not be left blank.
  public let isRequired: Bool

  fileprivate init(_ section: SectionTemplate, _ item: ItemTemplate, isRequired: Bool) {
    (self.section, self.item, self.isRequired) = (section, item, isRequired)
  }

  /// How an item of a sheet names it.
  struct Link: Hashable {
    let section: Int
    let item: Int
  }
}

/// The parts of a template by their links.
struct SheetParts {
  private let required: Set<Int>
  private let sections: [Int: SectionTemplate]
  private let items: [Int: ItemTemplate]
  private var parts: [SheetPart.Link: SheetPart] = [:]

  init(_ template: SheetTemplate) {
    required = template.required
    sections = Dictionary(template.sections.map { ($0.link, $0) }) { first, _ in first }
    items = Dictionary(template.items.map { ($0.link, $0) }) { first, _ in first }
  }

  /// The part of an item that names it; nil where the template has no such section or item.
  mutating func part(_ link: SheetPart.Link) -> SheetPart? {
    if let known = parts[link] { return known }
    guard let section = sections[link.section], let item = items[link.item] else { return nil }
    let part = SheetPart(section, item, isRequired: required.contains(item.link))
    parts[link] = part
    return part
  }
}
