import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal

/// A comment that is being written: the first save makes it, later ones change its text, so that nothing is written
/// before something is typed. A text that could not be saved is kept, and an editor opened again begins with it.
@MainActor
final class CommentDraft {
  private let context: AppContext
  private let topic: String
  private let name: SafeText
  private let add: @Sendable (JournalTransaction, String) throws -> String
  private let edit: @Sendable (JournalTransaction, String, String) throws -> Void
  private let done: @MainActor (String?) -> Void
  private var key: String?
  private var isMaking = false
  private var waiting: String?
  private var last = ""

  /// - Parameters:
  ///   - topic: what the comment is about, for a text that could not be saved.
  ///   - name: the comment, in words.
  ///   - key: the comment's, where it is there already.
  ///   - add: makes the comment and says its key.
  ///   - edit: changes the text of the comment with a key.
  ///   - done: called with the comment's key after each save, and without one after each that failed.
  init(
    _ context: AppContext, about topic: String, named name: SafeText, key: String? = nil,
    add: @escaping @Sendable (JournalTransaction, String) throws -> String,
    edit: @escaping @Sendable (JournalTransaction, String, String) throws -> Void,
    done: @escaping @MainActor (String?) -> Void
  ) {
    (self.context, self.topic, self.name, self.key) = (context, topic, name, key)
    (self.add, self.edit, self.done) = (add, edit, done)
  }

  /// The editor for it.
  /// - Parameters:
  ///   - text: as it is on the disk; empty for a new comment.
  func editor(_ target: SafeText, readers: SafeText, text: String = "", offers: [Editor.Offer]) -> Editor {
    Editor(
      target: target, readers: readers, text: context.unsaved.texts[topic]?.first ?? text, saved: text, offers: offers,
      save: put)
  }

  /// Keeps the text as it is now.
  private func put(_ text: String) {
    last = text
    context.setUndoHint("\(context.key(of: SheetScreen.Keys.comment)) lists comments, and Enter there changes one")
    if let key { return change(key, text) }
    if isMaking {
      waiting = text
      return
    }
    isMaking = true
    let add = add
    // What the next key acts on is the comment, once it is there.
    context.save(with: .awaited, { try add($0, text) }) { [self] result in
      isMaking = false
      let newer = waiting
      waiting = nil
      guard let made = ended(text, result) else { return }
      key = made
      if let newer { change(made, newer) }
      done(made)
    }
  }

  private func change(_ key: String, _ text: String) {
    let edit = edit
    context.save({ try edit($0, key, text) }) { [self] result in
      if ended(text, result) != nil { done(key) }
    }
  }

  /// Keeps what could not be saved, or lets go of it.
  private func ended<T>(_ text: String, _ result: Result<T, any Error>) -> T? {
    switch result {
    case .success(let value):
      if text == last { context.unsaved.keep(nil, as: topic) }
      return value
    case .failure(let error):
      context.unsaved.keep([last], as: topic, named: name)
      done(nil)
      context.showMessage(SafeText("the comment is NOT SAVED; open it again, its text is kept: \(error)"), .error)
      return nil
    }
  }
}

/// What can be put into a comment while it is written: what was jotted of the candidate, then the exam's phrases.
@MainActor
enum CommentOffers {
  /// - Parameters:
  ///   - entry: the candidate at the station, where the comment is about one.
  ///   - category: the category of the comment: its phrases come first.
  static func read(_ context: AppContext, entry: String? = nil, category: String? = nil) -> [Editor.Offer] {
    let author = context.sitting?.staff.id
    do {
      return try context.store.read { db in
        var offers: [Editor.Offer] = []
        if let entry, let author {
          offers += try Jots.all(entry: entry, author: author, in: db).map {
            Editor.Offer(source: $0.time.map { "note " + LocalTime.reading(of: $0).minute } ?? "note", text: $0.text)
          }
        }
        let groups = try Phrases.read(db)
        let ordered = groups.filter { $0.name == category } + groups.filter { $0.name != category }
        return offers
          + ordered.flatMap { group in
            group.texts.map { Editor.Offer(source: group.name.isEmpty ? "phrase" : group.name, text: $0) }
          }
      }
    } catch {
      context.showError(error)
      return []
    }
  }
}
