import Characters
import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal

extension SheetScreen {
  func askMarkEarly() {
    let number = entry?.candidate?.number ?? ""
    let hasGone = hasGone
    context.ask(
      hasGone ? "Mark someone who has left?" : "Mark early?",
      hasGone
        ? "\(number) has left, and nobody checked the identity here. Is this the right sheet?"
        : "\(number) is not due yet. Is this the right sheet?",
      [
        (
          .enter, isAtIdentityStep ? "open this sheet anyway" : "mark this sheet anyway",
          { [self] in
            identity.mayMarkEarly = true
            let next: SafeText = isAtIdentityStep ? ": Enter at the identity step opens the sheet" : ""
            context.showMessage(
              "marking \(SafeText(number)) " + (hasGone ? "after the bell" : "before the rotation") + next, .warning)
          }
        )
      ])
  }

  /// - Parameter time: when the key was pressed; nil: from the palette.
  func mark(by key: MarkKey, at time: Int64?) {
    if isAtIdentityStep { return context.showMessage(SafeText(identityStepText), .warning) }
    guard let item = focusedItem else { return sayNothingHere() }
    switch LevelKeys.meaning(of: key, in: item.template) {
    case .refused(let reason): showFocusMessage(labels.refusal(reason, of: key, in: item.template), .warning)
    case .level(let index): give(item.template.levels[index], at: time)
    }
  }

  private func sayNothingHere() {
    let isEnd = rows.selection.index == rows.rows.count - 1
    showFocusMessage(
      isEnd ? "the end of the sheet: nothing is marked here" : "a heading: nothing is marked here", .warning)
  }

  private func give(_ level: Level, at time: Int64?) {
    change(at: time) { try $0.give(.level(level), to: $1) }
  }

  /// Queues one change of the focused item and steps on.
  /// - Parameters:
  ///   - time: when the key was pressed; nil where it was no single key, so that it is in no burst.
  ///   - body: changes the item; returns nil where it is so already, which is no step of the undo.
  func change(
    at time: Int64?, steps: Bool = true, _ body: @escaping @Sendable (Marking, SheetItem) throws -> OperationID?
  ) {
    guard sheet != nil, var item = focusedItem, let number = rows.number(of: item) else { return sayNothingHere() }
    if let obstacle = item.template.obstacle { return showFocusMessage(SafeText(obstacle), .warning) }
    guard mayChange() else { return }
    let run = time.map { burst.add($0, history.newRun()) } ?? history.newRun()
    let isBurst = time != nil && burst.isBurst
    // What waits for the disk is not on the screen, so nothing of it was shown.
    if pending[item.key] != nil { item.shown = .unknown }
    let target = item
    let changed = itemChange(item, number)
    begin(changed)
    readLevel = nil
    let (marking, keys) = (marking, context.messages.keyCount)
    let places = places
    saveSheet({ try body(marking($0), target) }, reading: { try ReadItems.read([target], places, in: $0) }) {
      [self] result in
      let before = current(item)
      end(changed, result)
      guard case .success((let operation, let read)) = result else { return reload() }
      // Another sheet of the candidate is shown by now: its own keys undo it there.
      guard isShown(changed) else { return report(changed.name + " is saved") }
      if let operation { history.add([operation], run: run, joining: isBurst) }
      take(read)
      let now = current(item) ?? item
      var line = MarkText.line(
        number: number, item: now, before: before ?? item,
        burst: isBurst && operation != nil ? context.key(of: Keys.undo) : nil)
      if operation == nil, now.isBlank { line = "item \(number) is blank already" }
      // The marks of a burst are told of after the keys that followed it were refused.
      let isCut = isBurst && burst.dropped > 0
      if isCut { return report("\(SafeText(Plural.count(burst.dropped, "key"))) NOT done; " + line) }
      report(line, after: keys)
    }
    if steps { rows.step() }
  }

  /// The item as it is shown now.
  func current(_ item: SheetItem) -> SheetItem? { sheet?.items.first { $0.key == item.key } }

  /// A change of an item, which may come to the disk, or be refused, when the screen shows another sheet.
  struct ItemChange {
    let item: SheetItem
    let number: Int
    let sheet: String?
    /// The item in words that tell it from those of other sheets and candidates.
    let name: SafeText
  }

  func itemChange(_ item: SheetItem, _ number: Int) -> ItemChange {
    let name = SafeText("item \(number) of \(entry.shortLabel)")
    let form: SafeText = hasSeveralSheets ? SafeText(", \(sheet?.template.name ?? "")") : ""
    return ItemChange(item: item, number: number, sheet: sheet?.key, name: name + form)
  }

  /// Whether the sheet of a change is shown now.
  func isShown(_ change: ItemChange) -> Bool { isShown(sheet: change.sheet) }

  /// Whether a sheet is shown now: only then is what was changed on it a step of the undo.
  func isShown(sheet key: String?) -> Bool { sheet?.key == key }

  /// Notes that a change of an item waits for the disk.
  func begin(_ change: ItemChange) {
    pending[change.item.key, default: 0] += 1
    context.unsaved.retry(item: change.item.key)
  }

  /// Notes what became of a change of an item.
  /// - Parameter isKept: whether what was refused is kept as a text.
  func end<T>(_ change: ItemChange, _ result: Result<T, any Error>, isKept: Bool = false) {
    let item = change.item
    pending[item.key].map { pending[item.key] = $0 > 1 ? $0 - 1 : nil }
    guard case .failure(let error) = result else { return }
    context.unsaved.refuse(current(item) ?? item, reason: "\(error)", named: isKept ? nil : change.name)
    report((isShown(change) ? "item \(change.number)" : change.name) + SafeText(" NOT SAVED: \(error)"), .error)
  }

  /// Asks what the item is worth: for values that no key names, and for those that two levels share.
  func askValue() {
    guard let item = focusedItem else { return sayNothingHere() }
    if let obstacle = item.template.obstacle { return showFocusMessage(SafeText(obstacle), .warning) }
    if item.template.kind.isWritten { return showFocusMessage("a written item has no value: Enter writes", .warning) }
    if item.template.levels.isEmpty {
      return showFocusMessage("this item has no levels, so nothing marks it", .warning)
    }
    guard mayChange() else { return }
    let values = SafeText(labels.values(of: item.template))
    context.prompt("Mark (" + values + ") =") { [self] text in
      switch LevelKeys.meaning(typed: text, in: item.template) {
      case .level(let index): give(item.template.levels[index], at: nil)
      case .shared(let indices): askWhich(of: indices, on: item)
      case .empty: context.refuse("no value was typed: " + values)
      case .notANumber: context.refuse(SafeText(text) + " is not a number: the levels are " + values)
      case .noSuchLevel(let value): context.refuse(SafeText("\(value) is not a level: they are ") + values)
      }
    }
  }

  /// Reads the first of the levels that are worth what was typed: the arrows go to the others, Enter marks.
  private func askWhich(of indices: [Int], on item: SheetItem) {
    readLevel = indices.first
    let arrows = context.theme.glyphs.left + " " + context.theme.glyphs.right
    showFocusMessage(
      SafeText("\(indices.count) levels are worth \(item.template.levels[indices[0]].value): ") + arrows
        + " read them, Enter marks the one that is read", .warning)
  }

  func askBlanks() {
    let blanks = (sheet?.items ?? []).filter { $0.template.kind.isBinary && $0.isBlank && pending[$0.key] == nil }
    if blanks.isEmpty { return context.showMessage("no checklist item is blank") }
    guard mayChange() else { return }
    context.ask(
      "Blanks to not done",
      "Mark \(Plural.count(blanks.count, "blank checklist item")) as not done: \(numbers(of: blanks)). "
        + "One undo clears them again.",
      [(.enter, "mark them", { [self] in markNotDone(blanks) })])
  }

  private func markNotDone(_ blanks: [SheetItem]) {
    let changes = blanks.map { itemChange($0, rows.number(of: $0) ?? 0) }
    for change in changes { begin(change) }
    let makeMarking = marking
    saveSheet(
      with: .awaited,
      { transaction in
        let marking = try makeMarking(transaction)
        // While the question was open another terminal may have marked some of them.
        return try blanks.compactMap { blank -> (item: String, operation: OperationID)? in
          guard let item = try SheetItem.read(blank, in: transaction.db), item.isBlank,
            let level = item.template.levels.min(by: { $0.value < $1.value })
          else { return nil }
          return (item.key, try marking.mark(item, level: level))
        }
      }
    ) { [self] result in
      for change in changes { end(change, result) }
      guard case .success(let made) = result else { return }
      if !made.isEmpty { history.add(made.map(\.operation)) }
      let left = blanks.filter { blank in !made.contains { $0.item == blank.key } }
      let leftNumbers = numbers(of: left)
      reload()
      let count = made.isEmpty ? "no item" : Plural.count(made.count, "item")
      let untouched = Plural.verb(
        left.count, " was marked meanwhile: left as it is", " were marked meanwhile: left as they are")
      var line = SafeText("\(count) marked as not done")
      if !made.isEmpty { line += "; \(context.key(of: Keys.undo)) undoes all of them" }
      if !left.isEmpty { line += SafeText("; " + leftNumbers + untouched) }
      report(line, left.isEmpty ? .normal : .warning)
    }
  }

  func numbers(of items: [SheetItem]) -> String {
    items.compactMap { rows.number(of: $0) }.map { "\($0)" }.joined(separator: ", ")
  }

  // MARK: Undo

  /// - Parameter time: when the key was pressed; nil: from the palette.
  func undo(at time: Int64?) {
    followsUndo = true
    if let time, heldUndo.isHeld(at: time) { return context.showMessage(heldLine, .warning) }
    if let other = context.undoHint {
      context.setUndoHint(nil)
      if other.entry == entryKey {
        return context.showMessage(context.key(of: Keys.undo) + " undoes marks; " + other.line, .warning)
      }
    }
    guard mayUndo() else { return }
    if let step = history.undoStep { return take(.undo, of: step) }
    do {
      if let step = try earlierStep() {
        return context.confirm("Undo what you did on this sheet earlier: " + MarkText.changed(by: step, on: sheet)) {
          [self] _ in
          take(.undo, of: step.operations)
        }
      }
    } catch { return context.noteUnread(error) }
    context.showMessage(
      history.redoStep == nil
        ? "nothing to undo on this sheet" : "nothing more to undo; \(context.key(of: Keys.redo)) does again", .muted)
  }

  private var heldLine: SafeText {
    context.key(of: Keys.undo) + " held down: undid one step; release it and press again"
  }

  /// The newest change of the person who sits here that the journal knows of this sheet: made before it was opened this
  /// time, or longer ago than its history goes back.
  private func earlierStep() throws -> SessionUndo.Step? {
    guard let sheet, let staff = context.sitting?.staff.id, pending.isEmpty, !isUndoing else { return nil }
    let (timetable, passedOver) = (session.timetable, history.failed)
    let step = try context.store.read {
      try SessionUndo.last(staff: staff, timetable: timetable, sheet: sheet.key, passingOver: passedOver, in: $0)
    }
    // Sheets that changed candidates are undone where all of them are seen.
    guard let step, !step.rows.contains(where: \.isSheet) else { return nil }
    return step
  }

  func redo() {
    followsUndo = true
    guard let step = history.redoStep else { return context.showMessage("nothing to do again on this sheet", .muted) }
    take(.redo, of: step)
  }

  private func take(_ turn: MarkHistory.Turn, of step: [OperationID]) {
    // What is still on its way to the disk would be passed over, and an older change undone.
    guard pending.isEmpty, !isUndoing else {
      return context.showMessage("not yet: the last change is still being saved", .warning)
    }
    guard mayUndo() else { return }
    isUndoing = true
    // A mending is undone, and done again, where all of its sheets are seen to be where it put them.
    let shown = surroundings.moved?.operations == step ? nil : shown
    let mayWrite = refuseIfTakenOver
    context.save(
      with: .awaited,
      {
        try mayWrite($0)
        try shown?.check(step, in: $0.db)
        return try $0.undo(step)
      }
    ) { [self] result in
      isUndoing = false
      guard case .success(let operations) = result else {
        if result.isUndoRefused { history.dropFailed(step) }
        return
      }
      let (before, sectionsBefore) = (sheet?.items ?? [], sheet?.sections ?? [])
      defer { if turn == .undo, heldUndo.dropped > 0 { report(heldLine, .warning) } }
      history.take(turn, of: step, by: operations)
      let word = turn.word
      if followMoved(turn, of: step, by: operations) { return }
      reload()
      let after = sheet?.items ?? []
      let changed = after.compactMap { now in
        before.first { $0.key == now.key }.flatMap { then in MarkText.differs(then, now) ? (then, now) : nil }
      }
      if operations.count == 1, let (then, now) = changed.first, let number = rows.number(of: now) {
        unfold(now)
        rows.focus(item: now.key)
        report("\(SafeText(word)): " + MarkText.line(number: number, item: now, before: then, burst: nil))
      } else if changed.isEmpty, let text = showSectionChange(since: sectionsBefore) {
        report(SafeText("\(word): \(text)"))
      } else {
        if let (_, first) = changed.first {
          unfold(first)
          rows.focus(item: first.key)
        }
        report("\(SafeText(word)): \(SafeText(Plural.count(operations.count, "change")))")
      }
    }
  }
}
