import Characters
import CircuitModel
import ExamStore
import Reports
import Terminal

extension SheetScreen {
  func moveFocus(_ key: Key) {
    readLevel = nil
    switch key {
    case "g", "home": rows.focusFirstItem()
    case "G", "end": rows.focusLastItem()
    default: _ = rows.selection.update(key)
    }
  }

  /// Reads the level before or after without marking, and what else of the item does not fit. Enter marks the level
  /// that is being read.
  func read(_ step: Int) {
    guard let item = focusedItem, let lines = detailLines(width: detail.columns) else { return }
    let stops = detail.stops(lines, levels: item.template.levels.count)
    guard stops > 0 else { return showFocusMessage("all of the item is in view", .muted) }
    let chosen = item.rating == nil ? nil : item.template.levels.firstIndex { $0 == item.level }
    let start = readLevel ?? chosen ?? (step > 0 ? -1 : stops)
    readLevel = min(max(start + step, 0), stops - 1)
  }

  func askItem() {
    context.prompt("Go to item:") { [self] text in
      guard let number = Int(text), let item = sheet?.items.first(where: { rows.number(of: $0) == number }) else {
        return context.refuse("there is no item \(SafeText(text))")
      }
      go(to: item)
    }
  }

  func go(to item: SheetItem) {
    unfold(item)
    readLevel = nil
    rows.focus(item: item.key)
  }

  /// Shows one of the candidate's sheets, at one of its items or sections, or at its end.
  func show(sheet key: String?, item: (link: Int, copy: Int)?, section: (link: Int, copy: Int)?) {
    guard let key else { return }
    turn(toSheet: key)
    guard let sheet, sheet.key == key else { return }
    if let section,
      let found = sheet.sections.first(where: { $0.template.link == section.link && $0.copy == section.copy })
    {
      return rows.focus(section: found.key)
    }
    guard let item else { return rows.focusEnd() }
    let found = sheet.sections.lazy.filter { $0.copy == item.copy }.flatMap(\.items)
      .last { $0.template.link == item.link }
    if let found { go(to: found) }
  }

  /// The items that the assessor may see now: none before the identity step, nor while the sheet is hidden.
  private var searchedItems: [SheetItem] { isAtIdentityStep || surroundings.isHidden ? [] : sheet?.items ?? [] }

  var searchedLines: [String] {
    searchedItems.map { ([$0.template.text, $0.feedback] + $0.tags).joined(separator: " ") }
  }

  var focusedLine: Int? { focusedItem.flatMap { focused in searchedItems.firstIndex { $0.key == focused.key } } }

  func focus(line: Int) { go(to: searchedItems[line]) }

  func jumpSection(_ step: Int) {
    readLevel = nil
    rows.jumpSection(step)
  }

  func fold() {
    guard let section = rows.section(in: sheet) else { return }
    guard section.template.isFoldable else { return showFocusMessage("this section cannot be folded", .muted) }
    if folded.remove(section.key) == nil { folded.insert(section.key) }
    rows.rebuild(sheet, folded: folded)
    rows.focus(section: section.key)
  }

  func duplicateSection() {
    guard let sheet, let section = rows.section(in: sheet), mayChange() else { return }
    saveSheet(with: .awaited, { try SectionCopies.add(section, of: sheet, in: $0) }) { [self] result in
      guard case .success(let copy) = result else { return }
      if let operation = copy.operation { history.add([operation]) }
      reload()
      rows.focus(section: copy.key)
      context.showMessage("section copied; \(context.key(of: Keys.undo)) takes the copy away")
    }
  }

  /// Opens the sheet of the candidate before or after.
  func goToRound(_ step: Int) {
    if entry?.isPractice == true {
      return context.showMessage(
        "practice has no rounds; \(context.key(of: EveryScreen.back)) goes back to the roster", .muted)
    }
    guard let next = candidate(after: step) else { return context.showMessage(nobody(after: step)) }
    let sheet = SheetScreen(context, session, seat: seat, entry: next.key)
    let leadsBack = sheet.candidate(after: -step)?.key == entryKey
    let back = context.key(of: step > 0 ? Keys.previousRound : Keys.nextRound).plain
    let left = leftUndone(
      leadsBack ? "\(back) goes back" : "\(context.key(of: EveryScreen.back).plain) goes to the roster")
    context.replace(with: sheet)
    if let left { context.showMessage(left, .warning) }
  }

  private func nobody(after step: Int) -> SafeText {
    guard isInRerun else { return step > 0 ? "this was the last candidate" : "this is the first candidate" }
    let who: SafeText =
      neighbour(-step) == nil
      ? "no other candidate" : step > 0 ? "no candidate after this one" : "no candidate before this one"
    return who + " in the re-run; " + context.key(of: EveryScreen.back) + " goes to the roster"
  }

  /// What the sheet lacks that is left for another; nil where it lacks nothing, nobody has begun it, or a re-run to come
  /// owes it.
  /// - Parameter back: which key leads back to it.
  private func leftUndone(_ back: String) -> SafeText? {
    guard let sheet, let entry, let number = entry.candidate?.number, context.clock.rerunToCome(for: entry) == nil
    else { return nil }
    let others = otherOpenSheets
    guard presence.hasBegun || index.answered > 0 || others.contains(where: { $0.answered > 0 }) else { return nil }
    if !others.isEmpty {
      let open = (sheet.isSigned ? [] : [sheet.template.name]) + others.map(\.name)
      return SafeText("\(number), \(back): not signed is \(open.joined(separator: ", "))")
    }
    if sheet.isSigned { return nil }
    let blanks = sheet.blanks.filter { pending[$0.key] == nil }
    let name = hasSeveralSheets ? " of \(sheet.template.name)" : ""
    if blanks.isEmpty { return SafeText("\(number) is filled but not signed\(name): \(back)") }
    let noun = Plural.noun(blanks.count, "item")
    let shown = numbers(of: Array(blanks.prefix(8))) + (blanks.count > 8 ? " and \(blanks.count - 8) more" : "")
    return SafeText("\(number): \(noun) \(shown)\(name) still blank; \(back)")
  }
}
