import CircuitModel
import ExamStore
import Reports
import Terminal

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
    context.promptPasscode(of: member, toSit: true) { _ in SignInFlow.ask(session, member, in: context) }
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
