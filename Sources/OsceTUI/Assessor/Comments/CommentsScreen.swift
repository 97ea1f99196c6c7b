import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal
import Timer

/// The comments at one level: read them, add one, change one's own, say who may read it, raise a concern.
@MainActor
final class CommentsScreen: CommentListScreen, StationScreen {
  let context: AppContext
  let session: StationSession
  let seat: Seat
  private let level: CommentLevel
  /// The candidate's roster entry as it was when the screen was opened; nil on the levels of station and circuit.
  private let shown: RosterEntry?
  private let about: SafeText
  private var comments: [Comment] = []
  /// A new comment that could not be saved, as far as it was written.
  private var kept: String?
  var list = List()

  init(
    _ context: AppContext, _ session: StationSession, seat: Seat, _ level: CommentLevel, of shown: RosterEntry?,
    about: SafeText
  ) {
    self.context = context
    self.session = session
    self.seat = seat
    self.level = level
    self.shown = shown
    self.about = about
    reload()
  }

  enum Keys {
    static let new = KeyBinding<CommentsScreen>(
      "comments.new", ["n"], "new", help: "Write a new comment", group: "Comments"
    ) { screen, _ in screen.write() }

    static let concern = KeyBinding<CommentsScreen>(
      "comments.concern", ["f"], "concern", help: "Raise this comment as a concern (asks first)", group: "Comments",
      when: { $0.mayRaise }
    ) { screen, _ in if let focused = screen.focused { screen.askRaise(focused) } }
    .inFooter { $0.focused?.isConcern != true }

    static let withdraw = KeyBinding<CommentsScreen>(
      "comments.withdraw", ["x"], "withdraw", help: "Withdraw a concern; the comment stays (asks first)",
      group: "Comments",
      when: { screen in
        screen.focused?.isConcern == true ? screen.onOwn : .disabled("this is not a concern")
      }
    ) { screen, _ in screen.own.map(screen.askWithdraw) }
    .inFooter { $0.focused?.isConcern == true }
  }

  nonisolated static let keys = KeyTable<CommentsScreen>(
    "Comments", at: .station,
    [
      Keys.new,
      KeyBinding(
        "comments.edit", [.enter], "change", help: "Change your own comment", group: "Comments",
        when: { $0.isOnKept ? .enabled : $0.onOwn }
      ) { screen, _ in screen.isOnKept ? screen.write() : screen.own.map(screen.change) },
      KeyBinding(
        "comments.visible", ["v"], "show to candidate", help: "Visible to the candidate, or staff only (asks first)",
        group: "Comments",
        when: { screen in
          if screen.entry == nil { return .disabled("only a comment on a candidate is shown to the candidate") }
          guard let own = screen.own, own.isConcern, own.isVisibleToCandidate != true else { return screen.onOwn }
          return .disabled(
            "a concern is never shown to the candidate; \(screen.context.key(of: Keys.withdraw)) withdraws it")
        }
      ) { screen, _ in if let own = screen.own { screen.toggleVisibility(own) } }
      .labelled { $0.focused?.isVisibleToCandidate == true ? "staff only" : "show to candidate" },
      Keys.concern, Keys.withdraw, StationKeys.missing(),
    ])

  /// Whether the focused comment can become a concern.
  private var mayRaise: Availability {
    if isOfPractice { return .disabled(StationKeys.noConcern) }
    guard let focused else {
      return isOnKept ? onOwn : .disabled("there is no comment yet; \(context.key(of: Keys.new)) writes one")
    }
    if focused.isConcern {
      return .disabled("this is a concern already; \(context.key(of: Keys.withdraw)) withdraws it")
    }
    if focused.isVisibleToCandidate == true, own == nil {
      return .disabled("the candidate may read this; \(context.key(of: Keys.new)) writes another comment")
    }
    return .enabled
  }

  /// Whether the focus is on what the person here may change.
  private var onOwn: Availability {
    if own != nil { return .enabled }
    return .disabled(
      isOnKept
        ? "this comment is not saved yet; Enter goes on writing it"
        : "only your own comments can be changed; \(context.key(of: Keys.new)) writes a new one")
  }

  /// Whether the comments are on a practice sheet, which nobody reads.
  private var isOfPractice: Bool { entry == DerivedKeys.practice(timetable: session.timetable) }

  var heading: Heading { Heading(text: "Comments on " + about, trailing: "candidates may ask to read them") }

  private var entry: String? { shown?.key }

  private var focused: Comment? { list.selection.focused(of: comments) }

  /// Whether the focus is on the comment that could not be saved, which is the last.
  private var isOnKept: Bool { kept != nil && list.selection.index == comments.count }

  private var own: Comment? { focused.flatMap { $0.authorID == context.sitting?.staff.id ? $0 : nil } }

  var focusedText: String? { focused.map { shownText($0) } ?? kept }

  var emptyText: SafeText { "No comments yet; \(context.key(of: Keys.new)) writes one" }

  private func write() {
    open("New comment on " + about, newTopic)
  }

  /// What a new comment is kept as while it could not be saved: for its own candidate, also where another
  /// comes in the place since.
  private var newTopic: String { "new \(level) \(shown?.candidate?.id ?? 0)" }

  /// Who reads a comment; nil: one that is not written yet.
  private func readers(of comment: Comment?) -> SafeText {
    guard entry != nil else { return "for the file; no candidate gets it" }
    if isOfPractice { return "practice: nobody gets it" }
    if comment?.isConcern == true { return "for the exam lead alone; the candidate does not get it" }
    if comment?.isVisibleToCandidate == true { return "the candidate gets it" }
    return "for the file; the candidate gets it only once it is shown to the candidate"
  }

  /// Opens the editor on a comment; without one on a new one.
  private func open(_ title: SafeText, _ topic: String, _ comment: Comment? = nil) {
    let (level, shown, session) = (level, shown, session)
    let draft = CommentDraft(
      context, about: topic, named: "comment on " + about, key: comment?.key,
      add: { try Comments.add($1, to: level, shown: shown, timetable: session, in: $0) },
      edit: { try Comments.edit($1, at: level, shown: shown, text: $2, in: $0) },
      done: { [self] in show($0) })
    context.overlay = .editor(
      draft.editor(
        title + " (Esc saves)", readers: readers(of: comment), text: comment?.text ?? "",
        offers: CommentOffers.read(context, entry: entry)))
  }

  private func change(_ comment: Comment) {
    open("Comment on " + about, comment.key, comment)
  }

  /// Reads the comments again, and puts the focus on the one that was written.
  /// - Parameter key: nil where it could not be saved.
  private func show(_ key: String?) {
    reload()
    if let place = comments.firstIndex(where: { $0.key == key }) {
      list.selection.index = place
    } else if key == nil, kept != nil {
      list.selection.index = comments.count
    }
  }

  /// The comment's first line, as a question quotes it.
  private func quoted(_ comment: Comment) -> String {
    "\"\(SafeText(UnsavedWork.line(of: shownText(comment))).truncated(to: 120).plain)\""
  }

  private func toggleVisibility(_ comment: Comment) {
    let (level, shown) = (level, shown)
    let isVisible = comment.isVisibleToCandidate != true
    context.ask(
      isVisible ? "Show this comment to the candidate?" : "Hide this comment from the candidate?",
      quoted(comment),
      [
        (
          .enter, isVisible ? "show to the candidate" : "staff only",
          { [self] in
            save(isVisible ? "visible to the candidate" : "staff only: the candidate does not see this comment") {
              try Comments.set(visibleToCandidate: isVisible, on: comment.key, at: level, shown: shown, in: $0)
            }
          }
        )
      ])
  }

  private func askRaise(_ comment: Comment) {
    let (level, shown) = (level, shown)
    let isVisible = comment.isVisibleToCandidate == true
    context.ask(
      "Raise this comment as a concern?",
      quoted(comment) + (isVisible ? "\nThe candidate does not see it any more." : ""),
      [
        (
          .enter, "raise it: the exam lead reads it",
          { [self] in
            save("concern raised: the exam lead reads it") {
              if isVisible {
                try Comments.set(visibleToCandidate: false, on: comment.key, at: level, shown: shown, in: $0)
              }
              try Comments.set(concern: true, on: comment.key, at: level, shown: shown, in: $0)
            }
          }
        )
      ])
  }

  private func askWithdraw(_ comment: Comment) {
    let (level, shown) = (level, shown)
    context.ask(
      "Withdraw this concern?", quoted(comment) + "\nIt stays as a comment, for staff only.",
      [
        (
          .enter, "withdraw the concern",
          { [self] in
            save("concern withdrawn: the comment stays") {
              try Comments.set(concern: false, on: comment.key, at: level, shown: shown, in: $0)
            }
          }
        )
      ])
  }

  private func save<T: Sendable>(
    _ done: SafeText, _ body: @escaping @Sendable (JournalTransaction) throws -> T
  ) {
    context.save(with: .awaited, as: .good, saying: { _ in done }, body)
  }

  func follow(_ rows: Set<RowKey>) -> Bool {
    func concerns(_ row: RowKey) -> Bool {
      Comments.entities.contains(row.entity) || row.entity == Stored.SlotTable.entityName
    }
    guard rows.contains(where: concerns) else { return false }
    reload()
    return true
  }

  func reload() {
    if closesForAnother() { return }
    let (level, seat, session) = (level, seat, session)
    do {
      comments = try context.store.read { try Comments.all(level, seenFrom: seat, of: session, in: $0) }
    } catch { context.noteUnread(error) }
    kept = context.unsaved.texts[newTopic]?.first
    list.rows = comments.map { comment in
      let time = comment.time.map { LocalTime.reading(of: $0).minute } ?? "--:--"
      let marks = unsavedMark(of: comment.key) + (comment.isConcern ? "CONCERN " : "")
      let readers = comment.isVisibleToCandidate.map { $0 ? "[shown to the candidate] " : "[staff only] " } ?? ""
      let first = UnsavedWork.line(of: shownText(comment))
      return List.Row(
        SafeText("\(time) \(comment.author ?? "unknown"): \(marks)\(readers)\(first)"), id: comment.key)
    }
    if let kept { list.rows.append(keptRow(kept)) }
  }

  /// Leaves the comments where another candidate comes by now: what is being written was meant for the one before.
  private func closesForAnother() -> Bool {
    guard let shown, context.screen === self,
      let now = context.read({ try Roster.entry(shown.key, seat: seat, in: $0) }) ?? nil,
      now.candidate?.id != shown.candidate?.id
    else { return false }
    context.cutOverlay()
    // Where what was written is refused at once, the list is read again for that and has been left.
    if context.screen === self, context.pop() {
      context.showMessage(context.changedText(of: now, since: shown), .error)
    }
    return true
  }

  private func shownText(_ comment: Comment) -> String { shownText(of: comment.key, comment.text) }
}
