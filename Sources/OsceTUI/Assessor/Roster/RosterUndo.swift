import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal

/// Undoing from the roster: the last change of the person who sits here, on whichever sheet it was.
extension RosterScreen {
  func askUndo() {
    guard let staff = context.sitting?.staff.id else { return }
    let (timetable, passedOver) = (session.timetable, passedOver)
    do {
      let step = try context.store.read {
        try SessionUndo.last(staff: staff, timetable: timetable, passingOver: passedOver, in: $0)
      }
      guard let step else { return context.showMessage("no mark of yours to undo at this station", .muted) }
      if let number = try signedSheet(of: step) {
        let sign = context.key(of: SheetScreen.Keys.sign)
        return context.showMessage(
          "your last mark is on the signed sheet of " + number + ": " + sign + " there reopens it", .warning)
      }
      let text = try text(for: step)
      context.confirm("Undo " + (step.isOfSheets ? "" : "your last mark: ") + text) { [self] _ in
        run(step, "undone: ", text)
      }
    } catch { context.showError(error) }
  }

  func askRedo() {
    guard let staff = context.sitting?.staff.id else { return }
    let timetable = session.timetable
    do {
      let step = try context.store.read { try SessionUndo.lastUndone(staff: staff, timetable: timetable, in: $0) }
      guard let step else { return context.showMessage("nothing to do again at this station", .muted) }
      let text = try text(for: step)
      context.confirm("Do again what you undid: " + text) { [self] _ in run(step, "done again: ", text) }
    } catch { context.showError(error) }
  }

  /// - Parameter asked: what was asked about, in words.
  private func run(_ step: SessionUndo.Step, _ done: SafeText, _ asked: SafeText) {
    context.save(with: .awaited, { try $0.undo(step.operations) }) { [self] result in
      guard case .success = result else {
        if result.isUndoRefused { passedOver.formUnion(step.operations) }
        return
      }
      reload()
      // The question said what is there before; a section that is gone by now has its name from nowhere else.
      let text = step.rows.contains(where: \.isSection) ? asked : (try? text(for: step)) ?? asked
      context.showMessage(done + text, .good)
    }
  }

  /// Whose signed sheet a step changed, which undoing leaves alone; nil where the sheet is not signed.
  private func signedSheet(of step: SessionUndo.Step) throws -> SafeText? {
    guard !step.isOfSheets, let key = step.sheet else { return nil }
    let seat = seat
    let (sheet, entry) = try context.store.read { db in
      (try Sheet.read(key, in: db), try step.entry.flatMap { try Roster.entry($0, seat: seat, in: db) })
    }
    guard sheet?.isSigned == true else { return nil }
    return SafeText(entry.shortLabel)
  }

  /// Whose sheet a step changed, and what of it.
  private func text(for step: SessionUndo.Step) throws -> SafeText {
    let seat = seat
    let (sheet, candidate) = try context.store.read { db in
      (
        try step.sheet.flatMap { try Sheet.read($0, in: db) },
        try step.entry.flatMap { try Roster.entry($0, seat: seat, in: db)?.candidate }
      )
    }
    guard let sheet else { return "the change of candidates: the sheets go back" }
    if step.isOfSheets { return "the change of candidates: the sheet goes back" }
    let who = candidate == nil ? "practice" : context.title(of: candidate)
    return SafeText(who + ", ") + MarkText.changed(by: step, on: sheet)
  }
}
