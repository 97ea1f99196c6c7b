import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal
import Testing

@testable import OsceTUI

/// Somebody stands in for the planned assessor, who comes after all.
@MainActor @Suite("A covered station")
struct CoverTests {
  /// The list of a person's station sessions.
  @discardableResult private func sessions(of name: String, _ play: Rehearsed) throws -> Rehearsed {
    play.context.push(SignInScreen(play.context))
    return play.send(.resized(Size(width: 80, height: 24))).type(name).press(.enter)
  }

  private func cover(_ play: Rehearsed) throws {
    let (timetable, cover) = (try play.session("CHEST").timetable, try play.member("fhaddad").id)
    try play.store.write(.program) { try Attendance.cover(timetable, by: cover, in: $0) }
  }

  @Test("the planned assessor sees who covers the station, and takes it back after a question")
  func takenBack() throws {
    let play = try Rehearsed()
    try cover(play)
    try sessions(of: "okafor", play)
    #expect(play.text.contains("CHEST: Dr Farah Haddad covers covered"), "\(play.screen)")
    while !play.lines.contains(where: { $0.hasPrefix("▸") && $0.contains("09:00") }) { play.press("k") }
    play.press(.enter)
    #expect(play.text.contains("Dr Farah Haddad is covering for you at CHEST"))
    play.press(.escape)
    #expect(play.context.sitting == nil)
    play.press(.enter, "y")
    #expect(play.context.screen is RosterScreen)
    #expect(try play.session("CHEST").assessors.map(\.role) == [.assessor])
    #expect(try play.session("CHEST").isCovered(try play.member("fhaddad").id) == false)
  }

  @Test("osce mark leads the planned assessor of a covered station to the same question, and refuses everybody else")
  func mark() throws {
    let play = try Rehearsed()
    try cover(play)
    let session = try play.session("CHEST")
    AssessorTerminal.offerBack(session.timetable, to: try play.member("nokafor"), in: play.context)
    play.send(.resized(Size(width: 80, height: 24)))
    #expect(play.text.contains("Dr Farah Haddad is covering for you at CHEST"))
    play.press("y")
    #expect(play.context.screen is RosterScreen && play.context.sitting?.staff.username == "nokafor")
    #expect(throws: StoreError.self) {
      try AssessorTerminal.begin(try play.member("gmoreau"), timetable: session.timetable, play.store)
    }
  }

  @Test("whoever sits at the station is told who took it, and who took it back")
  func told() throws {
    let planned = try Rehearsed().mark("nokafor", at: "CHEST")
    let cover = try sessions(of: "haddad", try planned.atSameStore()).press(.tab)
    while !cover.lines.contains(where: { $0.hasPrefix("▸") && $0.contains("CHEST") && $0.contains("Blue") }) {
      cover.press("k")
    }
    cover.press(.enter, "y")
    #expect(cover.context.screen is RosterScreen)
    planned.pass(seconds: 1)
    #expect(planned.message == "Dr Farah Haddad covers this station; you are no longer assigned here")
    #expect(planned.lines[1].contains("COVERED") && !cover.lines[1].contains("COVERED"))
    planned.press("q", "q")
    if planned.screen.contains("Before you leave") { planned.press("y") }
    try sessions(of: "okafor", planned)
    while !planned.lines.contains(where: { $0.hasPrefix("▸") && $0.contains("covers") }) { planned.press("k") }
    planned.press(.enter, "y")
    cover.pass(seconds: 1)
    #expect(cover.message == "Dr Ngozi Okafor has taken this station back; you are no longer assigned here")
    #expect(cover.lines[1].contains("COVERED") && !planned.lines[1].contains("COVERED"))
  }

  @Test("an assessor whose station an import gives to another is told who is there now, and of no return")
  func assignedToAnother() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    let (session, other) = (try play.session("CHEST"), try play.member("gmoreau"))
    try play.store.write(.program) {
      try $0.set("Timetable", "\(session.timetable)", ["staff": .integer(Int64(other.id))])
    }
    play.pass(seconds: 1)
    #expect(play.message == "\(other.name) is the assessor here now; you are no longer assigned here")
  }
}
