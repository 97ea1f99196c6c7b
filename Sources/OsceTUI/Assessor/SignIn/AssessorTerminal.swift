import CircuitModel
import ExamStore
import Glibc
import Reports
import Terminal

/// Runs the assessor's screens on this process's terminal.
@MainActor
enum AssessorTerminal {
  /// Where to begin.
  enum Beginning {
    /// With the list of staff.
    case signIn
    /// At a station session, as a person who has been identified.
    case mark(StaffMember, timetable: Int)
    /// With the choice of the roles of a demonstration, and of the one that was broken off before; what is shown by
    /// another program is given to `taken`.
    case roles(offering: InterruptedDemo?, taken: @MainActor (RolesScreen.Destination) -> Void)
  }

  /// - Parameter isDemonstration: whether the store is deleted afterwards.
  /// - Returns: the exit code.
  /// - Throws: `TerminalError` if there is no usable terminal, `StoreError` if the beginning is not possible.
  static func run(
    _ store: ExamStore, _ beginning: Beginning, hasQuietClock: Bool, isDemonstration: Bool = false
  ) throws -> Int32 {
    // The sitting is recorded before the screen is taken, so that a refusal is an ordinary error line.
    let start: (SignIn, StationSession)? =
      switch beginning {
      case .signIn, .roles: nil
      case .mark(let member, let timetable):
        try covered(member, timetable: timetable, store) ? nil : begin(member, timetable: timetable, store)
      }
    var context: AppContext?
    let code = try TerminalRun.run(store) { theme in
      let made = AppContext(store: store, theme: theme, hasQuietClock: hasQuietClock)
      made.isDemonstration = isDemonstration
      context = made
      if let (sitting, session) = start {
        open(session, sitting: sitting, in: made)
      } else if case .mark(let member, let timetable) = beginning {
        offerBack(timetable, to: member, in: made)
      } else if case .roles(let interrupted, _) = beginning {
        made.push(RolesScreen(made, offering: interrupted))
      } else {
        made.push(SignInScreen(made))
      }
      return ScreenProgram(made)
    }
    if case .roles(_, let taken) = beginning, let chosen = context?.navigator.chosenDestination { taken(chosen) }
    return code
  }

  private static func covered(_ member: StaffMember, timetable: Int, _ store: ExamStore) throws -> Bool {
    try store.read { try StationSession.find(timetable, in: $0) }.isCovered(member.id)
  }

  /// Shows a person's station sessions, and asks whether they take back the one that somebody covers.
  static func offerBack(_ timetable: Int, to member: StaffMember, in context: AppContext) {
    let screen = SessionsScreen(context, member)
    context.push(screen)
    guard let session = context.read({ try StationSession.find(timetable, in: $0) }) else { return }
    screen.choose(session)
    SignInFlow.ask(session, member, in: context)
  }

  static func begin(
    _ member: StaffMember, timetable: Int, _ store: ExamStore
  ) throws -> (SignIn, StationSession) {
    let session = try store.read { try StationSession.find(timetable, in: $0) }
    guard session.seat(of: member.id) != nil else {
      throw StoreError(
        "\(member.username) is not assigned to \(session.stationTitle); run osce and choose it to cover")
    }
    let sitting = try store.write(.program) {
      try SignIn.begin(member, timetable: timetable, device: store.device, in: $0)
    }
    return (sitting, session)
  }

  /// Opens a station session: its roster, and over it the sheet last worked on if it is unsigned, else the current
  /// round's.
  static func open(_ session: StationSession, sitting: SignIn, in context: AppContext) {
    context.sitting = sitting
    context.clock.follow(session)
    let seat = session.seat(of: sitting.staff.id) ?? .lead
    context.push(RosterScreen(context, session, seat: seat))
    let (round, isRerun) = (context.clock.state?.round ?? 1, context.clock.isRerun)
    do {
      let entry = try context.store.read {
        try SheetResume.entry(timetable: session.timetable, seat: seat, round: round, isRerun: isRerun, in: $0)
      }
      if let entry, !session.isRest { context.push(SheetScreen(context, session, seat: seat, entry: entry)) }
    } catch { context.showError(error) }
  }
}
