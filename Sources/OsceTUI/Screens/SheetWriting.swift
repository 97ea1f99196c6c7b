import CircuitModel
import Journal
import Terminal

extension SheetScreen {
  /// Opens the editor on a written item, or for feedback on any other.
  func editText() {
    guard let item = focusedItem, let number = rows.number(of: item) else {
      return context.say("feedback is written on an item", .warning)
    }
    guard mayChange() else { return }
    let what = item.template.kind.isWritten ? "Item" : "Feedback on item"
    let who = entry?.candidate?.number ?? "practice"
    let target = SafeText("\(what) \(number), \(who) (Esc keeps it): \(item.template.text)")
    let run = history.newRun()
    var isFirst = true
    context.overlay = .editor(
      Editor(target: target, text: unsavedTexts[item.key] ?? item.feedback, saved: item.feedback) { [self] text in
        var seen = item
        // The first change replaces what the editor began with, later ones what the editor saved.
        if !isFirst || pending[item.key] != nil { seen.shown = .unknown }
        isFirst = false
        let target = seen
        begin(item)
        unsavedTexts[item.key] = text
        context.save({ try Marking($0).write(target, text) }) { [self] result in
          end(item, number: number, result)
          guard case .success(let operation) = result else {
            return context.say(
              "item \(number): the text is NOT SAVED; open it again, it is kept until you leave", .error)
          }
          if unsavedTexts[item.key] == text { unsavedTexts[item.key] = nil }
          // All that was typed at one sitting is one step.
          history.add([operation], run: run, joining: true)
          reload()
          context.say("item \(number): text saved", .good)
        }
      })
  }

  /// Asks what is recorded of the section that has the focus: which tooth, how difficult.
  func openSection() {
    guard let section = rows.section(in: sheet) else {
      return context.say(
        sheet?.isFilled == true ? "s signs the sheet" : "m lists the blanks, s signs the sheet", .muted)
    }
    if section.template.asksQuadrantAndTooth {
      guard mayChange() else { return }
      context.prompt("Quadrant and tooth, as 36:") { [self] text in
        guard let tooth = SectionFacts.Tooth(text) else {
          return context.say(
            "\(SafeText(text)) is no tooth: quadrant 1 to 4, tooth 1 to 8 (first teeth 51 to 85)", .warning)
        }
        save(section, "tooth \(tooth.quadrant)\(tooth.place)") { try SectionFacts.record(tooth, of: section, in: $0) }
        if section.template.maximumDifficulty > 0 { askDifficulty(of: section) }
      }
    } else if section.template.maximumDifficulty > 0 {
      guard mayChange() else { return }
      askDifficulty(of: section)
    } else {
      context.say(section.template.isFoldable ? "Space folds the section" : "a heading: j goes to the items", .muted)
    }
  }

  private func askDifficulty(of section: SheetSection) {
    let most = section.template.maximumDifficulty
    context.prompt("Difficulty (0 to \(most)):") { [self] text in
      guard let difficulty = Int(text), (0...most).contains(difficulty) else {
        return context.say("the difficulty is a number from 0 to \(most)", .warning)
      }
      save(section, "difficulty \(difficulty)") {
        try SectionFacts.record(difficulty: difficulty, of: section, in: $0)
      }
    }
  }

  private func save(
    _ section: SheetSection, _ what: String,
    _ body: @escaping @Sendable (JournalTransaction) throws -> OperationID
  ) {
    context.save(body) { [self] result in
      guard case .success(let operation) = result else { return }
      history.add([operation])
      reload()
      context.say(SafeText("\(section.template.name): \(what)"), .good)
    }
  }
}
