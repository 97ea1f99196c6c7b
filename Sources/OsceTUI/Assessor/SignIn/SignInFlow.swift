import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal

/// Signing in: at a station session, or at the invigilator's desk.
@MainActor
enum SignInFlow {
  /// Records the sitting and opens the roster over the shown screen.
  /// - Parameter asCover: whether the person stands in for the planned assessor.
  static func at(_ session: StationSession, _ member: StaffMember, asCover: Bool = false, in context: AppContext) {
    let timetable = session.timetable
    begin(member, timetable: timetable, in: context) { transaction in
      let cover = asCover ? try Attendance.cover(timetable, by: member.id, in: transaction) : nil
      return (try StationSession.find(timetable, in: transaction.db), cover)
    } opens: { [context] sitting, found in
      let (session, _) = found
      context.clock.follow(session)
      context.push(RosterScreen(context, session, seat: session.seat(of: sitting.staff.id) ?? .lead))
    } rollBack: { found, transaction in
      if let cover = found.1 { try Attendance.takeBack(cover: cover, of: timetable, in: transaction) }
    }
  }

  /// Sits a person down where they mark; asks before they stand in for somebody, or take back what is their own by the
  /// plan.
  static func ask(_ session: StationSession, _ member: StaffMember, in context: AppContext) {
    // Somebody may have taken the session since the list was read.
    let session = context.read { try StationSession.find(session.timetable, in: $0) } ?? session
    if session.seat(of: member.id) != nil { return at(session, member, in: context) }
    let lead = session.lead?.name ?? "nobody"
    let isOwn = session.isCovered(member.id)
    let who = isOwn ? "is covering for you" : session.lead?.role == .cover ? "is covering" : "is assigned"
    context.ask(
      isOwn ? "Take back your station?" : "Cover this station?",
      "\(lead) \(who) at \(session.stationTitle).",
      [
        (
          "y", isOwn ? "take back" : "cover from now on",
          { [context, member] in at(session, member, asCover: true, in: context) }
        )
      ])
  }

  /// Whether a sign-in from the shown screen is still being saved, which is then said: a second Enter while the disk is
  /// slow would sign in another person, or the same one twice.
  static func isSigningIn(_ context: AppContext) -> Bool {
    guard context.screen.map({ context.screensSigningIn.contains(ObjectIdentifier($0)) }) == true else { return false }
    context.showMessage("please wait: the sign-in is still being saved", .warning)
    return true
  }

  /// Signs `member` in and, once that is saved, opens their screen. If they have moved to another screen meanwhile, the
  /// sign-in is ended again.
  /// - Parameters:
  ///   - timetable: the station session; nil at the desk.
  ///   - prepare: what is changed and read in the same save.
  ///   - rollBack: undoes what was changed, in the save that ends the sitting of a person who has gone on.
  static func begin<Found: Sendable>(
    _ member: StaffMember, timetable: Int?, reason: String? = nil, in context: AppContext,
    _ prepare: @escaping @Sendable (JournalTransaction) throws -> Found,
    opens: @escaping @MainActor @Sendable (SignIn, Found) -> Void,
    rollBack: @escaping @Sendable (Found, JournalTransaction) throws -> Void = { _, _ in }
  ) {
    if isSigningIn(context) { return }
    let asking = context.screen
    if let asking { context.screensSigningIn.insert(ObjectIdentifier(asking)) }
    let device = context.store.device
    context.save(reason: reason) { transaction in
      let sitting = try SignIn.begin(member, timetable: timetable, device: device, in: transaction)
      return (sitting, try prepare(transaction))
    } then: { [context] result in
      if let asking { context.screensSigningIn.remove(ObjectIdentifier(asking)) }
      guard case .success((let sitting, let found)) = result else { return }
      guard context.screen === asking else {
        return context.save { transaction in
          // Nobody else took it back: neither the program nor who sits here by now.
          transaction.author = sitting.author(at: transaction.clock)
          try rollBack(found, transaction)
          try sitting.end(in: transaction)
        } then: { _ in
        }
      }
      context.sitting = sitting
      opens(sitting, found)
    }
  }
}

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
    guard let status = clock.state?.status, status != .notStarted, status != .finished else { return false }
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

/// Who sits where next: one key goes on.
@MainActor
final class NextSessionScreen: AppScreen {
  let context: AppContext
  private let member: StaffMember
  private let session: StationSession
  /// The station session that was left.
  private let left: StationSession

  init(_ context: AppContext, _ member: StaffMember, _ session: StationSession, after left: StationSession) {
    (self.context, self.member, self.session, self.left) = (context, member, session, left)
  }

  enum Keys {
    static let next = KeyBinding<NextSessionScreen>(
      "next.open", ["n"], "next session", help: "Sign in at your next session", group: "Next session"
    ) { screen, _ in screen.open() }

    static let other = KeyBinding<NextSessionScreen>(
      "next.other", ["s"], "someone else", help: "Somebody else signs in here", group: "Next session"
    ) { screen, _ in screen.context.replace(with: SignInScreen(screen.context)) }
  }

  nonisolated static let keys = KeyTable<NextSessionScreen>("Next session", [Keys.next, Keys.other])

  var heading: Heading { Heading(text: SafeText("\(member.name): signed out of \(left.stationCode)")) }

  private var partOfDay: String {
    let hour = Int(session.session.startTime.prefix(2)) ?? 0
    return hour < 12 ? "morning" : hour < 18 ? "afternoon" : "evening"
  }

  /// What the key for going back does here: on the first screen there is nothing to go back to.
  private var leaving: String {
    context.screens.count < 2
      ? "\(context.key(of: EveryScreen.quit).plain) quits osce"
      : "\(context.key(of: EveryScreen.back).plain) goes back to your sessions"
  }

  private func open() {
    if SignInFlow.isSigningIn(context) { return }
    let (context, member, session) = (context, member, session)
    guard member.hasPasscode else { return SignInFlow.ask(session, member, in: context) }
    context.promptPasscode(of: member) { _ in SignInFlow.ask(session, member, in: context) }
  }

  func draw(on canvas: inout Canvas, in region: Rect) {
    let theme = context.theme
    let used = canvas.drawWrapped(
      "You have left \(left.stationTitle), \(left.circuit.name), \(left.session.startTime).\n"
        + "Every mark is saved; what is unsigned stays on the roster.",
      in: region.rows(1, region.height), style: theme[.normal])
    canvas.drawWrapped(
      "Your next session is \(session.stationTitle), \(session.circuit.name), "
        + "\(partOfDay) (\(session.session.startTime)).\n"
        + "\(context.key(of: Keys.next).plain) signs you in there, "
        + "\(context.key(of: Keys.other).plain) signs someone else in, \(leaving).",
      in: region.rows(2 + used, region.height), style: theme[.heading])
    canvas.cursor = Point(x: region.x, y: region.y + 2 + used)
  }
}
