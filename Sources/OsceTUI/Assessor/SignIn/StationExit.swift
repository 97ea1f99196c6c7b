import CircuitModel
import ExamStore
import Reports
import Terminal

/// Leaving a station session: what is missing is shown first, and the person's next session is offered where nobody
/// comes to this one any more.
@MainActor
enum StationExit {
  /// - Returns: whether the screen before may simply be gone back to.
  static func begin(_ context: AppContext, _ session: StationSession, _ seat: Seat) -> Bool {
    if context.unsaved.isLosable {
      let key = context.key(of: EveryScreen.back)
      context.ask(
        "Leave the station?", "\(context.savedText(naming: 6).plain).\nLeaving LOSES what is not saved.",
        [
          (
            "L", "lose it",
            {
              context.unsaved = UnsavedWork()
              context.showMessage("unsaved work discarded; \(key) leaves the station", .warning)
            }
          )
        ])
      return false
    }
    let screen = MissingScreen(context, session, seat, entry: nil, isLeaving: true)
    if screen.isEmpty { return finish(context, session) }
    context.push(screen)
    return false
  }

  /// Signs out, and offers the person's next session of the day.
  /// - Returns: whether there is none, or this one goes on, so that the screen before may be gone back to.
  static func finish(_ context: AppContext, _ session: StationSession) -> Bool {
    guard !goesOn(session, context), let member = context.sitting?.staff,
      let next = next(after: session, member, context)
    else { return true }
    let isFirst = context.screens.count < 2
    context.leaveStation()
    if !isFirst { _ = context.pop() }
    let screen = NextSessionScreen(context, member, next, after: session)
    if isFirst { context.replace(with: screen) } else { context.push(screen) }
    return false
  }

  /// Whether the station's clock runs and somebody is in the room, or has still to come.
  private static func goesOn(_ session: StationSession, _ context: AppContext) -> Bool {
    let clock = context.clock
    guard clock.state?.status.isOpen == true else { return false }
    let timetable = session.timetable
    let entries = context.read { try Roster.entries(timetable: timetable, seat: .lead, in: $0) }
    // Nobody is led away from a station where somebody may still come.
    guard let entries else { return true }
    return entries.contains {
      $0.candidate != nil && !clock.isAbsent($0) && clock.presence(of: $0) != .left
    }
  }

  private static func next(
    after session: StationSession, _ member: StaffMember, _ context: AppContext
  ) -> StationSession? {
    let own = context.read { try StationSession.all(staff: member.id, in: $0) } ?? []
    return own.filter { $0.session.date == session.session.date && $0.session.startTime > session.session.startTime }
      .min { $0.session.startTime < $1.session.startTime }
  }
}
