import CircuitModel
import ExamStore
import Foundation
import Journal
import Reports
import Terminal
import Timer

/// Who sits here: type to filter, Enter to choose, then the passcode if one is set.
@MainActor
final class SignInScreen: AppScreen {
  let context: AppContext
  private let enter: @MainActor (StaffMember) -> Void
  /// Those who are due here soon, then the others, each by surname.
  private var staff: [StaffMember] = []
  private var exam = ""
  private var filter = FilteredList(placeholder: "type part of your name or username")
  /// What each person does here next, by their keys.
  private var duties: [Int: Duty] = [:]
  private var width = 80
  /// The minute of which they are said.
  private var minute: Int64 = 0

  /// Role and start, station and circuit, and how soon that is; the last is empty for who is not due soon.
  private struct Duty {
    var text = ""
    var station = ""
    var soon = ""

    init() {}

    init(_ duty: StaffDuty, at now: Instant) {
      switch duty {
      case .role(let role): text = Duty.label(of: role)
      case .station(let place, let role, let isRunning):
        let session = place.session
        let day = session.date == LocalTime.reading(of: now).date ? "" : "\(session.date) "
        // What tells two apart comes before what the clock says too.
        text = "\(role.shortName.padding(toLength: 10, withPad: " ", startingAt: 0))\(day)\(session.startTime) "
        station = "\(place.stationCode), \(place.circuit.name)"
        soon = isRunning ? "" : session.startsSoon(at: now)
      }
    }

    private static func label(of role: ExamRole) -> String {
      switch role {
      case .lead: "exam lead"
      case .office: "exam office"
      case .display: "wall screen"
      case .assessor, .invigilator, .auditor, .unknown: role.name
      }
    }
  }

  /// - Parameters:
  ///   - isLikely: who is most likely to sit here: the list begins at the first of them.
  ///   - enter: what is opened for the person who has signed in; nil: the list of station sessions.
  init(
    _ context: AppContext, beginningWith isLikely: (StaffMember) -> Bool = { _ in false },
    enter: (@MainActor (StaffMember) -> Void)? = nil
  ) {
    self.context = context
    self.enter = enter ?? { [context] member in context.push(SessionsScreen(context, member)) }
    reload()
    filter.list.selection.index = staff.firstIndex(where: isLikely) ?? 0
  }

  nonisolated private static let quit = KeyBinding<SignInScreen>(
    "signin.quit", ["ctrl-q"], "quit", help: "Leave the program (asks first)", group: "Signing in", reach: .small,
    patience: WaitingKeys.Patience.none
  ) { screen, _ in screen.context.askToQuit() }

  nonisolated static let keys = KeyTable<SignInScreen>(
    "Sign in", typesText: true,
    [
      KeyBinding(
        "signin.choose", [.enter], "sign in", help: "Sign in as the person shown", group: "Signing in",
        when: { $0.shown.isEmpty ? .disabled("nobody has that name") : .enabled }
      ) { screen, _ in screen.choose() },
      KeyBinding(
        "signin.move", [.down, .up, .pageDown, .pageUp], "choose", help: "Next, previous, a page",
        group: "Signing in", inFooter: false, range: "arrows page"
      ) { screen, key in if let key { screen.move(key.key) } },
      KeyBinding(
        "signin.back", [.escape], "back", help: "Clear the name; again to go back", group: "Signing in",
        reach: .small,
        when: { screen in
          screen.filter.text.isEmpty && screen.context.screens.count < 2
            ? .disabled("\(screen.context.key(of: quit)) quits") : .enabled
        }
      ) { screen, _ in screen.context.goBack() }
      .labelled { $0.filter.text.isEmpty ? "back" : "clear" },
      quit,
    ])

  var quitKey: SafeText? { context.key(of: SignInScreen.quit) }

  var opening: ClockHeading.Opening {
    let time = LocalTime.reading(of: context.store.clock.now).minute
    return ClockHeading.Opening(
      text: SafeText(exam.isEmpty ? "osce" : "osce  \(exam)"),
      trailing: SafeText("\(title) \(context.theme.glyphs.separator.plain) \(time)"))
  }

  var heading: Heading { Heading(text: "Who are you?") }

  private var shown: [StaffMember] { filter.matches(of: staff) { "\($0.name) \($0.username)" } }

  func takes(_ key: KeyEvent) -> Bool {
    if context.actsBesideTyping(key.key) { return false }
    switch key.key {
    case .escape:
      if filter.text.isEmpty { return false }
      filter.clear()
      showMatches()
      return true
    default:
      let use = filter.update(key.key)
      if use == .typing { showMatches() }
      return use != .nothing
    }
  }

  /// Lists who matches what is typed by now, the first of them in focus.
  private func showMatches() {
    fill()
    filter.list.selection.index = 0
  }

  func paste(_ text: String) {
    filter.paste(text)
    showMatches()
  }

  func move(_ key: Key) { filter.move(key) }

  private func choose() {
    if SignInFlow.isSigningIn(context) { return }
    let people = shown
    guard let member = filter.list.selection.focused(of: people) else { return }
    if !member.hasPasscode { return signIn(member) }
    context.promptPasscode(of: member, toSit: true) { [self] _ in signIn(member) }
  }

  /// Lets somebody in. The next person at this screen finds it empty.
  private func signIn(_ member: StaffMember) {
    filter.clear()
    showMatches()
    enter(member)
  }

  func follow(_ rows: Set<RowKey>) -> Bool {
    let shown = [
      Stored.Staff.entityName, Stored.User.entityName, Stored.Timetable.entityName,
      Stored.AdditionalStaff.entityName, Stored.ClockEvent.entityName, Stored.Config.entityName,
    ]
    guard rows.isEmpty || rows.contains(where: { shown.contains($0.entity) }) else { return false }
    reload()
    return true
  }

  func reload() {
    let now = context.store.clock.now
    do {
      let (all, next, name) = try context.store.read { db in
        let all = try StaffMember.active(db)
        return (all, try StaffDuty.next(of: all, at: now, in: db), try ExamSettings.read(db).name ?? "")
      }
      (duties, exam) = (next.mapValues { Duty($0, at: now) }, name)
      staff = all.filter(isDueSoon) + all.filter { !isDueSoon($0) }
    } catch { context.noteUnread(error) }
    fill()
  }

  private func isDueSoon(_ member: StaffMember) -> Bool { duties[member.id]?.soon.isEmpty == false }

  private func fill() {
    let isNarrow = width < 76
    // As wide as the longest of all, not of those in the list: what is typed moves no column.
    let names = min(22, staff.map { SafeText($0.name).width }.max() ?? 0)
    let usernames = min(12, staff.map { SafeText($0.username).width }.max() ?? 0)
    let rows = shown.map { member in
      let username: SafeText =
        isNarrow ? "" : SafeText(member.username).truncated(to: usernames).padded(to: usernames + 1)
      let name = SafeText(member.name).truncated(to: names).padded(to: names + 1)
      let duty = duties[member.id] ?? Duty()
      return (
        member: member, text: name + username + SafeText(duty.text), station: SafeText(duty.station),
        soon: SafeText(duty.soon)
      )
    }
    // How soon is said of everybody or of nobody.
    let hasRoom = rows.allSatisfy { $0.text.width + $0.station.width + $0.soon.width <= width - 4 }
    filter.list.rows = rows.map { row in
      let id = String(row.member.id)
      let station = hasRoom ? row.station + row.soon : row.station
      // The focus stays with the person where others become due.
      return isDueSoon(row.member) ? List.Row(row.text, strong: station, id: id) : List.Row(row.text + station, id: id)
    }
  }

  /// How soon a session starts is said in minutes.
  func passTime(_ now: Int64) -> Bool {
    let minute = context.store.clock.now.milliseconds / 60_000
    guard minute != self.minute else { return false }
    self.minute = minute
    reload()
    return true
  }

  func layOut(_ region: Rect) {
    filter.layOut(region)
    guard width != region.width else { return }
    width = region.width
    fill()
  }

  func draw(on canvas: inout Canvas, in region: Rect) {
    let empty: SafeText =
      staff.isEmpty ? "No staff in this exam: import it with osce import DIR" : "Nobody has that name"
    filter.draw(on: &canvas, in: region, theme: context.theme, empty: empty)
  }
}

extension Session {
  /// `, starts in 13 min` within the half hour before; empty at any other time.
  func startsSoon(at now: Instant) -> String { minutesToStart(at: now).map { ", starts in \($0) min" } ?? "" }
}
