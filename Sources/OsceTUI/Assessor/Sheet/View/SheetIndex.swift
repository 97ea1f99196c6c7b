import CircuitModel
import ExamStore
import Reports

/// What a frame looks up of a sheet: worked out once for each change of the sheet, so that a frame costs what it draws.
struct SheetIndex {
  /// What the heading of a section says.
  struct SectionFigures {
    /// Items with an answer.
    let answered: Int
    /// Required items without one.
    let blanks: Int
    /// How many copies there are of it, itself included.
    let copies: Int
  }

  private var places: [String: (section: Int, item: Int)] = [:]
  private var sectionPlaces: [String: Int] = [:]
  private var sections: [SectionFigures] = []
  private var required: Set<Int> = []
  private let sheet: Sheet?
  /// Items in all.
  let itemCount: Int
  /// Items with an answer.
  let answered: Int
  /// The items that are not to be left blank and are: the required ones, and the global rating whatever the sheet says
  /// of it.
  let needed: [SheetItem]
  /// What sections ask for and lack.
  let facts: [BlankFact]
  /// The running total, where it may be shown.
  let total: (score: MarkValue, maximum: MarkValue)?
  /// Whether any item can be left as unable to assess: its column stands on every row then.
  let allowsUnable: Bool

  init(_ sheet: Sheet?) {
    self.sheet = sheet
    let required = sheet?.template.required ?? []
    self.required = required
    for (place, section) in (sheet?.sections ?? []).enumerated() {
      sectionPlaces[section.key] = place
      sections.append(
        SectionFigures(
          answered: section.items.count { !$0.isBlank },
          blanks: section.items.count { $0.isBlank && required.contains($0.template.link) },
          copies: sheet?.sections.count { $0.template.link == section.template.link } ?? 1))
      for (number, item) in section.items.enumerated() { places[item.key] = (place, number) }
    }
    itemCount = places.count
    answered = sections.reduce(0) { $0 + $1.answered }
    let globalRating = sheet?.template.globalRating
    needed = (sheet?.items ?? []).filter { item in
      item.isBlank && (required.contains(item.template.link) || item.template.link == globalRating)
    }
    facts = sheet?.blankFacts ?? []
    total = sheet.flatMap { $0.showsTotal ? $0.total : nil }
    allowsUnable = sheet?.template.items.contains(where: \.allowsUnable) ?? false
  }

  /// Whether nothing is blank that is not to be left so.
  var isFilled: Bool { needed.isEmpty && facts.isEmpty }

  /// The section of a key.
  func section(_ key: String) -> SheetSection? {
    guard let sheet, let place = sectionPlaces[key] else { return nil }
    return sheet.sections[place]
  }

  /// The item of a key, and its section.
  func item(_ key: String) -> (SheetItem, SheetSection)? {
    guard let sheet, let place = places[key] else { return nil }
    return (sheet.sections[place.section].items[place.item], sheet.sections[place.section])
  }

  /// The item that has the focus; nil where a heading or the end has it.
  func focusedItem(of rows: SheetRows) -> SheetItem? { rows.focusedItem.flatMap { item($0)?.0 } }

  /// Whether a row is a section of the sheet.
  func hasSection(_ key: String) -> Bool { sectionPlaces[key] != nil }

  /// Whether an item must not be left blank.
  func requires(_ item: ItemTemplate) -> Bool { required.contains(item.link) }

  /// The figures of a section of the sheet.
  func figures(of section: SheetSection) -> SectionFigures { sections[sectionPlaces[section.key] ?? 0] }
}
