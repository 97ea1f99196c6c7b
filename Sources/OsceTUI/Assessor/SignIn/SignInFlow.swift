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
