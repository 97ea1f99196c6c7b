import GRDB
import Journal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

/// Reading 60 s, rotation 300 s, changeover 60 s, twice; a run from 09:00:00.
@Suite("What an appeal asks for", .serialized) struct AppealTests {
  /// A morning at station H: help is called and a kit fails in round 1, and its sheet is mended after the bell.
  private func morning() throws -> MarkedExam {
    let exam = try MarkedExam()
    try exam.clock(.start)
    exam.test.time.pass(100_000)
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 1, level: 1)
    try exam.mark(sheet.key, item: 0, level: 1)
    let place = try exam.store.read { try StationSession.find(1, in: $0) }
    try exam.store.write(exam.author) {
      try HelpCalls.request("the manikin leaks", at: place, in: $0)
      try Incidents.report(.equipment, at: 1, secondsLost: 20, text: "no thermometer", $0)
      try Comments.add("seems unwell", to: .candidate(SmallExam.entry(1)), isConcern: true, in: $0)
      try Comments.add("calm", to: .candidate(SmallExam.entry(1)), in: $0)
    }
    try exam.sign(sheet.key)
    exam.test.time.pass(273_000)
    let signed = try exam.sheet(sheet.key)
    try exam.store.write(exam.author.because("misheard")) { try Signing.reopen(signed, in: $0) }
    try exam.mark(sheet.key, item: 1, level: 2)
    return exam
  }

  @Test("a changed mark is a row with both values in words, when after the bell, and why") func changes() throws {
    let exam = try morning()
    let rows = try exam.rows(.changes)
    #expect(rows.count == 1)
    let row = try #require(rows.first)
    #expect(row["student_number"] == .text("1001"))
    #expect((row["item"], row["what"], row["round"]) == (.integer(2), .text("mark"), .integer(1)))
    #expect((row["staff"], row["seconds_after_bell"]) == (.text("adavies"), .integer(13)))
    #expect(row["reason"] == .text("reopened: misheard"))
    guard case .text(let text) = row["words"] else { return #expect(Bool(false), "no words") }
    #expect(text.hasPrefix("H item 2: 2"))
    #expect(text.hasSuffix(", Dr Davies, 09:06:13, 13 s after the bell, reopened: misheard"))
    #expect(text.contains(" → 3"))
  }

  @Test("a first answer, feedback beside it and a mark that was confirmed are no change") func noChanges() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    for _ in 0..<2 { try exam.mark(sheet.key, item: 1, level: 2) }
    try exam.write(sheet.key, item: 1, "calm")
    #expect(try exam.rows(.changes).isEmpty)
    try exam.write(sheet.key, item: 1, "calmer")
    #expect(try exam.rows(.changes).map { $0["from"] } == [.text("feedback: calm")])
  }

  @Test("an answer that was taken back is a change to blank") func cleared() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 1, level: 2)
    let item = try exam.sheet(sheet.key).items[1]
    try exam.store.write(exam.author) { _ = try Marking($0).clear(item) }
    #expect(try exam.rows(.changes).map { $0["to"] } == [.text("blank")])
  }

  @Test("an undo and a redo are changes of their own, of when they were made, also where they bring a mark back")
  func undone() throws {
    let exam = try MarkedExam()
    try exam.clock(.start)
    exam.test.time.pass(100_000)
    let key = try exam.open(1).key
    try exam.mark(key, item: 1, level: 1)
    exam.test.time.pass(1000)
    let item = try exam.sheet(key).items[1]
    let cleared = try exam.store.write(exam.author) { try Marking($0).clear(item) }
    // To 13 seconds after the bell.
    exam.test.time.pass(272_000)
    let undone = try exam.store.write(exam.author) { try $0.undo(cleared) }
    exam.test.time.pass(1000)
    try exam.store.write(exam.author) { _ = try $0.undo(undone) }
    exam.test.time.pass(1000)
    try exam.mark(key, item: 1, level: 2)
    let rows = try exam.rows(.changes)
    #expect(rows.map { $0["how"] } == [.text("set"), .text("undo"), .text("redo"), .text("set")])
    #expect(rows.map { $0["seconds_after_bell"] } == [.empty, .integer(13), .integer(14), .integer(15)])
    #expect(rows.map { $0["to"] == .text("blank") } == [true, false, true, false])
    #expect(rows.map { $0["from"] == .text("blank") } == [false, true, false, true])
    #expect(rows[1]["to"] == rows[0]["from"])
    #expect(rows[3]["time"] == .time(exam.store.clock.now))
    #expect(try exam.rows(.marks)[1]["changes"] == .integer(Int64(rows.count)))
    let text = try dossier(exam).lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    #expect(text.contains("blank → 2") && text.contains("09:06:13, 13 s after the bell"))
  }

  @Test("a call for help has who was examined then, and how long it lasted") func help() throws {
    let exam = try morning()
    let row = try #require(try exam.rows(.help).first)
    #expect((row["circuit"], row["station"], row["round"]) == (.text("Blue"), .text("H"), .integer(1)))
    #expect((row["student_number"], row["status"]) == (.text("1001"), .text("requested")))
    #expect((row["text"], row["caller"]) == (.text("the manikin leaks"), .text("Dr Davies")))
    #expect((row["acknowledged_at"], row["cleared_at"]) == (.empty, .empty))
    #expect(row["age_seconds"] == .mark(MarkValue(273)!))
  }

  @Test("a call for help before any clock was started has no round") func earlyHelp() throws {
    let exam = try MarkedExam()
    let place = try exam.store.read { try StationSession.find(1, in: $0) }
    try exam.store.write(exam.author) { _ = try HelpCalls.request("no chairs", at: place, in: $0) }
    let row = try #require(try exam.rows(.help).first)
    #expect((row["station"], row["round"], row["student_number"]) == (.text("H"), .empty, .empty))
  }

  @Test("incidents have the candidate whose round it was; a pause of the clock is lost at every station")
  func incidents() throws {
    let exam = try morning()
    let now = exam.store.clock.now
    _ = try exam.store.write(exam.author.because("fire alarm")) {
      try ClockLog.append(.pause, to: exam.session, at: now, in: $0)
    }
    exam.test.time.pass(30_000)
    let rows = try exam.rows(.incidents)
    #expect(rows.map { $0["kind"] } == [.text("equipment"), .text("pause")])
    #expect(rows.map { $0["reason"] } == [.text("no thermometer"), .text("fire alarm")])
    #expect(rows.map { $0["staff"] } == [.text("Dr Davies"), .text("Dr Davies")])
    #expect((rows[0]["student_number"], rows[0]["seconds_lost"]) == (.text("1001"), .mark(MarkValue(20)!)))
    #expect((rows[1]["station"], rows[1]["seconds_lost"]) == (.empty, .mark(MarkValue(30)!)))
  }

  @Test("a comment to a person has its category, a sign-in its sign-out") func categories() throws {
    let exam = try MarkedExam([SmallExam.row("CommentGroup", "1", ["name": .text("Conduct")])])
    let member = try exam.store.read { try StaffMember.find(username: "adavies", in: $0) }
    let device = exam.store.device
    let sitting = try exam.store.write(exam.author) { transaction in
      _ = try GeneralComments.add("Polite", to: 11, category: 1, in: transaction)
      return try SignIn.begin(member, timetable: 1, device: device, in: transaction)
    }
    #expect(try exam.rows(.comments).map { $0["category"] } == [.text("Conduct")])
    #expect(try exam.rows(.signins).map { $0["signed_out_at"] } == [.empty])
    exam.test.time.pass(1000)
    try exam.store.write(exam.author) { try sitting.end(in: $0) }
    #expect(try exam.rows(.signins).map { $0["signed_out_at"] } == [.time(exam.store.clock.now)])
  }

  private func dossier(_ exam: MarkedExam, _ number: String = "1001", concerns: Bool = false) throws -> CandidateDossier
  {
    try exam.store.read {
      try CandidateDossier.read(number, concerns: concerns, in: $0, at: exam.store.clock.now)
    }
  }

  @Test("a dossier has answers with their times, changes, incidents, help and the store's last hash") func dossier()
    throws
  {
    let exam = try morning()
    let lines = try dossier(exam).lines
    let text = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    let head = try exam.store.read {
      try String.fetchOne($0, sql: "SELECT lower(hex(hash)) FROM operation ORDER BY seq DESC LIMIT 1")
    }
    for part in [
      "DOSSIER OF CANDIDATE 1001, Ada Okoro", " · local times, UTC", "operation has the hash \(head ?? "none")",
      "SESSION 2026-12-07 09:00, Blue",
      "Round 1, station H History", "kit failed, 20 seconds lost: no thermometer", "Staff: Dr Davies (assessor)",
      "Identity: checked at 09:01:40", "Help called at 09:01:40 by Dr Davies: the manikin leaks; not resolved",
      "NOT SIGNED", "09:06:13, 13 s after the bell", "Changes:", "reopened: misheard", "Comment by Dr Davies",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  /// A dossier's text in one line.
  private func text(_ exam: HallExam, _ number: String) throws -> (dossier: CandidateDossier, text: String) {
    let now = exam.store.clock.now
    let dossier = try exam.store.read { try CandidateDossier.read(number, concerns: false, in: $0, at: now) }
    return (dossier, dossier.lines.joined(separator: " ").split(separator: " ").joined(separator: " "))
  }

  @Test("a dossier has the swaps of its candidate, and why the candidate was absent or late") func reasons() throws {
    let exam = try HallExam()
    func change(_ reason: String, _ body: (JournalTransaction) throws -> Void) throws {
      try exam.store.write(exam.author.because(reason), body)
    }
    try change("fell ill") { _ = try HallAttendance.absent(105, from: 4, in: exam.session, $0) }
    try change("bus broke down") { _ = try HallAttendance.late(102, joining: 2, in: exam.session, $0) }
    try change("needs the lift") { _ = try SlotChanges.swap(101, 105, from: 3, in: exam.session, $0) }
    let (moved, swapped) = try text(exam, "105")
    #expect(
      swapped.contains("Swapped places with 101 from round 3 on by Dr Davies at 09:00:00: needs the lift"), "\(swapped)"
    )
    #expect(moved.json.text.contains(#""swaps":[{"with":"101","round":3,"undone":false,"staff":"adavies","time":"#))
    // Absence goes with the person, with its own reason: that of the swap is not that of the absence.
    #expect(swapped.contains("Recorded absent by Dr Davies at 09:00:00: fell ill"), "\(swapped)")
    #expect(!swapped.contains("Recorded absent by Dr Davies at 09:00:00: needs the lift"))
    let (joined, late) = try text(exam, "102")
    #expect(late.contains("Recorded absent by Dr Davies at 09:00:00: bus broke down"))
    #expect(late.contains("Recorded late by Dr Davies at 09:00:00: bus broke down"))
    #expect(joined.json.text.contains(#""attendance":[{"what":"late","staff":"adavies","time":"#))
    #expect(!late.contains("Swapped places"))
    let swap = try #require(try exam.store.read { try HallActions.newest(in: $0) })
    try exam.write { try swap.takeBack($0) }
    #expect(try text(exam, "101").text.contains("Swap undone with 105 from round 3 on by Dr Davies"))
    #expect(try text(exam, "105").text.contains("Recorded absent by Dr Davies at 09:00:00: fell ill"))
    #expect(try !text(exam, "101").text.contains("Recorded absent"))
  }

  @Test("the stations of a candidate who was added come in the order of rounds, then of the re-run, with the reason")
  func added() throws {
    let exam = try HallExam(slots: [101, 102, 103, 104, 105])
    let newcomer = Newcomer.new(number: "900", forename: "Zoë", surname: "Late")
    try exam.store.write(exam.author.because("sent by the office")) {
      _ = try ExtraCandidates.addToRerun(newcomer, in: exam.session, $0)
    }
    let (dossier, shown) = try text(exam, "900")
    #expect(dossier.sessions.flatMap(\.stations).map(\.place.stationCode) == ["A1", "A2", "A4", "A5"])
    #expect(shown.contains("Added on the day by Dr Davies at 09:00:00: sent by the office"))
    #expect(!shown.contains("Recorded absent"))
  }

  @Test("feedback on an item without a mark is in a dossier, and so is that two values of an item stand")
  func writtenOnBlank() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    try exam.write(sheet.key, item: 1, "slow")
    let found = try dossier(exam)
    #expect(found.lines.joined().contains("Listens: blank; slow"))
    #expect(found.json.text.contains(#""words":"blank; slow""#))
    try exam.tamper(
      "INSERT INTO fork SELECT entity, uuid, 'feedback', 0 FROM dataQuestion WHERE feedback = 'slow'")
    #expect(try dossier(exam).lines.joined(separator: " ").contains("CONFLICT"))
  }

  @Test("a mark that was changed on another day than the sheet's has its date") func changedLater() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 1, level: 1)
    exam.test.time.pass(2 * 86_400_000)
    try exam.mark(sheet.key, item: 1, level: 2)
    let text = try dossier(exam).lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    #expect(text.contains(", Dr Davies, 2026-12-09 09:00:00"))
    guard case .text(let words)? = try exam.rows(.changes).first?["words"] else { return #expect(Bool(false)) }
    #expect(words.contains(", 2026-12-09 09:00:00"))
  }

  @Test("what was written in several lines stands in a dossier in as many, indented") func writtenLines() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    try exam.write(sheet.key, item: 1, "slow\n\nasks twice")
    let lines = try dossier(exam).lines
    let first = try #require(lines.firstIndex { $0.hasSuffix("Listens: blank; slow") })
    #expect(lines[first + 1] == "        asks twice")
  }

  @Test("a signature that the lead gives days later has its date, on whose behalf it is, and why") func signedByLead()
    throws
  {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    let lead = try exam.store.appoint("bmurphy")
    exam.test.time.pass(2 * 86_400_000)
    _ = try exam.store.write(Author(staff: lead.member.id)) {
      try Rulings.waive(
        check: ClosingReport.Code.unsigned.rawValue, line: "any", on: .init(candidate: "1001"), signing: sheet.key,
        for: "adavies", reason: "left before signing", by: lead, $0)
    }
    let text = try dossier(exam).lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    let signature =
      "signed by Murphy at 2026-12-09 09:00:00: accepted as it stands on behalf of adavies: left before signing"
    #expect(text.contains(signature), "\(text)")
    #expect(text.contains("waiver sheets not signed · ") && text.contains("sheet of first assessor: left before"))
  }

  @Test("a dossier says who judged what another person signed, who typed it from paper, and of which tooth")
  func origins() throws {
    let exam = try MarkedExam([
      SmallExam.row(
        "TypeSection", "1", ["name": .text("Tooth"), "quadAndTooth": .bool(true), "maximumDifficulty": .integer(3)])
    ])
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 0, level: 1)
    let (tooth, item) = (sheet.sections[0], sheet.items[1])
    try exam.store.write(Author(staff: 1)) {
      _ = try Marking($0, paper: PaperEntry(judge: 2)).mark(item, level: item.template.levels[1])
      try SectionFacts.record(SectionFacts.Tooth("55"), of: tooth, in: $0)
      try SectionFacts.record(difficulty: 1, of: tooth, in: $0)
    }
    try exam.sign(sheet.key)
    let found = try dossier(exam)
    let lines = found.lines
    #expect(lines.contains("    Tooth: tooth 55, difficulty 1"))
    #expect(lines.contains { $0.contains("1  Washes hands: 1 Yes, 09:00:00") && !$0.contains(", by ") })
    let text = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    #expect(text.contains("2 Listens: 2, 09:00:00, by Murphy, typed from paper by Dr Davies"))
    let members =
      #""judge":"Murphy","enteredBy":"Dr Davies","paper":true,"tooth":"5","quadrant":"5","quantity":null,"difficulty":1"#
    #expect(found.json.text.contains(members))
  }

  @Test("concerns are in a dossier only where they are asked for, and it says that there are some") func concerns()
    throws
  {
    let exam = try morning()
    let (without, with) = (try dossier(exam).lines, try dossier(exam, concerns: true).lines)
    #expect(without.last == "1 concern was raised about this candidate; --concerns adds them.")
    #expect(!without.joined().contains("unwell"))
    #expect(try !dossier(exam).json.text.contains("unwell"))
    #expect(with.joined().contains("CONCERN by Dr Davies, 09:01:40: seems unwell"))
  }

  @Test("help that was called in another candidate's round is none of a candidate's dossier") func others() throws {
    let exam = try morning()
    #expect(try !dossier(exam, "1002").lines.joined().contains("manikin"))
  }

  @Test("an unknown number names the nearest") func nearest() throws {
    let exam = try MarkedExam()
    let error = #expect(throws: StoreError.self) { try dossier(exam, "10O1") }
    #expect(error?.description == "nobody has the candidate number 10O1; the nearest is 1001")
  }
}
