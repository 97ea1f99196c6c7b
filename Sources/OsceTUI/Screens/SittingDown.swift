import CircuitModel
import Journal
import Terminal

/// Beginning at a station session.
@MainActor
enum SittingDown {
  /// Records the sitting and opens the roster over the shown screen.
  /// - Parameter asCover: whether the person stands in for whoever is planned.
  static func at(_ session: StationSession, _ member: StaffMember, asCover: Bool = false, in context: AppContext) {
    // A second Enter while the disk is slow would sit the person down twice.
    guard !context.isSittingDown else { return }
    context.isSittingDown = true
    let asking = context.screen
    let device = context.store.device
    context.save { transaction in
      let sitting = try Sitting.begin(member, timetable: session.timetable, device: device, in: transaction)
      if asCover { try Attendance.cover(session.timetable, by: member.id, in: transaction) }
      return (sitting, try StationSession.find(session.timetable, in: transaction.db))
    } then: { [context] result in
      context.isSittingDown = false
      guard case .success((let sitting, let session)) = result else { return }
      // Whoever went on elsewhere meanwhile does not sit here.
      guard context.screen === asking else { return context.save({ try sitting.end(in: $0) }) { _ in } }
      context.sitting = sitting
      context.clock.follow(session)
      context.push(RosterScreen(context, session, seat: session.seat(of: sitting.staff.id) ?? .lead))
    }
  }
}

/// Leaving a station session: what is missing is shown first, and the person's next session is offered.
@MainActor
enum StationLeaving {
  /// - Returns: whether the screen before may simply be gone back to.
  static func begin(_ context: AppContext, _ session: StationSession, _ seat: Seat) -> Bool {
    let screen = MissingScreen(context, session, seat, entry: nil, isLeaving: true)
    if screen.isEmpty { return finish(context, session) }
    context.push(screen)
    return false
  }

  /// Signs out, and offers the person's next session of the day.
  /// - Returns: whether there is none, so that the screen before may be gone back to.
  static func finish(_ context: AppContext, _ session: StationSession) -> Bool {
    guard let member = context.sitting?.staff, let next = next(after: session, member, context) else { return true }
    let isFirst = context.screens.count < 2
    context.leaveStation()
    if !isFirst { _ = context.pop() }
    let screen = NextSessionScreen(context, member, next)
    if isFirst { context.replace(with: screen) } else { context.push(screen) }
    return false
  }

  private static func next(
    after session: StationSession, _ member: StaffMember, _ context: AppContext
  ) -> StationSession? {
    let own = (try? context.store.read { try StationSession.all(staff: member.id, in: $0) }) ?? []
    return own.filter { $0.session.date == session.session.date && $0.session.startTime > session.session.startTime }
      .min { $0.session.startTime < $1.session.startTime }
  }
}

/// Who sits where next: one key goes on.
@MainActor
final class NextSessionScreen: AppScreen {
  private let context: AppContext
  private let member: StaffMember
  private let session: StationSession

  init(_ context: AppContext, _ member: StaffMember, _ session: StationSession) {
    (self.context, self.member, self.session) = (context, member, session)
  }

  var bindings: BindingTable<Command> {
    BindingTable(
      "Next session",
      [
        Binding(
          "next.open", [.enter], "sit down", help: "Sit down at this session", group: "Next session", action: .open),
        Binding(
          "next.other", ["s"], "someone else", help: "Somebody else signs in here", group: "Next session",
          action: .signIn),
      ])
  }

  var heading: Heading { Heading(text: "Your next session") }

  private var partOfDay: String {
    let hour = Int(session.session.startTime.prefix(2)) ?? 0
    return hour < 12 ? "morning" : hour < 18 ? "afternoon" : "evening"
  }

  func perform(_ command: Command, _ key: KeyEvent?) {
    switch command {
    case .open: open()
    case .signIn: context.replace(with: SignInScreen(context))
    default: break
    }
  }

  private func open() {
    let (context, member, session) = (context, member, session)
    guard member.hasPasscode else { return SittingDown.at(session, member, in: context) }
    context.prompt(SafeText("Passcode of \(member.name):"), isSecret: true) { typed in
      let isRight = (try? context.store.read { try member.accepts(passcode: typed, in: $0) }) ?? false
      if isRight { return SittingDown.at(session, member, in: context) }
      context.say("that is not the passcode; Enter tries again", .error)
    }
  }

  func refresh(_ rows: Set<RowKey>?) {}

  func draw(on canvas: inout Canvas, in region: Rect) {
    canvas.drawWrapped(
      "You are \(member.name) at \(session.stationTitle), \(partOfDay) (\(session.session.startTime)):\n"
        + "Enter, or s for someone else.", in: region.rows(1, region.height), style: context.theme[.heading])
    canvas.cursor = Point(x: region.x, y: region.y + 1)
  }
}
