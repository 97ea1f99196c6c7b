import CircuitModel
import Journal
import Terminal
import Timer

/// The comments at one level: read them, add one, change one's own.
@MainActor
final class CommentsScreen: AppScreen {
  private let context: AppContext
  private let session: StationSession
  private let level: CommentLevel
  private let about: SafeText
  private var comments: [Comment] = []
  private var list = List()

  init(_ context: AppContext, _ session: StationSession, _ level: CommentLevel, about: SafeText) {
    self.context = context
    self.session = session
    self.level = level
    self.about = about
    refresh(nil)
  }

  var bindings: BindingTable<Command> {
    BindingTable(
      "Comments",
      [
        Binding("comments.new", ["n"], "new", help: "Write a new comment", group: "Comments", action: .feedback),
        Binding(
          "comments.edit", [.enter], "change", help: "Change your own comment", group: "Comments",
          own == nil ? .disabled("only your own comments can be changed; n writes a new one") : .enabled,
          action: .open),
      ])
  }

  var isAtStation: Bool { true }

  var heading: Heading { Heading(text: "Comments on " + about, trailing: "candidates may ask to read them") }

  private var own: Comment? {
    guard comments.indices.contains(list.selection.index) else { return nil }
    let comment = comments[list.selection.index]
    return comment.authorID == context.sitting?.staff.id ? comment : nil
  }

  func perform(_ command: Command, _ key: KeyEvent?) {
    switch command {
    case .move: if let key { _ = list.update(key.key) }
    case .feedback: write()
    case .open: if let own { change(own) }
    default: break
    }
  }

  /// The first save makes the comment, later ones change its text: nothing is written before something is typed.
  private func write() {
    let (level, session) = (level, session)
    var key: String?
    var isMaking = false
    var waiting: String?
    @MainActor func put(_ text: String) {
      if let key {
        change(key, text)
      } else if isMaking {
        waiting = text
      } else {
        isMaking = true
        context.save({ try Comments.add(text, to: level, timetable: session, in: $0) }) { [self] result in
          isMaking = false
          guard case .success(let made) = result else { return }
          key = made
          if let text = waiting { change(made, text) }
          refresh(nil)
        }
      }
    }
    context.overlay = .editor(Editor(target: "New comment on " + about + " (Esc keeps it)", text: "", save: put))
  }

  private func change(_ comment: Comment) {
    context.overlay = .editor(
      Editor(target: "Comment on " + about + " (Esc keeps it)", text: comment.text) { [self] in change(comment.key, $0)
      })
  }

  private func change(_ key: String, _ text: String) {
    let level = level
    context.save({ try Comments.edit(key, at: level, text: text, in: $0) }) { [self] result in
      if case .success = result { refresh(nil) }
    }
  }

  func refresh(_ rows: Set<RowKey>?) {
    if let rows, !rows.contains(where: { $0.entity.hasPrefix("CommentMeta") }) { return }
    let level = level
    do { comments = try context.store.read { try Comments.all(level, in: $0) } } catch { context.complain(error) }
    list.rows = comments.map { comment in
      let time = comment.time.map { LocalTime.reading(of: $0).minute } ?? "--:--"
      let concern = comment.isConcern ? "CONCERN " : ""
      let first = comment.text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
      return List.Row(SafeText("\(time) \(comment.author ?? "unknown"): \(concern)\(first)"))
    }
  }

  func layOut(_ region: Rect) { list.selection.page = max(1, region.height / 2) }

  func draw(on canvas: inout Canvas, in region: Rect) {
    let theme = context.theme
    if comments.isEmpty {
      canvas.draw("No comments yet; n writes one", in: region, row: 1, style: theme[.muted])
      return
    }
    let (top, rest) = region.splitTop(region.height / 2)
    list.draw(on: &canvas, in: top, theme: theme)
    canvas.horizontalLine(rest.row(0), glyphs: theme.glyphs, style: theme[.border])
    if comments.indices.contains(list.selection.index) {
      canvas.drawWrapped(comments[list.selection.index].text, in: rest.rows(1, rest.height), style: theme[.normal])
    }
  }
}
