import Characters
import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal

/// How what a section asks for is typed, kept and told of.
extension SectionFact {
  /// What is on the disk, as it is typed.
  fileprivate func text(of section: SheetSection) -> String {
    switch self {
    case .tooth: (section.quadrant ?? "") + (section.tooth ?? "")
    case .quantity: section.quantity.map { "\($0)" } ?? ""
    case .difficulty: section.difficulty.map { "\($0)" } ?? ""
    }
  }

  fileprivate func field(of section: SheetSection, text: String) -> Form.Field {
    switch self {
    case .tooth:
      Form.Field("Tooth", .line(6), text: text, hint: "two digits, as 36; a quadrant alone, as 3")
    case .quantity:
      Form.Field(
        "How often", .number(1...section.template.maximumQuantity), text: text,
        hint: "1 to \(section.template.maximumQuantity)")
    case .difficulty:
      Form.Field(
        "Difficulty", .number(1...section.template.maximumDifficulty), text: text,
        hint: "1 to \(section.template.maximumDifficulty)")
    }
  }

  /// What is wrong with a text; nil if it can be kept.
  fileprivate func problem(_ text: String) -> String? {
    guard self == .tooth, !text.isEmpty, SectionFact.quadrant(text) == nil, SectionFacts.Tooth(text) == nil else {
      return nil
    }
    return "\(text) is no tooth: quadrant 1 to 4, tooth 1 to 8 (first teeth 51 to 85)"
  }

  fileprivate func record(_ text: String, of section: SheetSection, in transaction: JournalTransaction) throws
    -> OperationID
  {
    switch self {
    case .tooth:
      if let quadrant = SectionFact.quadrant(text) {
        return try SectionFacts.record(quadrant: quadrant, of: section, in: transaction)
      }
      return try SectionFacts.record(SectionFacts.Tooth(text), of: section, in: transaction)
    case .quantity: return try SectionFacts.record(quantity: Int(text), of: section, in: transaction)
    case .difficulty: return try SectionFacts.record(difficulty: Int(text), of: section, in: transaction)
    }
  }

  fileprivate func text(_ text: String) -> String {
    if text.isEmpty { return "\(name) cleared" }
    switch self {
    case .tooth: return SectionFact.quadrant(text) == nil ? "tooth \(text)" : "quadrant \(text)"
    case .quantity: return Int(text).map { Plural.times($0) } ?? text
    case .difficulty: return "difficulty \(text)"
    }
  }

  private static func quadrant(_ text: String) -> Int? {
    Int(text).flatMap { (1...8).contains($0) && text.utf8.count == 1 ? $0 : nil }
  }
}

extension SheetScreen {
  /// Whether the heading with the focus has something to fill in.
  var hasSectionForm: Bool {
    guard focusedItem == nil, let section = rows.section(in: sheet) else { return false }
    return !SectionFact.asked(by: section.template).isEmpty
  }

  /// Opens the form of the section that has the focus.
  func openSection() {
    guard let section = rows.section(in: sheet) else {
      let signs = context.key(of: Keys.sign) + " signs the sheet"
      return context.showMessage(
        index.isFilled ? signs : context.key(of: Keys.missing) + " lists the blanks, " + signs, .muted)
    }
    let asked = SectionFact.asked(by: section.template)
    if asked.isEmpty {
      return context.showMessage(
        section.template.isFoldable
          ? context.key(of: Keys.fold) + " folds the section" : "a heading: j goes to the items",
        .muted)
    }
    guard mayChange() else { return }
    let saved = asked.map { $0.text(of: section) }
    let shown = context.unsaved.texts[section.key] ?? saved
    let form = Form(
      target: SafeText("\(section.template.name), \(entry.shortLabel)"),
      zip(asked, shown).map { $0.field(of: section, text: $1) })
    context.overlay = .form(
      FormSession(
        form, saved: saved,
        check: { texts in
          asked.indices.lazy.compactMap { place in asked[place].problem(texts[place]).map { (place, $0) } }.first
        },
        save: { [self] in save(section, asked, from: $0, to: $1) }))
  }

  private func save(_ section: SheetSection, _ asked: [SectionFact], from before: [String], to texts: [String]) {
    let changed = asked.indices.filter { before[$0] != texts[$0] }
    let sheet = sheet?.key
    let name = SafeText("\(section.template.name) of \(entry.shortLabel)")
    saveSheet({ transaction in
      try changed.map { try asked[$0].record(texts[$0], of: section, in: transaction) }
    }) { [self] result in
      guard case .success(let operations) = result else {
        context.unsaved.keep(texts, as: section.key, named: name)
        return report(
          "\(SafeText(section.template.name)): NOT SAVED; Enter opens it again, it is kept until you leave the station",
          .error)
      }
      context.unsaved.keep(nil, as: section.key)
      guard isShown(sheet: sheet) else { return report(name + " is saved", .good) }
      history.add(operations)
      reload()
      let text = changed.map { asked[$0].text(texts[$0]) }.joined(separator: ", ")
      report(SafeText("\(section.template.name): \(text)"), .good)
    }
  }

  /// Goes to the section that an undo or a redo has changed.
  /// - Returns: what of it is changed; nil where no section is.
  func showSectionChange(since before: [SheetSection]) -> String? {
    let after = sheet?.sections ?? []
    func name(_ section: SheetSection) -> String {
      section.copy > 1 ? "copy \(section.copy) of \(section.template.name)" : section.template.name
    }
    if let gone = before.first(where: { old in !after.contains { $0.key == old.key } }) {
      let left = after.last { $0.template.link == gone.template.link }
      if let left { rows.focus(section: left.key) }
      return name(gone) + " is taken away"
    }
    if let back = after.first(where: { new in !before.contains { $0.key == new.key } }) {
      rows.focus(section: back.key)
      return name(back) + " is there again"
    }
    for now in after {
      guard let then = before.first(where: { $0.key == now.key }) else { continue }
      let facts = SectionFact.asked(by: now.template).filter { $0.text(of: then) != $0.text(of: now) }
      if facts.isEmpty { continue }
      rows.focus(section: now.key)
      return name(now) + ": " + facts.map { $0.text($0.text(of: now)) }.joined(separator: ", ")
    }
    return nil
  }

  /// What can be done on a section's heading, in a line.
  func sectionHelp(_ section: SheetSection) -> String {
    var parts: [String] = []
    let recorded = SectionFact.asked(by: section.template).map(\.name)
    if !recorded.isEmpty { parts.append("Enter records " + recorded.joined(separator: ", ") + ".") }
    if section.template.isDuplicable { parts.append("\(context.key(of: Keys.duplicate).plain) adds a copy.") }
    if section.template.isFoldable {
      let isFolded = folded.contains(section.key)
      parts.append("\(context.key(of: Keys.fold).plain) \(isFolded ? "opens" : "folds") the section.")
    }
    return parts.joined(separator: " ")
  }
}
