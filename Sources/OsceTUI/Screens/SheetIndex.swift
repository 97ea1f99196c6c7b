import CircuitModel

/// What a frame looks up of a sheet for every row, found once.
struct SheetIndex {
  private var places: [String: (section: Int, item: Int)] = [:]
  private var sectionPlaces: [String: Int] = [:]
  private var keysBySection: [LevelKeys] = []
  private var required: Set<Int> = []
  private let sheet: Sheet?

  init(_ sheet: Sheet?) {
    self.sheet = sheet
    guard let sheet else { return }
    for (place, section) in sheet.sections.enumerated() {
      sectionPlaces[section.key] = place
      keysBySection.append(LevelKeys(section.template.items))
      for (number, item) in section.items.enumerated() { places[item.key] = (place, number) }
    }
    required = sheet.template.required
  }

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

  /// Whether an item must not be left blank.
  func requires(_ item: ItemTemplate) -> Bool { required.contains(item.link) }

  /// The keys of a section's levels.
  func keys(of section: SheetSection) -> LevelKeys {
    sectionPlaces[section.key].map { keysBySection[$0] } ?? LevelKeys(section.template.items)
  }
}
