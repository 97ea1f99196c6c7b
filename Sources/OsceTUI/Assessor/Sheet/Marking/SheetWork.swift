import CircuitModel
import ExamStore
import Reports
import Terminal

/// The entry form of an item that records work: what was done, how often, how difficult it was, a note.
extension SheetScreen {
  func openWork() {
    guard let item = focusedItem, let number = rows.number(of: item), let section = rows.section(in: sheet) else {
      return
    }
    guard mayChange() else { return }
    let template = section.template
    let most = WorkFacts.mostDifficult(in: template)
    let difficulties = template.maximumDifficulty > 0 ? "1 to \(most)" : "1 low, 2 average, 3 high"
    let isAnswer = item.template.kind.isWritten
    func texts(_ item: SheetItem) -> [String] {
      [
        item.feedback, item.work.times.map { "\($0)" } ?? "", item.work.difficulty.map { "\($0)" } ?? "",
        item.work.note,
      ]
    }
    let saved = texts(item)
    // What was done is the item's text, which `e` writes too: it is kept as that.
    let (text, record) = (unsavedText(of: item), "record \(item.key)")
    let shown =
      [context.unsaved.texts[text]?.first ?? saved[0]] + (context.unsaved.texts[record] ?? Array(saved.dropFirst()))
    let who = entry.shortLabel
    let form = Form(
      target: SafeText("Item \(number), \(who): \(item.template.text)"),
      [
        Form.Field(
          isAnswer ? "What was done" : "What was particular", .line(1000), text: shown[0],
          hint: isAnswer ? "the answer: blank until it is written" : "may be left out"),
        Form.Field("How often", .number(1...WorkFacts.mostTimes), text: shown[1], hint: "empty means once"),
        Form.Field("Difficulty", .number(1...most), text: shown[2], hint: "\(SafeText(difficulties))"),
        Form.Field("Supervisor's note", .line(1000), text: shown[3], hint: "may be left out"),
      ])
    // A field holds one line: what came with more keeps them unless it is changed.
    let inForm = form.texts
    let save = autosaver(
      of: item, number, "record",
      { [context] texts, name in
        context.unsaved.keep(texts.map { [$0[0]] }, as: text)
        context.unsaved.keep(texts.map { Array($0.dropFirst()) }, as: record, named: name)
      },
      { (marking: Marking, item: SheetItem, texts: [String]) in
        let facts = WorkFacts(times: Int(texts[1]), difficulty: Int(texts[2]), note: texts[3])
        return try marking.record(texts[0], facts, of: item, in: template)
      })
    context.overlay = .form(
      FormSession(form, saved: shown == saved ? inForm : saved) { _, texts in
        save(texts.indices.map { texts[$0] == inForm[$0] ? shown[$0] : texts[$0] })
      })
  }
}
