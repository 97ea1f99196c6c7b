import ExamFiles
import ExamStore
import Foundation
import GRDB
import Journal
import Reports
import Terminal
import TerminalTesting
import Testing
import Timer

@testable import CircuitModel
@testable import OsceTUI

@MainActor @Suite("The exam lead's desk") final class LeadScreenTests {
  /// The terminal whose exam it is: the exam goes with it.
  private var owner: Rehearsed?

  /// The morning's first rotation: CHEST has been marked and signed, ABDO is in the middle, the lead looks on.
  private func desk() throws -> Rehearsed {
    let play = try Rehearsed()
    owner = play
    try play.mark("nokafor", at: "CHEST")
    try play.signAll(as: "nokafor")
    try play.atSameStore().sit("hyamamoto", at: "ABDO").press(.enter, "1", "1")
    return try play.atSameStore().lead()
  }

  private func expect(_ name: String, _ play: Rehearsed, at place: SourceLocation = #_sourceLocation) {
    let difference = GoldenScreen.difference(play.screen, name)
    #expect(difference == nil, Comment(rawValue: difference ?? ""), sourceLocation: place)
  }

  @Test("who has left without a mark is to be chased, and nobody is in a room outside the rotation") func notSeen()
    throws
  {
    let lead = try desk()
    #expect(lead.screen.contains("▸") && !lead.screen.contains("not seen"))
    // Into the changeover after the first rotation.
    lead.pass(seconds: 480)
    #expect(lead.lines[0].contains("CHANGEOVER") && lead.screen.contains("not seen"), "\(lead.screen)")
    #expect(lead.screen.contains(" ? "))
    lead.press("m")
    #expect(lead.screen.contains("left, nothing marked"))
  }

  @Test("on a terminal that is too small the lead is told of no call for help: no key calls one there")
  func small() throws {
    let lead = try desk()
    lead.resize(59, 20)
    #expect(lead.screen.contains("Q quits") && !lead.screen.contains("calls for help"), "\(lead.screen)")
  }

  @Test("a pace leaves a blank before that of the next station, however slow it is")
  func pace() {
    let shown = [0, 7.84, 9.94, 9.96, 10.4, 12.5, 98.9, 1_000].map { LeadGridView.pace($0) }
    #expect(shown == ["0.0", "7.8", "9.9", "10", "10", "13", "99", "99"])
  }

  @Test("whom to go to is said beside what the heading counts: the second assessor by name, the unsigned once")
  func secondAssessor() throws {
    let play = try Rehearsed()
    owner = play
    try play.mark("mlindqvist", at: "CONSENT")
    try play.signAll(as: "mlindqvist")
    try play.atSameStore().sit("rfitzgerald", at: "CONSENT").press(.enter, "1")
    let lead = try play.atSameStore().lead()
    lead.pass(seconds: 480)
    #expect(lead.lines.contains { $0.contains("CHASE") && $0.contains("CONSENT FitzGerald 1 unsigned") })
    #expect(!lead.screen.contains("7 unsigned") && lead.lines[1].contains("required blank"), "\(lead.screen)")
  }

  @Test("who is recorded present and was not marked is to be chased, but not as somebody whom nobody saw")
  func unmarked() throws {
    let lead = try desk()
    let place = try lead.session("RX")
    let entry = try lead.store.read { try Roster.entries(timetable: place.timetable, seat: .lead, in: $0) }
      .first { $0.round == 1 }
    try lead.store.write(.program) { try Attendance.record(true, for: #require(entry), in: $0) }
    lead.pass(seconds: 480)
    let number = try #require(entry?.candidate?.number)
    let grid = (lead.context.screen as? LeadScreen)?.grid
    let cells = try #require(grid?.rows.first { $0.number == number }?.cells)
    #expect(cells.filter(\.isToChase).map(\.state) == [.unmarked])
    #expect(lead.lines.contains { $0.contains(number) && $0.contains("○") && !$0.contains("?") }, "\(lead.screen)")
    lead.press("m")
    #expect(lead.lines.contains { $0.contains(number) && $0.contains("seen, no marks") }, "\(lead.screen)")
  }

  @Test("who has extra time is in the room until it is over, and only then to be chased") func extraTime() throws {
    let lead = try desk()
    let place = try lead.session("ABDO")
    let entry = try lead.store.read { try Roster.entries(timetable: place.timetable, seat: .lead, in: $0) }
      .first { $0.round == 1 }
    let person = try #require(entry?.candidate)
    try lead.store.write(.program) {
      _ = try $0.set("Student", "\(person.id)", ["extraStationSeconds": .integer(120)])
    }
    func row() throws -> String {
      try #require(lead.lines.first { $0.contains(person.number) && !$0.contains("ABDO") })
    }
    lead.pass(seconds: 480)
    #expect(try row().contains("◐") && !row().contains("✗"), "\(lead.screen)")
    lead.pass(seconds: 120)
    #expect(try row().contains("✗"), "\(lead.screen)")
  }

  @Test("who comes to a station twice after a swap is shown by the visit that needs more, and both are due")
  func twice() throws {
    let lead = try desk()
    let resus = try lead.session("RESUS")
    let people = try lead.store.read { try HallBoard.read(resus.session, in: $0).candidates }.map(\.candidate)
    let pair = try ["30105", "30106"].map { number in try #require(people.first { $0.number == number }).id }
    _ = try lead.store.write(.program) { try SlotChanges.swap(pair[0], pair[1], from: 2, in: resus.session, $0) }
    func row() throws -> LeadGrid.Row {
      let grid = try lead.store.read { try LeadGrid.read(resus.session, at: lead.store.clock.now, in: $0) }
      return try #require(grid.rows.first { $0.number == "30106" })
    }
    let column = try #require(try row().cells.firstIndex { !$0.others.isEmpty })
    #expect(try row().cells[column].visits.map(\.round) == [1, 2] && row().cells[column].isHere)
    #expect(try row().due == 8)
    // The first round is over, nothing was marked, and the second visit is to come.
    lead.pass(seconds: 480)
    #expect(try row().cells[column].visits.map(\.state) == [.notSeen, .notYet])
    #expect(
      try row().cells[column].visitsText == "round 1 left, nothing marked, round 2 nothing marked yet")
    #expect(lead.lines.contains { $0.contains("30106") && $0.contains("?") && $0.contains(" 8") }, "\(lead.screen)")
    lead.press("m")
    #expect(lead.lines.contains { $0.contains("RESUS") && $0.contains("30106") }, "\(lead.screen)")
  }

  @Test("a re-run is to be chased until its sheet is signed, and no longer") func signedRerun() throws {
    let play = try Rehearsed()
    owner = play
    try play.mark("nokafor", at: "CHEST")
    let entry = play.sheetScreen.entryKey
    _ = try play.store.write(.program) { try RerunQueue.add(entry: entry, reason: "kit failed", $0) }
    let lead = try play.atSameStore().lead()
    #expect(lead.screen.contains("1 re-run") && lead.lines.contains { $0.contains("30101") && $0.contains("R1") })
    try play.signAll(as: "nokafor")
    for _ in 1...2 { lead.pass(seconds: 1) }
    #expect(!lead.screen.contains("re-run") && !lead.lines.contains { $0.contains("R1") }, "\(lead.screen)")
  }

  @Test("what is queued for the re-run is to come, of an absentee too, and nothing of its own round is late")
  func rerunToCome() throws {
    let lead = try desk()
    func first(_ station: String) throws -> RosterEntry {
      let timetable = try lead.session(station).timetable
      let all = try lead.store.read { try Roster.entries(timetable: timetable, seat: .lead, in: $0) }
      return try #require(all.first { $0.round == 1 })
    }
    let (absentee, begun) = (try first("RX"), try first("ABDO"))
    try lead.store.write(.program) {
      try Attendance.record(false, for: absentee, in: $0)
      for entry in [absentee, begun] { _ = try RerunQueue.add(entry: entry.key, reason: "no power", $0) }
    }
    lead.pass(seconds: 480)
    let rows = try #require((lead.context.screen as? LeadScreen)?.grid?.rows)
    func cell(_ entry: RosterEntry) throws -> LeadGrid.Cell {
      try #require(rows.flatMap(\.cells).first { $0.entry == entry.key })
    }
    #expect(try cell(absentee).state == .notYet && !cell(absentee).isHere && cell(absentee).isToChase)
    guard case .begun = try cell(begun).state else {
      Issue.record("\(try cell(begun).state)")
      return
    }
    #expect(lead.lines[1].contains("2 re-run") && !lead.lines[1].contains("required blank"), "\(lead.screen)")
    lead.press("m")
    #expect(lead.screen.contains("re-run round 1 · nothing"), "\(lead.screen)")
  }

  @Test("of somebody who is absent everywhere nothing is due, and nothing was signed") func absentEverywhere() throws {
    let lead = try desk()
    let session = try lead.session("CHEST").session
    let people = try lead.store.read { try HallBoard.read(session, in: $0).candidates }.map(\.candidate)
    let absentee = try #require(people.first { $0.number == "30104" }).id
    _ = try lead.store.write(.program) { try HallAttendance.absent(absentee, from: 1, in: session, $0) }
    for _ in 1...2 { lead.pass(seconds: 1) }
    let row = try #require(lead.lines.first { $0.contains("30104") && !$0.contains("CHASE") })
    #expect(row.split(separator: " ").last == "–" && !row.contains("✓"), "\(row)")
  }

  @Test("who was added without a round has no slot in the grid")
  func noSlot() throws {
    let lead = try desk()
    let timetable = try lead.session("CHEST").timetable
    _ = try lead.store.write(.program) {
      try AdditionalCandidate.add(
        number: "99001", names: ["Ada", "Lovelace"], timetable: timetable, round: nil, in: $0)
    }
    lead.pass(seconds: 1).press("G")
    #expect(lead.lines.contains { $0.hasPrefix("  - 99001") }, "\(lead.screen)")
  }

  @Test("the grid shows how far each sheet is, and follows what others save") func grid() throws {
    let lead = try desk()
    lead.press("l", "l")
    expect("lead-grid-80x24", lead)
    lead.resize(120, 40)
    expect("lead-grid-120x40", lead)
    lead.resize(80, 24)
    lead.press("h", "h")
    #expect(lead.lines[5].contains("✓"))
    let other = try lead.atSameStore()
    try other.sit("mlindqvist", at: "CONSENT").press(.enter, "1")
    lead.send(.deadline(lead.clocks.loop))
    lead.passTime(500)
    #expect(lead.screen.contains("◐"))
    // A station session that somebody has signed is read without a key that changes anything.
    lead.press(.enter)
    #expect(lead.screen.contains("signed") && lead.screen.contains("score"))
    lead.press(.escape)
    #expect(!lead.table.bindings.contains { $0.id == "sheet.sign" })
  }

  @Test("in ASCII too a rest station's column says in each row that nothing is due there")
  func restInASCII() throws {
    let lead = try Rehearsed(theme: .monochrome(.ascii))
    try lead.startClock()
    try lead.lead()
    let row = try #require(lead.lines.first { $0.contains("30101") })
    #expect(row.split(separator: " ").count { $0 == "-" } == 1, "\(row)")
  }

  @Test("a wide terminal has the circuits of one start beside each other, and a key goes from one to the other")
  func parallel() throws {
    let lead = try desk()
    #expect(!lead.screen.contains("30109"))
    lead.resize(132, 43)
    let (blue, green) = ("30101", "30109")
    let row = try #require(lead.lines.first { $0.contains(blue) })
    #expect(row.contains(green) && lead.lines[2].contains("Blue circuit") && lead.lines[2].contains("Green circuit"))
    #expect(row.prefix(66).contains("[") && !row.dropFirst(66).contains("["), "\(lead.screen)")
    lead.press("l", "l")
    expect("lead-grid-132x43", lead)
    lead.press("]")
    let other = try #require(lead.lines.first { $0.contains(blue) })
    #expect(other.prefix(66).contains(blue) && other.dropFirst(66).contains("["), "\(lead.screen)")
    // What is saved in the circuit beside it is seen as well.
    try lead.atSameStore().sit("mlindqvist", at: "CONSENT").press(.enter, "1")
    lead.send(.deadline(lead.clocks.loop))
    lead.passTime(500)
    #expect(lead.lines.contains { $0.prefix(66).contains("◐") && $0.contains("30103") }, "\(lead.screen)")
    lead.resize(80, 24)
    #expect(!lead.screen.contains(blue))
  }

  @Test("a concern, two values of a field and a lock are seen on the grid") func signs() throws {
    let lead = try desk()
    let (timetable, author) = (try lead.session("CHEST").timetable, try lead.member("nokafor").id)
    let entry = try lead.store.read { try Roster.entries(timetable: timetable, seat: .lead, in: $0)[0].key }
    func look() {
      lead.passTime(500)
      lead.send(.deadline(lead.clocks.loop))
    }
    try lead.store.write(Author(staff: author)) {
      _ = try Comments.add("smelled of alcohol", to: .candidate(entry), isConcern: true, in: $0)
    }
    look()
    #expect(lead.lines[1].contains("1 concern") && lead.lines[5].contains("⚑✓"))
    lead.press("l")
    #expect(lead.lines[5].contains("⚑✓"))
    lead.press("h", "f", "f")
    #expect(lead.lines.filter { $0.contains("⚑") }.count == 1)
    lead.press("f", "f")
    // Two terminals that had not met have attended to the same candidate.
    let row = RowKey(entity: "TimetableAttendanceLog", id: entry)
    try lead.store.write(Author(staff: author)) {
      _ = try $0.set(row.entity, row.id, ["identityNote": .text("another face")], shown: ["identityNote": []])
    }
    try lead.store.write(Author(staff: try lead.member("hyamamoto").id)) {
      _ = try $0.set(row.entity, row.id, ["identityNote": .text("the badge is wrong")], shown: ["identityNote": []])
    }
    look()
    #expect(lead.lines[1].contains("1 conflict") && lead.lines[5].contains("≠✓"), "\(lead.screen)")
    #expect(lead.lines[21].contains("two values of one field · a concern"))
    lead.press("m")
    #expect(lead.text.contains("two values of one field"))
    lead.press(.escape, "l", "l")
    expect("lead-grid-flags-80x24", lead)
    try lead.store.write(.program) { try $0.lockExam(by: author) }
    look()
    #expect(lead.lines[1].contains("LOCKED"), "\(lead.screen)")
  }

  @Test("of the focused sheets the lead sees whether the hub has them") func hub() throws {
    let lead = try desk()
    #expect(lead.lines[21].contains("CHEST 30101") && !lead.lines[21].contains("hub"))
    try lead.store.enrol()
    lead.passTime(1000)
    lead.send(.deadline(lead.clocks.loop))
    #expect(lead.lines[21].contains("signed · ") && lead.lines[21].contains(" not at the hub · "), "\(lead.screen)")
    try lead.store.acknowledge()
    lead.passTime(1000)
    lead.send(.deadline(lead.clocks.loop))
    #expect(lead.lines[21].contains("signed · at the hub · "), "\(lead.screen)")
    // Nothing is said where nothing is marked.
    lead.press("l", "l", "l")
    #expect(lead.lines[21].contains("nothing marked") && !lead.lines[21].contains("hub"), "\(lead.screen)")
  }

  @Test("whom to chase is listed with where they are, and Enter goes there") func chase() throws {
    let lead = try desk()
    let session = try lead.session("ABDO")
    let entry = try lead.store.read { try Roster.entries(timetable: session.timetable, seat: .lead, in: $0) }[4]
    try lead.store.write(.program) { _ = try RerunQueue.add(entry: entry.key, reason: "fire alarm", $0) }
    lead.passTime(500)
    lead.send(.deadline(lead.clocks.loop))
    #expect(lead.lines[1].contains("1 re-run"))
    lead.press("m")
    #expect(lead.screen.contains("re-run round 1"))
    lead.press("t")
    #expect(lead.lines[21].contains("69 characters left on the line"), "\(lead.screen)")
    lead.type("please come to the desk").press(.enter)
    #expect(lead.message == "shown at ABDO: please come to the desk")
    lead.press(.enter)
    let number = try #require(entry.candidate?.number)
    #expect(lead.lines[21].contains("ABDO \(number)"))
    lead.press("f")
    #expect(lead.lines.filter { $0.contains("R1") }.count == 1)
  }

  @Test("a filter that lists nobody is named, with what its key lists next") func emptyFilter() throws {
    let lead = try desk().press("f", "f")
    #expect(lead.text.contains("No candidate with a concern: f lists every candidate with a conflict"))
    lead.press("f")
    #expect(lead.text.contains("No candidate with a conflict: f lists every candidate"), "\(lead.screen)")
    lead.press("f")
    #expect(!lead.screen.contains("No candidate"))
  }

  @Test("what is to be chased goes on with the grid while it is read, and the focus stays with its line")
  func chaseFollows() throws {
    let lead = try desk()
    lead.pass(seconds: 480)
    lead.press("m", "G")
    let chase = try #require(lead.context.screen as? ChaseScreen)
    let (before, focused) = (chase.table.rows.count, chase.table.selection.focused(of: chase.table.rows)?.id)
    let place = try lead.session("CHEST")
    let entry = try lead.store.read { try Roster.entries(timetable: place.timetable, seat: .lead, in: $0) }
      .first { $0.round == 5 }
    try lead.store.write(.program) {
      _ = try RerunQueue.add(entry: #require(entry).key, reason: "fire alarm", $0)
    }
    lead.passTime(500)
    lead.send(.deadline(lead.clocks.loop))
    #expect(chase.table.rows.count == before + 1, "\(lead.screen)")
    #expect(chase.table.selection.focused(of: chase.table.rows)?.id == focused)
  }

  @Test("results are tried out without a ruling, and decided with a reason that is kept") func results() throws {
    let lead = try desk()
    lead.press("v")
    expect("lead-results-80x24", lead)
    lead.press("e")
    #expect(lead.lines[1].contains("TRIED OUT"))
    #expect(try lead.store.read { try ExamRuling.all(in: $0) }.isEmpty)
    lead.press("w").type("board of 8 December").press(.enter)
    #expect(lead.message == "decided: k 2")
    let ruling = try #require(try lead.store.read { try ExamRuling.all(in: $0) }.first)
    #expect(ruling.kind == .policy && ruling.choice == "k" && ruling.staff == "cdubois")
    #expect(!lead.lines[1].contains("TRIED OUT"))
    // What it is now and would be stand beside each other, before anything is ruled.
    lead.press("x")
    #expect(lead.lines[1].contains("Without CHEST") && lead.screen.contains("CHEST mean %"))
    expect("lead-leave-out", lead)
    #expect(try lead.store.read { try ExamRuling.all(in: $0) }.count == 1)
    lead.press(.enter, .enter)
    #expect(lead.text.contains("a reason is required"))
    lead.type("manikin faulty").press(.enter)
    #expect(Set(try lead.store.read { try ExamRuling.all(in: $0) }.map(\.kind)) == [.policy, .exclusion])
    lead.press(.enter)
    #expect(lead.screen.contains("left out"))
    lead.press("q", "q")
    #expect(lead.context.screen is LeadScreen)
  }

  @Test("all that is tried out is said in words, and the exam's own choice comes round again") func triedOut() throws {
    let lead = try desk()
    try lead.store.write(Author(staff: try lead.member("cdubois").id)) { transaction in
      try Rulings.make(
        .policy(json: #"{"k":1.64}"#, names: "k"), reason: "the board's",
        by: ExamLead.authorise(lead.member("cdubois"), by: nil), transaction)
    }
    lead.press("v", "e")
    #expect(lead.message == "tried out: k 2")
    lead.press("b", "d")
    #expect(lead.message == "tried out: blanks left out, double marks first, k 2")
    lead.press("e", "e", "e")
    #expect(lead.message == "tried out: blanks left out, double marks first")
    lead.press("b", "w")
    #expect(lead.text.contains("blanks incomplete, double marks first: what is"), "\(lead.screen)")
    lead.press(.escape, "b", "d", "d")
    #expect(lead.message == "nothing is tried out any more" && !lead.lines[1].contains("TRIED OUT"))
  }

  @Test("what is left out is held against what the exam has, whatever is tried out") func leftOutBesideTrial() throws {
    let first = try Rehearsed()
    owner = first
    try first.markApart()
    let lead = try first.atSameStore().lead().press("v")
    let row = try #require(lead.lines.firstIndex { $0.contains("CONSENT") })
    for _ in 3..<row { lead.press("j") }
    func mean() -> String? { lead.lines.first { $0.contains("CONSENT mean %") } }
    lead.press("x")
    let own = try #require(mean(), "\(lead.screen)")
    lead.press(.escape, "d")
    #expect(lead.message == "tried out: double marks first")
    lead.press("x")
    #expect(mean() == own, "\(lead.screen)")
  }

  @Test("where candidates go through several sets of stations the foot is about that of the focused line") func sets()
    throws
  {
    let lead = try desk()
    let session = try lead.session("CHEST").session
    let people = try lead.store.read { try HallBoard.read(session, in: $0) }.candidates.map(\.candidate)
      .filter { ["30103", "30105"].contains($0.number) }
    try lead.store.write(.program) {
      _ = try SlotChanges.swap(people[0].id, people[1].id, from: 3, in: session, $0)
    }
    lead.press("v")
    #expect(lead.lines[1].contains("3 SETS") && !lead.lines[1].contains("NO CUT"), "\(lead.screen)")
    #expect(lead.screen.contains("28 candidates at CHEST ABDO CONSENT RX RESUS NEWS DENTAL"), "\(lead.screen)")
    lead.press(.tab, "j", "j")
    #expect(lead.screen.contains("1 candidate at CHEST ABDO CONSENT RX NEWS DENTAL"), "\(lead.screen)")
  }

  /// Results of candidates who all come to A, and four each to another station.
  private func report(_ stations: [String]) throws -> ResultsReport {
    let rows = stations.enumerated().flatMap { place, station in
      (1...4).flatMap { number in
        [
          "\(4 * place + number),\(station),A,\(50 + 5 * number - 3 * place),\(number)",
          "\(4 * place + number),\(station),\(station),\(48 + 6 * number - 2 * place),\(number)",
        ]
      }
    }
    let text = "candidate,circuit,station,score,grade\n" + rows.map { $0 + "\n" }.joined()
    return ResultsReport(try ScoreFile.read("-") { Array(text.utf8) }.scores, PolicyInForce())
  }

  @Test("the figures of each set of stations are whole beside each other before something is left out")
  func setsWithoutStation() throws {
    let comparison = ResultsComparison(try report(["B", "C", "D"]), try report(["B", "C", "D", "E"]))
    let cut = try #require(comparison.rows.first { $0.name == "cut %" })
    let sets = [cut.before, cut.after].map { $0.split(separator: " · ").count }
    try #require(sets == [3, 4], "\(cut)")
    let lead = try desk()
    lead.context.push(LeaveOutScreen(lead.context, "A 3", .init(station: "A", item: "3"), comparison) {})
    lead.resize(80, 24)
    for row in comparison.rows {
      let line = try #require(lead.lines.first { $0.dropFirst(2).hasPrefix(row.name + "  ") }, "\(lead.screen)")
      #expect(line.contains("  \(row.before) ") && line.hasSuffix(" \(row.after)"), "\(line)")
    }
  }

  @Test("the figures of many sets of stations go on in the lines below, and none is cut")
  func manySetsWithoutStation() throws {
    let comparison = ResultsComparison(
      try report(["B", "C", "D", "E", "F"]), try report(["B", "C", "D", "E", "F", "G"]))
    let cut = try #require(comparison.rows.first { $0.name == "cut %" })
    let lead = try desk()
    lead.context.push(LeaveOutScreen(lead.context, "A 3", .init(station: "A", item: "3"), comparison) {})
    lead.resize(80, 24)
    let first = try #require(lead.lines.firstIndex { $0.dropFirst(2).hasPrefix("cut %  ") }, "\(lead.screen)")
    let next = try #require(lead.lines.firstIndex { $0.dropFirst(2).hasPrefix("cut with") }, "\(lead.screen)")
    let shown = lead.lines[first..<next].flatMap { $0.split(separator: " ") }.filter { $0.contains(".") }
    let figures = [cut.before, cut.after].flatMap { $0.split(separator: " ") }.filter { $0.contains(".") }
    #expect(figures.count == 11 && shown.sorted() == figures.sorted() && next - first > 1, "\(lead.screen)")
  }

  @Test("a station's items are listed, and one is left out; its assessors and an export are a key away") func station()
    throws
  {
    let lead = try desk()
    lead.press("v", .enter, "i")
    #expect(lead.lines[1].contains("CHEST") && lead.lines[2].contains("given %"))
    let item = try #require(lead.lines[3].split(separator: " ").first { $0 != "▸" })
    lead.press("x")
    #expect(lead.lines[1].contains("Without CHEST \(item)"))
    lead.press(.enter).type("the manikin leaked").press(.enter)
    #expect(lead.message == "CHEST \(item) is left out" && lead.lines[3].contains("left out"))
    let ruling = try #require(try lead.store.read { try ExamRuling.all(in: $0) }.first)
    #expect((ruling.kind, ruling.scope) == (.exclusion, .init(station: "CHEST", item: String(item))))
    lead.press("x")
    #expect(lead.message == "it is in no score")
    lead.press("q", "m")
    #expect(lead.text.contains("assessors: eta²") && lead.screen.contains("nokafor: mean"))
    lead.press(.escape, "x").type("results.txt").press(.enter)
    #expect(lead.message == "name a file that ends in .csv or .json")
    let path = NSTemporaryDirectory() + "osce-station-\(ProcessInfo.processInfo.globallyUniqueString).csv"
    defer { try? FileManager.default.removeItem(atPath: path) }
    lead.press(.escape, "x").type(path).press(.enter)
    #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("station,name,n,pairs,"))
  }

  @Test("a scatter has the cut as a level that ends at the borderline grade; a taller screen counts the scores")
  func scatter() throws {
    let lead = try desk()
    let (timetable, author) = (try lead.session("CHEST").timetable, try lead.member("nokafor").id)
    try lead.store.write(Author(staff: author)) { transaction in
      let entries = try Roster.entries(timetable: timetable, seat: .lead, in: transaction.db)
      for (number, entry) in entries.dropFirst().enumerated() {
        let key = try SheetGenerator.makeSheets(entry: entry.key, seat: .lead, in: transaction)[0]
        let sheet = try #require(try Sheet.read(key, in: transaction.db))
        for item in sheet.items where item.template.kind.takesLevel {
          let levels = item.template.levels
          _ = try Marking(transaction).mark(item, level: levels[min(number, levels.count - 1)])
        }
        try Signing.sign(try #require(try Sheet.read(key, in: transaction.db)), in: transaction)
      }
    }
    lead.press("v", .enter)
    #expect(lead.lines[1].contains("CUT"), "\(lead.screen)")
    let level = try #require(lead.lines.first { $0.contains("▸") })
    #expect(level.contains("·") && level.contains("+") && !lead.screen.contains("SCORES"), "\(lead.screen)")
    lead.resize(132, 43)
    #expect(lead.screen.contains("SCORES       of 8"), "\(lead.screen)")
    let bars = lead.lines.compactMap { line in line.firstIndex(of: "▰").map { line[$0...] } }
    #expect(bars.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.reduce(0, +) == 8, "\(lead.screen)")
    #expect(lead.lines.count { $0.contains("0 cut") } == 1)
    // The stations' list has all scatters below it where all have room.
    lead.press(.escape)
    func isDrawn() -> Bool { lead.screen.unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) } }
    #expect(!isDrawn(), "\(lead.screen)")
    lead.resize(200, 60)
    #expect(isDrawn() && lead.lines.count { $0.contains("DENTAL") } == 2, "\(lead.screen)")
    lead.press(.tab)
    #expect(!isDrawn(), "\(lead.screen)")
  }

  @Test("what others save comes into the results by itself, and what is tried out stays") func live() throws {
    let lead = try desk()
    lead.press("v", "e")
    let row = try #require(lead.lines.first { $0.contains("ABDO") })
    let other = try lead.atSameStore().sit("hyamamoto", at: "ABDO").press(.enter)
    try other.signAll(as: "hyamamoto")
    lead.send(.deadline(lead.clocks.loop))
    lead.awaitThreads { !lead.lines.contains(row) }
    #expect(lead.lines.contains { $0.contains("ABDO") })
    #expect(lead.lines[1].contains("TRIED OUT"))
  }

  @Test("the focus stays on its candidate where results of another come in above") func focusInResults() throws {
    let lead = try desk().press("v", .tab)
    func focused() -> String { lead.lines.first { $0.hasPrefix("▸") } ?? "" }
    #expect(focused().contains("30101"), "\(lead.screen)")
    let (timetable, author) = (try lead.session("CHEST").timetable, try lead.member("nokafor").id)
    let other = try lead.atSameStore()
    try other.store.write(Author(staff: author)) { transaction in
      let entry = try AdditionalCandidate.add(
        number: "30100", names: ["New"], timetable: timetable, round: nil, in: transaction)
      let key = try SheetGenerator.makeSheets(entry: entry, seat: .lead, in: transaction)[0]
      let sheet = try #require(try Sheet.read(key, in: transaction.db))
      for item in sheet.items where item.template.kind.takesLevel {
        _ = try Marking(transaction).mark(item, level: item.template.levels[0])
      }
      try Signing.sign(try #require(try Sheet.read(key, in: transaction.db)), in: transaction)
    }
    lead.awaitThreads { lead.screen.contains("30100") }
    #expect(focused().contains("30101"), "\(lead.screen)")
  }

  @Test("before closing each check counts what is open; a line is waived with a reason, a concern read and answered")
  func closing() throws {
    let play = try desk()
    let (timetable, author) = (try play.session("CHEST").timetable, try play.member("nokafor").id)
    let entry = try play.store.read { try Roster.entries(timetable: timetable, seat: .lead, in: $0)[0].key }
    try play.store.write(Author(staff: author)) {
      _ = try Comments.add("smelled of alcohol", to: .candidate(entry), isConcern: true, in: $0)
    }
    play.press("c")
    play.awaitExamination()
    #expect(play.lines[1].contains("OPEN") && play.lines[21].hasSuffix(" open, 0 not in the plan · NOT LOCKED"))
    let row = try #require(play.lines.firstIndex { $0.contains("concerns not read") })
    for _ in 3..<row { play.press("j") }
    play.press(.enter)
    #expect(play.text.contains("a concern is not answered"))
    play.press(.enter)
    #expect(play.text.contains("smelled of alcohol"))
    play.press(.escape, "a").type("spoken to, nothing found").press(.enter)
    #expect(try play.store.read { try ExamRuling.all(in: $0) }.last?.reason == "spoken to, nothing found")
    // What was ruled stays listed, with who and why, and is withdrawn there.
    #expect(play.lines[1].contains("0 open · 1 ruled") && play.lines[20].contains("CHEST 30101: answered"))
    #expect(play.lines[21].contains("cdubois, 2026-12-07") && play.lines[21].contains("spoken to, nothing found"))
    expect("lead-closing-lines-80x24", play)
    play.press("u").type("of another candidate").press(.enter)
    #expect(play.message == "withdrawn" && play.lines[1].contains("1 open"))
    #expect(play.lines[21].contains("To settle: read it and say what became of it"))
    #expect(try play.store.read { try ExamRuling.all(in: $0) }.isEmpty)
    // The station of a line is a key away.
    play.press("t").type("please come to the desk").press(.enter)
    #expect(play.message == "shown at CHEST: please come to the desk")
    // What has to be settled is not waived, and nothing is locked while anything is open.
    play.press("w")
    #expect(play.message == "it is settled, not waived")
    play.press("q", "L")
    #expect(play.message == "first settle or waive what is open")
    // Once it is looked at again, that may be settled.
    play.press("r")
    #expect(!play.message.contains("first settle"), "\(play.message)")
    // What is about the whole exam shows no circuit's clock.
    #expect(play.lines[0].withSingleSpaces == "Closing", "\(play.lines[0])")
  }

  @Test("closing looks for the second copy where the configuration says that it goes")
  func secondCopy() throws {
    let path = "/mnt/second/copy.sqlite"
    var configuration = OsceTUI.Configuration()
    configuration.backup = BackupChoice(path: path)
    let play = try Rehearsed(configuration: configuration).lead().press("c")
    play.awaitExamination()
    let closing = try #require(play.context.screen as? ClosingScreen)
    let found = closing.report?.checks.first { $0.code == .secondCopy }?.lines.map(\.what)
    #expect(found == ["none yet at \(path)"])
  }

  @Test("a part of the exam is read beside the keys: nothing is ruled or locked meanwhile, and the last one is shown")
  func parts() throws {
    let play = try desk().press("c")
    play.awaitExamination()
    let closing = try #require(play.context.screen as? ClosingScreen)
    let whole = play.lines[1]
    play.isHeld = true
    play.press("]", "L")
    #expect(closing.isReading && closing.report?.scope.isExam == true)
    #expect(play.message == "the exam is being read", "\(play.screen)")
    let check = try #require(closing.report?.checks.first { $0.code == .unsigned })
    closing.waive(Array(check.open.prefix(1)), of: .unsigned)
    #expect(play.context.overlay == nil && play.message == "the exam is being read", "\(play.screen)")
    play.press("]", "[")
    play.isHeld = false
    play.settle()
    #expect(!closing.isReading && closing.report?.scope.isExam == false && play.lines[1] != whole, "\(play.screen)")
    play.press("[")
    #expect(play.lines[1] == whole, "\(play.screen)")
  }

  /// The lines of two changes that the hub keeps back, and their identifiers.
  private func heldBackLines() throws -> (play: Rehearsed, kept: [String]) {
    let play = try desk()
    try play.store.enrol(as: .lead)
    let kept = try play.store.read { db in
      try String.fetchAll(
        db, sql: "SELECT id FROM operation WHERE entity = 'RatingQuestion' AND kind = 'set' ORDER BY seq LIMIT 2")
    }
    try play.store.write(.program) { transaction in
      for (number, id) in kept.enumerated() {
        try transaction.db.execute(
          sql: "UPDATE operation SET hubSeq = ?, result = 'quarantined:session' WHERE id = ?",
          arguments: [number + 1, id])
      }
    }
    play.press("c")
    play.awaitExamination()
    let row = { play.lines.first { $0.contains(ClosingReport.Code.quarantined.openText) } }
    for _ in ClosingReport.Code.allCases where row()?.hasPrefix("▸") != true { play.press("j") }
    try #require(row()?.hasPrefix("▸") == true, "\(play.screen)")
    play.press(.enter)
    return (play, kept)
  }

  @Test("of two rulings typed in one burst the second is not done: the list was not read again in between")
  func rulingsInOneBurst() throws {
    let (play, kept) = try heldBackLines()
    play.press("i")
    play.isHeld = true
    play.type("short of time, seen by me\nd").type("entered by a visitor\n")
    play.isHeld = false
    play.settle()
    #expect(try rulings(of: kept[0], in: play.store) == ["admit short of time, seen by me"])
    #expect(try rulings(of: kept[1], in: play.store).isEmpty)
    #expect(play.context.overlay == nil)
    #expect(play.message.hasSuffix("keys NOT done: typed before the list was read again"), "\(play.screen)")
  }

  @Test("a change that the hub keeps back is let in or dismissed from its line, with a reason, by the exam lead alone")
  func heldBack() throws {
    let (play, kept) = try heldBackLines()
    #expect(play.lines[1].contains("2 open") && play.lines[21].contains("i lets it in, d dismisses it"))
    #expect(play.lines[23].contains("let in") && play.lines[23].contains("dismiss"))
    expect("lead-held-back", play)
    play.press("i").type("short").press(.enter)
    #expect(try rulings(of: kept[0], in: play.store).isEmpty)
    play.type(" of time, seen by me").press(.enter)
    #expect(play.message == "ruled: the hub says what comes of it", "\(play.screen)")
    #expect(play.lines[1].contains("2 open") && play.text.contains("ruled, not at the hub yet"))
    play.press("j", "d").type("entered by a visitor").press(.enter)
    #expect(try rulings(of: kept[0], in: play.store) == ["admit short of time, seen by me"])
    #expect(try rulings(of: kept[1], in: play.store) == ["admit entered by a visitor"])
    // Of another check nothing is let in.
    play.press("q", "k", .enter, "i")
    #expect(try rulings(of: kept[0], in: play.store).count == 1)
  }

  @Test("two people let in at once what came late of a locked sheet, see what it is, and what the results come to")
  func late() throws {
    let play = try desk()
    let people = try twoPeople(play)
    // Another laptop has the exam as it is before the lock.
    let folder = play.folder + "/other"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    chmod(folder, 0o700)
    try DatabaseQueue(path: play.store.location.path).backup(to: DatabaseQueue(path: folder + "/exam.sqlite"))
    chmod(folder + "/exam.sqlite", 0o600)
    let other = try ExamStore(StoreLocation(path: folder + "/exam.sqlite"), .existing)
    defer { other.close() }
    let key = try play.store.read { try String.fetchOne($0, sql: "SELECT uuid FROM dataForm WHERE signedAt NOT NULL")! }
    try other.write(Author(staff: try play.member("nokafor").id, reason: "misheard")) { transaction in
      try Signing.reopen(Sheet.read(key, in: transaction.db)!, in: transaction)
    }
    try other.write(Author(staff: try play.member("nokafor").id)) { transaction in
      let item = try Sheet.read(key, in: transaction.db)!.items[0]
      _ = try Marking(transaction).mark(item, level: item.template.levels.first { $0.value.number == 0 }!)
    }
    try other.write(Author(staff: try play.member("nokafor").id)) { transaction in
      try Signing.sign(Sheet.read(key, in: transaction.db)!, in: transaction)
    }
    _ = try PackWriter.write(other, to: folder + "/pack")
    try lock(play, people)
    _ = try PackReader(folder + "/pack").unpack(into: play.store)
    play.press("c")
    play.awaitExamination()
    // What stands is held against what was locked, and that lock has no results in it.
    #expect(play.lines[1].contains("NOT FINAL") && !play.screen.contains("LOCKED"), "\(play.screen)")
    play.press("/").type("held back\n").press(.enter)
    #expect(play.lines[1].contains("3 open") && play.screen.contains("mark sheet reopened"), "\(play.screen)")
    play.press("j")
    #expect(play.text.contains("item 1: Washes hands or uses gel: 0 Not done"), "\(play.screen)")
    play.press("i").type("kmensah\n").type("correct horse\n").type("correct horse\n")
    #expect(play.text.contains("The 3 changes of this sheet count then"), "\(play.screen)")
    play.type("marked on the other laptop\n")
    #expect(play.message == "the store is examined before that is done")
    // Closing is not left meanwhile: nobody else would make the ruling.
    let closing = try #require(play.context.screens.lazy.compactMap { $0 as? ClosingScreen }.first)
    #expect(!closing.mayGoBack() && play.message == "the store is being examined for what was asked before")
    play.awaitThreads { play.screen.contains("Before: cut") }
    #expect(play.screen.contains("Before: cut") && play.screen.contains("After:  cut"), "\(play.screen)")
    play.press(.escape)
    #expect(play.lines[1].contains("0 open · 1 ruled") && closing.mayGoBack(), "\(play.screen)")
    #expect(try play.store.read { try Sheet.read(key, in: $0)!.isSigned })
    #expect(try play.store.read { try ExamLock.standing(in: $0) }.map(\.amendment) == [0, 1])
  }

  /// The exam lead and the office, whose passcodes are "correct horse" from now on.
  private func twoPeople(_ play: Rehearsed) throws -> TwoPeople {
    let hash = try Passcode.hash("correct horse", rounds: 2)
    for username in ["cdubois", "kmensah"] {
      let id = try play.member(username).id
      try play.store.write(.program) { try $0.set("Staff", String(id), ["passcodeHash": .text(hash)]) }
    }
    let members = try ["cdubois", "kmensah"].map(play.member)
    let proofs = try members.map { try $0.prove("correct horse", in: play.store) }
    return try play.store.read { try TwoPeople(members[0], members[1], proofs: proofs, in: $0) }
  }

  /// Locks the exam, whatever is open.
  private func lock(_ play: Rehearsed, _ people: TwoPeople) throws {
    try play.store.write(Author(staff: people.first.member.id)) {
      try ExamLocks.lock(
        .init(), content: "{}", hash: String(repeating: "0", count: 64), at: $0.clock.now, by: people, $0)
    }
  }

  @Test("an amendment that leaves two assessors apart is made when the same two people rule on that with it")
  func amendedApart() throws {
    let play = try Rehearsed()
    owner = play
    try play.markApart()
    let people = try twoPeople(play)
    try lock(play, people)
    let items = try play.store.read { db in
      let keys = try QuestionKeys.all(in: db)
      return try String.fetchAll(db, sql: "SELECT uuid FROM dataForm WHERE signedAt NOT NULL").flatMap { key in
        try Sheet.read(key, in: db)!.items.filter { $0.template.kind == .binary && $0.rating == MarkValue(1) }
          .map { (sheet: key, item: keys.name(of: $0.template.question)) }
      }
    }
    func amend(_ place: Int, _ consequence: Locking.Consequence) throws -> Locking.Amended {
      try self.amend(items[place].sheet, items[place].item, 0, consequence, play, people)
    }
    func amendments() throws -> [Int] { try play.store.read { try ExamLock.standing(in: $0) }.map(\.amendment) }
    let refusal = #expect(throws: RulingRefusal.self) { _ = try amend(0, .init()) }
    #expect(refusal?.description.contains("two assessors are ") == true, "\(refusal?.description ?? "")")
    #expect(try amendments() == [0])
    let waived = try amend(0, .init(waives: true))
    #expect(waived.ruled.contains { $0.contains("two assessors are ") })
    let waiver = try play.store.read { try ExamRuling.all(in: $0) }.first { $0.choice == "doubleMarks" }
    #expect(waiver?.kind == .waiver && waiver?.secondStaff == "kmensah" && waiver?.reason == "ticked by mistake")
    _ = try amend(1, .init(waives: true, stands: "mean"))
    #expect(try play.store.read { try ExamRuling.all(in: $0) }.contains { $0.adjudication == .mean })
    #expect(try amendments() == [0, 1, 2])
  }

  private func amend(
    _ sheet: String, _ item: String, _ value: Int, _ consequence: Locking.Consequence, _ play: Rehearsed,
    _ people: TwoPeople
  ) throws -> Locking.Amended {
    let look = try StoreLook.take(play.store, backup: nil)
    let amendment = Amendment(sheet: sheet, item: item, answer: .value(MarkValue(Double(value))!))
    return try play.store.write(Author(staff: people.first.member.id)) {
      try Locking.amend(amendment, consequence, look, reason: "ticked by mistake", by: people, $0)
    }
  }

  @Test("a clock that begins at its time does not make the lead wait until what is open was read again")
  func startWhileClosing() throws {
    let play = try desk()
    let green = try play.session("CHEST", "Green circuit").session
    try play.store.write(.program) {
      _ = try ClockLog.append(.start, to: green, at: $0.clock.now + 60_000, in: $0)
    }
    play.send(.resumed).press("c")
    play.awaitExamination()
    let shown = play.lines[2...20]
    try play.atSameStore().sit("mlindqvist", at: "CONSENT").press(.enter, "1")
    play.pass(seconds: 61)
    let closing = try #require(play.context.screen as? ClosingScreen)
    play.awaitThreads { !closing.isReading }
    #expect(play.lines[2...20] == shown, "\(play.screen)")
  }

  @Test("whose score stands settles with it that two assessors disagree on a critical item")
  func amendedCritical() throws {
    let play = try Rehearsed()
    owner = play
    let second = try play.markApart()
    let people = try twoPeople(play)
    try lock(play, people)
    let sheet = second.sheet.key
    _ = try amend(sheet, "anticoagulant", 1, .init(waives: true), play, people)
    let refusal = #expect(throws: RulingRefusal.self) {
      _ = try amend(sheet, "anticoagulant", 0, .init(), play, people)
    }
    #expect(refusal?.description.contains("two assessors disagree on a critical item") == true)
    let ruled = try amend(sheet, "anticoagulant", 0, .init(stands: "mlindqvist"), play, people).ruled
    #expect(ruled.contains { $0.contains("disagree on a critical item") })
    let rulings = try play.store.read { try ExamRuling.all(in: $0) }
    #expect(rulings.filter { $0.kind == .adjudication }.count == 1)
    #expect(!rulings.contains { $0.kind == .waiver && $0.choice == "critical" })
  }

  private func rulings(of change: String, in store: ExamStore) throws -> [String] {
    try store.read { db in
      try OperationTable.history(of: RowKey(entity: "Operation", id: change), in: db).map {
        "\($0.kind.rawValue) \(try $0.body()?.reason ?? "")"
      }
    }
  }

  @Test("a sheet of which nobody knows what became is ruled out where it is listed, or its candidate excused there")
  func ruledOut() throws {
    let play = try desk()
    play.press("c")
    play.awaitExamination()
    play.press(.enter)
    func open() -> Int? { play.lines[1].split(separator: " ").dropLast().last.flatMap { Int($0) } }
    let all = try #require(open())
    #expect(play.lines[21].contains("x rules it out; e excuses"), "\(play.screen)")
    play.press("x").type("the assessor was taken ill").press(.enter)
    #expect(play.message == "ruled out" && play.lines[1].contains("\(all - 1) open · 1 ruled"), "\(play.screen)")
    let sheet = try #require(try play.store.read { try ExamRuling.all(in: $0) }.last)
    #expect(sheet.kind == .exclusion && sheet.scope.sheet != nil && sheet.reason == "the assessor was taken ill")
    play.press("e").type("fire alarm").press(.enter)
    #expect(play.message == "excused", "\(play.screen)")
    let excuse = try #require(try play.store.read { try ExamRuling.all(in: $0) }.first { $0.kind == .excuse })
    #expect(excuse.scope.station != nil && excuse.scope.candidate != nil && excuse.reason == "fire alarm")
    // What was ruled is listed below, and withdrawn there.
    play.press("G", "u").type("not so").press(.enter)
    #expect(play.message == "withdrawn" && play.lines[1].contains("1 ruled"), "\(play.screen)")
  }

  @Test("two assessors who do not agree are compared item by item, and which score stands is ruled with a reason")
  func adjudication() throws {
    let first = try Rehearsed()
    owner = first
    try first.markApart()
    let play = try first.atSameStore().lead().press("c")
    play.awaitExamination()
    let row = try #require(play.lines.firstIndex { $0.contains("double marks apart") })
    for _ in 3..<row { play.press("j") }
    play.press(.enter)
    #expect(play.text.contains("assessors are 92.9 points"))
    play.press(.enter)
    expect("lead-adjudicate", play)
    let heading = play.lines[1]
    // What Closing reads under it comes to an end, and the keys rule again.
    let under = try #require(play.context.screen as? AdjudicationScreen).closing
    under.readAgain()
    play.settle()
    #expect(!under.isReading)
    // Each way asks for a reason, and without one nothing is ruled.
    play.press("2", .enter, .escape)
    #expect(try play.store.read { try ExamRuling.all(in: $0) }.isEmpty)
    play.press("=").type("abc").press(.enter)
    #expect(play.message.hasPrefix("a score as 62.5"))
    // What cannot stand is refused before a reason is asked for, and can be corrected.
    play.press(.backspace, .backspace, .backspace).type("150").press(.enter)
    #expect(play.message == "a score is from -1000 to 100 percent", "\(play.screen)")
    play.press(.backspace, .backspace, .backspace).type("50").press(.enter)
    #expect(play.message == "give the global grade with the score: from 1 to 5", "\(play.screen)")
    play.press(.backspace, .backspace).type("50 9").press(.enter)
    #expect(play.message.hasPrefix("a grade at this station is from"), "\(play.screen)")
    play.press(.backspace, .backspace, .backspace, .backspace).type("62,5 3").press(.enter)
    play.type("seen again on the recording").press(.enter)
    let ruling = try #require(try play.store.read { try ExamRuling.all(in: $0) }.last)
    #expect(ruling.adjudication == .typed(score: 62.5, grade: 3) && ruling.reason == "seen again on the recording")
    #expect(heading.contains(ruling.scope.candidate ?? "?") && ruling.scope.station == "CONSENT")
    // The line is settled, and the check with it.
    #expect(play.context.screen is ClosingLinesScreen && play.lines[1].contains("0 open · 1 ruled"))
    #expect(play.lines[20].contains("CONSENT") && play.lines[20].contains(": 62.5 % stands, grade 3"))
    #expect(play.lines[21].hasSuffix(": seen again on the recording"))
    // It is withdrawn where it is listed, and the line is open again.
    play.press("u").type("the wrong candidate").press(.enter)
    #expect(play.message == "withdrawn" && play.lines[1].contains("1 open"))
    #expect(try play.store.read { try ExamRuling.all(in: $0) }.isEmpty)
  }

  @Test("of two values that terminals set without having met, the lead says with a reason which is right")
  func contradiction() throws {
    let first = try Rehearsed()
    owner = first
    try first.mark("nokafor", at: "CHEST")
    let item = first.sheet.items[0]
    first.press("1")
    let mark = try #require(
      try first.store.read {
        try String.fetchOne(
          $0, sql: "SELECT id FROM operation WHERE entityID = ? ORDER BY seq DESC LIMIT 1", arguments: [item.key])
      }.flatMap { OperationID($0) })
    let marked = try #require(try first.store.read { try OperationTable.find(mark, in: $0) })
    let before = try marked.body()?.replaces["rating"] ?? []
    // What a terminal does that has not met the first mark: it replaces what stood before.
    let other = item.template.levels.first { $0.value.scaled == 0 }!
    try first.store.write(Author(staff: try first.member("hyamamoto").id)) {
      _ = try $0.set("RatingQuestion", item.key, ["rating": .integer(other.value.scaled)], shown: ["rating": before])
    }
    let play = try first.atSameStore().lead().press("c")
    play.awaitExamination()
    let row = try #require(play.lines.firstIndex { $0.contains(ClosingReport.Code.contradictions.openText) })
    for _ in 3..<row { play.press("j") }
    play.press(.enter)
    #expect(play.text.contains("Washes hands"))
    play.press(.enter)
    expect("lead-two-values", play)
    let under = try #require(play.context.screen as? ContradictionScreen).closing
    under.readAgain()
    play.settle()
    #expect(!under.isReading)
    play.press("j", .enter, .enter)
    #expect(play.text.contains("a reason is required"))
    play.type("seen on the recording").press(.enter)
    #expect(play.context.screen is ClosingLinesScreen && play.lines[1].contains("0 open · 1 ruled"))
    #expect(play.text.contains("settled: item 1: Washes hands"))
    func rating() throws -> MarkValue? { try play.store.read { try SheetItem.read(item, in: $0) }?.rating }
    func last() throws -> Journal.Operation? {
      try play.store.read {
        try OperationTable.history(of: RowKey(entity: "RatingQuestion", id: item.key), in: $0)
      }.last
    }
    #expect(try rating() == MarkValue(1))
    #expect(try play.store.read { try Contradiction.all(in: $0) }.isEmpty)
    let settled = try #require(try last())
    #expect(OpenedOperation(settled).reason == "settled: seen on the recording" && settled.kind == .ruling)
    // It is withdrawn where it is listed: the line is open again, and what counted before counts.
    play.press("u").type("the wrong recording").press(.enter)
    #expect(play.message == "withdrawn" && play.lines[1].contains("1 open"))
    #expect(try rating() == MarkValue(0))
    let withdrawn = try #require(try last())
    #expect(OpenedOperation(withdrawn).reason == "withdrawn: the wrong recording")
    play.press(.enter)
    #expect(play.text.contains("hyamamoto") && play.text.contains("nokafor"))
    // Once somebody has marked the item again it is no longer withdrawn.
    play.press("j", .enter).type("heard again").press(.enter)
    try play.store.write(Author(staff: try first.member("hyamamoto").id)) {
      _ = try $0.set("RatingQuestion", item.key, ["rating": .integer(other.value.scaled)])
    }
    play.press(.escape, "r")
    play.awaitExamination()
    play.press(.enter)
    #expect(play.text.contains("settled: item 1: Washes hands"))
    play.press("u")
    #expect(play.message == "the value was changed since")
  }

  @Test("what was typed from paper is compared by another person than who typed, and again once more is typed")
  func paper() throws {
    let station = try Rehearsed()
    owner = station
    try station.mark("nokafor", at: "CHEST")
    let judge = try station.member("hyamamoto").id
    func type(_ item: Int, as username: String) throws {
      let items = station.sheet.items
      try station.store.write(Author(staff: try station.member(username).id)) {
        _ = try Marking($0, paper: PaperEntry(judge: judge)).mark(items[item], level: items[item].template.levels[0])
      }
      station.settle()
    }
    try type(0, as: "nokafor")
    let play = try station.atSameStore().lead().press("c")
    play.awaitExamination()
    let row = try #require(play.lines.firstIndex { $0.contains("paper entries") })
    for _ in 3..<row { play.press("j") }
    play.press(.enter)
    #expect(play.text.contains("typed by nokafor"))
    play.press(.enter)
    #expect(play.text.contains("0 of 1"))
    play.press(.escape, "a").type("the same on paper").press(.enter)
    #expect(play.lines[1].contains("0 open · 1 ruled"))
    // One more mark: it has to be compared again, and the lead who typed it does not do that.
    try type(1, as: "cdubois")
    play.press("q", "r")
    play.awaitExamination()
    play.press(.enter)
    #expect(play.text.contains("typed by cdubois"))
    play.press("a").type("the same on paper").press(.enter)
    #expect(play.message.contains("another person compares it"))
  }

  @Test("who is no exam lead is told so") func others() throws {
    let play = try Rehearsed()
    play.context.push(LeadTerminal.signIn(play.context))
    LeadTerminal.openDesk(try play.member("nokafor"), in: play.context)
    #expect(play.message == "Dr Ngozi Okafor is no exam lead here: nothing was changed")
    #expect(play.context.screen is SignInScreen)
    play.context.push(SessionsScreen(play.context, try play.member("cdubois")))
    play.press("D")
    #expect(play.context.screen is LeadScreen)
  }
}
