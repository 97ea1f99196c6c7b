import CircuitModel
import ExamStore
import Reports
import Terminal

/// Which sheet it is, where the station has one of several for each candidate.
extension SheetScreen {
  /// Asks at the identity step which sheet it is to be; goes on at once where there is nothing to choose.
  func chooseForm(of entry: RosterEntry, _ done: @escaping @MainActor (Int?) -> Void) {
    let seat = seat
    guard let choices = context.read({ try FormChoices.open(entry: entry.key, seat: seat, in: $0) }) else { return }
    if choices.isEmpty { return done(nil) }
    readUsedElsewhere()
    ask("This station has one of several sheets for each candidate.", choices, done)
  }

  /// Reads which sheets the other assessors use for this candidate.
  /// - Returns: whether one of them now uses another than the open one, and did not before.
  @discardableResult func readUsedElsewhere() -> Bool {
    let (key, seat, before) = (entryKey, seat, otherSheetText)
    guard session.assessors.contains(where: { $0.seat != seat }) else { return false }
    surroundings.used = context.read { try FormChoices.used(onEntry: key, not: seat, in: $0) } ?? surroundings.used
    return otherSheetText != nil && otherSheetText != before
  }

  /// That another assessor uses another sheet than the open one; nil where none does.
  var otherSheetText: SafeText? {
    guard let sheet, let other = surroundings.used.first(where: { $0.form != sheet.template.form }) else { return nil }
    return SafeText("\(name(of: other.seat)) uses \(other.name): \(context.key(of: Keys.nextForm).plain) chooses again")
  }

  /// Which sheets the other assessors use, in words.
  private var usedText: String {
    let others = session.assessors.map(\.seat).filter { $0 != seat }
    return others.map { other in
      let used = surroundings.used.first { $0.seat == other }
      return " \(name(of: other)) \(used.map { "uses \($0.name)" } ?? "has not chosen yet")."
    }.joined()
  }

  private func name(of seat: Seat) -> String {
    session.assessors.first { $0.seat == seat }?.name ?? "the other assessor"
  }

  /// Asks for another sheet in the place of the open one, on which nothing is marked yet.
  func chooseAnotherForm() {
    guard let sheet else { return }
    do {
      let (choices, mayChange) = try context.store.read {
        (try FormChoices.all(entry: sheet.entry, in: $0), try FormChoices.mayChange(sheet.key, in: $0))
      }
      if choices.isEmpty { return context.showMessage("this candidate has one sheet here", .muted) }
      guard mayUndo() else { return }
      guard mayChange, pending.isEmpty else {
        return context.showMessage(
          "clear the marks first (\(context.key(of: Keys.undo)) or \(context.key(of: Keys.clear))), "
            + "then \(context.key(of: Keys.nextForm)) chooses another sheet", .warning)
      }
      readUsedElsewhere()
      let others = choices.filter { $0.form != sheet.template.form }
      let name = choices.first { $0.form == sheet.template.form }?.name ?? ""
      ask("Nothing is marked on \(name) yet. Which one instead?", others) { [self] in change(sheet, to: $0) }
    } catch { context.showError(error) }
  }

  private func ask(_ text: String, _ choices: [FormChoices.Choice], _ done: @escaping @MainActor (Int) -> Void) {
    context.ask(
      "Which mark sheet?", text + usedText,
      // Letters that are no level keys: a mark given by reflex must not choose.
      zip("abcdefghijklmopqr", choices).map { key, choice in
        (.character(key), SafeText(choice.name), { done(choice.form) })
      })
  }

  private func change(_ sheet: Sheet, to form: Int) {
    let seat = seat
    saveSheet(with: .awaited, { try FormChoices.change(sheet, to: form, seat: seat, in: $0) }) { [self] result in
      guard case .success = result else { return }
      showFromStart()
      if let other = otherSheetText { return context.showMessage(other, .warning) }
      context.showMessage(
        "another sheet for the same candidate; \(context.key(of: Keys.nextForm)) chooses again", .good)
    }
  }
}
