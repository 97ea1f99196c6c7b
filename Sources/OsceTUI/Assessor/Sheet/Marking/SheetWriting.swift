import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal

extension SheetScreen {
  /// Opens the editor on a written item, or for feedback on any other.
  func editText() {
    guard let item = focusedItem, let number = rows.number(of: item) else {
      return showFocusMessage("feedback is written on an item", .warning)
    }
    if let obstacle = item.template.obstacle { return showFocusMessage(SafeText(obstacle), .warning) }
    guard mayChange() else { return }
    let what = item.template.kind.isWritten ? "Item" : "Feedback on item"
    let who = entry?.candidate.map { "candidate \($0.number)" } ?? "practice"
    let reader = item.template.kind == .feedback && entry?.candidate != nil ? "read by " : ""
    let target = SafeText("\(what) \(number), \(reader)\(who) (Esc saves): \(item.template.text)")
    let topic = unsavedText(of: item)
    let save = autosaver(
      of: item, number, "text",
      { [context] in context.unsaved.keep($0.map { [$0] }, as: topic, named: $1) },
      { try $0.write($1, $2) })
    context.overlay = .editor(
      Editor(
        target: target, readers: readers(of: item.template), text: context.unsaved.texts[topic]?.first ?? item.feedback,
        saved: item.feedback, save: save))
  }

  /// Who reads what is written on an item: the candidate gets that of one kind alone (`FeedbackPages`).
  private func readers(of item: ItemTemplate) -> SafeText {
    guard let candidate = entry?.candidate else { return "practice: nobody gets it" }
    return item.kind == .feedback
      ? "to " + SafeText(context.title(of: candidate)) + ": the candidate gets it"
      : "for the file; the candidate does not get it"
  }

  /// What an item's text is kept as while it could not be saved.
  func unsavedText(of item: SheetItem) -> String { "text \(item.key)" }

  /// What keeps the pieces of one writing on the disk, all of them one step of undo.
  /// - Parameters:
  ///   - what: what is written, in a word.
  ///   - hold: keeps what is not saved yet, for an editor opened again; nil once it is. Is told what it is, in words,
  ///     once the disk has refused it.
  func autosaver<T: Sendable & Equatable>(
    of item: SheetItem, _ number: Int, _ what: String, _ hold: @escaping @MainActor (T?, SafeText?) -> Void,
    _ body: @escaping @Sendable (Marking, SheetItem, T) throws -> OperationID
  ) -> @MainActor (T) -> Void {
    let run = history.newRun()
    let changed = itemChange(item, number)
    let (writing, chain) = (Writing<T>(), AutosaveChain())
    let (marking, mayWrite) = (marking, refuseIfMoved)
    var seen = item
    if pending[item.key] != nil { seen.shown = .unknown }
    return { [self, seen] text in
      writing.last = text
      begin(changed)
      hold(text, nil)
      let keys = context.messages.keyCount
      context.save({
        try mayWrite($0)
        let marking = try marking($0)
        return try chain.continuing(seen, in: $0) { try body(marking, $0, text) }
      }) { [self] result in
        end(changed, result, isKept: true)
        guard case .success(let operation) = result else {
          hold(writing.last, SafeText("\(what) of ") + changed.name)
          if model.isExchanged { return report(exchangedText + "; what was being written is kept", .error) }
          return report(
            "item \(number): the \(SafeText(what)) is NOT SAVED; open it again, it is kept until you leave the station",
            .error)
        }
        if writing.last == text { hold(nil, nil) }
        guard isShown(changed) else {
          return report(SafeText("\(what) of ") + changed.name + " is saved", .good, after: keys)
        }
        history.add([operation], run: run, joining: true)
        reload()
        report("item \(number): \(SafeText(what)) saved", .good, after: keys, isPart: true)
      }
    }
  }
}

/// What a writing was last.
@MainActor
private final class Writing<T> {
  var last: T?
}

/// A line noted while watching.
extension SheetScreen {
  func askJot() {
    guard let entry else { return }
    let phase = context.clock.text(at: context.store.clock.now)
    let topic = entry.topic("jot")
    context.prompt(SafeText("Note" + (phase.map { " (\($0))" } ?? "") + ":"), keptAs: topic) { [context] text in
      context.save({
        try Attendance.checkCandidate(of: entry, in: $0.db)
        try Jots.add(text, entry: entry.key, phase: phase, in: $0)
      }) { result in
        guard case .success = result else { return }
        context.setUndoHint("your private note stays")
        context.showMessage(
          "note saved; Ctrl-P inserts it in a comment; \(context.key(of: Keys.undo)) undoes marks only", .good)
      }
    }
  }
}
