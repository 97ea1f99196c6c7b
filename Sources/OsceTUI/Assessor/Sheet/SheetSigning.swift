import CircuitModel
import ExamStore
import Reports
import Terminal

extension SheetScreen {
  /// Asks whether to sign, naming every blank; asks for the reason where the sheet is signed already.
  func askSign() {
    guard let sheet, mayTakeKeys() else { return }
    if sheet.isComplete {
      return context.prompt("Reason to reopen:", keptAs: "reopen \(sheet.key)") { [self] reason in
        saveSheet(because: reason, isAwaited: true, { try Signing.reopen(sheet, in: $0) }) { [self] result in
          guard case .success = result else { return }
          reload()
          context.say("reopened: it counts as complete once it is signed again", .warning)
        }
      }
    }
    let blanks = sheet.blanks
    let others = sheet.items.filter { $0.isBlank && !sheet.template.requires($0.template) }
    let unable = sheet.items.filter(\.isUnable)
    var text = blanks.isEmpty ? "No required item is blank." : "REQUIRED AND BLANK: item \(numbers(of: blanks))."
    let facts = sheet.blankFacts.map(\.words)
    if !facts.isEmpty { text += " NOT RECORDED: \(facts.joined(separator: ", "))." }
    if !others.isEmpty { text += " Also blank: item \(numbers(of: others))." }
    if !unable.isEmpty { text += " Unable to assess: item \(numbers(of: unable)); the export shows it." }
    let disputed = sheet.items.filter { !places.contradictions(of: $0).isEmpty }
    if !disputed.isEmpty { text += " TWO VALUES, the lead must rule: item \(numbers(of: disputed))." }
    let refused = sheet.items.filter { failed[$0.key] != nil }
    if !refused.isEmpty { text += " NOT SAVED: item \(numbers(of: refused))." }
    let open = otherOpenSheets
    if !open.isEmpty { text += "\n\(words(for: open)): \(context.key(.nextForm).plain) goes there." }
    let who = entry?.candidate.map { context.title(of: $0) } ?? "practice"
    context.ask(
      "Sign this sheet", "\(who)\n\(text)",
      [(.enter, blanks.isEmpty && facts.isEmpty ? "sign" : "sign with blanks", { [self] in sign(sheet) })])
  }

  private func sign(_ sheet: Sheet) {
    saveSheet(isAwaited: true, { try Signing.sign(sheet, in: $0) }) { [self] result in
      reload()
      guard case .success = result else { return }
      if let open = otherOpenSheets.first {
        let key = context.key(.nextForm)
        context.say("signed; \(key) goes on with \(SafeText(open.name)), which is not signed", .warning)
      } else {
        context.say(
          entry?.isPractice == true
            ? "signed; \(context.key(.back)) goes back to the roster"
            : "signed; \(context.key(.nextRound)) opens the next candidate", .good)
      }
      // The last sheet is signed: the candidate may go.
      if let entry, !entry.isPractice, entry.sheets.allSatisfy(\.isSigned) {
        SignOutQuestion.ask(context, session, entry, onlyMissing: true)
      }
    }
  }

  /// Lists what this sheet lacks; before the identity step, what all sheets lack.
  func showMissing() {
    context.push(MissingScreen(context, session, seat, entry: sheet == nil ? nil : entry))
  }
}
