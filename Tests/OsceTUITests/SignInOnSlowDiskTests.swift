import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal
import Testing

@testable import OsceTUI

/// Signing in at a station and at the desk, while the disk is slow.
@MainActor @Suite("Signing in on a slow disk")
struct SignInOnSlowDiskTests {
  /// At the offer of the next session, with nobody signed in.
  private func offered() throws -> Rehearsed {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    try play.clock(.stop)
    return play.press("q", "q", "y")
  }

  /// At the sign-in of the desk.
  private func deskSignIn() throws -> Rehearsed {
    let play = try Rehearsed()
    play.context.push(DeskTerminal.signIn(play.context))
    return play.send(.resized(Size(width: 80, height: 24)))
  }

  /// Presses keys while somebody else holds the store, looks, and lets it go.
  private func pressOnSlowDisk(_ play: Rehearsed, _ keys: Key..., look: () throws -> Void = {}) throws {
    let holder = try play.holdLock()
    for key in keys { play.press(key) }
    try look()
    play.isHeld = false
    holder.release()
    play.settle()
  }

  private func openSittings(_ play: Rehearsed) throws -> Int {
    try play.count("SELECT count(*) FROM sitting WHERE ended IS NULL")
  }

  @Test("the key pressed again sits a person down once, and is told that it is not yet")
  func once() throws {
    let play = try offered()
    let sittings = try play.count("SELECT count(*) FROM sitting")
    let depth = play.context.screens.count
    try pressOnSlowDisk(play, "n", "n", "n") { #expect(play.message.hasPrefix("please wait: ")) }
    #expect(try play.count("SELECT count(*) FROM sitting") == sittings + 1)
    #expect(play.context.screens.count == depth + 1 && play.context.screen is RosterScreen)
    #expect(play.context.sitting != nil)
  }

  @Test("Enter pressed again at the desk signs in nobody else: the list has gone back to its first name by then")
  func onceAtTheDesk() throws {
    let play = try deskSignIn().type("haddad")
    try pressOnSlowDisk(play, .enter, .enter, .enter) { #expect(play.message.hasPrefix("please wait: ")) }
    #expect(play.context.screens.filter { $0 is DeskScreen }.count == 1 && play.context.overlay == nil)
    #expect(play.context.sitting?.staff.username == "fhaddad")
    #expect(try play.count("SELECT count(*) FROM sitting") == 1)
  }

  @Test("whoever went on elsewhere meanwhile does not sit there")
  func gone() throws {
    let play = try offered()
    try pressOnSlowDisk(play, "n", "s")
    #expect(play.context.screen is SignInScreen && play.context.sitting == nil)
    #expect(try openSittings(play) == 0)
  }

  @Test("somebody else who signs in meanwhile sits down, and is not taken for the one before")
  func another() throws {
    let play = try offered()
    try pressOnSlowDisk(play, "n", "s", "m", "o", "r", "e", "a", "u", .enter, .enter)
    #expect(play.context.screen is RosterScreen && play.context.sitting?.staff.username == "gmoreau")
    #expect(try openSittings(play) == 1)
  }

  @Test("who was to cover and went on elsewhere covers nobody, and it is kept as that person's own")
  func coverIsTakenBack() throws {
    let play = try Rehearsed()
    play.context.push(SignInScreen(play.context))
    play.send(.resized(Size(width: 80, height: 24))).type("moreau").press(.enter, .tab, "g")
    let other = try play.session("CHEST")
    let member = try play.member("gmoreau")
    // Down to a station that is another's.
    while !play.lines.contains(where: { $0.hasPrefix("▸") && $0.contains(other.stationTitle) }) { play.press("j") }
    play.press(.enter)
    #expect(play.screen.contains("Cover this station?"))
    try pressOnSlowDisk(play, "y", "q")
    #expect(play.context.screen is SignInScreen)
    #expect(try openSittings(play) == 0)
    #expect(try play.count("SELECT count(*) FROM timetable WHERE coverStaffID IS NOT NULL") == 0)
    #expect(
      try play.count(
        """
        SELECT count(*) FROM operation o JOIN sitting s ON s.uuid = o.sitting
        WHERE o.entity = 'Timetable' AND o.staff = \(member.id)
        """) == 2)
  }

  @Test("before a session everybody's station is whole at 80 columns, and how soon it is said where there is room")
  func wholeStations() throws {
    let play = try Rehearsed()
    play.clocks.pass(-900_000)
    play.context.push(SignInScreen(play.context))
    play.pass(seconds: 1)
    #expect(play.screen.contains("skowalska   assessor  09:00 CONSENT, Green circuit"), "\(play.screen)")
    #expect(!play.screen.contains("…") && !play.screen.contains("starts in"), "\(play.screen)")
    play.resize(100, 24)
    #expect(play.screen.contains("09:00 CONSENT, Green circuit, starts in 15 min"), "\(play.screen)")
  }
}
