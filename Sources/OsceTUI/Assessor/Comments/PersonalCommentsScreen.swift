import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal

/// What the person who sits here wrote to another person, in the exam's categories.
@MainActor
final class PersonalCommentsScreen: CommentListScreen, StationScreen {
  let context: AppContext
  let session: StationSession
  let seat: Seat
  private let person: PersonScreen.Person
  private var comments: [GeneralComments.PersonalComment] = []
  /// New comments that could not be saved, by their categories.
  private var kept: [(category: GeneralComments.Category?, text: String)] = []
  var list = List()

  /// Asks to whom: the candidate in question first, then the others of the roster, then staff.
  static func choose(_ context: AppContext, _ session: StationSession, _ seat: Seat, _ entry: RosterEntry?) {
    let timetable = session.timetable
    do {
      let (entries, staff) = try context.store.read {
        (try Roster.entries(timetable: timetable, seat: seat, in: $0), try StaffMember.active($0))
      }
      let ordered = entries.filter { $0.key == entry?.key } + entries.filter { $0.key != entry?.key }
      let candidates = ordered.compactMap(\.candidate).map {
        PersonScreen.Person(id: $0.id, name: context.title(of: $0), detail: "candidate")
      }
      let others = staff.map { PersonScreen.Person(id: $0.id, name: $0.name, detail: $0.username) }
      context.push(
        PersonScreen(context, "A comment to whom?", candidates + others) { [context] person in
          context.replace(with: PersonalCommentsScreen(context, session, seat, person))
        })
    } catch { context.showError(error) }
  }

  init(_ context: AppContext, _ session: StationSession, _ seat: Seat, _ person: PersonScreen.Person) {
    (self.context, self.session, self.seat, self.person) = (context, session, seat, person)
    reload()
  }

  nonisolated private static let new = KeyBinding<PersonalCommentsScreen>(
    "remarks.new", ["n"], "new", help: "Write a comment in one of the categories", group: "Comments"
  ) { screen, _ in screen.askCategory() }

  nonisolated static let keys = KeyTable<PersonalCommentsScreen>(
    "Comments to a person", at: .station,
    [
      new,
      KeyBinding(
        "remarks.edit", [.enter], "change", help: "Change what you wrote", group: "Comments",
        when: { $0.list.rows.isEmpty ? .disabled("you wrote nothing to this person yet") : .enabled }
      ) { screen, _ in screen.change() },
      StationKeys.missing(),
    ])

  var heading: Heading {
    Heading(text: SafeText("Your comments to \(person.name)"), trailing: "they may ask to read them")
  }

  var focusedText: String? { focused.map { shownText($0) } ?? focusedKept?.text }

  var emptyText: SafeText {
    "You wrote nothing to this person yet; \(context.key(of: PersonalCommentsScreen.new)) writes"
  }

  private func change() {
    if let focusedKept { write(focusedKept.category) } else if let focused { change(focused) }
  }

  private var focused: GeneralComments.PersonalComment? { list.selection.focused(of: comments) }

  /// What could not be saved stands after what is.
  private var focusedKept: (category: GeneralComments.Category?, text: String)? {
    let place = list.selection.index - comments.count
    return kept.indices.contains(place) ? kept[place] : nil
  }

  private var categories: [GeneralComments.Category]? { context.read { try GeneralComments.categories(in: $0) } }

  private func askCategory() {
    guard let categories else { return }
    if categories.isEmpty { return write(nil) }
    context.ask(
      "In which category?", "A comment to \(person.name).",
      zip("123456789", categories).map { key, category in
        (.character(key), SafeText(category.name), { [self] in write(category) })
      })
  }

  private func write(_ category: GeneralComments.Category?) {
    let title = "Comment to \(person.name)" + (category.map { ", \($0.name)" } ?? "")
    open(title, about: newTopic(category), category: category?.name, group: category?.id)
  }

  /// What a new comment is kept as while it could not be saved.
  private func newTopic(_ category: GeneralComments.Category?) -> String { "to \(person.id) \(category?.name ?? "")" }

  private func change(_ comment: GeneralComments.PersonalComment) {
    open(
      "Comment to \(person.name)", about: comment.key, key: comment.key, text: comment.text, category: comment.category)
  }

  /// Opens the editor on a comment; without a key on a new one.
  private func open(
    _ title: String, about topic: String, key: String? = nil, text: String = "", category: String?, group: Int? = nil
  ) {
    let recipient = person.id
    let draft = CommentDraft(
      context, about: topic, named: SafeText("comment to \(person.name)"), key: key,
      add: { try GeneralComments.add($1, to: recipient, category: group, in: $0).key },
      edit: { try GeneralComments.edit($1, text: $2, in: $0) },
      done: { [self] _ in reload() })
    context.overlay = .editor(
      draft.editor(
        SafeText(title + " (Esc saves)"), readers: "for the file; \(SafeText(person.name)) may ask to read it",
        text: text, offers: CommentOffers.read(context, category: category)))
  }

  func follow(_ rows: Set<RowKey>) -> Bool {
    guard rows.contains(where: { $0.entity == Stored.Comment.entityName }) else { return false }
    reload()
    return true
  }

  func reload() {
    let (person, writer) = (person.id, context.sitting?.staff.id)
    do {
      comments = try context.store.read { try GeneralComments.all(to: person, by: writer ?? -1, in: $0) }
    } catch { context.noteUnread(error) }
    if let categories {
      kept = ([nil] + categories).compactMap { category in
        context.unsaved.texts[newTopic(category)]?.first.map { (category, $0) }
      }
    }
    list.rows = comments.map { comment in
      let first = UnsavedWork.line(of: shownText(comment))
      let category = comment.category.map { "\($0): " } ?? ""
      return List.Row(SafeText(unsavedMark(of: comment.key) + category + first), id: comment.key)
    }
    list.rows += kept.map { keptRow($0.text, category: $0.category?.name) }
  }

  private func shownText(_ comment: GeneralComments.PersonalComment) -> String {
    shownText(of: comment.key, comment.text)
  }
}
