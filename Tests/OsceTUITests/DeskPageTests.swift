import GRDB
import Terminal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// The pages of the invigilator's desk.
@MainActor @Suite("The desk's pages")
struct DeskPageTests {
  @Test("the hall names who is at which station now and next, empty slots and absentees included")
  func hall() throws {
    let play = try Rehearsed.runningDesk()
    #expect(play.lines[5].contains("Now: round 1") && !play.lines[5].contains("Sheet"), "no sheet is begun")
    #expect(play.lines[6].contains("CHEST   Okafor     30101 Abara") && play.lines[6].contains("30108 Farrell"))
    play.press("a", "a")
    #expect(
      play.text.contains("30101 Ms Chidinma Abara: ABSENT at CHEST, ABDO, CONSENT, RX, REST, RESUS, NEWS, DENTAL."))
    play.press(.enter)
    #expect(play.message == "30101: absent at 8 stations")
    #expect(play.lines[6].contains("30101 ABSENT Aba"))
    try play.startClock("Green circuit")
    play.send(.resumed).press(.tab)
    #expect(play.screen.contains("- empty slot -"))
  }

  @Test("the hall says of each station who assesses, how far the sheet is, whether it is silent, and whom to chase")
  func signals() throws {
    let play = try Rehearsed.runningDesk()
    play.pass(seconds: 20)
    #expect(play.lines[6].contains("no sign-in") && play.screen.contains("CHASE  Blue no one signed in at 7 stations"))
    let station = try play.atSameStore().sit("nokafor", at: "CHEST")
    play.pass(seconds: 50)
    #expect(play.lines[6].contains("NOT SEEN") && play.screen.contains("CHASE  Blue CHEST 30101 not seen"))
    station.press(.enter, "1", "1")
    play.pass(seconds: 10)
    #expect(play.lines[6].contains(" 2/19 ") && !play.lines[6].contains("NOT SEEN"), "\(play.screen)")
    play.pass(seconds: 100)
    #expect(
      play.lines[6].contains("! silent 1 min") && play.screen.contains("CHASE  Blue CHEST silent 1 min"),
      "\(play.screen)")
    // A pause is no silence.
    play.press("P").pass(seconds: 300)
    #expect(!play.lines[6].contains("silent"), "\(play.screen)")
    // What was marked before it stays known after it, and silence begins with the resume.
    play.press(.escape, "r", .enter).pass(seconds: 60)
    #expect(play.lines[6].contains(" 2/19 ") && !play.lines[6].contains("NOT SEEN"), "\(play.screen)")
    #expect(!play.lines[6].contains("silent"), "\(play.screen)")
    play.pass(seconds: 35)
    #expect(play.lines[6].contains("! silent 1 min"), "\(play.screen)")
  }

  @Test("a sheet that the second assessor has not signed is not signed on any page, and is chased by name")
  func secondAssessor() throws {
    let lead = try Rehearsed().mark("mlindqvist", at: "CONSENT")
    try lead.signAll(as: "mlindqvist")
    let second = try lead.atSameStore().sit("rfitzgerald", at: "CONSENT").press(.enter)
    let play = try lead.atSameStore().desk()
    play.pass(seconds: 1)
    #expect(play.lines[8].contains("1 of 2 signed"), "\(play.screen)")
    play.press("6")
    let row = try #require(play.lines.first { $0.contains("30103") && !$0.contains("last:") })
    #expect(row.contains("·   ·   ½   ·   –"), "\(row)")
    // Into the changeover after the first rotation.
    play.press("1").resize(132, 43)
    play.pass(seconds: 480)
    #expect(play.text.contains("SIGNED 1 of 8 due") && play.screen.contains("CONSENT FitzGerald 1 unsigned"))
    #expect(play.screen.contains("7 unsigned"), "\(play.screen)")
    try second.signAll(as: "rfitzgerald")
    for _ in 1...2 { play.pass(seconds: 6) }
    #expect(play.text.contains("SIGNED 2 of 8 due") && !play.screen.contains("FitzGerald 1"), "\(play.screen)")
    withExtendedLifetime(lead) {}
  }

  @Test("of a pause its reason gives way to when the session ends")
  func longReason() throws {
    let play = try Rehearsed.runningDesk()
    play.press("p").type("a fire alarm that nobody in the whole of the building had expected\n")
    play.press("@").type("+2\n").press(.enter).pass(seconds: 1)
    #expect(play.lines[1].contains("RESUMES IN 01:") && play.lines[1].contains("ends 10:"), "\(play.screen)")
    #expect(!play.lines[1].contains("…"), "\(play.screen)")
    play.resize(160, 43)
    #expect(play.lines[1].contains("fire alarm"), "\(play.screen)")
  }

  @Test("what waits in the re-run queue is due, of somebody recorded absent too; when to stop is whole in the grid")
  func dueInRerun() throws {
    let play = try Rehearsed.runningDesk().press("6", "a", "a", .enter)
    func row(_ number: String) throws -> String {
      try #require(play.lines.first { $0.contains(number) && !$0.contains("last:") })
    }
    #expect(try row("30101").contains("– ABSENT"), "\(play.screen)")
    play.press("m", "1").type("kit failed\n")
    #expect(try row("30101").contains("1 ABSENT"), "\(play.screen)")
    // The station that is queued is to come, whatever is recorded of its own round.
    #expect(try row("30101").contains("·   A   A   A   –"), "\(play.screen)")
    #expect(try row("30107").contains(" +2:00"), "\(play.screen)")
    // The longest name of the morning but one is whole beside eight stations.
    #expect(try row("30101").contains("Ms Chidinma Abara"), "\(play.screen)")
  }

  @Test("what is queued for the re-run is not counted among the unsigned sheets of the rounds that are over")
  func countedWithoutRerun() throws {
    let play = try Rehearsed.runningDesk().press("6", "m", "1").type("kit failed\n")
    play.press("1").resize(132, 43)
    play.pass(seconds: 480)
    #expect(play.text.contains("SIGNED 0 of 7 due"), "\(play.screen)")
    play.press("6")
    let row = try #require(play.lines.first { $0.contains("30101") && !$0.contains("last:") })
    #expect(row.contains("·   ·   ·   ·   –"), "\(row)")
  }

  @Test("who is excused is not due there, and the desk says so wherever it chases")
  func excused() throws {
    let play = try Rehearsed.runningDesk().press("6")
    func row() throws -> String {
      try #require(play.lines.first { $0.contains("30101") && !$0.contains("last:") })
    }
    #expect(try row().hasSuffix(" 7"), "\(play.screen)")
    try play.excuse("30101", at: "CHEST")
    for _ in 1...2 { play.pass(seconds: 6) }
    #expect(try row().contains(" 6 excused"), "\(play.screen)")
    play.press("1")
    #expect(play.lines[6].contains("excused") && !play.lines[6].contains("no sign-in"), "\(play.screen)")
    play.resize(132, 43)
    play.pass(seconds: 480)
    #expect(play.text.contains("SIGNED 0 of 7 due"), "\(play.screen)")
  }

  @Test("a sheet that is ruled out is not due, and does not hold its station up")
  func ruledOut() throws {
    let play = try Rehearsed.runningDesk().press("6")
    func row() throws -> String {
      try #require(play.lines.first { $0.contains("30101") && !$0.contains("last:") })
    }
    try play.ruleOut("30101", at: "CHEST")
    for _ in 1...2 { play.pass(seconds: 6) }
    #expect(try row().hasSuffix(" 6"), "\(play.screen)")
    play.press("1")
    #expect(play.lines[6].contains("ruled out"), "\(play.screen)")
    play.resize(132, 43)
    play.pass(seconds: 480)
    #expect(play.text.contains("SIGNED 0 of 7 due"), "\(play.screen)")
    play.press("3").pass(seconds: 6)
    #expect(!play.text.contains("round 1 30101"), "\(play.screen)")
  }

  @Test("of somebody who comes to a station twice the page says how each visit stands")
  func twice() throws {
    let play = try Rehearsed.runningDesk()
    let resus = try play.session("RESUS")
    let people = try play.store.read { try HallBoard.read(resus.session, in: $0).candidates }.map(\.candidate)
    let pair = try ["30105", "30106"].map { number in try #require(people.first { $0.number == number }).id }
    _ = try play.store.write(.program) { try SlotChanges.swap(pair[0], pair[1], from: 2, in: resus.session, $0) }
    let entry = try #require(
      try play.store.read { try Roster.entries(timetable: resus.timetable, seat: .lead, in: $0) }
        .first { $0.candidate?.number == "30106" && $0.round == 1 })
    try play.store.write(.program) { transaction in
      for key in try Attendance.passIdentityStep(entry: entry, seat: .lead, in: transaction) {
        try Signing.sign(try #require(try Sheet.read(key, in: transaction.db)), in: transaction)
      }
    }
    play.pass(seconds: 6).press("6", "j", "j", "j", "j", "j")
    #expect(play.text.contains("RESUS: round 1 signed, round 2 not marked"), "\(play.screen)")
  }

  @Test("the log's phases are whole at 80 columns, and the focused one has its plan below")
  func logRows() throws {
    let play = try Rehearsed.runningDesk().pass(seconds: 500).press("5")
    #expect(play.lines.contains { $0.contains("ROTATION 1 to 09:0") && !$0.contains("…") }, "\(play.screen)")
    #expect(!play.lines[6].contains("planned") && play.text.contains(", planned "), "\(play.screen)")
    play.resize(132, 43)
    #expect(play.lines.contains { $0.contains("READING 1 to") && $0.contains("planned") }, "\(play.screen)")
  }

  @Test("what was done to every circuit is said of all, and by whom")
  func allCircuits() throws {
    let play = try Rehearsed.runningDesk()
    try play.startClock("Green circuit")
    play.send(.resumed).press("P").type("fire alarm\n").pass(seconds: 1)
    let name = try play.member("nokafor").name
    #expect(play.lines[3].contains("last: all circuits: pause (fire alarm) · \(name)"), "\(play.screen)")
  }

  @Test("the page Clear reads the sheets where the store has changed, and not for a tick of the clock")
  func clearReads() throws {
    let play = try Rehearsed.runningDesk().press("3").pass(seconds: 1)
    #expect(play.screen.contains("no sheet"))
    let reads = SheetReads()
    play.store.reader.inDatabase { $0.trace { reads.note("\($0)") } }
    for _ in 1...5 { play.pass(seconds: 1) }
    #expect(reads.count == 0)
    // The round that has begun by then is due, without a look at the sheets.
    play.pass(seconds: 600)
    #expect(reads.count == 0 && play.screen.contains("round 2 "))
    let other = try play.atSameStore()
    try other.sit("nokafor", at: "CHEST").press(.enter, "E", .enter, .enter)
    play.pass(seconds: 1)
    #expect(reads.count > 0)
  }

  @Test(
    "for a tick of the clock nothing is read; a round that begins is shown all the same",
    arguments: [("1", "Now: round 2"), ("2", "10:0"), ("6", "ABDO")])
  func noReadsForATick(page: Key, later: String) throws {
    let play = try Rehearsed.runningDesk()
    try play.atSameStore().sit("hyamamoto", at: "ABDO").press(.enter).press("!", "p")
    play.press(page).pass(seconds: 1)
    let reads = Statements()
    play.store.reader.inDatabase { $0.trace { reads.note("\($0)") } }
    for _ in 1...20 {
      play.clocks.pass(200)
      play.send(.deadline(play.clocks.loop))
    }
    #expect(reads.others.isEmpty, "\(reads.others.first ?? "")")
    play.pass(seconds: 600)
    #expect(play.screen.contains(later), "\(play.screen)")
  }

  @Test("the key of a page reads that page, and not the halls of all circuits again") func pageKeys() throws {
    let play = try Rehearsed.runningDesk().pass(seconds: 1)
    let watch = try #require(play.context.screen as? DeskScreen).desk.watch
    let before = watch.readings
    for page: Key in ["2", "3", "4", "5", "6", "7", "8", "9"] { play.press(page) }
    #expect(watch.readings == before)
    play.press("1")
    #expect(watch.readings == before + 1)
  }

  @Test("while others mark, the page Clear reads the sheets once a second, and the last mark is shown within one")
  func clearRests() throws {
    let play = try Rehearsed.runningDesk().press("3").pass(seconds: 1)
    let station = try play.atSameStore()
    station.pace = 30
    try station.sit("nokafor", at: "CHEST").press(.enter)
    play.passTime(1000)
    let reads = SheetReads()
    play.store.reader.inDatabase { $0.trace { reads.note("\($0)") } }
    #expect(play.screen.contains("round 1 30101: 3 blank, not signed"))
    station.pace = 20
    for item in station.sheet.blanks {
      station.press("'").type("\(station.sheet.items.firstIndex { $0.key == item.key }! + 1)\n1")
      play.passTime(100)
    }
    #expect(reads.count == 0)
    play.passTime(1000)
    // One statement for each station, and one for the items of the one sheet that there is.
    #expect(reads.count == 9 && play.screen.contains("round 1 30101: not signed"))
    play.passTime(1000)
    #expect(reads.count == 9)
  }

  @Test(
    "a help call stands in the hall and in the line of pages until somebody has settled it, and its station is told")
  func help() throws {
    let play = try Rehearsed.runningDesk()
    let station = try play.atSameStore().sit("hyamamoto", at: "ABDO").press(.enter)
    station.press("!", "p")
    play.pass(seconds: 1)
    #expect(play.screen.contains("2 Help:1"))
    #expect(play.lines[7].contains("HELP"))
    play.press("2", .enter)
    #expect(play.lines[6].contains("on the way, Okafor") && !play.screen.contains("WAITS"))
    play.press("1")
    #expect(play.lines[7].contains("on the way"))
    play.press("2", "d")
    #expect(play.screen.contains("No open help calls"))
    #expect(try play.store.read { try HelpCalls.all(in: $0) }.map(\.status) == [.resolved])
  }

  @Test("a message to a station is on that station's screen and on no other, until it is taken down")
  func messages() throws {
    let play = try Rehearsed.runningDesk()
    let here = try play.atSameStore().sit("hyamamoto", at: "ABDO").press(.enter)
    let there = try play.atSameStore().sit("psharma", at: "RX").press(.enter)
    play.press("j", "t").type("please hold\n")
    for station in [here, there] { station.press(.escape).pass(seconds: 1) }
    #expect(here.screen.contains("MESSAGE: please hold"))
    #expect(!there.screen.contains("please hold"))
    play.press("8", "x")
    here.pass(seconds: 1)
    #expect(!here.screen.contains("please hold"))
    play.press("A", "n").type("lunch at noon\n")
    for station in [here, there] { station.pass(seconds: 1) }
    #expect(here.screen.contains("MESSAGE: lunch at noon") && there.screen.contains("MESSAGE: lunch at noon"))
  }

  @Test("what an assessor noted of an identity stands on the page People and in the ledger")
  func identityNote() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.press("a", "i").type("badge of another year\n")
    let desk = try play.atSameStore().desk()
    desk.press("6")
    let row = try #require(desk.lines.first { $0.contains("30101") })
    #expect(row.contains("IDENTITY"))
    #expect(desk.text.contains("IDENTITY CHEST: badge of another year"))
    desk.press(.enter)
    #expect(desk.text.contains("The identity did not match: badge of another year."))
  }

  @Test("the page People is a grid of how far each is at each station, where that has room")
  func peopleGrid() throws {
    let play = try Rehearsed.runningDesk()
    try play.atSameStore().sit("nokafor", at: "CHEST").press(.enter)
    let at = try play.atSameStore().desk()
    at.pass(seconds: 1)
    at.press("6")
    #expect(at.lines[5].contains("CHE ABD CON RX") && at.lines[5].contains("Due"), "\(at.lines[5])")
    let here = try #require(at.lines.first { $0.contains("30101") })
    #expect(here.contains("▸   ·   ·   ·   –"), "\(here)")
    // With no room for the columns it says where each is and goes next.
    at.resize(70, 24)
    #expect(at.lines[5].contains("Now") && at.lines[5].contains("Next"))
  }

  @Test("the page People has somebody in the room from the bell until their extra time is over, as the lead's grid has")
  func peopleByTheBell() throws {
    let play = try Rehearsed()
    try play.startClock(seconds: 15)
    try play.desk().press("6")
    func row(_ number: String) throws -> String {
      try #require(play.lines.first { $0.contains(number) && !$0.contains("last:") })
    }
    #expect(try row("30101").contains("Abara  ·   ·"), "\(play.screen)")
    play.pass(seconds: 50)
    #expect(try row("30101").contains("Abara  ?   ·"), "\(play.screen)")
    let place = try play.session("NEWS")
    let entry = try play.store.read { try Roster.entries(timetable: place.timetable, seat: .lead, in: $0) }
      .first { $0.round == 1 }
    try play.store.write(.program) { try Attendance.record(true, for: #require(entry), in: $0) }
    play.pass(seconds: 1)
    let (here, gone) = (play.context.theme.glyphs.pointer.plain, play.context.theme.glyphs.half.plain)
    #expect(try row("30107").contains("–   ·   \(here)   ·"), "\(play.screen)")
    play.pass(seconds: 494)
    #expect(try row("30107").contains("–   ·   \(here)   ·"), "20 s after the bell, with 2 min more\n\(play.screen)")
    play.pass(seconds: 105)
    #expect(try row("30107").contains("–   ·   \(gone)   ·"), "\(play.screen)")
  }

  @Test("of two visits to one station after a swap the page People shows the one that needs more, and counts both")
  func peopleTwice() throws {
    let play = try Rehearsed.runningDesk().press("6")
    let resus = try play.session("RESUS")
    let people = try play.store.read { try HallBoard.read(resus.session, in: $0).candidates }.map(\.candidate)
    let pair = try ["30105", "30106"].map { number in try #require(people.first { $0.number == number }).id }
    _ = try play.store.write(.program) { try SlotChanges.swap(pair[0], pair[1], from: 2, in: resus.session, $0) }
    func row() throws -> String {
      play.pass(seconds: 1)
      return try #require(play.lines.first { $0.contains("30106") && !$0.contains("last:") })
    }
    #expect(try row().contains("–   ?   ·   ·    8"), "\(play.screen)")
    let first = try play.store.read { try Roster.entries(timetable: resus.timetable, seat: .lead, in: $0) }
      .first { $0.round == 1 }
    try play.store.write(.program) { try Attendance.record(false, for: #require(first), in: $0) }
    #expect(try row().contains("–   ·   ·   ·    7"), "\(play.screen)")
  }

  @Test("the page People shows how far somebody is who was added without a round, and counts the sheet as due")
  func peopleWithoutRound() throws {
    let play = try Rehearsed.runningDesk()
    let place = try play.session("CHEST")
    let entry = try play.store.write(.program) {
      try AdditionalCandidate.add(
        number: "30998", names: ["Ada", "Lovelace"], timetable: place.timetable, round: nil, in: $0)
    }
    play.press("6").pass(seconds: 6)
    func row() throws -> String {
      try #require(play.lines.first { $0.contains("30998") && !$0.contains("last:") })
    }
    #expect(try row().contains("·   –   –   –"), "\(play.screen)")
    try play.store.write(.program) { transaction in
      let entry = try #require(try Roster.entry(entry, seat: .lead, in: transaction.db))
      let key = try Attendance.passIdentityStep(entry: entry, seat: .lead, in: transaction)[0]
      let sheet = try #require(try Sheet.read(key, in: transaction.db))
      let item = try #require(sheet.items.first { $0.template.kind.takesLevel })
      _ = try Marking(transaction).mark(item, level: item.template.levels[0])
    }
    play.pass(seconds: 6)
    #expect(try row().contains("\(play.context.theme.glyphs.half.plain)   –   –   –"), "\(play.screen)")
  }

  @Test("on the page People nobody who is recorded present is not seen, though nothing was marked")
  func peopleUnmarked() throws {
    let play = try Rehearsed.runningDesk().press("6")
    let place = try play.session("RX")
    let entry = try play.store.read { try Roster.entries(timetable: place.timetable, seat: .lead, in: $0) }
      .first { $0.round == 1 }
    try play.store.write(.program) { try Attendance.record(true, for: #require(entry), in: $0) }
    play.pass(seconds: 600)
    let row = try #require(play.lines.first { $0.contains("30104") && !$0.contains("last:") })
    #expect(row.contains("·   ·   ·   \(play.context.theme.glyphs.half.plain)   –"), "\(play.screen)")
  }

  @Test("an incident keeps its kind, time, seconds lost and words, and stands in the candidate's ledger")
  func incidents() throws {
    let play = try Rehearsed.runningDesk().press("j", "i", "s").type("\n45\n").type("SP fainted\n").press("4")
    #expect(play.lines[6].contains("ABDO     simulated patient"))
    #expect(play.lines[6].contains("00:45"))
    play.press(.enter).type("60\n")
    #expect(play.lines[6].contains("01:00"))
    play.press("1", .enter)
    #expect(play.screen.contains("changed, 1 minute lost: SP fainted"))
    play.press(.escape, "4", "x").type("told twice\n")
    #expect(play.screen.contains("No incident was reported"))
    play.press("1", "i", "k").type("at noon\n")
    #expect(play.message.contains("write a time of day"))
    play.press("ctrl-u").type("\na minute\n")
    #expect(play.message.contains("whole seconds are asked for"))
    #expect(try play.count("SELECT count(*) FROM stationIncident WHERE dsDeleted = 0") == 0)
  }

  @Test("stations with blanks are let go only with a reason, one by one, and can be called back")
  func clearance() throws {
    let play = try Rehearsed.runningDesk().press("3").pass(seconds: 1)
    #expect(play.lines[6].contains("round 1 30101: "))
    #expect(!play.lines[6].contains("round 2"))
    play.press(.enter)
    #expect(play.screen.contains("CHEST is NOT clear"))
    play.press(.enter)
    #expect(play.message.contains("a reason is required"))
    play.type("assessor unwell\n")
    #expect(play.lines[6].contains("released 09:0"))
    #expect(!play.lines[7].contains("released"))
    play.press(.enter)
    #expect(play.message == "Blue CHEST is recalled")
  }

  @Test("the times list every pause with what it cost and why")
  func times() throws {
    let play = try Rehearsed.runningDesk().press("p").type("fire alarm\n").pass(seconds: 135).press("r", .enter, "5")
    let pause = play.lines.first { $0.contains("PAUSE") && $0.contains("02:") }
    #expect(pause?.contains("fire alarm") == true)
    #expect(play.lines.contains { $0.contains("Lost in all") && $0.contains("02:1") })
  }

  @Test("two candidates change places after a line that says what each meets twice and misses")
  func swap() throws {
    let play = try Rehearsed.runningDesk().press("6", "w").type("30104\n").type("2\n")
    #expect(play.text.contains("From round 2, 30101 Ms Chidinma Abara and 30104 "))
    #expect(play.screen.contains("30101 misses"))
    play.type("stood at the wrong station\n")
    #expect(play.message == "30101 and 30104 have changed places")
    play.press("1")
    // In round 2 slot 1 is at the second station: 30104 comes there now.
    #expect(play.lines[7].contains("30104"))
    play.press("6", "w").type("99999\n")
    #expect(play.message == "there is no candidate 99999 in this session")
  }

  @Test("after marks a swap is offered from the first round that it can begin with")
  func swapAfterMarks() throws {
    let station = try Rehearsed().mark("nokafor", at: "CHEST")
    let play = try station.atSameStore().desk().press("6", "w").type("30104\n")
    #expect(play.lines[22].hasPrefix("From round (Enter: 2):"), "\(play.screen)")
    play.press(.enter)
    #expect(play.text.contains("From round 2, 30101 Ms Chidinma Abara and 30104 "), "\(play.screen)")
    withExtendedLifetime(station) {}
  }

  @Test("a late candidate joins at the station of the round, and the missed ones are made up on a clock of their own")
  func lateAndRerun() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.clock(.jump(index: 8))
    try play.desk().press("6", "a", "t")
    #expect(
      play.text.contains("30101 Ms Chidinma Abara: LATE: joins in round 3 at CONSENT. Re-run queue: CHEST, ABDO."))
    play.press(.enter)
    #expect(play.message.hasSuffix("2 missed stations wait in the re-run queue"))
    play.press("7", "b")
    #expect(play.message.contains("has not finished"))
    play.pass(seconds: 1).press("X").type("end\n").press("7", "b")
    #expect(play.screen.contains("Start the re-run now: 2 rounds"))
    play.pass(seconds: 1).press(.enter)
    #expect(play.lines[0].contains("1 of 2"))
  }

  @Test("an extra candidate takes a free slot; where none is free the desk says so")
  func extra() throws {
    let play = try Rehearsed.runningDesk().press("6", "n").type("30998 Ada Lovelace\n")
    #expect(play.screen.contains("No slot is free from round 1 on. 30998 Ada Lovelace is examined in the re-run"))
    play.press(.enter)
    #expect(play.message == "queued for the re-run: 7 stations")
    try play.startClock("Green circuit")
    play.send(.resumed).press(.tab, "n").type("30999 Zoë de la Cruz\n").type("\n")
    #expect(play.screen.contains("30999 Zoë de la Cruz takes slot 4, first at RX in round 1."))
    #expect(!play.screen.contains("added to slot 4"))
    play.press(.enter)
    #expect(play.message.hasPrefix("added to slot 4, "))
    #expect(play.screen.contains("30999"))
    #expect(play.screen.contains("Zoë de la Cruz"))
  }

  @Test("the commas of the question may be typed; somebody of the session is told before anything is asked")
  func extraByCommas() throws {
    let play = try Rehearsed.runningDesk().press("6", "n").type("30998, Ada, Lovelace\n")
    #expect(play.screen.contains("30998 Ada Lovelace is examined in the re-run"))
    play.press(.enter).press("n").type("30101 Ada Lovelace\n")
    #expect(play.message.contains("30101 Ms Chidinma Abara is in session 2026-12-07 09:00 already"))
    #expect(!play.screen.contains("is examined in the re-run"))
  }

  @Test("what is not ready stands first")
  func ready() throws {
    let play = try Rehearsed.runningDesk().press("9")
    let words = play.lines[6...15].map { String($0.dropFirst(2).prefix(5)) }
    #expect(Set(words).count > 1)
    #expect(words.sorted { rank($0) < rank($1) } == words)
  }

  private func rank(_ word: String) -> Int { word.hasPrefix("NO GO") ? 0 : word.hasPrefix("look") ? 1 : 2 }

  @Test("names that are hostile to a terminal are harmless on every page")
  func hostile() throws {
    let play = try Rehearsed.runningDesk()
    try play.store.write(.program) { transaction in
      let student = try Fixture.count("SELECT dsid FROM user WHERE studentNumber = '30101'", transaction.db)
      try transaction.set("Student", "\(student)", ["surname": .text("\u{1B}[2J\u{202E}evil")])
    }
    for page: Key in ["1", "2", "3", "4", "5", "6", "7", "8", "9"] {
      play.press(page)
      #expect(!play.screen.contains("\u{1B}") && !play.screen.contains("\u{202E}"))
    }
  }
}

/// How often sheets were read, but for the line of whom to go to.
private final class SheetReads: @unchecked Sendable {
  private(set) var count = 0

  func note(_ statement: String) {
    let isOfChase = statement.contains("LEFT JOIN typeForm y") || statement.contains("max(q.markedAt)")
    let isOfAssessors = statement.contains("additionalStaff s")
    if statement.contains("dataForm f"), !isOfChase, !isOfAssessors { count += 1 }
  }
}

/// What is read beside the look whether anything has changed.
private final class Statements: @unchecked Sendable {
  private(set) var others: [String] = []

  func note(_ statement: String) { if !statement.contains("data_version") { others.append(statement) } }
}
