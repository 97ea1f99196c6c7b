import CircuitModel
import Journal

/// A comment that is being written: the first save makes it, later ones change its text, so that nothing is written
/// before something is typed.
@MainActor
final class CommentDraft {
  private let context: AppContext
  private let add: @Sendable (JournalTransaction, String) throws -> String
  private let edit: @Sendable (JournalTransaction, String, String) throws -> Void
  private let done: @MainActor () -> Void
  private var key: String?
  private var isMaking = false
  private var waiting: String?

  /// - Parameters:
  ///   - add: makes the comment and says its key.
  ///   - edit: changes the text of the comment with a key.
  ///   - done: called after each save.
  init(
    _ context: AppContext, add: @escaping @Sendable (JournalTransaction, String) throws -> String,
    edit: @escaping @Sendable (JournalTransaction, String, String) throws -> Void,
    done: @escaping @MainActor () -> Void
  ) {
    (self.context, self.add, self.edit, self.done) = (context, add, edit, done)
  }

  /// Keeps the text as it is now.
  func put(_ text: String) {
    if let key { return change(key, text) }
    if isMaking {
      waiting = text
      return
    }
    isMaking = true
    let add = add
    context.save({ try add($0, text) }) { [self] result in
      isMaking = false
      guard case .success(let made) = result else { return }
      key = made
      if let text = waiting { change(made, text) }
      done()
    }
  }

  private func change(_ key: String, _ text: String) {
    let edit = edit
    context.save({ try edit($0, key, text) }) { [self] result in
      if case .success = result { done() }
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
            Editor.Offer(source: $0.time.map { "jot " + LocalTime.reading(of: $0).minute } ?? "jot", text: $0.text)
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
      context.complain(error)
      return []
    }
  }
}
