import Characters
import CircuitModel
import ExamStore
import Reports
import Terminal

extension SheetScreen {
  /// Asks whether to sign; goes to what is required and blank instead, and asks for the reason where the sheet is signed
  /// already.
  func askSign() {
    guard let sheet, mayTakeKeys() else { return }
    if sheet.isSigned { return askReopen(sheet) }
    if goToRequired(of: sheet) { return }
    let again: @MainActor () -> Void = { [self] in askSign() }
    ask("Sign \(signedTitle)?", sheet, [(.enter, "sign", { [self] in sign(sheet, again) })], again: again)
  }

  /// Asks whether to sign a sheet although something required is blank.
  func askSignAnyway() {
    guard let sheet, mayTakeKeys() else { return }
    let count = index.needed.count + index.facts.count
    if sheet.isSigned || count == 0 { return askSign() }
    let again: @MainActor () -> Void = { [self] in askSignAnyway() }
    ask(
      "Sign \(signedTitle) with \(Plural.count(count, "required blank"))?", sheet,
      [
        (.enter, "go there and mark", { [self] in _ = goToRequired(of: sheet) }),
        ("S", "sign with it blank (recorded in your name)", { [self] in sign(sheet, again) }),
      ], again: again)
  }

  /// Whose sheet it is, and which where there are several.
  private var signedTitle: String {
    let who = entry?.candidate.map { context.title(of: $0) } ?? "practice"
    return hasSeveralSheets ? who + ", " + (sheet?.template.name ?? "") : who
  }

  /// Asks for the reason to reopen a sheet.
  private func askReopen(_ sheet: Sheet) {
    context.attempt(in: session.session) {
      context.prompt("Reason to reopen:", keptAs: "reopen \(sheet.key)") { [self] typed in
        let reason = typed.withSingleSpaces
        if reason.isEmpty { return context.refuse("a signed sheet is reopened with a reason") }
        saveSheet(reason: reason, with: .awaited, { try Signing.reopen(sheet, in: $0) }) { [self] result in
          guard case .success = result else { return }
          reload()
          context.showMessage("reopened: sign it again when finished", .warning)
        }
      }
    }
  }

  /// Puts the focus on the first required item that is blank, or on the section that lacks something.
  /// - Returns: false where nothing required is blank.
  private func goToRequired(of sheet: Sheet) -> Bool {
    let anyway = context.key(of: Keys.signAnyway) + " signs anyway"
    let needed = index.needed
    if let blank = needed.first {
      unfold(blank)
      readLevel = nil
      rows.focus(item: blank.key)
      let others = needed.count - 1
      let more = others == 0 ? "" : " and \(others) more"
      context.showMessage(
        SafeText("REQUIRED BUT BLANK: " + name(of: blank, to: 24) + more + "; ") + anyway, .warning)
      return true
    }
    guard let fact = index.facts.first else { return false }
    if let section = sheet.sections.first(where: { $0.template.link == fact.section.link && $0.copy == fact.copy }) {
      rows.focus(section: section.key)
    }
    context.showMessage(SafeText("NOT RECORDED: \(fact.text); ") + anyway, .warning)
    return true
  }

  /// An item by its number and its text.
  func name(of item: SheetItem, to width: Int) -> String {
    "\(rows.number(of: item) ?? 0) " + SafeText(item.template.text).truncated(to: width).plain
  }

  /// - Parameter again: asks the same again, once all was read.
  private func ask(
    _ title: String, _ sheet: Sheet, _ answers: [(Key, SafeText, @MainActor () -> Void)],
    again: @escaping @MainActor () -> Void
  ) {
    let open = otherOpenSheets
    let others = open.isEmpty ? [] : ["\(text(for: open)): \(context.key(of: Keys.nextForm).plain) goes there."]
    guard let texts = textsReadBack(of: sheet) else { return }
    let facts = factsReadBack(of: sheet)
    let text = (facts + texts.map(\.short) + others).joined(separator: "\n")
    let reading: (Key, SafeText, @MainActor () -> Void) = (
      "r", "read it in full",
      { [context] in
        let all = (facts + texts.map(\.whole) + others).joined(separator: "\n")
        context.overlay = .reader(Reader(title: "\(title) (Esc goes back)", text: all, closed: again))
      }
    )
    let isWhole =
      texts.allSatisfy { $0.short == $0.whole } && Overlay.Question.fits(text, answers.count, in: surroundings.size)
    context.ask(SafeText(title), text, isWhole ? answers : answers + [reading])
  }

  /// What is signed, line by line: what is blank by its text, and what was refused.
  private func factsReadBack(of sheet: Sheet) -> [String] {
    let needed = index.needed
    var lines = needed.map { "\(context.theme.glyphs.cross.plain) REQUIRED, BLANK: " + name(of: $0, to: 44) }
    lines += index.facts.map { "\(context.theme.glyphs.cross.plain) NOT RECORDED: \($0.text)" }
    let unable = sheet.items.filter(\.isUnable)
    let answered = sheet.items.count { !$0.isBlank }
    var marks = "Marks: \(answered) of \(sheet.items.count)"
    if !unable.isEmpty { marks += ", \(unable.count) unable to assess, not counted in the score" }
    lines.append(marks)
    if let global = sheet.items.last(where: { $0.template.link == sheet.template.globalRating && !$0.isBlank }) {
      lines.append("Global rating: " + MarkText.answer(of: global))
    }
    let optional = sheet.items.filter { item in item.isBlank && !needed.contains { $0.key == item.key } }
    if !optional.isEmpty { lines.append("Also blank: " + list(optional)) }
    if !unable.isEmpty { lines.append("Unable: " + list(unable)) }
    let disputed = sheet.items.filter { !places.contradictions(of: $0).isEmpty }
    if !disputed.isEmpty { lines.append("CONFLICTING MARKS, for the exam lead: " + list(disputed)) }
    let refused = sheet.items.filter { failed[$0.key] != nil }
    if !refused.isEmpty { lines.append("NOT SAVED: " + list(refused)) }
    return lines
  }

  /// Items by their texts; of many the first, and how many more.
  private func list(_ items: [SheetItem]) -> String {
    let named = items.prefix(items.count > 4 ? 3 : 4).map { name(of: $0, to: 28) }
    let more = items.count - named.count
    return named.joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
  }

  /// A text that goes with the sheet: as much as a box has room for, and all of it.
  private struct ReadText {
    let short: String
    let whole: String

    init(_ name: String, _ text: String, _ readers: String) {
      let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
      short = "\(name): \"\(SafeText(line).truncated(to: 72).plain)\", \(readers)"
      whole = line == text ? "\(name): \"\(text)\", \(readers)" : "\(name), \(readers):\n\(text)"
    }
  }

  /// What the candidate will read, then the comments and concerns that this seat may see beside that;
  /// nil where they could not be read: nothing is signed unread.
  private func textsReadBack(of sheet: Sheet) -> [ReadText]? {
    let toCandidate = "visible to the candidate"
    let feedback = sheet.items.filter { $0.template.kind == .feedback && !$0.isBlank }.map {
      ReadText("\(rows.number(of: $0) ?? 0) Feedback", $0.feedback, toCandidate)
    }
    guard let entry, !entry.isPractice else { return feedback }
    let (key, seat, session) = (entry.key, seat, session)
    guard let comments = context.read({ try Comments.all(.candidate(key), seenFrom: seat, of: session, in: $0) })
    else { return nil }
    let visible = comments.filter { $0.isVisibleToCandidate == true && !$0.isConcern }
    let others = comments.filter { $0.isVisibleToCandidate != true || $0.isConcern }
    return feedback + visible.map { ReadText("Comment", $0.text, toCandidate) }
      + others.map {
        $0.isConcern ? ReadText("Concern", $0.text, "to the exam lead") : ReadText("Comment", $0.text, "staff only")
      }
  }

  private nonisolated static let changedMeanwhile = StoreError("NOT SIGNED: the sheet was changed meanwhile")

  /// Signs a sheet as it was read back.
  /// - Parameter again: asks the same again, where the sheet is not that any more.
  private func sign(_ sheet: Sheet, _ again: @escaping @MainActor () -> Void) {
    saveSheet(
      with: .awaited,
      {
        // Another terminal may have changed it while the box was open.
        guard try Sheet.read(sheet.key, in: $0.db) == sheet else { throw SheetScreen.changedMeanwhile }
        try Signing.sign(sheet, in: $0)
      }
    ) { [self] result in
      reload()
      if case .failure(let error) = result, error as? StoreError == SheetScreen.changedMeanwhile {
        return askAgain(again)
      }
      guard case .success = result else { return }
      // The last sheet is signed: the candidate may go.
      if let entry, !entry.isPractice, entry.isSigned {
        SignOutQuestion.ask(context, session, entry, onlyMissing: true)
      }
      sayWhatFollowsSigning()
    }
  }

  /// Reads back what was changed while the box was open, and says so.
  private func askAgain(_ again: @MainActor () -> Void) {
    guard let sheet, !isCovered else { return }
    if sheet.isSigned { return context.showMessage("signed meanwhile at another terminal", .warning) }
    again()
    let now = context.overlay == nil ? context.message.text : "read it again"
    context.showMessage(SafeText(SheetScreen.changedMeanwhile.description + "; ") + now, .warning)
  }

  /// Says what was signed blank, and the key that leads on: under a box only once that is closed.
  private func sayWhatFollowsSigning() {
    let esc: SafeText = context.overlay == nil ? "" : "Esc, then "
    let blank = blankText.map { SafeText(" with " + $0) } ?? ""
    if let open = otherOpenSheets.first {
      let key = context.key(of: Keys.nextForm)
      return context.showMessage(
        "signed" + blank + "; " + esc + key + " opens " + SafeText(open.name) + ", still unsigned", .warning)
    }
    let leads: SafeText =
      entry?.isPractice == true || candidate(after: 1) == nil
      ? context.key(of: EveryScreen.back) + " goes back to the roster"
      : context.key(of: Keys.nextRound) + " opens the next candidate"
    context.showMessage("signed" + blank + "; " + esc + leads, blank.isEmpty ? .good : .warning)
  }

  /// What is blank and not to be left so, in words: one by its text, several counted; nil where nothing is.
  var blankText: String? {
    let (items, facts) = (index.needed, index.facts)
    if items.count == 1, facts.isEmpty { return name(of: items[0], to: 16) + " blank" }
    if items.isEmpty, facts.count == 1 { return facts[0].text + " not recorded" }
    return items.isEmpty && facts.isEmpty ? nil : Plural.count(items.count + facts.count, "required blank")
  }

  /// Lists what this sheet lacks; before the identity step, what all sheets lack.
  func showMissing() {
    context.push(MissingScreen(context, session, seat, entry: sheet == nil ? nil : entry))
  }
}
