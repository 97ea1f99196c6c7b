import Terminal

/// A form that is being filled, kept on the disk while it is.
@MainActor
final class FormSession {
  /// What a form finds wrong with what was typed: the place of the field, and why.
  typealias Problem = (field: Int, reason: String)

  var form: Form
  private var saved: [String]
  private var refused: [String]?
  private let check: @MainActor ([String]) -> Problem?
  private let save: @MainActor (_ from: [String], _ to: [String]) -> Void

  /// - Parameters:
  ///   - kept: the texts as they are on the disk; nil where those are the form's.
  ///   - check: says what cannot be kept as it is.
  ///   - save: keeps the texts; is told what was kept before.
  init(
    _ form: Form, saved kept: [String]? = nil, check: @escaping @MainActor ([String]) -> Problem? = { _ in nil },
    save: @escaping @MainActor (_ from: [String], _ to: [String]) -> Void
  ) {
    self.form = form
    self.check = check
    self.save = save
    saved = kept ?? form.texts
  }

  /// Saves what was typed since the last time, if it can be kept as it is.
  func commit() {
    guard form.texts != saved, check(form.texts) == nil else { return }
    keep(form.texts)
  }

  /// Handles a key.
  /// - Returns: whether the form is to be closed, and what is to be said.
  func update(_ key: Key) -> (closes: Bool, says: String?) {
    let field = form.focus
    switch form.update(key) {
    case .finished: return finish()
    case .refused(let reason): return (false, reason)
    case .moved where form.focus > field:
      // A field is looked at when it is left, while it is still in mind.
      guard let problem = check(form.texts), problem.field == field else { return (false, nil) }
      form.focus(on: field)
      return (false, problem.reason)
    case .edited, .moved, .ignored: return (false, nil)
    }
  }

  /// Saves what was typed. What cannot be kept holds the form open once; asked again it closes, and that field alone
  /// is left as it was.
  private func finish() -> (closes: Bool, says: String?) {
    guard let problem = check(form.texts) else {
      commit()
      return (true, nil)
    }
    if refused != form.texts {
      refused = form.texts
      form.focus(on: problem.field)
      return (false, "Esc again leaves without it: \(problem.reason)")
    }
    var texts = form.texts
    texts[problem.field] = saved[problem.field]
    if texts != saved, check(texts) == nil { keep(texts) }
    return (true, nil)
  }

  private func keep(_ texts: [String]) {
    let before = saved
    saved = texts
    save(before, texts)
  }
}

/// Things on an item that are so or not, shown as they are on the disk.
@MainActor
final class ChecklistSession {
  var list = Checklist()
  let title: SafeText
  let rows: @MainActor () -> [Checklist.Row]
  let toggle: @MainActor (Int) -> Void

  init(_ title: SafeText, rows: @escaping @MainActor () -> [Checklist.Row], toggle: @escaping @MainActor (Int) -> Void)
  {
    self.title = title
    self.rows = rows
    self.toggle = toggle
  }
}
