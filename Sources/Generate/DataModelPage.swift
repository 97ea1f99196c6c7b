import Catalogue

/// docs/data-model.md: the catalogue as a page to read.
struct DataModelPage {
  let catalogue: Catalogue

  static let path = "docs/data-model.md"

  func text() -> String {
    let ours = catalogue.entities.filter(\.isExtension).count
    var parts = [
      """
      <!-- Generated from the catalogue by script/generate; edit the catalogue, not this page. -->

      # Data model

      \(catalogue.entities.count) entities: the \(catalogue.entities.count - ours) of the reference, and \(ours) that \
      this product adds. What is added is marked with **+**. `osce schema` prints the same declaration, `osce schema \
      --json` prints it for programs.

      - A row is *required* to hold its key, its name or text, and what it belongs to. All else may be left out; a value \
      after `=` stands where it is.
      - A bundle writes a to-one relationship under its own name with the destination's key, and no to-many ones.
      - Instants are stored as whole milliseconds since 1970-01-01T00:00:00Z, booleans as 0 and 1, JSON as text. Texts \
      that name a day or a time of day are local in the exam's time zone.
      - After the type stands what an attribute may hold where that is less than its type allows. A value outside is \
      refused in an import and from another terminal, and `osce doctor` names a stored one. Everywhere: instants lie in \
      the years 1900 to 9999, numbers within ±1000000000 with six decimal places, keys are whole numbers of 32 bits, \
      texts have at most 65536 bytes, JSON 262144, and no zero character.
      - Every key, every column of a relationship, every time stamp and every status has an index, but for those of an item \
      that each mark changes.
      - A deletion sets `dsDeleted` where an entity has it, and takes along the rows that *belong to* the row.
      - *Personal* are texts that tell of a person. After the word stands of whom: of the candidate that the row is, or that \
      its relationships lead to, or whose number it holds; of the exam where there is no candidate. All other texts are \
      keys, times, words of the program, names of machines, or what the exam office wrote for all candidates alike.
      - Where no column is named, the value follows from others or lives on one screen only.
      - Direction is seen from a terminal: *down* from the hub, *up* to it.

      ## Entities

      | Entity | Key | Sync | Soft delete | Table | For |
      | --- | --- | --- | --- | --- | --- |
      """
        + catalogue.entities.map { entity in
          let parent = entity.parent.map { " (a \($0))" } ?? ""
          return "\n| [\(entity.name)](#\(entity.name.lowercased()))\(parent)\(mark(entity.isExtension)) "
            + "| \(entity.primaryKey) | \(entity.sync.rawValue) | \(entity.softDelete ? "yes" : "no") "
            + "| `\(entity.table)` | \(entity.purpose) |"
        }.joined()
    ]
    for category in Category.allCases {
      parts.append("## " + category.rawValue)
      parts += catalogue.entities.filter { $0.category == category }.map(section)
    }
    parts.append(
      "## Decisions\n\nWhere the reference is silent or contradicts itself, this is what was picked.\n\n"
        + "| About | Picked |\n| --- | --- |"
        + Catalogue.decisions.map { "\n| \($0.subject) | \($0.text) |" }.joined())
    return parts.joined(separator: "\n\n") + "\n"
  }

  private func section(_ entity: Entity) -> String {
    var parts = ["### \(entity.name)", "\(entity.isExtension ? "**+** " : "")\(entity.purpose)"]
    if let note = entity.note { parts.append(note) }
    if let parent = entity.parent { parts.append("Has what [\(parent)](#\(parent.lowercased())) has, and:") }
    if let key = entity.localKey {
      parts.append("Rows are keyed by `\(key)`; `\(entity.primaryKey)` is the key of rows from elsewhere.")
    }
    if !entity.attributes.isEmpty {
      parts.append(
        "| Attribute | Type | Column | | Note |\n| --- | --- | --- | --- | --- |"
          + entity.attributes.map(row).joined())
    }
    if !entity.relationships.isEmpty {
      parts.append(
        "| Relationship | To | Inverse | On delete | Column | | Note |\n| --- | --- | --- | --- | --- | --- | --- |"
          + entity.relationships.map(row).joined())
    }
    return parts.joined(separator: "\n\n")
  }

  private func row(_ attribute: Attribute) -> String {
    var traits: [String] = []
    if attribute.isRequired { traits.append("required") }
    if let value = attribute.defaultValue { traits.append("= \(text(value))") }
    if attribute.isIndexed { traits.append("indexed") }
    if attribute.isTransient { traits.append("transient") }
    if let subject = attribute.personal { traits.append("personal: \(text(subject))") }
    let bounds = attribute.bounds.text(besides: attribute.type).map { ", " + $0 } ?? ""
    return "\n| \(attribute.name)\(mark(attribute.isExtension)) | \(attribute.type.rawValue)\(bounds) "
      + "| \(attribute.column.map { "`\($0)`" } ?? "") | \(traits.joined(separator: ", ")) | \(attribute.note ?? "") |"
  }

  private func row(_ relationship: Relationship) -> String {
    var traits: [String] = []
    if relationship.isRequired { traits.append("required") }
    if relationship.isOwner { traits.append("belongs to") }
    if relationship.isTransient { traits.append("transient") }
    if let sync = relationship.sync { traits.append("sync \(sync.rawValue)") }
    let destination = relationship.toMany ? "[\(relationship.destination)]" : relationship.destination
    return "\n| \(relationship.name)\(mark(relationship.isExtension)) | \(destination) | \(relationship.inverse) "
      + "| \(relationship.deleteRule.rawValue) | \(relationship.column.map { "`\($0)`" } ?? "") "
      + "| \(traits.joined(separator: ", ")) | \(relationship.note ?? "") |"
  }

  private func text(_ subject: PersonalSubject) -> String {
    switch subject {
    case .exam: "of the exam"
    case .candidate(let path): path.isEmpty ? "of the candidate" : "of " + path.joined(separator: ".")
    case .numbered(let attribute): "of the number in \(attribute)"
    }
  }

  private func mark(_ isExtension: Bool) -> String { isExtension ? " **+**" : "" }

  private func text(_ value: DefaultValue) -> String {
    switch value {
    case .integer(let number): String(number)
    case .double(let number): String(number)
    case .string(let text): "“\(text)”"
    case .boolean(let truth): String(truth)
    }
  }
}
